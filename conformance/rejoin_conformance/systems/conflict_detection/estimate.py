"""A rough idea of the files, so that most drawn events and steps have an effect.

It follows the document's definitions roughly. Only a run shows whether a step is possible, and its
effect. No check depends on it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from rejoin_conformance.systems.conflict_detection.actions import FOO, NICKNAMES


class Estimate:
    """The versions of one file that clients probably have, and the conflicts that they hold.

    follows: version -> the bits of the versions that it follows. deleted: the bits of the
    deletions. current: client -> its version. held: client -> other client -> the version in
    conflict.
    """

    def __init__(self) -> None:
        self.follows: list[int] = []
        self.deleted = 0
        self.current: dict[int, int] = {}
        self.held: dict[int, dict[int, int]] = {}

    def upload(self, client: int, resolved: Sequence[int] = (), *, deletion: bool = False) -> None:
        """Add a version of a client. resolved: the versions whose conflicts it resolves."""
        version, behind = len(self.follows), 0
        for each in (self.current.get(client), *resolved):
            if each is not None:
                behind |= self.follows[each] | 1 << each
        self.follows.append(behind)
        self.deleted |= deletion << version
        self._take(client, version)

    def poll(self, client: int, other: int) -> None:
        """Let a client poll another one."""
        theirs, ours = self.current.get(other), self.current.get(client)
        if theirs is None or theirs == ours:
            return
        if ours is None or self.follows[theirs] >> ours & 1:
            self._take(client, theirs)
        elif not self.follows[ours] >> theirs & 1:
            self.held.setdefault(client, {})[other] = theirs

    def picked(self, client: int, pick: int) -> list[int]:
        """Return the other clients whose conflicts an event picks: all if it picks none."""
        held = sorted(self.held.get(client, {}))
        return [each for place, each in enumerate(held) if pick >> place & 1] or held

    def resolve(self, client: int, pick: int, *, one: bool) -> None:
        """Resolve the conflicts that an event picks. one: whether only the first one."""
        chosen = sorted(self.held.get(client, {}))[:1] if one else self.picked(client, pick)
        if chosen:
            self.upload(client, [self.held[client][other] for other in chosen])

    def _take(self, client: int, version: int) -> None:
        behind = self.follows[version] | 1 << version
        left = self.held.get(client, {}).items()
        self.held[client] = {other: each for other, each in left if not behind >> each & 1}
        self.current[client] = version

    def is_there(self, client: int, *, deleted: bool = False) -> bool:
        """Return whether the client probably has the file, or probably a deletion of it."""
        current = self.current.get(client)
        return current is not None and bool(self.deleted >> current & 1) is deleted

    def holds(self, client: int) -> bool:
        """Return whether the client probably holds a conflict."""
        return bool(self.held.get(client))

    def is_news(self, client: int, other: int) -> bool:
        """Return whether the other client probably has a different version that is not held yet."""
        theirs = self.current.get(other)
        if theirs is None or theirs == self.current.get(client):
            return False
        return self.held.get(client, {}).get(other) != theirs


class Estimates:
    """The estimates of all files, by path."""

    def __init__(self) -> None:
        self.files: defaultdict[str, Estimate] = defaultdict(Estimate)

    def note(self, effect: str, event: Any) -> None:
        """Note the probable effect of an event of a client. effect: that of its row."""
        client, file = NICKNAMES.index(event["client"]), self.files[event.get("file", FOO)]
        match effect:
            case "upload":
                file.upload(client)
            case "delete":
                if file.is_there(client):
                    file.upload(client, deletion=True)
            case "poll":
                other = NICKNAMES.index(event.get("poll") or event["poll_all"])
                for each in [file] if "poll" in event else [*self.files.values()]:
                    each.poll(client, other)
            case "resolve" | "resolve-one" as how:
                file.resolve(client, event["pick"], one=how == "resolve-one")
            case "rename":
                target = self.files[event["rename"]]
                if file.is_there(client) and not target.is_there(client):
                    file.upload(client, deletion=True)
                    target.upload(client)
            case "join":
                for path in event["join"]:
                    self.files[path].upload(client)
