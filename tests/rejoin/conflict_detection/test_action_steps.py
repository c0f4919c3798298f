"""Actions with a recorder have the same results, and note what they did."""

from __future__ import annotations

from typing import Any

import pytest

from rejoin import conflict_detection as cd
from rejoin.conflict_detection import REPAIRED, Classification, recording


def _folder(design: cd.Design[Any]) -> cd.Folder[Any]:
    return cd.add_client(cd.add_client(cd.Folder(design), "A"), "B")


def _polled(design: cd.Design[Any]) -> cd.Outcome[Any]:
    """Let B poll the second version of A while it has another first version of its own."""
    folder = cd.edit(_folder(design), "A", "foo", b"a").folder
    folder = cd.edit(folder, "A", "foo", b"c").folder
    folder = cd.edit(folder, "B", "foo", b"b").folder
    return cd.poll(folder, "B", "A", "foo")


@pytest.mark.parametrize("make", [cd.SnapshotDesign, cd.MapDesign])
def test_the_recorder_does_not_change_an_outcome(make: Any) -> None:
    recorded, _ = recording()
    plain, noted = _polled(make(REPAIRED)), _polled(make(recorded))
    assert plain.classification is noted.classification is Classification.CONFLICT
    assert plain.operations == noted.operations
    assert plain.folder.clients == noted.folder.clients


def test_a_poll_notes_what_it_saw_fetched_found_and_did() -> None:
    recorded, recorder = recording()
    folder = _polled(cd.SnapshotDesign(recorded)).folder
    steps = recorder.taken()
    theirs: Any = folder.clients["A"].files["foo"].version
    first, second, own = steps[:3]
    assert isinstance(first, cd.UploadStep)
    assert isinstance(second, cd.UploadStep)
    assert isinstance(own, cd.UploadStep)
    assert (first.follows, second.follows, own.follows) == ((), (first.version,), ())
    assert steps[3:] == (
        cd.LookStep("B", "A", "foo", theirs),
        cd.FetchStep(frozenset({first.version, theirs}), "CD-WALK-STOP"),
        cd.ClassifyStep(Classification.CONFLICT, first=False),
        cd.HoldStep(b"c"),
    )
    assert [step.clause for step in steps[3:]] == [
        "CD-POLL-SUBSCRIBED",
        "CD-WALK-STOP",
        "CD-CLASSIFY-CONFLICT",
        "CD-CONFLICT-APPLY",
    ]


def test_a_poll_in_the_other_design_fetches_nothing() -> None:
    recorded, recorder = recording()
    _polled(cd.MapDesign(recorded))
    assert not [step for step in recorder.taken() if isinstance(step, cd.FetchStep)]


def test_the_steps_are_taken_once() -> None:
    recorded, recorder = recording()
    cd.edit(_folder(cd.SnapshotDesign(recorded)), "A", "foo", b"a")
    assert len(recorder.taken()) == 1
    assert recorder.taken() == ()


def test_a_recorder_has_no_part_in_the_equality_of_readings() -> None:
    recorded, _ = recording()
    assert recorded == REPAIRED
    assert repr(recorded) == repr(REPAIRED)
