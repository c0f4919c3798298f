"""The mutants of a run, as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from rejoin_conformance.campaigns.mutants.equivalent import FILE
from rejoin_conformance.campaigns.mutants.run import MutantRun
from rejoin_conformance.kit.document import (
    Block,
    Code,
    Facts,
    Fold,
    Items,
    Span,
    Table,
    Text,
)
from rejoin_conformance.kit.text import counted

_SHOWN: Final = 50
"""The number of mutants alive that a terminal shows."""


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
