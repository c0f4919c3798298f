"""Say in the protocol's terms where two outputs of an operation part.

A classification is told with what leads from one version to the other, or with the entries in which
two maps differ; a scenario by its first step after which somebody sees, or knows, something else.
The observed output comes from an adapter: it may name versions and clients that there are not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

from rejoin_conformance.contract.explanation import Difference, Parting
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json
from rejoin_conformance.kit.untrusted import shown_line
from rejoin_conformance.systems.conflict_detection.explain.scenario import step_parting

Told: TypeAlias = Callable[[JsonObject, Json, Json], Parting | None]
"""(input, a field of the expected output, the same of the observed one) -> where they part."""

_SHOWN: Final = 160


def explain(difference: Difference) -> str | None:
    """The first difference of two outputs, as three lines: where and why, expected, observed.

    None where nothing is to be said beyond the JSON itself.
    """
    name = difference.operation.partition("/")[2]
    if name == "scenario":
        parting = step_parting(difference.input, difference.expected, difference.observed)
        return None if parting is None else parting.render()
    for field, tell in _FIELDS.get(name, {}).items():
        expected, observed = difference.expected[field], difference.observed[field]
        if expected != observed:
            found = tell(difference.input, expected, observed)
            return None if found is None else found.render()
    return None


def _by_graph(value: JsonObject, expected: Json, observed: Json) -> Parting:
    """A classification of one snapshot by another, and how the two are related."""
    local, remote = value["local"], str(value["remote"])
    note = "the client has none" if local is None else _relation(value, remote, str(local))
    where = f"classification of {shown_line(remote)} where {_own(local)} is current"
    return Parting(where, str(expected), str(observed), note)


def _relation(value: JsonObject, remote: str, local: str) -> str:
    parents = _parents_of(value)
    if remote == local:
        return "both are one version"
    theirs, ours = _path(parents, remote, local), _path(parents, local, remote)
    if theirs:
        return f"theirs follows ours: {' -> '.join(theirs)}"
    return f"ours follows theirs: {' -> '.join(ours)}" if ours else "neither follows the other"


def _follows(value: JsonObject, expected: Json, observed: Json) -> Parting:
    later, earlier = str(value["later"]), str(value["earlier"])
    path = _path(_parents_of(value), later, earlier)
    note = " -> ".join(path) if path else "no parents lead there"
    where = f"whether {shown_line(later)} follows {shown_line(earlier)}"
    return Parting(where, canonical_json(expected), canonical_json(observed), note)


def _by_maps(value: JsonObject, expected: Json, observed: Json) -> Parting:
    """A classification of one version map by another, and the entries in which they differ."""
    remote: Any = value["remote"]
    local: Any = value["local"]
    where = f"classification of {_map(remote)} where {'none' if local is None else _map(local)} is"
    note = "the client has none" if local is None else _entries(local, remote)
    return Parting(f"{where} local", str(expected), str(observed), note)


def _entries(local: Mapping[str, int], remote: Mapping[str, int]) -> str:
    names = sorted({*local, *remote})
    more = [name for name in names if remote.get(name, 0) > local.get(name, 0)]
    fewer = [name for name in names if remote.get(name, 0) < local.get(name, 0)]
    said = [f"theirs is larger at {_listed(more)}"] if more else []
    said += [f"ours is larger at {_listed(fewer)}"] if fewer else []
    return "; ".join(said) or "no entry differs, a missing one being 0"


def _map_made(value: JsonObject, expected: Json, observed: Json) -> Parting:
    """The first entry of a map that was made, and the entries that it comes from."""
    ours, theirs = _object(expected), _object(observed)
    name = min(each for each in {*ours, *theirs} if ours.get(each) != theirs.get(each))
    listed: Any = value.get("maps")
    removed: Any = value.get("removed", {})
    sources = listed if listed is not None else [value["local"], *removed.values()]
    given = ", ".join(str(each.get(name, "none")) for each in sources)
    note = f"the maps given have {given}" if given else "no map is given"
    if value.get("nickname") == name:
        note += ", and its own client uploads"
    return Parting(
        f"the entry of {shown_line(name)}", _entry(ours, name), _entry(theirs, name), note
    )


def _snapshots(reason: Callable[[JsonObject, str], str]) -> Told:
    """A set of snapshots, and what the input says of the first one that is missing or too much."""

    def tell(value: JsonObject, expected: Json, observed: Json) -> Parting:
        ours, theirs = _list(expected), _list(observed)
        stray = min({*ours} ^ {*theirs}, default=None)
        if stray is None:
            note = "the same in another order, or twice; a set is a sorted list"
        else:
            what = "missing" if stray in ours else "too much"
            note = f"{shown_line(stray)} is {what}: {reason(value, stray)}"
        return Parting("snapshots", _listed(ours), _listed(theirs), note)

    return tell


def _why_downloaded(value: JsonObject, snapshot: str) -> str:
    if snapshot == value["local"]:
        return "it is the client's own"
    if snapshot in _list(value["cached"]):
        return "it is cached"
    path = _path(_parents_of(value), str(value["remote"]), snapshot)
    if path:
        return f"it is not cached, {' -> '.join(path)}"
    return f"it is not behind {value['remote']}"


def _why_kept(value: JsonObject, snapshot: str) -> str:
    """Of which clients' snapshots it is an ancestor, itself counted."""
    currents = _object(value["currents"])
    parents = _parents_of(value)
    behind = [
        client for client, each in sorted(currents.items()) if _path(parents, str(each), snapshot)
    ]
    return f"it is, or is behind, what {_listed(behind)} of {_listed(sorted(currents))} have"


