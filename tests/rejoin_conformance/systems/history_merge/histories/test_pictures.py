"""The text of a history has a drawing, and the members as each author sees them."""

from __future__ import annotations

from rejoin_conformance.systems.history_merge.histories.events import Hear, History, Post
from rejoin_conformance.systems.history_merge.histories.pictures import PICTURES


def test_the_text_of_a_fork_and_its_merge() -> None:
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
    assert PICTURES.describe(history, "document").splitlines() == [
        "4 messages by 2 authors, who heard from each other 2 times",
        "",
        "o    r   A found A B: {A, B} from {}",
        "+-o  p  <- r   A join C: {A, B, C} from {A, B}",
        "o |  q  <- r   B leave: {A} from {A, B}",
        "o-'  m  <- p, q   A talk: {A, C} (merged {A, C})",
        "",
        "A has seen m and has the members {A, C}",
        "B has seen q and has the members {A}",
        "heads m",
        "members {A, C}",
    ]


def test_a_history_without_messages_is_reported_too() -> None:
    told = PICTURES.describe(History((), probe=1), "document")
    assert told.splitlines()[-1] == "members {}"
