"""Scenarios of many clients, stored forms, deletions and steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import define

from rejoin_conformance.contract.drafting import accepted
from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import DOCUMENT
from rejoin_conformance.systems.config_merge.drafts.by_hand.keys import KEY, stored_form
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import (
    Message,
    blake2b,
    merge_of,
)

SCENARIO: Final = "config-merge/scenario"


def drafts() -> tuple[Draft, ...]:
    """Return clients that meet, and one client that makes many edits."""
    return (
        _meeting(17),
        _meeting(33),
        _edits(65),
    )


@define
class _Story:
    """A scenario and its report, written step by step.

    heads: client -> its head after the last step. stored: the stored forms after it.
    """

    heads: dict[str, Message | None]
    stored: list[bytes]
    steps: list[Json]
    moments: list[Json]

    def take(self, client: str, action: str, *, value: Json = True) -> None:
        """Write a step and the moment after it."""
        self.steps.append({"client": client, action: value})
        names = sorted(blake2b(form).hex() for form in self.stored)
        self.moments.append(
            {
                "heads": {
                    name: None
                    if head is None
                    else {"seqno": str(head.seqno), "hash": head.hash.hex()}
                    for name, head in self.heads.items()
                },
                "stored": [*names],
            }
        )

    def draft(
        self,
        name: str,
        summary: str,
        clauses: str,
        data: Mapping[str, bytes],
    ) -> Draft:
        """Return the scenario. data: client -> the data that its application sees at the end."""
        heads: JsonObject = {
            who: None if head is None else head.hex for who, head in self.heads.items()
        }
        return accepted(
            SCENARIO,
            name,
            summary,
            clauses,
            given={
                "clients": [*self.heads],
                "key": KEY.hex(),
                "steps": self.steps,
            },
            output={
                "steps": self.moments,
                "heads": heads,
                "data": {who: each.hex() for who, each in data.items()},
                "stored": [*sorted(form.hex() for form in self.stored)],
            },
            readings=(DOCUMENT,),
        )


def _meeting(count: int) -> Draft:
    """Return clients that push a message each. The first merges them, and the last one takes it."""
    names = [f"C{place:02}" for place in range(count)]
    story = _Story(dict.fromkeys(names), [], [], [])
    messages = [
        Message(seqno=1, data={f"x{place:02}": place}, diff={f"x{place:02}": ""})
        for place in range(count)
    ]
    for name, message in zip(names, messages, strict=True):
        story.take(name, "edit", value=bt(message.data).hex())
        story.heads[name] = message
        story.stored.append(stored_form(message.encoded))
        story.take(name, "push")
    merge = merge_of(*messages, data={f"x{place:02}": place for place in range(count)})
    first, last = names[0], names[-1]
    story.take(first, "fetch")
    story.heads[first] = merge
    story.take(first, "resolve")
    story.stored = [stored_form(merge.encoded)]
    story.take(first, "push")
    story.take(last, "fetch")
    story.heads[last] = merge
    story.take(last, "resolve")
    seen = {
        name: bt((merge if name in {first, last} else message).data)
        for name, message in zip(names, messages, strict=True)
    }
    return story.draft(
        f"meeting-of-{count}-clients",
        f"A client merges the messages of {count} clients and deletes all of them from the swarm.",
        "CM-CLIENT-FETCH CM-CLIENT-RESOLVE CM-CLIENT-PUSH-MERGE CM-CLIENT-BATCH",
        seen,
    )


def _edits(count: int) -> Draft:
    """Return a client that edits and pushes many times. A second client sees the last edit."""
    story = _Story({"A": None, "B": None}, [], [], [])
    message = Message(seqno=1, data={"k": 0}, diff={"k": ""})
    for place in range(count):
        if place:
            message = message.followed_by({"k": place}, {"k": ""})
        story.take("A", "edit", value=bt(message.data).hex())
        story.heads["A"] = message
        story.stored = [stored_form(message.encoded)]
        story.take("A", "push")
    story.take("B", "fetch")
    story.heads["B"] = message
    story.take("B", "resolve")
    return story.draft(
        f"{count}-edits-of-a-client",
        f"A client edits and pushes {count} times, and each push deletes the message before.",
        "CM-CLIENT-PUSH-EDIT CM-CLIENT-BATCH CM-CLIENT-RESOLVE",
        {"A": bt(message.data), "B": bt(message.data)},
    )
