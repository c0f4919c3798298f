"""Carry out the actions of users and clients on the reference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from rejoin import conflict_detection as cd
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.actions import FOO, row_of


class Done(NamedTuple):
    """The outcome of an action. found: path -> classification, for the files that a poll found."""

    outcome: cd.Outcome[Any]
    found: Mapping[str, cd.Classification]


_NOTHING_FOUND: Final[Mapping[str, cd.Classification]] = {}


def act(folder: cd.Folder[Any], action: JsonObject) -> Done:
    """Carry out an action. Raises ConflictDetectionError if the reference refuses it."""
    row = row_of(action)
    fields = {"file": FOO, **row.loaded(action, None)}
    assert row.does is not None
    made = row.does(folder, action.get("client"), fields)
    if isinstance(made, cd.PollOfAll):
        return Done(cd.Outcome(made.folder, None, made.operations), made.classifications)
    if made.classification is None:
        return Done(made, _NOTHING_FOUND)
    return Done(made, {fields["file"]: made.classification})


def concrete(folder: cd.Folder[Any], event: JsonObject) -> JsonObject | str:
    """Return the action that an event becomes in a folder, or why there is nothing to do."""
    row = row_of(event)
    if row.key == "collect_garbage":
        return event
    client = folder.clients.get(str(event["client"]))
    if row.key == "join":
        return event if client is None else "there-already"
    if client is None:
        return "not-there"
    if row.effect == "poll" and not client.online:
        return "offline"
    return event if row.becomes is None else row.becomes(client, event)
