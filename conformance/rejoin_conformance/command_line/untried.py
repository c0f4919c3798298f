"""The part of a report under a rule file that says how often the overridden functions ran."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click
from attrs import asdict

from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.document import Fold, Text
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.readings.in_force import Side
from rejoin_conformance.readings.reach import Reach

if TYPE_CHECKING:
    from rejoin_conformance.campaigns.callers import Callers


def reach_block(reached: Mapping[str, Reach], case: str, plural: str | None = None) -> Fold:
    """Return the calls of each overridden function. case: `vector` or `history`."""
    functions = [
        Fold(name, [Text(line) for line in each.text(case, plural).split("\n")])
        for name, each in reached.items()
    ]
    return Fold("overridden functions", functions)


def reach_json(reached: Mapping[str, Reach]) -> JsonObject:
    """Return the calls of the overridden functions as data."""
    return {
        name: {**asdict(each.calls), "cases": each.cases, "differing": each.differing}
        for name, each in reached.items()
    }


def count_untried(
    reached: Mapping[str, Reach],
    side: Side,
    system: System,
    base: str | None = None,
    corpus: Path | None = None,
) -> int:
    """Return the number of overridden functions that were not called.

    Prints vectors or a profile that call it on standard error. base: the reading whose vectors are
    searched; the default reading if it is None.
    """
    names = [name for name, each in reached.items() if not each.calls.calls]
    if not names:
        return 0
    from rejoin_conformance.campaigns.callers import (  # noqa: PLC0415 - slow, rarely needed
        HISTORIES_TRIED,
        callers_of,
    )

    found = callers_of(names, side, base or system.default_reading, system, corpus)
    for name in names:
        advice = _advice(name, found[name], HISTORIES_TRIED, side, system)
        click.echo(f"rejoin: not tried: {name}: 0 calls; {advice}", err=True)
    return len(names)


def _advice(name: str, found: Callers, tried: int, side: Side, system: System) -> str:
    """Return where a function is called, and why no vector calls it, if that is known."""
    if found.vectors:
        first = f"rejoin verify {system.name} --reading {side.argument} --id {found.vectors[0]}"
        return f"these vectors call it: {', '.join(found.vectors)}; run: {first}"
    reason = next((f" ({each.reason})" for each in system.unreached if each.name == name), "")
    if found.profile is not None:
        run = f"rejoin fuzz {system.name} --reading {side.argument} --profile {found.profile}"
        share = f"{found.histories} of {tried} histories"
        return f"no vector calls it{reason}; {share} do; run: {run} --histories 200"
    return (
        f"no vector calls it, and none of {tried} histories of each profile{reason}; "
        "override a function that calls it"
    )
