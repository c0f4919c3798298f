"""What a history covered: events, shapes, and the clauses that it decided."""

from __future__ import annotations

from collections import Counter
from typing import Final

from rejoin import conflict_detection as cd
from rejoin_conformance.systems.conflict_detection.histories.event_json import EVENT_NAMES
from rejoin_conformance.systems.conflict_detection.histories.run import Polled, Run, Taken


def _clauses(*names: str) -> tuple[str, ...]:
    return tuple(f"clause:{name}" for name in names)


_OF_CLASSIFICATION: Final = {
    cd.Classification.OVERWRITE: _clauses(
        "CD-CLASSIFY-OVERWRITE",
        "CD-OVERWRITE-APPLY",
        "CD-LINK-DOWNLOAD",
        "CD-COST-OVERWRITE",
        "CD-MAP-OVERWRITE",
    ),
    cd.Classification.CONFLICT: _clauses(
        "CD-CLASSIFY-CONFLICT",
        "CD-CONFLICT-APPLY",
        "CD-COST-CONFLICT",
        "CD-MAP-CONFLICT",
    ),
    cd.Classification.STALE: _clauses("CD-CLASSIFY-STALE", "CD-COST-NOTHING"),
    cd.Classification.SAME: _clauses("CD-CLASSIFY-SAME", "CD-MAP-SAME", "CD-COST-NOTHING"),
}

_OF_EVENT: Final = {
    "edit": _clauses("CD-SNAPSHOT-EDIT", "CD-MAP-UPLOAD", "CD-COST-LOCAL"),
    "resolve": _clauses("CD-RESOLVE-PARENTS", "CD-MAP-RESOLVE"),
    "touch": _clauses("CD-CONFLICT-FILE-UNTRACKED"),
    "discard": _clauses("CD-RESOLVE-PARENTS", "CD-MAP-RESOLVE"),
    "move": _clauses("CD-RESOLVE-RENAME"),
    "rename": _clauses("CD-RENAME", "CD-FOLLOWS-SEPARATE-FILES"),
    "delete": _clauses("CD-DELETE-SNAPSHOT", "CD-MAP-DELETION", "CD-COST-DELETION"),
    "undelete": _clauses("CD-UNDELETE"),
    "join": _clauses("CD-LOCAL-MERGE-ROOTS", "CD-SUBSCRIPTIONS"),
    "unsubscribe": _clauses("CD-UNSUBSCRIBE"),
    "collect": _clauses("CD-GARBAGE-UNLINKED", "CD-GARBAGE-LEASED", "CD-LEASE-RECURSIVE"),
}


def cover_step(coverage: Counter[str], run: Run[bytes], taken: Taken[bytes]) -> None:
    """Count what one event showed in the design of snapshots."""
    if taken.refused is not None:
        coverage[f"ignored:{taken.refused}"] += 1
        if taken.refused == "offline":
            coverage["clause:CD-OFFLINE-SEES-NOTHING"] += 1
        return
    name = EVENT_NAMES[type(taken.event)]
    coverage[f"event:{name}"] += 1
    for clause in _OF_EVENT.get(name, ()):
        coverage[clause] += 1
    if name == "come-back" and taken.uploaded:
        coverage["clause:CD-OFFLINE-ONE-UPLOAD"] += 1
    for polled in taken.polled:
        _cover_poll(coverage, run, polled)
    _cover_uploads(coverage, run, taken)
    for path, before in taken.changed.items():
        assert taken.after is not None
        if before is not None and before.linked and not taken.after.files[path].linked:
            coverage["clause:CD-DELETE-DROP-LINK"] += 1


def _cover_poll(coverage: Counter[str], run: Run[bytes], polled: Polled[bytes]) -> None:
    coverage[f"poll:{polled.found}"] += 1
    for clause in _OF_CLASSIFICATION[polled.found]:
        coverage[clause] += 1
    before, after = polled.before, polled.after
    if before.version is None:
        coverage["clause:CD-CLASSIFY-FIRST"] += 1
        coverage["clause:CD-WALK-FIRST"] += 1
    if len(after.conflicts) < len(before.conflicts):
        coverage["clause:CD-CONFLICT-FILE-GONE"] += 1
        if any(polled.other not in each.nicknames for each in before.conflicts):
            coverage["clause:CD-RESOLVE-THIRD-PARTY"] += 1
    if len(after.conflicts) == len(before.conflicts) and after.conflicts != before.conflicts:
        coverage["clause:CD-CONFLICT-FILE-UPDATED"] += 1
    if any(each.content is None for each in after.conflicts):
        coverage["clause:CD-CONFLICT-FILE-DELETION"] += 1
    if after.conflicts:
        coverage[f"shape:held:{len(after.conflicts)}"] += 1
        coverage["clause:CD-CONFLICT-FILE-PER-CLIENT"] += 1
    truth = run.truth(polled.path)
    if truth.doubled:
        coverage["shape:doubled:yes"] += 1


def _cover_uploads(coverage: Counter[str], run: Run[bytes], taken: Taken[bytes]) -> None:
    assert taken.after is not None or not taken.uploaded
    for uploaded in taken.uploaded:
        assert isinstance(uploaded.version, bytes)
        assert taken.after is not None
        parents = taken.after.files[uploaded.path].cache.snapshots[uploaded.version].parents
        coverage[f"shape:parents:{len(parents)}"] += 1
        if len(parents) > 2:
            coverage["clause:CD-RESOLVE-SEVERAL"] += 1
        if taken.step is not None and "join" in taken.step.said:
            versions = len(run.truth(uploaded.path).names)
            coverage["clause:CD-LOCAL-MERGE-CONFLICT"] += versions > 1


def cover_end(coverage: Counter[str], run: Run[bytes]) -> None:
    """Count the shape of the whole history."""
    coverage[f"shape:clients:{len(run.folder.clients)}"] += 1
    for _, truth in sorted(run.truths.items()):
        coverage[f"shape:versions:{_rounded(len(truth.names))}"] += 1
        heads = len(set(truth.current.values()))
        coverage[f"shape:heads:{heads}"] += 1


def _rounded(number: int) -> int:
    """Numbers of ten and more, rounded down to two steps a power of two."""
    if number < 10:
        return number
    step = 1 << (number.bit_length() - 2)
    return number // step * step
