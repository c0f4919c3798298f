"""Find the questions that a mutant could answer wrongly, before it is asked any of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rejoin_conformance.campaigns.mutants.exchanging import loaded
from rejoin_conformance.campaigns.mutants.forked import in_a_fork
from rejoin_conformance.campaigns.mutants.mutant import Mutant
from rejoin_conformance.campaigns.mutants.shadows import put_in_shadows
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.corpus.verify import Question


def suspects_of(
    operations: Mapping[str, Operation], mutants: Sequence[Mutant], questions: Sequence[Question]
) -> tuple[tuple[int, ...], ...]:
    """Return for each mutant the places of the questions that it could answer wrongly.

    If a question gets a wrong answer in the shadow of mutants, one of them changed a value of the
    reference, and all of them are suspects.
    """

    def suspects() -> tuple[tuple[int, ...], ...]:
        shadows = put_in_shadows(mutants, loaded())
        places: list[list[int]] = [[] for _ in mutants]
        for place, question in enumerate(questions):
            with shadows.question():
                wrong = question.wrong_answer(operations[question.vector.operation])
            for number in shadows.suspects if wrong is None else range(len(mutants)):
                places[number].append(place)
        return tuple(map(tuple, places))

    every = tuple(range(len(questions)))
    return in_a_fork(suspects, died=tuple(every for _ in mutants))
