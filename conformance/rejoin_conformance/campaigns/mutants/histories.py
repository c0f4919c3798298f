"""Ask mutants the calls of random histories: those mutants that no vector kills.

The histories come in blocks. The reference answers each call of a block once. Then many mutants
are in force at once, and answer the calls that run one of their functions. If an answer differs,
halving the group finds the mutant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from attrs import frozen

from rejoin_conformance.campaigns.kept.lines import Lines
from rejoin_conformance.campaigns.kept.store import every_row
from rejoin_conformance.campaigns.mutants.asking_groups import Asked
from rejoin_conformance.campaigns.mutants.corpus import corpus_of
from rejoin_conformance.campaigns.mutants.examine import loaded_reference
from rejoin_conformance.campaigns.mutants.mutant import Mutant
from rejoin_conformance.campaigns.mutants.pace import Pace
from rejoin_conformance.campaigns.mutants.reached import reached_by
from rejoin_conformance.campaigns.mutants.together import Clash
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.operation import Operation, Output
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.verify import Question
from rejoin_conformance.kit.draw import Draw, seed_of
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json

_SEED: Final = 13
_PROFILE: Final = "default"

BLOCK: Final = 250
BLOCKS_A_BATCH: Final = 2
"""The number of blocks after which noticed mutants are not asked again, and results are kept."""

_REGROUPED: Final = 2000
"""The number of histories after which mutants are grouped anew, so that none hides another."""


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
    kept: Lines | None = None,
) -> tuple[Noticed, ...]:
    """Return the mutants that answer a call of a random history of the default profile wrongly.

    kept: the results of the first histories, from an interrupted run; new results are added.
    """
    found: dict[str, Any] = {}
    clashes: set[Clash] = set()
    done = 0
    for line in every_row(kept) if kept else ():
        found |= {each["mutant"]: each for each in line["noticed"]}
        clashes |= {*map(frozenset, line["clashes"])}
        done = line["histories"]
    pace = Pace(histories - done, "histories")
    first = done
    while done < histories:
        batch = range(done, min(done + BLOCK * BLOCKS_A_BATCH, histories))
        left = tuple(each for each in mutants if each.name not in found)
        work = partial(_noticed_in, system, left, frozenset(clashes), batch)
        pieces: list[Any] = spread.pieces(work, -(-len(batch) // BLOCK), pace.text(done - first))
        new = {each["mutant"]: each for piece in reversed(pieces) for each in piece["noticed"]}
        more = {frozenset(each) for piece in pieces for each in piece["clashes"]} - clashes
        found |= new
        clashes |= more
        done = batch.stop
        if kept is not None:
            line = {"histories": done, "noticed": [*new.values()], "clashes": _listed(more)}
            kept.add([line])
    return tuple(_noticed(each, found[each.name]) for each in mutants if each.name in found)


def _noticed(mutant: Mutant, value: Any) -> Noticed:
    return Noticed(
        mutant=mutant,
        operation=value["operation"],
        reading=value["reading"],
        input=value["input"],
        observed=value["observed"],
    )


def _noticed_in(
    system: str, mutants: Sequence[Mutant], clashes: frozenset[Clash], histories: range, block: int
) -> Json:
    """Return the mutants that one block of the histories notices, and new clashes, as data."""
    some = histories[block * BLOCK :][:BLOCK]
    questions = tuple(_questions(system, some))
    reference = loaded_reference(system)
    corpus = corpus_of(system)
    asked = Asked(
        system=system,
        corpus=corpus,
        questions=questions,
        reached=reached_by(corpus.operations, questions, reference),
        clashes={*clashes},
    )
    asked.ask(Draw(seed_of(_SEED, system, some.start // _REGROUPED)).shuffled(mutants))
    return {
        "noticed": [
            Noticed(
                mutant=mutant,
                operation=questions[place].vector.operation,
                reading=questions[place].expected[0][0],
                input=questions[place].vector.input,
                observed=observed,
            ).to_json()
            for mutant in mutants
            if mutant.name in asked.wrong
            for place, observed in [asked.wrong[mutant.name]]
        ],
        "clashes": _listed(asked.clashes - clashes),
    }


def _listed(clashes: Iterable[Clash]) -> list[Json]:
    return [[*names] for names in sorted(map(sorted, clashes))]


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
