"""Coverage counts of a history: its shapes, its events, and the clauses that it decided."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.law import Ledger
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.actions import ROWS, event_name, row_of
from rejoin_conformance.systems.conflict_detection.run import Polled, Run, Taken

_DECIDED: Final = {
    cd.Classification.OVERWRITE: "CD-CLASSIFY-OVERWRITE CD-OVERWRITE-APPLY CD-LINK-DOWNLOAD "
    "CD-COST-OVERWRITE CD-MAP-OVERWRITE",
    cd.Classification.CONFLICT: "CD-CLASSIFY-CONFLICT CD-CONFLICT-APPLY CD-COST-CONFLICT "
    "CD-MAP-CONFLICT",
    cd.Classification.STALE: "CD-CLASSIFY-STALE CD-COST-NOTHING",
    cd.Classification.SAME: "CD-CLASSIFY-SAME CD-MAP-SAME CD-COST-NOTHING",
}
"""Classification -> the clauses that a poll with it decides."""
_OF_POLL: Final = {
    found: (f"poll:{found}", *(f"clause:{clause}" for clause in clauses.split()))
    for found, clauses in _DECIDED.items()
}

_EVENTS: Final[Mapping[str, JsonObject]] = {
    **{key: {key: True} for key in ROWS},
    "stops": {"poll": "", "stops": True},
}
OF_EVENT: Final = {
    key: (f"event:{event_name(event)}", *(f"clause:{c}" for c in row_of(event).covers.split()))
    for key, event in _EVENTS.items()
}
"""The field that names an event, or says that its client stops -> what the event covers."""


def cover_step(ledger: Ledger, run: Run[bytes], taken: Taken[bytes]) -> None:
    """Count what one event covered in the design of snapshots."""
    if taken.refused is not None:
        ledger.cover(f"ignored:{taken.refused}")
        if taken.refused == "offline":
            ledger.decide("CD-OFFLINE-SEES-NOTHING")
        return
    event = taken.event
    ledger.cover(*OF_EVENT["stops" if "stops" in event else row_of(event).key])
    if taken.uploaded:
        if "online" in event:
            ledger.decide("CD-OFFLINE-ONE-UPLOAD")
        _cover_uploads(ledger, run, taken)
    _cover_mishaps(ledger, taken)
    for polled in taken.polled:
        _cover_poll(ledger, run, polled)
    if "set_back" not in event:
        for path in taken.dropped:
            assert taken.after is not None
            ledger.decide("CD-DELETE-DROP-LINK")
            _cover_drop(ledger, run, taken.after, taken.after.files[path])


def _cover_mishaps(ledger: Ledger, taken: Taken[bytes]) -> None:
    """Count changes that are not uploaded yet, interrupted overwrites, and restored backups."""
    for polled in taken.polled:
        if polled.before.waiting is not None and polled.found is cd.Classification.CONFLICT:
            ledger.decide("CD-OVERWRITE-UNSAVED")
            if polled.before.version is None:
                ledger.cover("unsaved:before-the-first-version")
        if polled.after.begun is not None:
            ledger.cover("stopped:during-an-overwrite")
    for path in taken.finished:
        ledger.decide("CD-OVERWRITE-INTERRUPTED")
        before = taken.changed[path]
        changed = before is not None and before.waiting is not None
        ledger.cover("finished:and-uploads" if changed else "finished:unchanged")
    if "set_back" in taken.event:
        ledger.decide("CD-SET-BACK")
        ledger.cover("set-back:to-other-files" if taken.changed else "set-back:to-the-same-files")


def _cover_drop(
    ledger: Ledger, run: Run[bytes], client: cd.Client[bytes], file: cd.LocalFile[bytes]
) -> None:
    """Count why a client could remove its link to a deletion."""
    polled = frozenset(client.subscriptions)
    ledger.cover("drop:a-link-is-missing" if file.vanished & polled else "drop:all-links-are-seen")
    if file.certain is not None:
        ledger.cover("drop:after-an-earlier-deletion")
        if file.vanished & polled:
            ledger.cover("drop:after-an-earlier-deletion-and-a-link-is-missing")
    if not polled:
        ledger.cover("drop:nobody-is-polled")
    elif len(polled) < len(run.folder.clients) - 1:
        ledger.cover("drop:not-everyone-is-polled")


def _cover_poll(ledger: Ledger, run: Run[bytes], polled: Polled[bytes]) -> None:
    ledger.cover(*_OF_POLL[polled.found])
    before, after = polled.before, polled.after
    if before.version is None:
        ledger.decide("CD-CLASSIFY-FIRST", "CD-WALK-FIRST")
    if len(after.conflicts) < len(before.conflicts):
        ledger.decide("CD-CONFLICT-FILE-GONE")
        if any(polled.other not in each.nicknames for each in before.conflicts):
            ledger.decide("CD-RESOLVE-THIRD-PARTY")
    elif len(after.conflicts) == len(before.conflicts) and after.conflicts != before.conflicts:
        ledger.decide("CD-CONFLICT-FILE-UPDATED")
    if after.conflicts:
        if any(each.content is None for each in after.conflicts):
            ledger.decide("CD-CONFLICT-FILE-DELETION")
        ledger.cover(f"shape:held:{len(after.conflicts)}")
        ledger.decide("CD-CONFLICT-FILE-PER-CLIENT")
    if run.truth(polled.path).doubled:
        ledger.cover("shape:doubled:yes")


def _cover_uploads(ledger: Ledger, run: Run[bytes], taken: Taken[bytes]) -> None:
    for uploaded in taken.uploaded:
        assert isinstance(uploaded.version, bytes)
        assert taken.after is not None
        parents = taken.after.files[uploaded.path].cache.snapshots[uploaded.version].parents
        ledger.cover(f"shape:parents:{len(parents)}")
        if len(parents) > 2:
            ledger.decide("CD-RESOLVE-SEVERAL")
        if "join" in taken.event:
            versions = len(run.truth(uploaded.path).names)
            ledger.cover("clause:CD-LOCAL-MERGE-CONFLICT", times=int(versions > 1))


def cover_end(ledger: Ledger, run: Run[bytes]) -> None:
    """Count the shape of the whole history."""
    ledger.cover(f"shape:clients:{len(run.folder.clients)}")
    for _, truth in sorted(run.truths.items()):
        ledger.cover(f"shape:versions:{_rounded(len(truth.names))}")
        heads = len(set(truth.current.values()))
        ledger.cover(f"shape:heads:{heads}")


def _rounded(number: int) -> int:
    """Return a number below 10 unchanged, and a larger one rounded down to its first two bits."""
    if number < 10:
        return number
    step = 1 << (number.bit_length() - 2)
    return number // step * step
