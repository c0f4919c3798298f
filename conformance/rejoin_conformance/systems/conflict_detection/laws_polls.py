"""Checks of the laws on polls, against the ground truth and against the other design."""

from __future__ import annotations

from typing import TypeVar

from rejoin import conflict_detection as cd
from rejoin_conformance.systems.conflict_detection.ground_truth import key_of
from rejoin_conformance.systems.conflict_detection.judge import Judge
from rejoin_conformance.systems.conflict_detection.run import Polled, Taken

V = TypeVar("V")

_NEWS = (cd.Classification.OVERWRITE, cd.Classification.CONFLICT)


def check_polls(judge: Judge[V], taken: Taken[V]) -> None:
    """Compare each classification of a poll that found something with the ground truth."""
    run, polls = judge.run, len(taken.polled)
    sure = not run.is_unsure
    for law in ("no-false-conflict", "no-news-missed", "polls-are-acted-on"):
        judge.check(law, premise=sure, times=polls)
    with_version = sum([polled.before.version is not None for polled in taken.polled])
    judge.check("no-false-overwrite", premise=sure, times=with_version if sure else polls)
    for polled in taken.polled if sure else ():
        found, expected = polled.found, polled.expected
        _check_action(judge, polled)
        if found is expected:
            continue
        law = "no-news-missed"
        if found is cd.Classification.OVERWRITE:
            law = "no-false-overwrite"
        elif found is cd.Classification.CONFLICT or expected not in _NEWS:
            law = "no-false-conflict"
        assert taken.before is not None
        detail = (
            f"{judge.step}: {taken.before.nickname} polls {polled.other} on {polled.path}, finds "
            f"{run.truth(polled.path).name(polled.key)}: {found}, expected {expected}"
        )
        judge.broken(law, detail, f"{run.design.name}: {expected} taken for {found}")


def _check_action(judge: Judge[V], polled: Polled[V]) -> None:
    """Check that the client acted on the classification."""
    run, before, after, theirs = judge.run, polled.before, polled.after, polled.key
    if polled.found is cd.Classification.OVERWRITE:
        truth = run.truth(polled.path)
        version = after.version if after.begun is None else after.begun.found.version
        due = version is not None and key_of(version) == theirs
        due = due and after.content == truth.contents[truth.numbers[theirs]]
    else:
        due = after.version is before.version and after.content == before.content
    if polled.found is cd.Classification.CONFLICT:
        held = [each for each in after.conflicts if polled.other in each.nicknames]
        due = due and len(held) == 1 and key_of(held[0].version) == theirs
    if not due:
        detail = f"{judge.step}, {polled.path}: the client does not apply {polled.found}"
        judge.broken("polls-are-acted-on", detail, f"{run.design.name}: {polled.found}")


def check_uploads(judge: Judge[cd.VersionMap], taken: Taken[cd.VersionMap]) -> None:
    """Check that every upload in the design of version maps makes a new map."""
    for uploaded in taken.uploaded:
        truth = judge.run.truth(uploaded.path)
        if judge.check("uploads-differ", premise=not judge.run.numbers_repeat) and truth.doubled:
            detail = f"{judge.step}: {truth.name(uploaded.version)} is made a second time"
            judge.broken("uploads-differ", detail, "made twice")


def check_agreement(
    judges: tuple[Judge[bytes], Judge[cd.VersionMap]],
    taken: tuple[Taken[bytes], Taken[cd.VersionMap]],
) -> None:
    """Compare the results of an event in the two designs."""
    (judge, other), (ours, theirs) = judges, taken
    run = judge.run
    unlike = run.doubled or run.set_back or run.misses_objects or run.met_collected
    if not judge.check("designs-agree", premise=not unlike):
        return
    if ours.refused != theirs.refused:
        here, there = (each.refused or "accepted" for each in taken)
        kind = f"{here} in snapshots, {there} in version maps"
        judge.broken("designs-agree", f"{judge.step}: {kind}", "refusal")
        return
    for one, two in zip(ours.polled, theirs.polled, strict=False):
        if one.found is not two.found:
            kind = f"{one.found} in snapshots, {two.found} in version maps"
            other.broken("designs-agree", f"{judge.step}, {one.path}: {kind}", kind)
            return
    if (ours.changed or theirs.changed) and _files(ours.after) != _files(theirs.after):
        detail = f"{judge.step}: the users of the two designs see different files"
        other.broken("designs-agree", detail, "files")


def _files(client: cd.Client[V] | None) -> dict[str, bytes]:
    return {} if client is None else cd.local_files(client)


def check_garbage(judge: Judge[V], taken: Taken[V]) -> None:
    """Check, after a garbage collection, that no step is refused because of a collected object."""
    harmless = judge.check("garbage-harmless", premise=not judge.run.misses_objects)
    if harmless and taken.refused == "missing-object":
        detail = f"step {len(judge.run.steps) + 1}: {taken.step} is refused"
        judge.broken("garbage-harmless", detail)
