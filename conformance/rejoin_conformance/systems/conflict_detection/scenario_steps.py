"""The steps of a scenario that a history probably becomes, without running it.

An event states an intention: which conflict files a user resolves is an estimate here, and only who
answers the scenario knows whether each step is possible.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import define, field

from rejoin import conflict_detection as cd
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.actions import NICKNAMES, polled_by, row_of
from rejoin_conformance.systems.conflict_detection.estimate import Estimates
from rejoin_conformance.systems.conflict_detection.history import History


@define
class _Folder:
    """Who is there, and what the clients probably have.

    away: the clients that are offline. ended: pairs of a client and another one to which it is not
    subscribed. backed_up: the clients with a backup.
    """

    there: set[str]
    estimates: Estimates = field(factory=Estimates)
    away: set[str] = field(factory=set)
    ended: set[tuple[str, str]] = field(factory=set)
    backed_up: set[str] = field(factory=set)

    def step(self, event: Any) -> JsonObject | None:
        """Return the step that an event probably becomes; None if it probably has no effect."""
        row, name = row_of(event), str(event.get("client"))
        if row.key == "collect_garbage" or (name in self.there) == (row.key == "join"):
            return None
        other = polled_by(event)
        if other is not None and (other not in self.there or name in self.away):
            return None
        if other is not None and (name, other) in self.ended:
            return None
        return self._possible(row.key, name, event)

    def _possible(self, key: str, name: str, event: Any) -> JsonObject | None:
        client, path = NICKNAMES.index(name), event.get("file", "")
        file = self.estimates.files[path]
        match key:
            case "edit" | "change" if file.is_there(client, deleted=True):
                return None
            case "delete" if not file.is_there(client):
                return None
            case "undelete" if not file.is_there(client, deleted=True):
                return None
            case "rename":
                there = self.estimates.files[event["rename"]].is_there(client)
                return None if there or not file.is_there(client) else event
            case "set_back" if name not in self.backed_up:
                return None
            case "subscribe" | "unsubscribe":
                other = event[key]
                known = other in self.there and other != name
                ended = (name, other) in self.ended
                return event if known and ended == (key == "subscribe") else None
            case "resolve_held":
                held = file.picked(client, event["pick"])
                rest = {each: value for each, value in event.items() if each not in ("pick", key)}
                return {**rest, "resolve": [NICKNAMES[each] for each in held]} if held else None
            case "touch" | "discard" | "move":
                held = file.picked(client, event["pick"])[:1]
                if not held:
                    return None
                beside = cd.conflict_file_name(path, [NICKNAMES[each] for each in held])
                action = {"touch": "edit", "discard": "delete", "move": "rename"}[key]
                return {"client": name, "file": beside, action: event[key]}
        return event  # type: ignore[no-any-return]  # it is a JSON object

    def note(self, event: Any) -> None:
        """Note the probable effect of an event that became a step."""
        name = event["client"]
        self.estimates.note(event)
        match row_of(event).key:
            case "join":
                self.there.add(name)
            case "offline":
                self.away.add(name)
            case "poll" if "stops" in event:
                self.away.add(name)
            case "online":
                self.away.discard(name)
            case "back_up":
                self.backed_up.add(name)
            case "subscribe":
                self.ended.discard((name, event["subscribe"]))
            case "unsubscribe":
                self.ended.add((name, event["unsubscribe"]))


def steps_of(history: History) -> Iterator[JsonObject]:
    """Yield the steps that the events of a history probably become."""
    folder = _Folder({*NICKNAMES[: history.clients]})
    for event in history.events:
        step = folder.step(event)
        if step is not None:
            folder.note(event)
            yield step
