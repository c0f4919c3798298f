"""Events become messages with parents and states."""

from __future__ import annotations

from rejoin.history_merge import DOCUMENT
from rejoin_conformance.systems.history_merge.histories import HISTORIES
from rejoin_conformance.systems.history_merge.histories.events import Hear, History, Post
from rejoin_conformance.systems.history_merge.histories.run import run_history
from rejoin_conformance.systems.history_merge.histories.views import Views

FORK = History(
    (
        Post("A", "r", "found", ("A", "B")),
        Hear("B", "A", 0),
        Post("A", "p", "join", ("C",)),
        Post("B", "q", "kick", ("A",)),
        Hear("A", "B", 0),
        Post("A", "m", "talk", ()),
        Post("A", "n", "join", ("A", "B")),
    ),
    probe=1,
)


def test_a_message_follows_the_heads_of_what_its_author_has_seen() -> None:
    parents = {each.post.id: each.parents for each in run_history(FORK, DOCUMENT).messages}
    assert parents == {"r": (), "p": ("r",), "q": ("r",), "m": ("p", "q"), "n": ("m",)}


def test_its_state_is_the_merge_of_its_parents_changed_by_its_author() -> None:
    states = {each.post.id: sorted(each.state) for each in run_history(FORK, DOCUMENT).messages}
    assert states == {
        "r": ["A", "B"],
        "p": ["A", "B", "C"],
        "q": ["B"],
        "m": ["B", "C"],
        "n": ["A", "B", "C"],
    }


def test_operations_are_what_was_really_changed() -> None:
    operations = run_history(FORK, DOCUMENT).operations
    assert operations["A"].additions == [0, 4]
    assert operations["A"].removals == [2]
    assert operations["B"].additions == [0]  # n adds B, who is there
    assert operations["C"].additions == [1]


def test_the_shape_of_a_history_is_counted() -> None:
    coverage = HISTORIES.examine(FORK, "document").coverage
    shapes = {key: count for key, count in coverage.items() if key.startswith("shape:")}
    assert shapes["shape:messages:5"] == 1
    assert shapes["shape:depth:4"] == 1  # r, p, m, n
    assert shapes["shape:heads:1"] == 1
    assert shapes["shape:parents:2"] == 1
    assert shapes["shape:parents:1"] == 3


def test_the_latest_messages_can_be_late() -> None:
    views = Views()
    for _ in range(3):
        views.post("A")
    assert views.hear("B", "A", 1)
    assert views.seen["B"] == 0b011
    assert views.hear("B", "A", 5) is False
    assert views.hear("B", "A", 0)
    assert views.seen["B"] == 0b111


def test_hearing_of_nothing_is_no_news() -> None:
    assert Views().hear("B", "A", 0) is False
