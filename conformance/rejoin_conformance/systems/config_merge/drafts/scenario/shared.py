"""The messages and first steps that many stories share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message, merge_of
from rejoin_conformance.systems.config_merge.drafts.by_hand.stories import Moment, do, edit, store

BASE: Final = Message(seqno=7, data={"a": 1}, diff={"a": ""})
A_SETS_B: Final = BASE.followed_by({"a": 1, "b": 2}, {"b": ""})
B_SETS_C: Final = BASE.followed_by({"a": 1, "c": 3}, {"c": ""})
C_SETS_D: Final = BASE.followed_by({"a": 1, "d": 4}, {"d": ""})
MERGE: Final = merge_of(A_SETS_B, B_SETS_C, data={"a": 1, "b": 2, "c": 3})
NOBODY: Final[Mapping[str, Message | None]] = {"A": None, "B": None}

BOTH_ON_BASE: Final[tuple[tuple[JsonObject, Moment], ...]] = (
    (store(BASE), (NOBODY, [BASE])),
    (do("A", "fetch"), (NOBODY, [BASE])),
    (do("A", "resolve"), ({"A": BASE, "B": None}, [BASE])),
    (do("B", "fetch"), ({"A": BASE, "B": None}, [BASE])),
    (do("B", "resolve"), ({"A": BASE, "B": BASE}, [BASE])),
)
"""Two clients that both have BASE as their head."""
RACE: Final[tuple[tuple[JsonObject, Moment], ...]] = (
    *BOTH_ON_BASE,
    (edit("A", A_SETS_B.data), ({"A": BASE, "B": BASE}, [BASE])),
    (edit("B", B_SETS_C.data), ({"A": BASE, "B": BASE}, [BASE])),
    (do("A", "push"), ({"A": A_SETS_B, "B": BASE}, [A_SETS_B])),
    (do("B", "push"), ({"A": A_SETS_B, "B": B_SETS_C}, [A_SETS_B, B_SETS_C])),
    (do("A", "fetch"), ({"A": A_SETS_B, "B": B_SETS_C}, [A_SETS_B, B_SETS_C])),
    (do("A", "resolve"), ({"A": MERGE, "B": B_SETS_C}, [A_SETS_B, B_SETS_C])),
)
"""Then each pushes an update of it, and A merges them."""
RACED: Final = [A_SETS_B, B_SETS_C]
