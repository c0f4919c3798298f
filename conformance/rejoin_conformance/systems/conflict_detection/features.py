"""What an implementation can leave out of scenarios and of walks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from rejoin_conformance.contract.feature import Feature
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.actions import FEATURES, fields_needing
from rejoin_conformance.systems.conflict_detection.reports import (
    OPERATIONS as COSTS,
)
from rejoin_conformance.systems.conflict_detection.reports import (
    REPORTS,
)
from rejoin_conformance.systems.conflict_detection.scenario import DESIGNS


def has_open_cache(value: Any) -> bool:
    """Return whether a cached snapshot has a parent that is not cached."""
    parents = {each["id"]: each["parents"] for each in value["snapshots"]}
    held = {*value["cached"], *([] if value["local"] is None else [value["local"]])}
    return any(parent not in held for each in held for parent in parents.get(each, ()))


def _is_in_design(design: str, value: JsonObject) -> bool:
    return value["design"] == design


def _has_step(fields: frozenset[str], value: Any) -> bool:
    return any(not fields.isdisjoint(step) for step in value["steps"])


def _asks_for(report: str, value: Any) -> bool:
    return report in value.get("report", ())


def _without_report(report: str, value: Any) -> JsonObject:
    instead = REPORTS[report].instead if report in REPORTS else ""
    left = {*value["report"]} - {report} | {instead} - {""}
    return {**value, "report": sorted(left)}


def _features() -> Iterator[Feature]:
    """Yield the features of scenarios."""
    for name in DESIGNS:
        words = f"The design of {name.replace('-', ' ')}."
        yield Feature(name=name, summary=words, needed_by=partial(_is_in_design, name))
    for name, words in FEATURES.items():
        needs = partial(_has_step, fields_needing(name))
        yield Feature(name=name, summary=words, needed_by=needs)
    yield Feature(
        name="signing-keys",
        summary="Clients that sign with the keys in `signing_keys`.",
        needed_by=lambda value: "signing_keys" in value,
    )
    reports = {name: each.summary for name, each in REPORTS.items()}
    for name, words in {
        COSTS: "The report of the numbers of remote operations.",
        **reports,
    }.items():
        yield Feature(
            name=f"report-{name.replace('_', '-')}",
            summary=words,
            needed_by=partial(_asks_for, name),
            reduced=partial(_without_report, name),
        )


SCENARIO_FEATURES: Final = tuple(_features())


def step_words(value: Any) -> Sequence[str]:
    """Return the action of each step of a scenario."""
    others = {"client", "file", "forged", "stops"}
    return [next((name for name in step if name not in others), "") for step in value["steps"]]
