"""Check that links to deletions are removed when the clause says so, and at no other time.

The check records what each client saw from the steps alone. It does not use what the reference
records for the same purpose.
"""

from __future__ import annotations

from typing import TypeVar

from attrs import define, field

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.ledger import Ledger
from rejoin_conformance.systems.conflict_detection.actions import polled_by
from rejoin_conformance.systems.conflict_detection.ground_truth import Key
from rejoin_conformance.systems.conflict_detection.laws import LINKS_DROPPED_EXACTLY
from rejoin_conformance.systems.conflict_detection.laws_polls import evidence_of
from rejoin_conformance.systems.conflict_detection.run import (
    Run,
    Taken,
    finished_overwrite,
)

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

    def see(self, other: str, version: Key) -> None:
        """Record that another client was seen to link a version."""
        self.last[other] = version
        self.missing.discard(other)

    def forget(self, other: str) -> None:
        """Forget a client whose subscription ended."""
        self.last.pop(other, None)
        self.missing.discard(other)
        if self.since is not None:
            self.since.discard(other)


@define
class LinkChecks:
    """The sights of all clients of a run: (client, path) -> what it saw."""

    sights: dict[tuple[str, str], _Sight] = field(factory=dict)

    def check(self, ledger: Ledger, run: Run[V], taken: Taken[V]) -> None:
        """Record what the client of a step saw, and check the links that the step removed."""
        if taken.refused is not None or taken.after is None or taken.step is None:
            return
        client, event = taken.after, taken.event
        if run.numbers_repeat or client.nickname in run.set_back:
            ledger.not_met(LINKS_DROPPED_EXACTLY)
            return
        if "unsubscribe" in event:
            for (nickname, _), sight in self.sights.items():
                if nickname == client.nickname:
                    sight.forget(str(event["unsubscribe"]))
        for path, before in taken.changed.items():
            if before is not None:
                if _gave_up_deletion(run, path, before, client.files[path]):
                    self._sight(client.nickname, path).since = set()
                if before.begun is not None:
                    self._finish(run, client, path, before)
        looked = _looked_at(taken)
        if looked:
            self._look(run, taken, client, looked)
        linked = {} if taken.before is None else taken.before.files
        for path in {**looked, **taken.changed} if taken.changed else looked:
            file = linked.get(path)
            if file is not None and file.linked:
                self._check_link(ledger, run, client, path, file, polled_now=path in looked)

    def _look(
        self, run: Run[V], taken: Taken[V], client: cd.Client[V], looked: dict[str, None]
    ) -> None:
        """Record what the client of a poll saw at the paths at which it looked."""
        other = polled_by(taken.event)
        assert other is not None
        polled = {each.path: each for each in taken.polled}
        for path in looked:
            sight = self._sight(client.nickname, path)
            if path not in polled:
                if other in sight.last:
                    sight.missing.add(other)
                continue
            seen, file = polled[path].key, client.files[path]
            sight.see(other, seen)
            if sight.since is not None:
                ours = file.version is not None and run.key(file.version) == seen
                if ours or not run.truth(path).is_deletion(seen):
                    sight.since.add(other)

    def _finish(
        self, run: Run[V], client: cd.Client[V], path: str, before: cd.LocalFile[V]
    ) -> None:
        """Record the version of an interrupted overwrite as seen, when the client finishes it."""
        finished = finished_overwrite(before, client.files[path])
        if finished is None or before.begun is None:
            return
        sight, key = self._sight(client.nickname, path), run.key(finished)
        if before.begun.other in client.subscriptions:
            sight.see(before.begun.other, key)
            if sight.since is not None:
                sight.since.add(before.begun.other)
        if before.waiting is not None and run.truth(path).is_deletion(key):
            sight.since = set()

    def _sight(self, nickname: str, path: str) -> _Sight:
        known = self.sights.get((nickname, path))
        if known is None:
            known = self.sights[nickname, path] = _Sight()
        return known

    def _check_link(
        self,
        ledger: Ledger,
        run: Run[V],
        client: cd.Client[V],
        path: str,
        before: cd.LocalFile[V],
        *,
        polled_now: bool,
    ) -> None:
        """Check one link of a client after a step. before: the file, which was linked."""
        file = client.files[path]
        ledger.check(LINKS_DROPPED_EXACTLY)
        due = (
            polled_now
            and file.version is before.version
            and _is_deletion(run, path, file)
            and self._all_have(run, client, path, file)
        )
        if due == file.linked:
            what = "keeps its link to" if due else "removes its link to"
            detail = f"step {len(run.steps)}: {client.nickname} {what} {path}"
            kind = f"{run.design.name}: {what}"
            ledger.broken(LINKS_DROPPED_EXACTLY, kind, detail, lambda: evidence_of(run))

    def _all_have(
        self, run: Run[V], client: cd.Client[V], path: str, file: cd.LocalFile[V]
    ) -> bool:
        assert file.version is not None
        sight, this = self._sight(client.nickname, path), run.key(file.version)
        return all(sight.has(other, this) for other in client.subscriptions)


def _looked_at(taken: Taken[V]) -> dict[str, None]:
    """Return the paths that a poll looked at, as keys."""
    assert taken.before is not None or not taken.polled
    event = taken.event
    if taken.before is None or not taken.before.online:
        return {}
    for polled in taken.polled:
        if polled.after.begun is not None:
            return {}  # the client records what it saw when it finishes the overwrite
    if "poll" in event:
        return {str(event["file"]): None}
    if "poll_all" in event:
        return dict.fromkeys((*taken.before.files, *[each.path for each in taken.polled]))
    return {}


def _gave_up_deletion(
    run: Run[V], path: str, before: cd.LocalFile[V], after: cd.LocalFile[V]
) -> bool:
    """Return whether a step replaced a deletion by another version."""
    if before.version is None or after.version is before.version:
        return False
    return _is_deletion(run, path, before)


def _is_deletion(run: Run[V], path: str, file: cd.LocalFile[V]) -> bool:
    """Return whether the file's version is a deletion, by the ground truth."""
    assert file.version is not None
    return run.truth(path).is_deletion(run.key(file.version))
