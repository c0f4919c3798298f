"""The text of a history: its events, then its files."""

from __future__ import annotations

from rejoin_conformance.systems.conflict_detection.histories.events import (
    ComeBack,
    Delete,
    Edit,
    GoOffline,
    History,
    Join,
    Poll,
    PollAll,
    Resolve,
)
from rejoin_conformance.systems.conflict_detection.histories.pictures import PICTURES

HISTORY = History(
    2,
    (
        Edit(0, "foo", 1),
        Poll(1, 0, "foo"),
        GoOffline(1),
        Edit(1, "foo", 2),
        Poll(1, 0, "foo"),
        Edit(0, "foo", 3),
        ComeBack(1),
        PollAll(0, 1),
        Join(2, (("bar", 4),)),
        Resolve(0, "foo", 0, None),
        Delete(0, "foo"),
    ),
)


def test_the_text_shows_the_result_of_each_event() -> None:
    assert PICTURES.describe(HISTORY, "repaired").splitlines() == [
        "2 clients, reading repaired",
        "",
        "  1  A edits foo=1: foo A1",
        "  2  B polls foo of A: foo A1 overwrite",
        "  3  B goes offline",
        "  4  B edits foo=2",
        "  5  B polls foo of A: no effect (offline)",
        "  6  A edits foo=3: foo A2",
        "  7  B comes back: foo B1",
        "  8  A polls all of B: foo B1 conflict",
        "  9  C joins with bar=4: bar C1",
        " 10  A resolves foo against B: foo A3",
        " 11  A deletes foo: foo A4",
        "",
        "bar",
        "    o  C1   (C 1)",
        "    C has C1",
        "",
        "foo",
        "    o    A1   (A 1)",
        "    +-o  A2  <- A1   (A 2)",
        "    o |  B1  <- A1   (A 1 B 1)",
        "    o-'  A3  <- A2, B1   (A 3 B 1)",
        "    o    A4  <- A3   (A 4 B 1) deletion",
        "    A has A4",
        "    B has B1",
    ]


def test_the_text_shows_both_results_if_the_designs_disagree() -> None:
    told = PICTURES.describe(HISTORY, "literal").splitlines()
    assert "  2  B polls foo of A: foo A1 overwrite" in told
    late = History(2, (Edit(0, "foo", 1), Poll(1, 0, "foo"), Edit(0, "foo", 2), Poll(1, 0, "foo")))
    assert PICTURES.describe(late, "literal").splitlines()[5] == (
        "  4  B polls foo of A: foo A2 overwrite; "
        "in version maps: foo A2 conflict, expected overwrite"
    )
