"""The figures of a whole run of the mutants, as Markdown for `docs/strength.md`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from rejoin_conformance.campaigns.mutants.mutant import Mutant
from rejoin_conformance.campaigns.mutants.run import MutantRun
from rejoin_conformance.kit.document import Block, Heading, Items, Line, Span, Table, Text
from rejoin_conformance.reports.document_markdown import document_markdown

_INTRODUCTION: Final = """\
`make strength` writes this page. A *mutant* is the reference with one small change. The command
`rejoin mutants` makes every mutant of the reference and asks the vectors. A mutant is *killed* if
some answer to a vector changes. It is *equivalent* if `conformance/mutants/SYSTEM/equivalent.toml`
argues that no input of an operation can show the change. A mutant that is neither is *alive*: a
hole in the corpus. The last section lists all of them.

A mutant counts only if the changed code was seen to be in force. Changes that compile to equal code
count once. Changes that no operation can show are left out: texts of errors, types and docstrings.\
"""

_LONGEST: Final = 110


def strength(runs: Sequence[MutantRun], every: int = 1) -> str:
    """Return the page for the runs of all systems. every: only each so many-th mutant was run."""
    return document_markdown([*_blocks(runs, every)])


def _blocks(runs: Sequence[MutantRun], every: int) -> Iterator[Block]:
    yield Heading("The strength of the corpus", level=1)
    yield Text(Span(_INTRODUCTION, "prose"))
    if every > 1:
        yield Text(f"The figures are those of a sample: every {every}th mutant was run.")
    yield Heading("Systems")
    yield _table("system", [(run.system, _counts(run)) for run in runs])
    yield Heading("Kinds of change")
    yield _grouped("kind", runs, lambda mutant: Span(mutant.kind, "prose"))
    yield Heading("Modules")
    yield _grouped("module", runs, lambda mutant: Span(mutant.module, "code"))
    yield Heading("Why mutants are equivalent")
    yield _reasons(runs)
    yield Heading("Mutants that no vector kills")
    alive = [*_alive(runs)]
    yield Items(alive) if alive else Text("There is none.")


def _counts(run: MutantRun) -> Counter[str]:
    return Counter({"vectors": len(run.vectors)}) + run.fates()


def _grouped(first: str, runs: Sequence[MutantRun], group: Callable[[Mutant], Span]) -> Table:
    counts: dict[Span, Counter[str]] = {}
    for run in runs:
        for mutant, _, fate in run.each():
            counts.setdefault(group(mutant), Counter())[fate] += 1
    ordered = sorted(counts, key=lambda each: each.text)
    return _table(first, [(each, counts[each]) for each in ordered])


def _table(first: str, rows: Iterable[tuple[Line, Counter[str]]]) -> Table:
    """Return a table with a row for each name, and the sum."""
    every = list(rows)
    total = sum((counts for _, counts in every), Counter())
    columns = ["mutants", "killed", "equivalent", "alive"]
    if total["vectors"]:
        columns.insert(0, "vectors")
    listed: list[tuple[Line, ...]] = []
    for name, counts in [*every, (Span("**all**", "prose"), total)]:
        numbers = {**counts, "mutants": sum(counts.values()) - counts["vectors"]}
        numbers["alive"] = numbers["mutants"] - counts["killed"] - counts["equivalent"]
        listed.append((name, *(f"{numbers.get(column, 0):,}" for column in columns)))
    return Table((first, *columns), listed, numbers=frozenset(range(1, len(columns) + 1)))


def _reasons(runs: Sequence[MutantRun]) -> Block:
    reasons: Counter[str] = Counter()
    for run in runs:
        for mutant, _, fate in run.each():
            if fate == "equivalent":
                reasons[run.argued.argument(mutant) or ""] += 1
    if not reasons:
        return Text("No mutant is argued to be equivalent.")
    ordered = sorted(reasons.items(), key=lambda each: (-each[1], each[0]))
    rows = [(Span(reason, "prose"), f"{count:,}") for reason, count in ordered]
    return Table(("argument", "mutants"), rows, numbers=frozenset({1}))


def _alive(runs: Sequence[MutantRun]) -> Iterator[Line]:
    for run in runs:
        for mutant, examined in run.alive:
            why = "" if examined.fate == "survived" else f" ({examined.fate})"
            before, after = (Span(_short(each), "code") for each in (mutant.before, mutant.after))
            kind = f", {mutant.kind}{why}: "
            yield Span(mutant.place, "code"), kind, before, Span(" -> ", "prose"), after


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
