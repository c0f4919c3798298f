"""Run the mutants of a system, wherever the work is spread, and add up the results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from attrs import asdict, frozen

from rejoin_conformance.campaigns.mutants.asking import (
    Corpus,
    Coverage,
    corpus_of,
    coverage_of,
    executed_by,
    same_corpus,
)
from rejoin_conformance.campaigns.mutants.equivalent import Argued
from rejoin_conformance.campaigns.mutants.examine import Examined, examine_mutants
from rejoin_conformance.campaigns.mutants.mutant import Mutant, mutants_in, mutated_modules
from rejoin_conformance.campaigns.tables import FATES
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.kit.codec import plain, read
from rejoin_conformance.kit.json_types import Json, JsonObject

MUTANTS_A_PIECE: Final = 20
VECTORS_A_PIECE: Final = 100


@frozen(kw_only=True)
class MutantRun:
    """The mutants of a system that were tried, each with its result.

    examined: in the order of `mutants`. argued: the mutants that need no vector.
    """

    system: str
    mutants: tuple[Mutant, ...]
    examined: tuple[Examined, ...]
    vectors: tuple[Vector, ...]
    argued: Argued

    @property
    def alive(self) -> tuple[tuple[Mutant, Examined], ...]:
        """The mutants that no vector noticed, and that no entry argues to be equivalent."""
        return tuple(
            (mutant, each)
            for mutant, each, fate in self.each()
            if fate not in {"killed", "equivalent"}
        )

    @property
    def refuted(self) -> tuple[tuple[Mutant, str], ...]:
        """The argued mutants that a vector kills, with its ID.

        It is empty if some vector executes a mutant that is argued to be unreachable.
        """
        found: list[tuple[Mutant, str]] = []
        for mutant, each, _ in self.each():
            if self.argued.argument(mutant) is None:
                continue
            if each.fate == "killed":
                found.append((mutant, each.killer))
            elif each.tried and mutant.function and self.argued.is_unreachable(mutant):
                found.append((mutant, ""))
        return tuple(found)

    def fates(self) -> Counter[str]:
        """Fate -> the number of mutants; argued survivors count as `equivalent`."""
        return Counter(fate for _, _, fate in self.each())

    def each(self) -> Iterator[tuple[Mutant, Examined, str]]:
        """Yield each mutant with its result, and its fate or `equivalent`."""
        for mutant, each in zip(self.mutants, self.examined, strict=True):
            argued = each.fate != "killed" and self.argued.argument(mutant) is not None
            yield mutant, each, "equivalent" if argued else each.fate

    def to_json(self) -> JsonObject:
        """The run as data."""
        listed: list[Json] = [
            {
                **asdict(mutant),
                "name": mutant.name,
                "fate": fate,
                "killer": each.killer,
                "tried": each.tried,
                "observed": each.how,
            }
            for mutant, each, fate in self.each()
        ]
        return {
            "system": self.system,
            "fates": dict(sorted(self.fates().items())),
            "mutants": listed,
        }


def run_mutants(
    system: str,
    mutants: Sequence[Mutant],
    spread: Spread,
    argued: Argued | None = None,
) -> MutantRun:
    """Run mutants against the corpus, which is read once, before anything else."""
    corpus, argued = corpus_of(system), argued or Argued()
    names = frozenset(each.name for each in mutants if argued.argument(each) is not None)
    covered = _covered(corpus, mutants, spread)
    work = partial(_piece, system, corpus.digest, covered, mutants, names)
    pieces: list[Any] = spread.pieces(work, -(-len(mutants) // MUTANTS_A_PIECE), "mutants")
    return MutantRun(
        system=system,
        mutants=tuple(mutants),
        examined=tuple(read(each, Examined) for piece in pieces for each in piece["examined"]),
        vectors=tuple(each.vector for each in corpus.questions),
        argued=argued,
    )


def _covered(corpus: Corpus, mutants: Sequence[Mutant], spread: Spread) -> Coverage:
    """Return the lines that the vectors execute, in the modules or functions of these mutants."""
    modules = {each.module for each in mutants}
    if any(not each.function for each in mutants):  # all vectors that execute anything are asked
        modules |= {*mutated_modules(corpus.system)}
    functions = None
    if len(mutants) < sum(len(mutants_in(each)) for each in modules):
        functions = sorted({(each.module, each.function) for each in mutants})
    pieces = -(-len(corpus.asked) // VECTORS_A_PIECE)
    work = partial(_executed, corpus.system, corpus.digest, sorted(modules), functions)
    found: list[Any] = spread.pieces(work, pieces, "coverage of the vectors")
    return coverage_of(each for piece in found for each in piece)


def _executed(
    system: str,
    digest: str,
    modules: Sequence[str],
    functions: Sequence[tuple[str, str]] | None,
    piece: int,
) -> Json:
    corpus = same_corpus(system, digest)
    some = corpus.asked[piece * VECTORS_A_PIECE :][:VECTORS_A_PIECE]
    questions = [(each, corpus.questions[each]) for each in some]
    return [*executed_by(system, modules, questions, functions=functions)]


def _piece(
    system: str,
    digest: str,
    coverage: Coverage,
    mutants: Sequence[Mutant],
    argued: frozenset[str],
    piece: int,
) -> Json:
    """Return the results of some mutants, and their rows of the table `fates`."""
    some = mutants[piece * MUTANTS_A_PIECE :][:MUTANTS_A_PIECE]
    corpus = same_corpus(system, digest)
    found = [*examine_mutants(corpus, coverage, some, argued)]
    rows: list[Json] = [
        {"mutant": mutant.name, **asdict(each), "killer": each.killer or None}
        for mutant, each in zip(some, found, strict=True)
    ]
    return {"examined": [*map(plain, found)], FATES: rows}