def _why_leased(value: JsonObject, snapshot: str) -> str:
    """Until when its last lease lasts."""
    parents = _parents_of(value)
    renewals: Any = value["renewals"]
    ends = [
        renewal["until"]
        for renewal in renewals
        if any(_path(parents, link, snapshot) for link in renewal["links"])
    ]
    if not ends:
        return "nobody renewed its lease"
    return f"its leases last until {', '.join(map(str, ends))}, and now is {value['now']}"


def _plain(what: str) -> Told:
    def tell(_: JsonObject, expected: Json, observed: Json) -> Parting:
        return Parting(what, canonical_json(expected), canonical_json(observed))

    return tell


_KEPT: Final = _snapshots(_why_kept)
_FIELDS: Final[Mapping[str, Mapping[str, Told]]] = {
    "follows": {"follows": _follows},
    "classify-snapshot": {"classification": _by_graph},
    "walk": {"downloaded": _snapshots(_why_downloaded), "classification": _by_graph},
    "purge": {"common_ancestors": _KEPT, "kept": _KEPT},
    "collect-garbage": {"kept": _snapshots(_why_leased)},
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
    "verify-snapshot": {"valid": _plain("whether the signature is the author's")},
}
"""Operation -> its fields, the most telling first, with what tells a difference in them."""


def _parents_of(value: JsonObject) -> dict[str, list[str]]:
    versions: Any = value.get("versions") or value.get("snapshots") or []
    return {each["id"]: each["parents"] for each in versions}


def _path(parents: Mapping[str, list[str]], later: str, earlier: str) -> list[str]:
    """The versions that lead from a later one back to an earlier one; empty where none do."""
    came_from: dict[str, str | None] = {later: None}
    waiting = [later]
    for version in waiting:
        for parent in parents.get(version, ()):
            if parent not in came_from:
                came_from[parent] = version
                waiting.append(parent)
    path: list[str] = []
    step: str | None = earlier if earlier in came_from else None
    while step is not None:
        path.append(shown_line(step))
        step = came_from[step]
    return path[::-1]


def _own(local: Json) -> str:
    return "nothing" if local is None else shown_line(str(local))


def _object(value: Json) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Json) -> list[Any]:
    return value if isinstance(value, list) else []


def _entry(version_map: Mapping[str, Any], name: str) -> str | None:
    return str(version_map[name]) if name in version_map else None


def _map(version_map: Mapping[str, int]) -> str:
    return _listed(f"{name} {number}" for name, number in sorted(version_map.items()))


def _listed(names: Iterable[str]) -> str:
    """Names on one line, shortened: {A, B}."""
    text = f"{{{', '.join(map(shown_line, names))}}}"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
