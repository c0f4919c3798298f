"""A history is told with a drawing, and with what each author takes the members to be."""

from __future__ import annotations

from rejoin_conformance.systems.history_merge.histories.events import Hear, History, Post
from rejoin_conformance.systems.history_merge.histories.pictures import PICTURES


def test_a_fork_and_its_merge_are_drawn_and_told() -> None:
    history = History(
        (
            Post("A", "r", "found", ("A", "B")),
            Hear("B", "A", 0),
            Post("A", "p", "join", ("C",)),
            Post("B", "q", "leave", ("B",)),
            Hear("A", "B", 0),
            Post("A", "m", "talk", ()),
        ),
        probe=1,
    )
    assert PICTURES.tell(history, "document").splitlines() == [
        "4 messages of 2 authors, who heard of each other 2 times",
        "",
        "o    r   A found A B: {A, B} from {}",
        "+-o  p  <- r   A join C: {A, B, C} from {A, B}",
        "o |  q  <- r   B leave: {A} from {A, B}",
        "o-'  m  <- p, q   A talk: {A, C} (merged {A, C})",
        "",
        "A has seen m, so the members are {A, C}",
        "B has seen q, so the members are {A}",
        "heads m",
        "members {A, C}",
    ]


def test_a_history_without_messages_is_told_too() -> None:
    told = PICTURES.tell(History((), probe=1), "document")
    assert told.splitlines()[-1] == "members {}"
