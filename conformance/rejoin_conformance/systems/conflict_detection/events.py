"""Events of random histories that depend on the state, and the actions that they become."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from rejoin import conflict_detection as cd
from rejoin_conformance.kit.json_types import JsonObject

Becomes: TypeAlias = Callable[[cd.Client[Any], Any], JsonObject | str]
"""(the client, an action) -> the action that it becomes, or why it has no effect."""


def _picked(client: cd.Client[Any], event: Any, *, there: bool) -> Sequence[cd.ConflictFile[Any]]:
    """Return the conflict files that an event picks: file k if bit k is set, all if none is.

    there: whether to leave out the conflicts without a file.
    """
    file = client.files.get(event["file"])
    held = file.conflicts if file is not None else ()
    if there:
        held = tuple(each for each in held if each.content is not None)
    return [each for place, each in enumerate(held) if event["pick"] >> place & 1] or held


def resolution(client: cd.Client[Any], event: Any) -> JsonObject | str:
    """Return the resolution that an event becomes."""
    names = {name for each in _picked(client, event, there=False) for name in each.nicknames}
    rest = {name: each for name, each in event.items() if name not in ("pick", "resolve_held")}
    return {**rest, "resolve": [*sorted(names)]} if names else "no-conflict"


def beside(key: str, action: str) -> Becomes:
    """Return what an event on one conflict file becomes: an action on the file of that name."""

    def becomes(client: cd.Client[Any], event: Any) -> JsonObject | str:
        held = _picked(client, event, there=True)
        if not held:
            return "no-conflict-file"
        name = cd.conflict_file_name(event["file"], held[0].named_after)
        return {"client": event["client"], "file": name, action: event[key]}

    return becomes
