"""Checks of the laws on polls, against the ground truth and against the other design."""

from __future__ import annotations

from typing import Any, TypeVar

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.ledger import Ledger
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.laws import (
    DESIGNS_AGREE,
    GARBAGE_HARMLESS,
    NO_FALSE_CONFLICT,
    NO_FALSE_OVERWRITE,
    NO_NEWS_MISSED,
    POLLS_ARE_ACTED_ON,
    UPLOADS_DIFFER,
)
from rejoin_conformance.systems.conflict_detection.run import Polled, Run, Taken

V = TypeVar("V")

_OF_POLLS = (NO_FALSE_CONFLICT, NO_NEWS_MISSED, NO_FALSE_OVERWRITE, POLLS_ARE_ACTED_ON)
_NEWS = (cd.Classification.OVERWRITE, cd.Classification.CONFLICT)


def evidence_of(run: Run[V]) -> JsonObject:
    """Return the run so far as a scenario."""
    return {"operation": "conflict-detection/scenario", "input": run.scenario()}


def check_polls(ledger: Ledger, run: Run[V], taken: Taken[V]) -> None:
    """Compare each classification of a poll that found something with the ground truth."""
    polls = len(taken.polled)
    if run.numbers_repeat or run.misses_objects:
        for law in _OF_POLLS:
            ledger.not_met(law, polls)
        return
    ledger.check(NO_FALSE_CONFLICT, times=polls)
    ledger.check(NO_NEWS_MISSED, times=polls)
    ledger.check(POLLS_ARE_ACTED_ON, times=polls)
    with_version = sum([polled.before.version is not None for polled in taken.polled])
    if with_version:
        ledger.check(NO_FALSE_OVERWRITE, times=with_version)
    for polled in taken.polled:
        found, expected = polled.found, polled.expected
        _check_action(ledger, run, polled)
        if found is expected:
            continue
        law = NO_NEWS_MISSED
        if found is cd.Classification.OVERWRITE:
            law = NO_FALSE_OVERWRITE
        elif found is cd.Classification.CONFLICT or expected not in _NEWS:
            law = NO_FALSE_CONFLICT
        kind = f"{run.design.name}: {expected} taken for {found}"
        ledger.broken(law, kind, _detail(run, taken, polled), lambda: evidence_of(run))


def _check_action(ledger: Ledger, run: Run[V], polled: Polled[V]) -> None:
    """Check that the client acted on the classification."""
    before, after = polled.before, polled.after
    theirs = polled.key
    if polled.found is cd.Classification.OVERWRITE:
        truth = run.truth(polled.path)
        content = truth.contents[truth.numbers[theirs]]
        version = after.version if after.begun is None else after.begun.found.version
        due = version is not None and run.key(version) == theirs
        due = due and after.content == content
    else:
        due = after.version is before.version and after.content == before.content
    if polled.found is cd.Classification.CONFLICT:
        held = [each for each in after.conflicts if polled.other in each.nicknames]
        due = due and len(held) == 1 and run.key(held[0].version) == theirs
    if not due:
        detail = f"step {len(run.steps)}, {polled.path}: the client does not apply {polled.found}"
        kind = f"{run.design.name}: {polled.found}"
        ledger.broken(POLLS_ARE_ACTED_ON, kind, detail, lambda: evidence_of(run))


def check_uploads(ledger: Ledger, run: Run[cd.VersionMap], taken: Taken[cd.VersionMap]) -> None:
    """Check that every upload in the design of version maps makes a new map."""
    for uploaded in taken.uploaded:
        if run.numbers_repeat:
            ledger.not_met(UPLOADS_DIFFER)
            continue
        ledger.check(UPLOADS_DIFFER)
        truth = run.truth(uploaded.path)
        if truth.doubled:
            detail = f"step {len(run.steps)}: {truth.name(uploaded.version)} is made a second time"
            ledger.broken(UPLOADS_DIFFER, "made twice", detail, lambda: evidence_of(run))


def _detail(run: Run[V], taken: Taken[V], polled: Polled[V]) -> str:
    assert taken.before is not None
    theirs: Any = polled.theirs
    name = run.truth(polled.path).name(run.key(theirs))
    return (
        f"step {len(run.steps)}: {taken.before.nickname} polls {polled.other} on {polled.path}, "
        f"finds {name}: {polled.found}, expected {polled.expected}"
    )


def check_agreement(
    ledger: Ledger,
    snapshots: tuple[Run[bytes], Taken[bytes]],
    maps: tuple[Run[cd.VersionMap], Taken[cd.VersionMap]],
) -> None:
    """Compare the results of an event in the two designs."""
    run, ours = snapshots
    other_run, theirs = maps
    if run.doubled or run.set_back or run.misses_objects:
        ledger.not_met(DESIGNS_AGREE)
        return
    ledger.check(DESIGNS_AGREE)
    step = len(run.steps)
    if ours.refused != theirs.refused:
        detail = f"step {step}: {ours.refused} in snapshots, {theirs.refused} in version maps"
        ledger.broken(DESIGNS_AGREE, "refusal", detail, lambda: evidence_of(run))
        return
    for one, two in zip(ours.polled, theirs.polled, strict=False):
        if one.found is not two.found:
            kind = f"{one.found} in snapshots, {two.found} in version maps"
            detail = f"step {step}, {one.path}: {kind}"
            ledger.broken(DESIGNS_AGREE, kind, detail, lambda: evidence_of(other_run))
            return
    if not (ours.changed or theirs.changed):
        return
    if _files(ours.after) != _files(theirs.after):
        detail = f"step {step}: the users of the two designs see different files"
        ledger.broken(DESIGNS_AGREE, "files", detail, lambda: evidence_of(other_run))


def _files(client: cd.Client[V] | None) -> dict[str, bytes]:
    return {} if client is None else cd.local_files(client)


def check_garbage(ledger: Ledger, run: Run[V], taken: Taken[V]) -> None:
    """Check, after a garbage collection, that no step is refused because of a collected object."""
    if run.misses_objects:
        ledger.not_met(GARBAGE_HARMLESS)
        return
    ledger.check(GARBAGE_HARMLESS)
    if taken.refused == "missing-object":
        detail = f"step {len(run.steps) + 1}: {taken.step} is refused"
        ledger.broken(GARBAGE_HARMLESS, run.design.name, detail, lambda: evidence_of(run))
