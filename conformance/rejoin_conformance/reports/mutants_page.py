"""The mutants of a run as one HTML page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rejoin_conformance.campaigns.mutants.by_clause import ClauseStrength, by_clause, never_needed
from rejoin_conformance.campaigns.mutants.run import MutantRun
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.document import (
    Block,
    Code,
    Facts,
    Fold,
    Heading,
    Items,
    Kind,
    Line,
    Span,
    Table,
    Text,
)
from rejoin_conformance.reports.document_html import document_html

_COLUMNS = ("clause", "vectors", "mutants of its functions", "killed", "killed by its own vectors")


def mutants_page(runs: Sequence[MutantRun]) -> str:
    """Return the matrix of clauses, mutants and vectors as one file."""
    return document_html("Mutants of the reference", [*_blocks(runs)])


def _blocks(runs: Sequence[MutantRun]) -> Iterator[Block]:
    yield Text(
        "A mutant is the reference with one small change. A vector kills a mutant if its answer "
        "changes. A mutant that no vector kills, and that no argument calls equivalent, is alive: "
        "a hole in the corpus."
    )
    for run in runs:
        yield from _run(run)
    yield Heading("Clauses")
    rows = [_clause(row) for run in runs for row in by_clause(run)]
    yield Table(_COLUMNS, rows, numbers=frozenset(range(1, len(_COLUMNS))))
    yield Heading("Mutants alive")
    for run in runs:
        for mutant, examined in run.alive:
            tried = f", {counted(examined.tried, 'vector')} tried" if examined.tried else ""
            place = (Span(examined.fate, "fail"), " ", Span(mutant.place, "code"))
            title = (*place, f" line {mutant.line}, {mutant.kind}{tried}")
            change = Code(f"- {mutant.before}\n+ {mutant.after}")
            yield Fold(title, [change], is_open=True)
    for run in runs:
        alone = [Span(vector.id, "code") for vector in never_needed(run)]
        if alone:
            yield Heading(f"{run.system}: vectors that kill no mutant alone")
            these = counted(len(alone), "vector")
            yield Text(
                f"Every mutant that one of these {these} kills is killed by another vector too."
            )
            yield Items(alone)


def _run(run: MutantRun) -> Iterator[Block]:
    fates, alive = run.fates(), len(run.alive)
    yield Heading(run.system, level=3)
    yield Text(Span(f"{alive:,} alive", "fail") if alive else Span("none alive", "pass"))
    counts = {"mutants": len(run.mutants), "killed": fates["killed"]}
    counts |= {"equivalent": fates["equivalent"], "alive": alive, "vectors": len(run.vectors)}
    yield Facts([(name, f"{number:,}") for name, number in counts.items()])
    if not run.matrix:
        why = "Each mutant was run up to its first kill. A number of kills by own vectors is "
        more = "therefore a lower bound; "
        yield Text((why + more, Span("--matrix", "code"), " gives the whole number."))


def _clause(row: ClauseStrength) -> list[Line]:
    kind: Kind = "pass"
    if not row.mutants:
        kind = "none"
    elif row.by_own == 0:
        kind = "fail"
    elif row.killed < row.mutants:
        kind = "known"
    clause, numbers = row.clause, (row.vectors, row.mutants, row.killed)
    says = Span(clause.text, "says")
    title = (Span(clause.id, "code"), " ", Span(clause.level, "quiet"), says)
    return [title, *(f"{number:,}" for number in numbers), Span(f"{row.by_own:,}", kind)]
