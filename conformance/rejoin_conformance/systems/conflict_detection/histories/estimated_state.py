"""An estimate of the clients' files, so that the generator draws steps with an effect.

It follows the document's definitions roughly. Only a run shows whether a step is possible, and its
effect. No check depends on the estimate.
"""

from __future__ import annotations

from attrs import define, field

from rejoin_conformance.systems.conflict_detection.histories import events as ev


@define
class _EstimatedFile:
    """The estimate for one path.

    follows: version -> the bits of the versions that it follows. deleted: the bits of the
    deletions. current: client -> its version. held: client -> other client -> the version that
    conflicts.
    """

    follows: list[int] = field(factory=list)
    deleted: int = 0
    current: dict[int, int] = field(factory=dict)
    held: dict[int, dict[int, int]] = field(factory=dict)

    def upload(self, client: int, resolved: list[int], *, deletion: bool = False) -> None:
        version = len(self.follows)
        behind = 0
        for each in (self.current.get(client), *resolved):
            if each is not None:
                behind |= self.follows[each] | 1 << each
        self.follows.append(behind)
        self.deleted |= deletion << version
        self._take(client, version)

    def poll(self, client: int, other: int) -> None:
        theirs = self.current.get(other)
        ours = self.current.get(client)
        if theirs is None or theirs == ours:
            return
        if ours is None or self.follows[theirs] >> ours & 1:
            self._take(client, theirs)
        elif not self.follows[ours] >> theirs & 1:
            self.held.setdefault(client, {})[other] = theirs

    def _take(self, client: int, version: int) -> None:
        behind = self.follows[version] | 1 << version
        left = self.held.get(client, {}).items()
        self.held[client] = {other: each for other, each in left if not behind >> each & 1}
        self.current[client] = version


@define
class EstimatedState:
    """The estimates for all paths."""

    files: dict[str, _EstimatedFile] = field(factory=dict)

    def has(self, client: int, path: str) -> bool:
        """Return whether the client probably has the file."""
        file = self._file(path)
        current = file.current.get(client)
        return current is not None and not file.deleted >> current & 1

    def lacks(self, client: int, path: str) -> bool:
        """Return whether the client probably has a deletion of the file."""
        file = self._file(path)
        current = file.current.get(client)
        return current is not None and bool(file.deleted >> current & 1)

    def holds(self, client: int, path: str) -> bool:
        """Return whether the client probably holds a conflict."""
        return bool(self._file(path).held.get(client))

    def is_news(self, client: int, other: int, path: str) -> bool:
        """Return whether the other client probably has a different version that is not held yet."""
        file = self._file(path)
        theirs = file.current.get(other)
        if theirs is None or theirs == file.current.get(client):
            return False
        return file.held.get(client, {}).get(other) != theirs

    def note(self, event: ev.Event) -> None:
        """Update the estimate after an event."""
        match event:
            case ev.Edit(client, path) | ev.Undelete(client, path) | ev.Change(client, path):
                self._file(path).upload(client, [])
            case ev.Delete(client, path):
                if self.has(client, path):
                    self._file(path).upload(client, [], deletion=True)
            case ev.Poll(client, other, path) | ev.PollAndStop(client, other, path):
                self._file(path).poll(client, other)
            case ev.PollAll(client, other):
                for file in self.files.values():
                    file.poll(client, other)
            case ev.Resolve(client, path, pick):
                held = sorted(self._file(path).held.get(client, {}).items())
                chosen = [each for number, (_, each) in enumerate(held) if pick >> number & 1]
                self._resolve(client, path, chosen or [each for _, each in held])
            case ev.Discard(client, path) | ev.Move(client, path):
                held = sorted(self._file(path).held.get(client, {}).items())
                self._resolve(client, path, [each for _, each in held[:1]])
            case ev.Rename(client, path, target):
                if self.has(client, path) and not self.has(client, target):
                    self._file(path).upload(client, [], deletion=True)
                    self._file(target).upload(client, [])
            case ev.Join(client, files):
                for path, _ in files:
                    self._file(path).upload(client, [])
            case _:
                pass

    def _resolve(self, client: int, path: str, chosen: list[int]) -> None:
        if chosen:
            self._file(path).upload(client, chosen)

    def _file(self, path: str) -> _EstimatedFile:
        known = self.files.get(path)
        if known is None:
            known = self.files[path] = _EstimatedFile()
        return known
