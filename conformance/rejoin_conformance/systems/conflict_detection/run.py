"""Run a history in one design, and keep the ground truth of every file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, reduce
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar

from attrs import define, field

from rejoin import conflict_detection as cd
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.acting import Done, act, concrete
from rejoin_conformance.systems.conflict_detection.actions import NICKNAMES, polled_by
from rejoin_conformance.systems.conflict_detection.ground_truth import FileTruth, Key, key_of
from rejoin_conformance.systems.conflict_detection.scenario import DESIGNS

V = TypeVar("V")


class Polled(NamedTuple, Generic[V]):
    """One file that a poll found in the other client's directory.

    expected: the classification by the ground truth. found: the classification by the design.
    theirs: the linked version. key: its key in the ground truth. before, after: the polling
    client's file.
    """

    path: str
    other: str
    expected: cd.Classification
    found: cd.Classification
    theirs: V
    key: Key
    before: cd.LocalFile[V]
    after: cd.LocalFile[V]


class Uploaded(NamedTuple):
    """One version that a step made."""

    path: str
    version: Key


class Taken(NamedTuple, Generic[V]):
    """The result of an event.

    step: the action that the event became, None if there was nothing to do.
    refused: the reason why there was nothing to do, or the code of the refusal.
    before, after: the client that took the step; None if it did not exist, or if no client took it.
    changed: path -> the client's file before the step, None if there was none, for the files that
        the step changed.
    dropped: the paths of the links that the client no longer has.
    """

    event: JsonObject
    step: JsonObject | None
    refused: str | None = None
    before: cd.Client[V] | None = None
    after: cd.Client[V] | None = None
    changed: Mapping[str, cd.LocalFile[V] | None] = MappingProxyType({})
    polled: tuple[Polled[V], ...] = ()
    uploaded: tuple[Uploaded, ...] = ()
    operations: cd.Operations = cd.NO_OPERATIONS
    dropped: Sequence[str] = ()

    @property
    def paths(self) -> Sequence[str]:
        """Return the paths that the polls found, and those of the uploads, each once."""
        found = [each.path for each in self.polled] + [each.path for each in self.uploaded]
        return [*dict.fromkeys(found)]

    @property
    def finished(self) -> Mapping[str, V]:
        """Return path -> version, for the interrupted overwrites that the step finished."""
        return {
            path: file.begun.found.version
            for path, file in self.changed.items()
            if file is not None and file.begun is not None
            if self.after and self.after.files[path].begun is None
        }


@define
class Run(Generic[V]):
    """A folder, its ground truth, and the steps so far.

    truths: path -> the ground truth of the file. steps: the actions that were carried out. done:
    what `act` returned for each of them, if somebody needs it; None if nobody does. collections:
    the number of garbage collections. doubled: whether two uploads of one file made the same
    version. set_back: the clients that were set back to a backup. collected_while_stopped: whether
    garbage was collected while a client was stopped during an overwrite. numbers_repeat: whether
    version maps can be wrong: a client was set back (CD-E34). misses_objects: whether a client may
    need objects that were collected (CD-E43). met_collected: whether a poll asked for a collected
    snapshot (CD-E38).
    """

    folder: cd.Folder[V]
    first_clients: int
    truths: dict[str, FileTruth] = field(factory=dict)
    steps: list[JsonObject] = field(factory=list)
    done: list[Done] | None = None
    collections: int = 0
    doubled: bool = False
    set_back: set[str] = field(factory=set)
    collected_while_stopped: bool = False
    numbers_repeat: bool = False
    misses_objects: bool = False
    met_collected: bool = False

    @property
    def design(self) -> cd.Design[V]:
        """Return the design of the run."""
        return self.folder.design

    def truth(self, path: str) -> FileTruth:
        """Return the ground truth of one file."""
        known = self.truths.get(path)
        if known is None:
            known = self.truths[path] = FileTruth()
        return known

    @property
    def is_unsure(self) -> bool:
        """Return whether a classification can be wrong for one of these two reasons."""
        return self.numbers_repeat or self.met_collected

    def number(self, path: str, version: V | None) -> int:
        """Return the number of a version in the ground truth of its file."""
        assert version is not None
        return self.truth(path).numbers[key_of(version)]

    def name(self, path: str, version: V) -> str:
        """Return the name of a version in texts."""
        return self.truth(path).name(key_of(version))

    def links(self, client: cd.Client[V]) -> Mapping[str, cd.Entry]:
        """Return what a client's directory links."""
        return cd.read_directory(
            self.folder.grid, cd.read_capability(client.write_capability)
        ).entries

    def ended_subscription(self, client: str, other: str) -> bool:
        """Return whether a client ever ended its subscription to another one."""
        return {"client": client, "unsubscribe": other} in self.steps

    def scenario(self) -> JsonObject:
        """Return the run so far as the input of the operation `scenario`, without collections."""
        clients: list[Json] = list(NICKNAMES[: self.first_clients])
        steps: list[Json] = [each for each in self.steps if "collect_garbage" not in each]
        return {"design": self.design.name, "clients": clients, "steps": steps}

    def take(self, event: JsonObject) -> Taken[V]:
        """Carry out an event, if it has a step now; return its result."""
        step = concrete(self.folder, event)
        if isinstance(step, str):
            return Taken(event, None, step)
        client, grid = str(step.get("client")), self.folder.grid
        before = self.folder.clients.get(client)
        try:
            done = act(self.folder, step)
        except cd.ConflictDetectionError as error:
            return Taken(event, step, error.code, before, before)
        found, operations = done.found, done.outcome.operations
        self.folder = done.outcome.folder
        self.steps.append(step)
        if self.done is not None:
            self.done.append(done)
        if "collect_garbage" in step:
            self._collected()
            return Taken(event, step)
        after = self.folder.clients[client]
        changed = _changed(before, after)
        dropped = [
            path
            for path, old in changed.items()
            if old is not None and old.linked and not after.files[path].linked
        ]
        if "set_back" in step:
            self._set_back(after)
        other = polled_by(step)
        if other is not None and before is not None:
            polled = self._polled(other, grid, before, after, found) if found else ()
            return Taken(event, step, None, before, after, changed, polled, (), operations, dropped)
        uploads = changed and "set_back" not in step
        uploaded = self._uploaded(step, before, after, changed) if uploads else ()
        return Taken(event, step, None, before, after, changed, (), uploaded, operations, dropped)

    def _polled(
        self,
        other: str,
        grid: cd.Grid,
        before: cd.Client[V],
        after: cd.Client[V],
        found: Mapping[str, cd.Classification],
    ) -> tuple[Polled[V], ...]:
        """Return what a poll found. grid: before the poll."""
        polled: list[Polled[V]] = []
        client = before.nickname
        links = cd.read_directory(grid, before.subscriptions[other]).entries
        for path, classification in found.items():
            truth, link = self.truth(path), links[path]
            theirs: Any = link.version_map or link.capability
            key = key_of(theirs)
            file, left = cd.file_of(before, path), after.files[path]
            expected = with_local_changes(truth.expected(client, key), file)
            if classification is cd.Classification.OVERWRITE and left.begun is None:
                truth.overwrite(client, key)
            polled.append(Polled(path, other, expected, classification, theirs, key, file, left))
        if self.collections and not self.met_collected and self.design.name == "snapshots":
            requests = [each for found in polled for each in requested(self, found)]
            self.met_collected |= not all(cd.is_stored(grid, each) for each in requests)
        return tuple(polled)

    def _uploaded(
        self,
        step: JsonObject,
        before: cd.Client[V] | None,
        after: cd.Client[V],
        changed: Mapping[str, cd.LocalFile[V] | None],
    ) -> tuple[Uploaded, ...]:
        """Return the versions that a step made: one for each file whose version changed.

        A file whose interrupted overwrite was finished has no new version, unless it has a change.
        """
        made: list[Uploaded] = []
        for path, old in changed.items():
            file = after.files[path]
            if file.version is None or (old is not None and old.version is file.version):
                continue
            truth = self.truth(path)
            if old is not None and old.begun is not None and file.begun is None:
                truth.overwrite(after.nickname, key_of(old.begun.found.version))
                if old.waiting is None:
                    continue
            key = key_of(file.version)
            resolved = [key_of(version) for version in _resolved(step, before, path)]
            truth.upload(after.nickname, key, resolved, file.content)
            self.doubled |= truth.doubled
            made.append(Uploaded(path, key))
        return tuple(made)

    def _set_back(self, client: cd.Client[V]) -> None:
        """Set the ground truth of a client back: it had its version and what this follows."""
        self.set_back.add(client.nickname)
        self.numbers_repeat = self.design.name == "version-maps"
        self.misses_objects = self.collections > 0
        for path in {*self.truths, *client.files}:
            file = client.files.get(path)
            key = None if file is None or file.version is None else key_of(file.version)
            self.truth(path).set_back(client.nickname, key)

    def _collected(self) -> None:
        """Record that garbage was collected."""
        self.collections += 1
        self.collected_while_stopped |= any(
            file.begun is not None
            for client in self.folder.clients.values()
            for file in client.files.values()
        )
        self.misses_objects = bool(self.set_back) or self.collected_while_stopped


