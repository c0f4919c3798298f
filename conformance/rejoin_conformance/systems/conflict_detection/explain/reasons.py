"""Reasons from the input why a snapshot is fetched or kept, and how two versions are related."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.untrusted import shown_line

_SHOWN: Final = 160


def relation(value: JsonObject, remote: str, local: str) -> str:
    """Return how two versions are related, with a path from the later to the earlier one."""
    parents = parents_of(value)
    if remote == local:
        return "both are the same version"
    theirs, ours = path_back(parents, remote, local), path_back(parents, local, remote)
    if theirs:
        return f"theirs follows ours: {' -> '.join(theirs)}"
    return f"ours follows theirs: {' -> '.join(ours)}" if ours else "neither follows the other"


def why_downloaded(value: JsonObject, snapshot: str) -> str:
    """Return why a walk downloads a snapshot, or why it does not."""
    if snapshot == value["local"]:
        return "it is the client's own snapshot"
    if snapshot in list_of(value["cached"]):
        return "it is cached"
    path = path_back(parents_of(value), str(value["remote"]), snapshot)
    if path:
        return f"it is not cached, {' -> '.join(path)}"
    return f"it is not an ancestor of {value['remote']}"


def why_kept(value: JsonObject, snapshot: str) -> str:
    """Return the clients that have a snapshot or a descendant of it."""
    currents = object_of(value["currents"])
    parents = parents_of(value)
    behind = [
        client
        for client, each in sorted(currents.items())
        if path_back(parents, str(each), snapshot)
    ]
    return (
        f"of the clients {listed(sorted(currents))}, {listed(behind)} have it or a descendant of it"
    )


def why_leased(value: JsonObject, snapshot: str) -> str:
    """Return the ends of the leases of a snapshot, and the time."""
    parents = parents_of(value)
    renewals: Any = value["renewals"]
    ends = [
        renewal["until"]
        for renewal in renewals
        if any(path_back(parents, link, snapshot) for link in renewal["links"])
    ]
    if not ends:
        return "no client renewed its lease"
    return f"its leases last until {', '.join(map(str, ends))}, and the time is {value['now']}"


def parents_of(value: JsonObject) -> dict[str, list[str]]:
    """Return version -> parents, for the graph in the input of an operation."""
    versions: Any = value.get("versions") or value.get("snapshots") or []
    return {each["id"]: each["parents"] for each in versions}


def path_back(parents: Mapping[str, list[str]], later: str, earlier: str) -> list[str]:
    """Return a path of parents from a later version to an earlier one; empty if there is none."""
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


def object_of(value: Json) -> dict[str, Any]:
    """Return a value if it is an object, else an empty object."""
    return value if isinstance(value, dict) else {}


def list_of(value: Json) -> list[Any]:
    """Return a value if it is a list, else an empty list."""
    return value if isinstance(value, list) else []


def listed(names: Iterable[str]) -> str:
    """Return names on one line, shortened: {A, B}."""
    text = f"{{{', '.join(map(shown_line, names))}}}"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
