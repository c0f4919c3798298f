"""A line of reason for a wrong answer of an operation that lists no steps.

A classification follows from the path between two versions, or from the entries in which two maps
differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rejoin_conformance.contract.asked import Asked
from rejoin_conformance.contract.explanation import explain_json
from rejoin_conformance.kit.untrusted import shown_line


def explain(asked: Asked) -> str | None:
    """Return the first difference of two outputs with its reason, or None if there is no reason."""
    reason = reason_of(asked.operation.partition("/")[2], asked.input)
    if not reason:
        return None
    return f"{explain_json(asked.expected_output, asked.observed_output)}\n  {reason}"


def reason_of(operation: str, value: Any) -> str:
    """Return the reason for the answer to a question; empty if the answer itself says it."""
    if operation == "follows":
        return relation(value["versions"], value["later"], value["earlier"])
    if operation in ("classify-snapshot", "walk") and value["local"] is not None:
        return relation(value["snapshots"], value["remote"], value["local"])
    if operation == "classify-version-map" and value["local"] is not None:
        return entries(value["local"], value["remote"])
    return ""


def relation(versions: Any, one: str, other: str) -> str:
    """Return how two versions are related, with a path from the later to the earlier one."""
    parents = {each["id"]: each["parents"] for each in versions}
    path = _path_back(parents, one, other) or _path_back(parents, other, one)
    if len(path) == 1:
        return "both are the same version"
    if not path:
        return f"neither of {shown_line(one)} and {shown_line(other)} follows the other"
    return f"{path[0]} follows {path[-1]}: {' -> '.join(path)}"


def _path_back(parents: Mapping[str, list[str]], later: str, earlier: str) -> list[str]:
    """Return a path of parents from a later version to an earlier one; empty if there is none."""
    came_from = {later: ""}
    waiting = [later]
    for version in waiting:
        for parent in parents.get(version, ()):
            if parent not in came_from:
                came_from[parent] = version
                waiting.append(parent)
    path: list[str] = []
    while earlier in came_from and (not path or path[-1] != shown_line(later)):
        path.append(shown_line(earlier))
        earlier = came_from[earlier]
    return path[::-1]


def entries(ours: Mapping[str, int], theirs: Mapping[str, int]) -> str:
    """Return the entries in which two version maps differ."""
    names = sorted({*ours, *theirs})
    more = [name for name in names if theirs.get(name, 0) > ours.get(name, 0)]
    fewer = [name for name in names if theirs.get(name, 0) < ours.get(name, 0)]
    said = [f"theirs is larger at {', '.join(map(shown_line, more))}"] if more else []
    said += [f"ours is larger at {', '.join(map(shown_line, fewer))}"] if fewer else []
    return "; ".join(said) or "no entry differs; a missing entry counts as 0"
