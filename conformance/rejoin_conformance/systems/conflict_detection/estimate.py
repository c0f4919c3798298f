"""A rough idea of one file, so that most drawn events have an effect. No check depends on it.

It follows the document's definitions roughly. Only a run shows whether a step is possible, and its
effect.
"""

from __future__ import annotations

from collections.abc import Sequence


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

    def resolve(self, client: int, pick: int, *, one: bool) -> None:
        """Resolve the conflicts that an event picks. one: whether only the first one."""
        held = [each for _, each in sorted(self.held.get(client, {}).items())]
        picked = [each for place, each in enumerate(held) if pick >> place & 1]
        chosen = held[:1] if one else picked or held
        if chosen:
            self.upload(client, chosen)

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
