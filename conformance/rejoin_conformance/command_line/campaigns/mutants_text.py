"""The mutants of a system as text for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from rejoin_conformance.campaigns.mutants.equivalent import FILE
from rejoin_conformance.campaigns.mutants.histories import Noticed
from rejoin_conformance.campaigns.mutants.run import MutantRun
from rejoin_conformance.kit.json_types import canonical_json

_SHOWN: Final = 50


def as_text(run: MutantRun, noticed: Sequence[Noticed] = ()) -> str:
    """Return a table by kind of change, then the mutants that survive, then refuted entries.

    noticed: the mutants that random histories notice, and no vector.
    """
    tried = sum(each.tried for each in run.examined) / max(1, len(run.examined))
    lines = [f"{run.system}: {len(run.mutants):,} mutants, {len(run.vectors):,} vectors"]
    lines += [f"  {fate:<14}{number:>7,}" for fate, number in sorted(run.fates().items())]
    lines.append(f"  vectors run a mutant, on average: {tried:.1f}")
    alive = Counter(mutant.kind for mutant, _ in run.alive)
    lines += ["", f"{'kind of change':<24}{'mutants':>9}{'alive':>7}"]
    for kind, number in sorted(Counter(mutant.kind for mutant in run.mutants).items()):
        lines.append(f"{kind:<24}{number:>9,}{alive[kind]:>7,}")
    if run.alive:
        lines += ["", "mutants that no vector notices"]
    for mutant, each in run.alive[:_SHOWN]:
        why = f"{each.fate}: {each.how}" if each.how else each.fate
        lines += [f"  {mutant.place}:{mutant.line}  {mutant.kind} ({why})"]
        lines += [f"    - {mutant.before}", f"    + {mutant.after}"]
    if len(run.alive) > _SHOWN:
        lines.append(f"  and {len(run.alive) - _SHOWN:,} more; --json lists them all")
    for mutant, vector in run.refuted:
        how = f"{vector.id} kills" if vector else "a vector executes"
        lines.append(f"refuted: {how} the mutant {mutant.after!r} of {mutant.place},")
        lines.append(f"    which {FILE} argues not to need a vector. Remove the entry")
    for found in noticed:
        mutant = found.mutant
        lines += [f"random histories notice {mutant.kind} of {mutant.place}:{mutant.line},"]
        lines += [f"    - {mutant.before}", f"    + {mutant.after}"]
        lines += [f"    by {found.operation}, reading {found.reading}: {found.observed}"]
        lines += [f"    input: {canonical_json(found.input)}", "    Add a vector"]
    return "\n".join(lines)
