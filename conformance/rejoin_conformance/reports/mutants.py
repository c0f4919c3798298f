"""The mutants of a run: as text, and as the figures of `docs/strength.md`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from rejoin_conformance.campaigns.mutants.equivalent import FILE
from rejoin_conformance.campaigns.mutants.run import MutantRun
from rejoin_conformance.kit.document import (
    Block,
    Code,
    Facts,
    Fold,
    Heading,
    Items,
    Line,
    Span,
    Table,
    Text,
)
from rejoin_conformance.kit.text import counted
from rejoin_conformance.reports.document_markdown import document_markdown

_SHOWN: Final = 50
"""The number of mutants alive that a terminal shows."""
_REASONS: Final = 5
"""The number of arguments that `docs/strength.md` shows, those of the most mutants first."""
_INTRODUCTION: Final = """\
`make strength` writes this page, for the corpus at that time: vectors that were added later are not
counted. A *mutant* is the reference with one small change. The command
`rejoin mutants` makes every mutant of the reference and asks the vectors. A mutant is *killed* if
some answer to a vector changes. It is *equivalent* if `conformance/mutants/SYSTEM/equivalent.toml`
argues that no input of an operation can show the change. A mutant that is neither is *alive*: a
hole in the corpus. The last section lists all of them.

A mutant counts only if the changed code was seen to be in force. Changes that compile to equal code
count once. Changes that no operation can show are left out: texts of errors, types and docstrings.\
"""

_TITLE: Final = "The strength of the corpus"
_LONGEST: Final = 110


def run_blocks(run: MutantRun) -> Iterator[Block]:
    """Yield a table by kind of change, then the mutants that survive, then refuted entries."""
    tried = sum(each.tried for each in run.examined) / max(1, len(run.examined))
    yield Text(f"{run.system}: {len(run.mutants):,} mutants, {len(run.vectors):,} vectors")
    fates = [(fate, f"{number:,}") for fate, number in sorted(run.fates().items())]
    yield Facts([*fates, ("vectors run a mutant, on average", f"{tried:.1f}")])
    alive = Counter(mutant.kind for mutant, _ in run.alive)
    kinds = Counter(mutant.kind for mutant in run.mutants)
    rows = [(kind, f"{number:,}", f"{alive[kind]:,}") for kind, number in sorted(kinds.items())]
    yield Table(("kind of change", "mutants", "alive"), rows, numbers=frozenset({1, 2}))
    if run.alive:
        more = len(run.alive) - _SHOWN
        left = [Text(f"and {more:,} more; --json lists them all")] if more > 0 else []
        yield Fold("mutants that no vector notices", [*_alive(run), *left])
    for mutant, vector in run.refuted:
        how = f"{vector} kills" if vector else "a vector executes"
        yield Text(f"refuted: {how} the mutant {mutant.after!r} of {mutant.place},")
        yield Items([f"which {FILE} argues not to need a vector. Remove the entry"])


def _alive(run: MutantRun) -> Iterator[Fold]:
    """Yield mutants that no vector notices, with their changes."""
    for mutant, each in run.alive[:_SHOWN]:
        why = f"{each.fate}: {each.how}" if each.how else each.fate
        tried = f", {counted(each.tried, 'vector')} tried" if each.tried else ""
        place = (Span("alive", "fail"), " ", Span(f"{mutant.place}:{mutant.line}", "code"))
        change = Code(f"- {mutant.before}\n+ {mutant.after}")
        yield Fold((*place, f"  {mutant.kind} ({why}{tried})"), [change])


def strength(runs: Sequence[MutantRun], every: int = 1) -> str:
    """Return the figures of all systems as Markdown. every: only each so many-th mutant was run."""
    return document_markdown([Heading(_TITLE, level=1), *_strength(runs, every)])


def _strength(runs: Sequence[MutantRun], every: int) -> Iterator[Block]:
    yield Text(Span(_INTRODUCTION, "prose"))
    if every > 1:
        yield Text(f"The figures are those of a sample: every {every}th mutant was run.")
    yield Heading("Systems")
    yield _table("system", [(run.system, _counts(run)) for run in runs])
    yield Heading("Kinds of change")
    yield _by_kind(runs)
    yield Heading("Why mutants are equivalent")
    yield _reasons(runs)
    yield Heading("Mutants that no vector kills")
    alive = [*_alive_lines(runs)]
    yield Items(alive) if alive else Text("There is none.")


def _counts(run: MutantRun) -> Counter[str]:
    return Counter({"vectors": len(run.vectors)}) + run.fates()


def _by_kind(runs: Sequence[MutantRun]) -> Table:
    counts: dict[str, Counter[str]] = {}
    for run in runs:
        for mutant, _, fate in run.each():
            counts.setdefault(mutant.kind, Counter())[fate] += 1
    return _table("kind", [(Span(each, "prose"), counts[each]) for each in sorted(counts)])


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
    rows = [(Span(reason, "prose"), f"{count:,}") for reason, count in ordered[:_REASONS]]
    if others := ordered[_REASONS:]:
        rest = counted(len(others), "other argument")
        rows.append((Span(rest, "prose"), f"{sum(count for _, count in others):,}"))
    return Table(("argument", "mutants"), rows, numbers=frozenset({1}))


def _alive_lines(runs: Sequence[MutantRun]) -> Iterator[Line]:
    for run in runs:
        for mutant, examined in run.alive:
            why = "" if examined.fate == "survived" else f" ({examined.fate})"
            before, after = (Span(_short(each), "code") for each in (mutant.before, mutant.after))
            kind = f", {mutant.kind}{why}: "
            yield Span(mutant.place, "code"), kind, before, Span(" -> ", "prose"), after


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