def _changed(
    before: cd.Client[V] | None, after: cd.Client[V]
) -> Mapping[str, cd.LocalFile[V] | None]:
    if before is None:
        return dict.fromkeys(after.files)
    old = before.files
    if old is after.files:
        return {}
    return {path: old.get(path) for path, file in after.files.items() if old.get(path) is not file}


def _resolved(step: JsonObject, before: cd.Client[V] | None, path: str) -> list[V]:
    """Return the versions of the conflict files that an upload removed."""
    if before is None or path not in before.files:
        return []
    file = before.files[path]
    resolved = [held.version for held in file.waiting or ()]
    at, nicknames = _removed(step)
    if at == path:
        resolved += [held.version for held in cd.naming(file.conflicts, nicknames)]
    return resolved


def requested(run: Run[Any], polled: Polled[Any]) -> list[bytes]:
    """Return the snapshots that the walk of a poll requests, in order, with repeats."""
    grid, before, requests = run.folder.grid, polled.before, list[bytes]()

    def fetch(capability: bytes) -> cd.Snapshot | None:
        requests.append(capability)
        return cd.fetch_snapshot(grid, capability) if cd.is_stored(grid, capability) else None

    cache = before.cache
    cache = cd.examine(run.design.reading, cache, fetch, before.version, polled.theirs).cache
    if before.version is None and (before.conflicts or polled.found is cd.Classification.CONFLICT):
        pending = list(cache.snapshots[polled.theirs].parents)
        while pending:
            capability = pending.pop()
            if capability not in before.cache.snapshots and capability not in requests:
                snapshot = fetch(capability)
                pending += () if snapshot is None else snapshot.parents
    return requests


def _removed(step: Any) -> tuple[str, Sequence[str]]:
    """Return a path, and the clients whose conflict files an action of the user removes there."""
    if "resolve" in step:
        return step["file"], step["resolve"]
    if "delete" in step or "rename" in step:
        return cd.split_file_name(step["file"])
    return "", ()


def with_local_changes(expected: cd.Classification, file: cd.LocalFile[V]) -> cd.Classification:
    """Return the right classification, given the changes of a file that are not uploaded yet."""
    if expected is cd.Classification.OVERWRITE and file.waiting is not None:
        return cd.Classification.CONFLICT
    return expected


def new_run(design: str, reading: cd.Reading, clients: int) -> Run[Any]:
    """Return a run in a design, before any event."""
    return Run(_folder(design, reading, clients), clients)


@lru_cache(maxsize=64)
def _folder(design: str, reading: cd.Reading, clients: int) -> cd.Folder[Any]:
    folder: cd.Folder[Any] = cd.Folder(DESIGNS[design](reading))
    return reduce(cd.add_client, NICKNAMES[:clients], folder)
