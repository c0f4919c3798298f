"""Ask mutants the calls of random histories: those mutants that no vector kills.

The histories come in blocks. The reference answers each call of a block once, with the mutants in
its shadow. Then each mutant is asked only the calls of which it is a suspect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from attrs import frozen

from rejoin_conformance.campaigns.mutants.corpus import corpus_of
from rejoin_conformance.campaigns.mutants.examine import SECONDS, observed_answer, put_in_force
from rejoin_conformance.campaigns.mutants.exchanging import NotInForceError
from rejoin_conformance.campaigns.mutants.forked import in_a_fork
from rejoin_conformance.campaigns.mutants.kept_lines import KeptLines
from rejoin_conformance.campaigns.mutants.mutant import Mutant
from rejoin_conformance.campaigns.mutants.pace import Pace
from rejoin_conformance.campaigns.mutants.suspects import suspects_of
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.operation import Operation, Output
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.verify import Question
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json

_SEED: Final = 13
_PROFILE: Final = "default"

BLOCK: Final = 50
BLOCKS_A_BATCH: Final = 16
"""The number of blocks after which noticed mutants are not asked again, and results are kept."""


@frozen(kw_only=True)
class Noticed:
    """A mutant that answers a call of a random history in another way.

    operation, reading, input: the call. observed: the wrong answer.
    """

    mutant: Mutant
    operation: str
    reading: str
    input: JsonObject
    observed: str

    def to_json(self) -> JsonObject:
        """Return the mutant and the call as data."""
        return {
            "mutant": self.mutant.name,
            "operation": self.operation,
            "reading": self.reading,
            "input": self.input,
            "observed": self.observed,
        }


def noticed_by_histories(
    system: str,
    mutants: Sequence[Mutant],
    histories: int,
    spread: Spread,
    *,
    kept: KeptLines | None = None,
) -> tuple[Noticed, ...]:
    """Return the mutants that answer a call of a random history of the default profile wrongly.

    kept: the results of the first histories, from an interrupted run; new results are added.
    """
    found: dict[str, Any] = {}
    done = 0
    for line in kept.lines if kept else ():
        found |= {each["mutant"]: each for each in line["noticed"]}
        done = line["histories"]
    pace = Pace(histories - done, "histories")
    first = done
    while done < histories:
        batch = range(done, min(done + BLOCK * BLOCKS_A_BATCH, histories))
        left = tuple(each for each in mutants if each.name not in found)
        work = partial(_noticed_in, system, left, batch)
        pieces: list[Any] = spread.pieces(work, -(-len(batch) // BLOCK), pace.text(done - first))
        new = {each["mutant"]: each for piece in reversed(pieces) for each in piece}
        found |= new
        done = batch.stop
        if kept is not None:
            kept.add([{"histories": done, "noticed": [*new.values()]}])
    return tuple(_noticed(each, found[each.name]) for each in mutants if each.name in found)


def _noticed(mutant: Mutant, value: Any) -> Noticed:
    return Noticed(
        mutant=mutant,
        operation=value["operation"],
        reading=value["reading"],
        input=value["input"],
        observed=value["observed"],
    )


def _noticed_in(system: str, mutants: Sequence[Mutant], histories: range, block: int) -> Json:
    """Return the mutants that one block of the histories notices, each with a call, as data."""
    questions = tuple(_questions(system, histories[block * BLOCK :][:BLOCK]))
    operations = corpus_of(system).operations
    suspects = suspects_of(operations, mutants, questions)
    return [
        found.to_json()
        for mutant, places in zip(mutants, suspects, strict=True)
        if (found := _first_wrong(system, mutant, [questions[place] for place in places]))
    ]


def _questions(system: str, histories: Iterable[int]) -> Iterator[Question]:
    """Yield the calls of histories under each reading, each once."""
    owner = system_named(system)
    operations = {operation.name: operation for operation in owner.operations}
    seen: set[tuple[str, str, str]] = set()
    for index in histories:
        seed = history_seed(_SEED, system, _PROFILE, index)
        history = owner.histories.generate(_PROFILE, seed)
        for reading in owner.readings:
            for call in owner.histories.calls(history, reading):
                key = (call.operation, reading, canonical_json(call.input))
                if key not in seen:
                    seen.add(key)
                    yield _question(operations[call.operation], reading, call.input)


def _question(operation: Operation, reading: str, value: JsonObject) -> Question:
    result = operation.answer(value, reading)
    vector = Vector(
        id=f"{operation.name}/of-a-history",
        operation=operation.name,
        clauses=(),
        level="must",
        summary="",
        input=value,
        expected={},
        readings_differ=False,
    )
    text = canonical_json(result.value) if isinstance(result, Output) else None
    return Question(vector, ((reading, text),))


def _first_wrong(system: str, mutant: Mutant, questions: Sequence[Question]) -> Noticed | None:
    """Return the first question that a mutant answers wrongly, or None."""
    if not questions:
        return None

    def wrong() -> tuple[int, str] | None:
        try:
            operations = put_in_force(system, corpus_of(system), mutant)
        except NotInForceError:
            return None
        except Exception as error:  # noqa: BLE001 - whatever a mutant raises is noticed
            return 0, f"the import fails: {type(error).__name__}: {error}"
        for place, question in enumerate(questions):
            observed, _ = observed_answer(operations, question, SECONDS)
            if observed is not None:
                return place, observed
        return None

    died: tuple[int, str] | None = (0, "the process died")
    found = in_a_fork(wrong, died)
    if found is None:
        return None
    question = questions[found[0]]
    return Noticed(
        mutant=mutant,
        operation=question.vector.operation,
        reading=question.expected[0][0],
        input=question.vector.input,
        observed=found[1][:300],
    )
