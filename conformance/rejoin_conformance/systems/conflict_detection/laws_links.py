"""Check that links to deletions are removed when the clause says so, and at no other time.

The check records what each client saw from the steps alone. It does not use what the reference
records for the same purpose.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Generic, TypeVar

from attrs import define, field

from rejoin import conflict_detection as cd
from rejoin_conformance.systems.conflict_detection.actions import polled_by
from rejoin_conformance.systems.conflict_detection.ground_truth import Key, key_of
from rejoin_conformance.systems.conflict_detection.judge import Judge
from rejoin_conformance.systems.conflict_detection.run import Taken

V = TypeVar("V")


@define
class _Sight:
    """What one client saw of one file.

    last: other client -> the last version that it was seen to link.
    missing: the clients in `last` whose link was missing at the last look.
    since: the clients that were seen with content, or with the deletion that was then current,
        since an earlier deletion was given up; None if none was given up.
    """

    last: dict[str, Key] = field(factory=dict)
    missing: set[str] = field(factory=set)
    since: set[str] | None = None

    def has(self, other: str, deletion: Key) -> bool:
        """Return whether the client knows that another client has the deletion."""
        counts = other in self.missing and (self.since is None or other in self.since)
        return self.last.get(other) == deletion or counts

    def see(self, other: str, version: Key, *, certain: bool) -> None:
        """Record that another client links a version. certain: whether it counts for `since`."""
        self.last[other] = version
        self.missing.discard(other)
        if self.since is not None and certain:
            self.since.add(other)

    def forget(self, other: str) -> None:
        """Forget a client whose subscription ended."""
        self.last.pop(other, None)
        self.missing.discard(other)
        if self.since is not None:
            self.since.discard(other)


@define
class LinkChecks(Generic[V]):
    """The checks of one run. sights: (client, path) -> what the client saw of the file."""

    judge: Judge[V]
    sights: defaultdict[tuple[str, str], _Sight] = field(factory=lambda: defaultdict(_Sight))

    def check(self, taken: Taken[V]) -> None:
        """Record what the client of a step saw, and check the links that the step removed."""
        if taken.refused is not None or taken.after is None or taken.step is None:
            return
        run, client, event = self.judge.run, taken.after, taken.event
        if run.numbers_repeat or client.nickname in run.set_back:
            self.judge.check("links-dropped-exactly", premise=False)
            return
        if "unsubscribe" in event:
            for (nickname, _), sight in self.sights.items():
                if nickname == client.nickname:
                    sight.forget(str(event["unsubscribe"]))
        finished = taken.finished
        for path, before in taken.changed.items():
            if before is not None and self._gave_up_deletion(path, before, client.files[path]):
                self.sights[client.nickname, path].since = set()
            if path in finished:
                self._finish(taken, path, key_of(finished[path]))
        looked = _looked_at(taken)
        self._look(taken, looked)
        linked = {} if taken.before is None else taken.before.files
        for path in {**looked, **taken.changed}:
            if path in linked and linked[path].linked:
                self._check_link(client, path, linked[path], polled_now=path in looked)

    def _look(self, taken: Taken[V], looked: dict[str, None]) -> None:
        """Record what the client of a poll saw at the paths at which it looked."""
        assert taken.after is not None
        run, client, other = self.judge.run, taken.after, str(polled_by(taken.event))
        polled = {each.path: each for each in taken.polled}
        for path in looked:
            sight = self.sights[client.nickname, path]
            if path in polled:
                seen, version = polled[path].key, client.files[path].version
                ours = version is not None and key_of(version) == seen
                sight.see(other, seen, certain=ours or not run.truth(path).is_deletion(seen))
            elif other in sight.last:
                sight.missing.add(other)

    def _finish(self, taken: Taken[V], path: str, key: Key) -> None:
        """Record the version of an interrupted overwrite as seen, when the client finishes it."""
        before, client = taken.changed[path], taken.after
        assert client is not None
        assert before is not None
        assert before.begun is not None
        sight = self.sights[client.nickname, path]
        if before.begun.other in client.subscriptions:
            sight.see(before.begun.other, key, certain=True)
        if before.waiting is not None and self.judge.run.truth(path).is_deletion(key):
            sight.since = set()

    def _check_link(
        self, client: cd.Client[V], path: str, before: cd.LocalFile[V], *, polled_now: bool
    ) -> None:
        """Check one link of a client after a step. before: the file, which was linked."""
        run, file = self.judge.run, client.files[path]
        self.judge.check("links-dropped-exactly")
        due = polled_now and file.version is before.version and self._is_deletion(path, file)
        if due:
            assert file.version is not None
            sight, this = self.sights[client.nickname, path], key_of(file.version)
            due = all(sight.has(other, this) for other in client.subscriptions)
        if due == file.linked:
            what = "keeps its link to" if due else "removes its link to"
            detail = f"{self.judge.step}: {client.nickname} {what} {path}"
            self.judge.broken("links-dropped-exactly", detail, f"{run.design.name}: {what}")

    def _gave_up_deletion(self, path: str, before: cd.LocalFile[V], after: cd.LocalFile[V]) -> bool:
        """Return whether a step replaced a deletion by another version."""
        if before.version is None or after.version is before.version:
            return False
        return self._is_deletion(path, before)

    def _is_deletion(self, path: str, file: cd.LocalFile[V]) -> bool:
        """Return whether the file's version is a deletion, by the ground truth."""
        assert file.version is not None
        return self.judge.run.truth(path).is_deletion(key_of(file.version))


def _looked_at(taken: Taken[V]) -> dict[str, None]:
    """Return the paths that a poll looked at, as keys.

    A client that stops during an overwrite records what it saw when it finishes the overwrite.
    """
    event, before = taken.event, taken.before
    stopped = any(polled.after.begun is not None for polled in taken.polled)
    if before is None or not before.online or stopped:
        return {}
    if "poll" in event:
        return {str(event["file"]): None}
    if "poll_all" in event:
        return dict.fromkeys((*before.files, *[each.path for each in taken.polled]))
    return {}
