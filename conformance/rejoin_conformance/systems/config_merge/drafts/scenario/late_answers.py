"""Merges that answer each other too late: a race that a model checker found to have no end.

Each of two clients fetches what the other has pushed, and merges it; before it pushes the merge,
the other one has pushed the merge of what was there before. So there are always two messages, of
which each lacks the other, although nobody changes anything and all data are the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message, merge_of
from rejoin_conformance.systems.config_merge.drafts.by_hand.stories import do, edit, story
from rejoin_conformance.systems.config_merge.drafts.scenario.shared import (
    A_SETS_B,
    B_SETS_C,
    MERGE,
    RACE,
)

DATA: Final = {"a": 1, "b": 2, "c": 3, "d": 4}
B_SETS_D: Final = B_SETS_C.followed_by({"a": 1, "c": 3, "d": 4}, {"d": ""})
FIRST_OF_B: Final = merge_of(A_SETS_B, B_SETS_D, data=DATA)
SECOND_OF_A: Final = merge_of(MERGE, B_SETS_D, data=DATA)
SECOND_OF_B: Final = merge_of(MERGE, FIRST_OF_B, data=DATA)
THIRD_OF_A: Final = merge_of(FIRST_OF_B, SECOND_OF_A, data=DATA)
THIRD_OF_B: Final = merge_of(SECOND_OF_A, SECOND_OF_B, data=DATA)
LAST: Final = merge_of(SECOND_OF_B, THIRD_OF_A, data=DATA)


def drafts() -> tuple[Draft, ...]:
    """Three rounds of the race, and how it ends."""
    return (
        story(
            "merges-that-answer-each-other-too-late",
            "Each pushes a merge of what was there before the other's; one that is in time ends it",
            "CM-CLIENT-RESOLVE CM-CLIENT-PUSH-MERGE CM-CLIENT-BATCH CM-IGNORE-INCLUDED",
            [
                *RACE,
                (edit("B", B_SETS_D.data), (_heads(MERGE, B_SETS_C), [A_SETS_B, B_SETS_C])),
                (do("B", "push"), (_heads(MERGE, B_SETS_D), [A_SETS_B, B_SETS_D])),
                (do("B", "fetch"), (_heads(MERGE, B_SETS_D), [A_SETS_B, B_SETS_D])),
                (do("B", "resolve"), (_heads(MERGE, FIRST_OF_B), [A_SETS_B, B_SETS_D])),
                (do("A", "push"), (_heads(MERGE, FIRST_OF_B), [B_SETS_D, MERGE])),
                (do("A", "fetch"), (_heads(MERGE, FIRST_OF_B), [B_SETS_D, MERGE])),
                (do("A", "resolve"), (_heads(SECOND_OF_A, FIRST_OF_B), [B_SETS_D, MERGE])),
                (do("B", "push"), (_heads(SECOND_OF_A, FIRST_OF_B), [MERGE, FIRST_OF_B])),
                (do("B", "fetch"), (_heads(SECOND_OF_A, FIRST_OF_B), [MERGE, FIRST_OF_B])),
                (do("B", "resolve"), (_heads(SECOND_OF_A, SECOND_OF_B), [MERGE, FIRST_OF_B])),
                (do("A", "push"), (_heads(SECOND_OF_A, SECOND_OF_B), [FIRST_OF_B, SECOND_OF_A])),
                (do("A", "fetch"), (_heads(SECOND_OF_A, SECOND_OF_B), [FIRST_OF_B, SECOND_OF_A])),
                (do("A", "resolve"), (_heads(THIRD_OF_A, SECOND_OF_B), [FIRST_OF_B, SECOND_OF_A])),
                (do("B", "push"), (_heads(THIRD_OF_A, SECOND_OF_B), [SECOND_OF_A, SECOND_OF_B])),
                (do("B", "fetch"), (_heads(THIRD_OF_A, SECOND_OF_B), [SECOND_OF_A, SECOND_OF_B])),
                (do("B", "resolve"), (_heads(THIRD_OF_A, THIRD_OF_B), [SECOND_OF_A, SECOND_OF_B])),
                (do("A", "push"), (_heads(THIRD_OF_A, THIRD_OF_B), [SECOND_OF_B, THIRD_OF_A])),
                (do("A", "fetch"), (_heads(THIRD_OF_A, THIRD_OF_B), [SECOND_OF_B, THIRD_OF_A])),
                (do("A", "resolve"), (_heads(LAST, THIRD_OF_B), [SECOND_OF_B, THIRD_OF_A])),
                (do("A", "push"), (_heads(LAST, THIRD_OF_B), [LAST])),
                (do("B", "fetch"), (_heads(LAST, THIRD_OF_B), [LAST])),
                (do("B", "resolve"), (_heads(LAST, LAST), [LAST])),
            ],
            {"A": DATA, "B": DATA},
        ),
    )


def _heads(of_a: Message, of_b: Message) -> Mapping[str, Message | None]:
    return {"A": of_a, "B": of_b}
