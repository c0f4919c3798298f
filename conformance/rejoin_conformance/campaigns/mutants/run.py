"""Run the mutants of a system, wherever the work is spread, and add up what became of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, Literal

from attrs import asdict, frozen

from rejoin_conformance.campaigns.mutants.coverage import Lines, added_up, executed_lines
from rejoin_conformance.campaigns.mutants.equivalent import Equivalent, change_of
from rejoin_conformance.campaigns.mutants.examine import Examined, examine_mutant
from rejoin_conformance.campaigns.mutants.mutant import Mutant, mutants_of, mutated_modules
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.kit.json_types import Json, JsonObject

MUTANTS_A_PIECE: Final = 20
VECTORS_A_PIECE: Final = 100


@frozen(kw_only=True)
class MutantRun:
    """The mutants of a system that were tried, and what became of each.

    examined: in the order of `mutants`. equivalents: the argued entries.
    """

    system: str
    mutants: tuple[Mutant, ...]
    examined: tuple[Examined, ...]
    vectors: tuple[Vector, ...]
    equivalents: tuple[Equivalent, ...]

    @property
    def alive(self) -> tuple[tuple[Mutant, Examined], ...]:
        """The mutants that no vector noticed, and that no entry argues to be equivalent."""
        argued = {each.change for each in self.equivalents}
        return tuple(
            (mutant, each)
            for mutant, each in zip(self.mutants, self.examined, strict=True)
            if each.fate != "killed" and change_of(mutant) not in argued
        )

    @property
    def refuted(self) -> tuple[tuple[Equivalent, Vector], ...]:
        """The entries whose mutant a vector kills, with the vector."""
        killed = {
            change_of(mutant): self.vectors[each.killers[0]]
            for mutant, each in zip(self.mutants, self.examined, strict=True)
            if each.fate == "killed"
        }
        return tuple(
            (entry, killed[entry.change]) for entry in self.equivalents if entry.change in killed
        )

    def fates(self) -> Counter[str]:
        """Fate -> the number of mutants; argued survivors count as `equivalent`."""
        argued = {each.change for each in self.equivalents}
        return Counter(
            "equivalent" if each.fate != "killed" and change_of(mutant) in argued else each.fate
            for mutant, each in zip(self.mutants, self.examined, strict=True)
        )

    def to_json(self) -> JsonObject:
        """The run as data."""
        listed: list[Json] = [
            {
                **asdict(mutant),
                "name": mutant.name,
                "fate": each.fate,
                "killers": [self.vectors[place].id for place in each.killers],
                "tried": each.tried,
                "observed": each.how,
            }
            for mutant, each in zip(self.mutants, self.examined, strict=True)
        ]
        return {
            "system": self.system,
            "fates": dict(sorted(self.fates().items())),
            "mutants": listed,
        }


def run_mutants(
    system: str,
    spread: Spread,
    equivalents: Sequence[Equivalent] = (),
    *,
    chosen: Sequence[int] | None = None,
    matrix: bool = False,
) -> MutantRun:
    """Run mutants against the corpus.

    chosen: the places of the mutants to run; by default all of them. matrix: run every vector that
    executes a mutant, past the first kill.
    """
    vectors = load_system(system)
    pieces = -(-len(vectors) // VECTORS_A_PIECE)
    parts = spread.pieces(partial(_lines, system), pieces, "coverage of the vectors")
    lines = added_up(map(_lines_from_json, parts))
    every = mutants_of(system)
    numbers = tuple(range(len(every)) if chosen is None else chosen)
    count = -(-len(numbers) // MUTANTS_A_PIECE)
    work = partial(_examine, system, lines, numbers, "all" if matrix else "first")
    results: list[Any] = spread.pieces(work, count, "mutants")
    return MutantRun(
        system=system,
        mutants=tuple(every[number] for number in numbers),
        examined=tuple(_examined(each) for piece in results for each in piece),
        vectors=vectors,
        equivalents=tuple(equivalents),
    )


def _lines(system: str, piece: int) -> Json:
    operations = {operation.name: operation for operation in system_named(system).operations}
    start = piece * VECTORS_A_PIECE
    some = list(enumerate(load_system(system)))[start : start + VECTORS_A_PIECE]
    lines = executed_lines(mutated_modules(system), operations, some)
    return {
        module: {str(line): f"{bits:x}" for line, bits in each.items()}
        for module, each in lines.items()
    }


def _lines_from_json(value: Any) -> Mapping[str, Mapping[int, int]]:
    return {
        module: {int(line): int(bits, 16) for line, bits in each.items()}
        for module, each in value.items()
    }


def _examine(
    system: str,
    lines: Lines,
    numbers: Sequence[int],
    killers: Literal["first", "all"],
    piece: int,
) -> Json:
    start = piece * MUTANTS_A_PIECE
    return [
        {**asdict(each), "killers": list(each.killers)}
        for number in numbers[start : start + MUTANTS_A_PIECE]
        for each in [examine_mutant(system, number, lines, matrix=killers == "all")]
    ]


def _examined(value: Any) -> Examined:
    return Examined(**{**value, "killers": tuple(value["killers"])})
