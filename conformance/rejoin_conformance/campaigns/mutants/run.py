"""Run the mutants of a system, wherever the work is spread, and add up the results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from attrs import asdict, frozen

from rejoin_conformance.campaigns.mutants.corpus import Corpus, corpus_of, same_corpus
from rejoin_conformance.campaigns.mutants.coverage import Coverage, coverage_of, executed_by
from rejoin_conformance.campaigns.mutants.equivalent import Argued
from rejoin_conformance.campaigns.mutants.examine import Examined, examine_mutants
from rejoin_conformance.campaigns.mutants.kept import Kept
from rejoin_conformance.campaigns.mutants.mutant import Mutant, mutated_modules
from rejoin_conformance.campaigns.mutants.pace import Pace
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.kit.codec import plain, read
from rejoin_conformance.kit.json_types import Json, JsonObject

MUTANTS_A_PIECE: Final = 20
MUTANTS_A_BATCH: Final = 200
"""The number of mutants after which results are kept."""

VECTORS_A_PIECE: Final = 100


@frozen(kw_only=True)
class MutantRun:
    """The mutants of a system that were tried, each with its result.

    examined: in the order of `mutants`. argued: the mutants that need no vector.
    matrix: whether `killers` has every vector that notices a mutant.
    """

    system: str
    mutants: tuple[Mutant, ...]
    examined: tuple[Examined, ...]
    vectors: tuple[Vector, ...]
    argued: Argued
    matrix: bool = False

    @property
    def alive(self) -> tuple[tuple[Mutant, Examined], ...]:
        """The mutants that no vector noticed, and that no entry argues to be equivalent."""
        return tuple(
            (mutant, each)
            for mutant, each, fate in self.each()
            if fate not in {"killed", "equivalent"}
        )

    @property
    def refuted(self) -> tuple[tuple[Mutant, Vector | None], ...]:
        """The argued mutants that a vector kills, with that vector.

        The vector is None if some vector executes a mutant that is argued to be unreachable.
        """
        found: list[tuple[Mutant, Vector | None]] = []
        for mutant, each, _ in self.each():
            if self.argued.argument(mutant) is None:
                continue
            if each.fate == "killed":
                found.append((mutant, self.vectors[each.killers[0]]))
            elif each.tried and mutant.function and self.argued.is_unreachable(mutant):
                found.append((mutant, None))
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
                "killers": [self.vectors[place].id for place in each.killers],
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
    *,
    kept: Kept | None = None,
    matrix: bool = False,
) -> MutantRun:
    """Run mutants against the corpus, which is read once, before anything else.

    kept: a file of results; mutants that it has are not run again, and new results are added.
    matrix: run every vector that executes a mutant, past the first kill.
    """
    corpus, argued = corpus_of(system), argued or Argued()
    found = {} if kept is None else kept.found
    missing = [each for each in mutants if each.name not in found]
    if missing:
        names = frozenset(each.name for each in missing if argued.argument(each) is not None)
        work = _Work(system, corpus.digest, _covered(corpus, missing, spread), names, matrix)
        batch = len(missing) if kept is None else MUTANTS_A_BATCH
        pace = Pace(len(missing), "mutants")
        for start in range(0, len(missing), batch):
            some = missing[start : start + batch]
            count = -(-len(some) // MUTANTS_A_PIECE)
            pieces: list[Any] = spread.pieces(partial(work, some), count, pace.text(start))
            examined = [read(each, Examined) for piece in pieces for each in piece]
            if kept is not None:
                kept.add(some, examined)
            found |= {each.name: result for each, result in zip(some, examined, strict=True)}
    return MutantRun(
        system=system,
        mutants=tuple(mutants),
        examined=tuple(found[each.name] for each in mutants),
        vectors=tuple(each.vector for each in corpus.questions),
        argued=argued,
        matrix=matrix,
    )


def _covered(corpus: Corpus, mutants: Sequence[Mutant], spread: Spread) -> Coverage:
    """Return the lines that the vectors execute, in the modules of these mutants."""
    modules = {each.module for each in mutants}
    if any(not each.function for each in mutants):  # all vectors that execute anything are asked
        modules |= {*mutated_modules(corpus.system)}
    pieces = -(-len(corpus.asked) // VECTORS_A_PIECE)
    work = partial(_executed, corpus.system, corpus.digest, sorted(modules))
    found: list[Any] = spread.pieces(work, pieces, "coverage of the vectors")
    return coverage_of(each for piece in found for each in piece)


def _executed(system: str, digest: str, modules: Sequence[str], piece: int) -> Json:
    corpus = same_corpus(system, digest)
    some = corpus.asked[piece * VECTORS_A_PIECE :][:VECTORS_A_PIECE]
    return [*executed_by(system, modules, [(each, corpus.questions[each]) for each in some])]


@frozen
class _Work:
    """The work of examining mutants, for any process. argued: names of mutants."""

    system: str
    digest: str
    coverage: Coverage
    argued: frozenset[str]
    matrix: bool

    def __call__(self, mutants: Sequence[Mutant], piece: int) -> Json:
        corpus = same_corpus(self.system, self.digest)
        some = mutants[piece * MUTANTS_A_PIECE :][:MUTANTS_A_PIECE]
        found = examine_mutants(corpus, self.coverage, some, matrix=self.matrix, argued=self.argued)
        return [plain(each) for each in found]
