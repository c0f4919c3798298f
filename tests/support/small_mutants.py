"""A few mutants of history merge, run against a few small vectors."""

from __future__ import annotations

from functools import cache

from rejoin_conformance.campaigns.mutants.asking import (
    Corpus,
    Coverage,
    corpus_of,
    coverage_of,
    executed_by,
)
from rejoin_conformance.campaigns.mutants.equivalent import Argued
from rejoin_conformance.campaigns.mutants.mutant import Mutant, mutants_in
from rejoin_conformance.campaigns.mutants.run import MutantRun, examine_mutants
from rejoin_conformance.corpus.verify import Question

SYSTEM = "history-merge"
LCAU = "rejoin.history_merge.lcau"


@cache
def small_questions() -> dict[int, Question]:
    """Twenty small vectors as questions, by their places in the corpus."""
    corpus = corpus_of(SYSTEM)
    small = [
        place
        for place in corpus.asked
        if corpus.questions[place].vector.operation == "history-merge/common-ancestors"
        and len(str(corpus.questions[place].vector.input)) < 1000
    ][:20]
    return {place: corpus.questions[place] for place in small}


@cache
def _corpus() -> tuple[Corpus, Coverage]:
    """The corpus, and the lines of the functions of `lowest` that the small vectors execute."""
    functions = {(each.module, each.function) for each in lowest()}
    executed = executed_by(SYSTEM, [LCAU], small_questions().items(), functions=functions)
    return corpus_of(SYSTEM), coverage_of(executed)


@cache
def small_run(mutants: tuple[Mutant, ...], argued: Argued) -> MutantRun:
    """Run mutants of the lowest common ancestors against twenty vectors."""
    corpus, coverage = _corpus()
    return MutantRun(
        system=SYSTEM,
        mutants=mutants,
        examined=tuple(examine_mutants(corpus, coverage, mutants)),
        vectors=tuple(each.vector for each in corpus.questions),
        argued=argued,
    )


@cache
def lowest() -> tuple[Mutant, ...]:
    """Six mutants of the lowest common ancestors."""
    return tuple(each for each in mutants_in(LCAU) if each.function)[:6]
