"""Run the mutants of a system, wherever the work is spread, and add up the results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial, reduce
from operator import or_
from typing import Any, Final, Literal

from attrs import asdict, frozen

from rejoin_conformance.campaigns.mutants.corpus import Corpus, CorpusKey, corpus_of, same_corpus
from rejoin_conformance.campaigns.mutants.coverage import Coverage, added_up, coverage_of
from rejoin_conformance.campaigns.mutants.equivalent import Argued
from rejoin_conformance.campaigns.mutants.examine import Examined, examine_mutants
from rejoin_conformance.campaigns.mutants.kept import Kept
from rejoin_conformance.campaigns.mutants.mutant import Mutant, mutated_modules
from rejoin_conformance.campaigns.mutants.pace import Pace
from rejoin_conformance.campaigns.mutants.suspects import suspects_of
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.contract.vector import Vector
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
    without: frozenset[str] = frozenset(),
) -> MutantRun:
    """Run mutants against the corpus, which is read once, before anything else.

    kept: a file of results; mutants that it has are not run again, and new results are added.
    matrix: run every vector that executes a mutant, past the first kill. without: the IDs of
    vectors that are not asked.
    """
    corpus = corpus_of(system, without)
    missing = [each for each in mutants if kept is None or each.name not in kept.found]
    found = {} if kept is None else kept.found
    if missing:
        coverage = _covered(corpus, missing, spread)
        likely = [each for each in missing if argued and argued.argument(each) is not None]
        suspected = _suspected(corpus, likely, spread)
        batch = len(missing) if kept is None else MUTANTS_A_BATCH
        pace = Pace(len(missing), "mutants")
        for start in range(0, len(missing), batch):
            some = missing[start : start + batch]
            activity = pace.text(start)
            examined = _spread_out(
                corpus, (coverage, suspected), some, spread, activity, matrix=matrix
            )
            if kept is not None:
                kept.add(some, examined)
            found |= {each.name: result for each, result in zip(some, examined, strict=True)}
    return MutantRun(
        system=system,
        mutants=tuple(mutants),
        examined=tuple(found[each.name] for each in mutants),
        vectors=tuple(each.vector for each in corpus.questions),
        argued=argued or Argued(),
        matrix=matrix,
    )


def _covered(corpus: Corpus, mutants: Sequence[Mutant], spread: Spread) -> Coverage:
    """Return the lines that the vectors execute, in the modules of these mutants."""
    modules = {each.module for each in mutants}
    if any(not each.function for each in mutants):  # all vectors that execute anything are asked
        modules |= {*mutated_modules(corpus.key.system)}
    pieces = -(-len(corpus.asked) // VECTORS_A_PIECE)
    work = partial(_coverage, corpus.key, tuple(sorted(modules)))
    return added_up(map(Coverage.from_json, spread.pieces(work, pieces, "coverage of the vectors")))


def _suspected(corpus: Corpus, mutants: Sequence[Mutant], spread: Spread) -> Mapping[str, int]:
    """Return name of a mutant -> the vectors that it could answer wrongly, as bits.

    mutants: those that probably survive. They would be asked every vector that executes them.
    """
    if not mutants:
        return {}
    pieces = -(-len(corpus.asked) // VECTORS_A_PIECE)
    work = partial(_suspects, corpus.key, tuple(mutants))
    found: list[Any] = spread.pieces(work, pieces, "suspects among the equivalents")
    columns = zip(*found, strict=True)
    return {
        mutant.name: reduce(or_, (int(bits, 16) for bits in column))
        for mutant, column in zip(mutants, columns, strict=True)
    }


def _spread_out(
    corpus: Corpus,
    known: tuple[Coverage, Mapping[str, int]],
    mutants: Sequence[Mutant],
    spread: Spread,
    activity: str,
    *,
    matrix: bool,
) -> tuple[Examined, ...]:
    """Return the result of each mutant. known: the lines that vectors execute, and the suspects."""
    killers: Literal["all", "first"] = "all" if matrix else "first"
    work = partial(_examine, corpus.key, known, tuple(mutants), killers)
    pieces: list[Any] = spread.pieces(work, -(-len(mutants) // MUTANTS_A_PIECE), activity)
    return tuple(_examined(each) for piece in pieces for each in piece)


def _coverage(key: CorpusKey, modules: Sequence[str], piece: int) -> Json:
    corpus = same_corpus(key)
    some = corpus.asked[piece * VECTORS_A_PIECE :][:VECTORS_A_PIECE]
    questions = [(place, corpus.questions[place]) for place in some]
    return coverage_of(modules, corpus.operations, questions).to_json()


def _suspects(key: CorpusKey, mutants: Sequence[Mutant], piece: int) -> Json:
    """Return for each mutant the vectors of a piece that it could answer wrongly, as hex bits."""
    corpus = same_corpus(key)
    some = corpus.asked[piece * VECTORS_A_PIECE :][:VECTORS_A_PIECE]
    questions = [corpus.questions[place] for place in some]
    found = suspects_of(corpus.operations, mutants, questions)
    return [f"{sum(1 << some[each] for each in places):x}" for places in found]


def _examine(
    key: CorpusKey,
    known: tuple[Coverage, Mapping[str, int]],
    mutants: Sequence[Mutant],
    killers: Literal["first", "all"],
    piece: int,
) -> Json:
    corpus = same_corpus(key)
    some = mutants[piece * MUTANTS_A_PIECE :][:MUTANTS_A_PIECE]
    coverage, suspected = known
    found = examine_mutants(
        key.system, corpus, coverage, some, matrix=killers == "all", suspected=suspected
    )
    return [{**asdict(each), "killers": list(each.killers)} for each in found]


def _examined(value: Any) -> Examined:
    return Examined(**{**value, "killers": tuple(value["killers"])})
