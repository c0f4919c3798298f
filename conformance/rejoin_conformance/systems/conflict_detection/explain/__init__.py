"""Explain where two outputs of an operation differ, in the terms of conflict detection.

A classification is explained by the path from one version to the other, or by the entries in which
two maps differ. A scenario is explained by the first step whose report differs. The observed output
comes from an adapter, so it can name versions and clients that do not exist.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from rejoin_conformance.contract.asked import Asked
from rejoin_conformance.contract.explanation import FirstDifference
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json
from rejoin_conformance.kit.untrusted import shown_line
from rejoin_conformance.systems.conflict_detection.explain.reasons import (
    list_of,
    listed,
    object_of,
    parents_of,
    path_back,
    relation,
    why_downloaded,
    why_kept,
    why_leased,
)
from rejoin_conformance.systems.conflict_detection.explain.scenario import step_difference

ExplainField: TypeAlias = Callable[[JsonObject, Json, Json], FirstDifference | None]
"""(input, a field of the expected output, the same of the observed output) -> where they differ."""


def explain(difference: Asked) -> str | None:
    """Return the first difference of two outputs as three lines: place, expected, observed.

    Returns None if the JSON explains the difference as well.
    """
    name = difference.operation.partition("/")[2]
    if name == "scenario":
        first = step_difference(
            difference.input, difference.expected_output, difference.observed_output
        )
        return None if first is None else first.render()
    for field, explain_field in _FIELDS.get(name, {}).items():
        expected, observed = difference.expected_output[field], difference.observed_output[field]
        if expected != observed:
            found = explain_field(difference.input, expected, observed)
            return None if found is None else found.render()
    return None


def _by_graph(value: JsonObject, expected: Json, observed: Json) -> FirstDifference:
    """Return a difference of a classification, with the relation of the two snapshots."""
    local, remote = value["local"], str(value["remote"])
    note = "" if local is None else relation(value, remote, str(local))
    where = f"classification of {shown_line(remote)} by a client with {_own(local)}"
    return FirstDifference(where, str(expected), str(observed), note)


def _follows(value: JsonObject, expected: Json, observed: Json) -> FirstDifference:
    later, earlier = str(value["later"]), str(value["earlier"])
    path = path_back(parents_of(value), later, earlier)
    note = " -> ".join(path) or "no path of parents leads from the later to the earlier version"
    where = f"whether {shown_line(later)} follows {shown_line(earlier)}"
    return FirstDifference(where, canonical_json(expected), canonical_json(observed), note)


def _by_maps(value: JsonObject, expected: Json, observed: Json) -> FirstDifference:
    """Return a difference of a classification, with the entries in which the two maps differ."""
    remote: Any = value["remote"]
    local: Any = value["local"]
    own = "no version" if local is None else _map(local)
    note = "" if local is None else _entries(local, remote)
    where = f"classification of {_map(remote)} by a client with {own}"
    return FirstDifference(where, str(expected), str(observed), note)


def _entries(local: Mapping[str, int], remote: Mapping[str, int]) -> str:
    names = sorted({*local, *remote})
    more = [name for name in names if remote.get(name, 0) > local.get(name, 0)]
    fewer = [name for name in names if remote.get(name, 0) < local.get(name, 0)]
    said = [f"theirs is larger at {listed(more)}"] if more else []
    said += [f"ours is larger at {listed(fewer)}"] if fewer else []
    return "; ".join(said) or "no entry differs; a missing entry counts as 0"


def _map_made(value: JsonObject, expected: Json, observed: Json) -> FirstDifference:
    """Return the first different entry of a map, with the entries from which it is computed."""
    ours, theirs = object_of(expected), object_of(observed)
    name = min(each for each in {*ours, *theirs} if ours.get(each) != theirs.get(each))
    listed: Any = value.get("maps")
    removed: Any = value.get("removed", {})
    sources = listed if listed is not None else [value["local"], *removed.values()]
    given = ", ".join(str(each.get(name, "none")) for each in sources)
    note = f"the given maps have {given}" if given else "the input has no map"
    if value.get("nickname") == name:
        note += ", and this client uploads"
    return FirstDifference(
        f"the entry of {shown_line(name)}", _entry(ours, name), _entry(theirs, name), note
    )


def _snapshots(reason: Callable[[JsonObject, str], str]) -> ExplainField:
    """Return an explanation of sets of snapshots: the first missing or extra one and its reason."""

    def explain_field(value: JsonObject, expected: Json, observed: Json) -> FirstDifference:
        ours, theirs = list_of(expected), list_of(observed)
        stray = min({*ours} ^ {*theirs}, default=None)
        if stray is None:
            note = "the same snapshots in another order or repeated; a set is a sorted list"
        else:
            what = "missing" if stray in ours else "extra"
            note = f"{shown_line(stray)} is {what}: {reason(value, stray)}"
        return FirstDifference("snapshots", listed(ours), listed(theirs), note)

    return explain_field


def _plain(what: str) -> ExplainField:
    def explain_field(_: JsonObject, expected: Json, observed: Json) -> FirstDifference:
        return FirstDifference(what, canonical_json(expected), canonical_json(observed))

    return explain_field


_KEPT: Final = _snapshots(why_kept)
_FIELDS: Final[Mapping[str, Mapping[str, ExplainField]]] = {
    "follows": {"follows": _follows},
    "classify-snapshot": {"classification": _by_graph},
    "walk": {"downloaded": _snapshots(why_downloaded), "classification": _by_graph},
    "purge": {"common_ancestors": _KEPT, "kept": _KEPT},
    "collect-garbage": {"kept": _snapshots(why_leased)},
    "classify-version-map": {"classification": _by_maps},
    "join-version-maps": {"map": _map_made},
    "upload-version-map": {"map": _map_made},
    "snapshot-id": {
        "content_id": _plain("the capability of the content"),
        "encoded": _plain("the encoding of the snapshot"),
        "id": _plain("the capability of the snapshot"),
    },
    "sign-snapshot": {
        "author": _plain("the author's key"),
        "signature": _plain("the signature"),
        "id": _plain("the capability of the signed snapshot"),
    },
    "verify-snapshot": {"valid": _plain("the validity of the signature")},
}
"""Operation -> its fields, the most informative first -> the explanation of a difference."""


def _own(local: Json) -> str:
    return "no version" if local is None else shown_line(str(local))


def _entry(version_map: Mapping[str, Any], name: str) -> str | None:
    return str(version_map[name]) if name in version_map else None


def _map(version_map: Mapping[str, int]) -> str:
    return listed(f"{name} {number}" for name, number in sorted(version_map.items()))
