"""The part of a report under a rule file that says how often the overridden functions ran."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import click

from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.unreached import unreached_of
from rejoin_conformance.kit.document import Fold, Text
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.text import counted
from rejoin_conformance.readings.in_force import Side
from rejoin_conformance.readings.reach import Reach
from rejoin_conformance.readings.targets import fast_counterparts

_COUNTS: Final = ("differed", "uncompared", "cases", "differing", "bypassing")


def reach_block(reached: Mapping[str, Reach], case: str, plural: str | None = None) -> Fold:
    """Return the calls of each overridden function. case: `vector` or `history`."""
    functions = []
    for name, each in reached.items():
        lines = [each.text(case, plural)]
        if each.counts["bypassing"]:
            fast = ", ".join(one for one in fast_counterparts(name) if one not in reached)
            cases = counted(each.counts["bypassing"], case, plural)
            unchanged = f"fast functions answered that the rule does not change: {fast}"
            lines.append(f"in {cases}, {unchanged}")
        functions.append(Fold(name, [*map(Text, lines)]))
    return Fold("overridden functions", functions)


def reach_json(reached: Mapping[str, Reach]) -> JsonObject:
    """Return the calls of the overridden functions as data."""
    return {
        name: {"calls": each.counts["called"], **{kind: each.counts[kind] for kind in _COUNTS}}
        for name, each in reached.items()
    }


def count_untried(reached: Mapping[str, Reach], side: Side, system: System) -> int:
    """Return the number of overridden functions that were not called.

    Prints on standard error the command that counts the calls of each.
    """
    names = [name for name, each in reached.items() if not each.counts["called"]]
    reasons = {each.name: each.reason for each in unreached_of(system.name)}
    for name in names:
        run = f"run: rejoin verify {system.name} --reading {side.argument}"
        if name in reasons:
            run = f"no vector calls it ({reasons[name]}); {run.replace('verify', 'fuzz')}"
        click.echo(f"rejoin: not tried: {name}: 0 calls; {run}", err=True)
    return len(names)
