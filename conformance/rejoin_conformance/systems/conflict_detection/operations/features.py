"""The features of the operations of conflict detection that an implementation can leave out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from rejoin_conformance.contract.feature import Feature
from rejoin_conformance.kit.json_types import JsonObject

_STEPS: Final[Mapping[str, tuple[frozenset[str], str]]] = {
    "change": (
        frozenset({"change", "upload"}),
        "Changes that the client does not notice until `upload`.",
    ),
    "poll-all": (frozenset({"poll_all"}), "Polls of all files of another client."),
    "stops": (frozenset({"stops"}), "Polls in which the client stops before the end."),
    "resolve": (frozenset({"resolve"}), "Resolutions of conflicts by the user."),
    "delete": (frozenset({"delete"}), "Deletions."),
    "undelete": (frozenset({"undelete"}), "Files that come back after a deletion."),
    "rename": (frozenset({"rename"}), "Renames."),
    "offline": (frozenset({"offline", "online"}), "Clients that go offline and come back."),
    "join": (frozenset({"join"}), "Clients that join with files of their own."),
    "subscribe": (frozenset({"subscribe", "unsubscribe"}), "Changes of the subscriptions."),
    "back-up": (frozenset({"back_up", "set_back"}), "Clients that are set back to a backup."),
    "garbage": (frozenset({"collect_garbage"}), "The collection of garbage in the grid."),
    "forged": (frozenset({"forged"}), "Snapshots with a wrong signature."),
}
"""Feature -> the fields of the steps that need it, and its summary."""

_REPORTS: Final[Mapping[str, str]] = {
    "operations": "The report of the numbers of remote operations.",
    "links": "The report of the texts that directories link.",
    "versions": "The report of versions as IDs or version maps. Random histories ask `origins`.",
    "conflicts": "The report of conflicting versions as IDs or entries. Random histories ask "
    "`conflict_origins`.",
    "cached": "The report of the numbers of cached snapshots.",
    "origins": "The report of the steps that made the versions.",
    "conflict_origins": "The report of the steps that made the conflicting versions.",
}
_INSTEAD: Final = {"versions": "origins", "conflicts": "conflict_origins"}
"""Report -> the report that says the same without an encoding of versions."""


def word_of_step(step: JsonObject) -> str:
    """Return the action of a step."""
    return next((name for name in step if name not in {"client", "file", "forged", "stops"}), "")


def step_words(value: JsonObject) -> Sequence[str]:
    """Return the action of each step of a scenario."""
    steps: Any = value["steps"]
    return [word_of_step(step) for step in steps]


def _is_in_design(design: str, value: JsonObject) -> bool:
    return value["design"] == design


def _has_step(fields: frozenset[str], value: JsonObject) -> bool:
    steps: Any = value["steps"]
    return any(not fields.isdisjoint(step) for step in steps)


def _signs(value: JsonObject) -> bool:
    return "signing_keys" in value


def _asks_for(report: str, value: JsonObject) -> bool:
    reports: Any = value.get("report", ())
    return report in reports


def _without_report(report: str, value: JsonObject) -> JsonObject:
    reports: Any = value["report"]
    left = {*reports} - {report} | {_INSTEAD.get(report, "")} - {""}
    return {**value, "report": sorted(left)}


def _report_feature(report: str, summary: str) -> Feature:
    return Feature(
        name=f"report-{report.replace('_', '-')}",
        summary=summary,
        needed_by=partial(_asks_for, report),
        reduced=partial(_without_report, report),
    )


def _has_open_cache(value: JsonObject) -> bool:
    """Return whether a cached snapshot has a parent that is not cached."""
    snapshots: Any = value["snapshots"]
    cached: Any = value["cached"]
    parents = {each["id"]: each["parents"] for each in snapshots}
    held = {*cached, *([] if value["local"] is None else [value["local"]])}
    return any(parent not in held for each in held for parent in parents.get(each, ()))


def _design(name: str, summary: str) -> Feature:
    return Feature(name=name, summary=summary, needed_by=partial(_is_in_design, name))


def _has_fields(fields: frozenset[str]) -> Callable[[JsonObject], bool]:
    return partial(_has_step, fields)


SCENARIO_FEATURES: Final = (
    _design("snapshots", "The design of snapshots."),
    _design("version-maps", "The design of version maps."),
    *(
        Feature(name=name, summary=summary, needed_by=_has_fields(fields))
        for name, (fields, summary) in _STEPS.items()
    ),
    Feature(
        name="signing-keys",
        summary="Clients that sign with the keys in `signing_keys`.",
        needed_by=_signs,
    ),
    *(_report_feature(name, summary) for name, summary in _REPORTS.items()),
)
OPEN_CACHES: Final = Feature(
    name="open-caches",
    summary="Caches that hold a snapshot and do not hold one of its parents.",
    needed_by=_has_open_cache,
)
