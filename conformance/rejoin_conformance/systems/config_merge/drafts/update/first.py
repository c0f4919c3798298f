"""The first message of a history."""

from __future__ import annotations

from typing import Final

from attrs import evolve

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import updating
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Data, Message
from rejoin_conformance.systems.config_merge.drafts.update.updating import updated

EMPTY_ZERO: Final = Message(seqno=0)


def drafts() -> tuple[Draft, ...]:
    """Where no message exists yet; the reading libsession has a row for an unsent message 0."""
    return (
        _first_message("first-message", "The first message of a history", {"k": 1}, {"k": ""}),
        _first_message("first-message-of-empty-data", "The first message may be empty", {}, {}),
        _first_message(
            "first-message-of-every-kind",
            "The diff of the first message lists everything",
            {"d": {"x": 1}, "k": "v", "s": [1]},
            {"d": {"x": ""}, "k": "", "s": [[1], []]},
        ),
        updated(
            "first-message-window-of-one",
            "With a window of 1 the unsent message 0 is out of the window: no reading has a row",
            "CM-MESSAGE-FIRST CM-UPDATE-WINDOW",
            updating([], {"k": 1}, window=1),
            Message(seqno=1, data={"k": 1}, diff={"k": ""}),
        ),
    )


def _first_message(name: str, summary: str, data: Data, diff: Data) -> Draft:
    document = Message(seqno=1, data=data, diff=diff)
    return updated(
        name,
        summary,
        "CM-MESSAGE-FIRST",
        updating([], data),
        document,
        libsession=evolve(document, rows=(EMPTY_ZERO.row,)),
    )
