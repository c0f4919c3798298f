"""Clients of a config whose messages must be signed."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import refused
from rejoin_conformance.systems.config_merge.drafts.by_hand.keys import PUBLIC, SEED
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import (
    Message,
    merge_of,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.stories import (
    Content,
    Moment,
    do,
    edit,
    given,
    store,
    story,
)
from rejoin_conformance.systems.config_merge.drafts.scenario.shared import (
    NOBODY,
)

SIGNED_BASE: Final = Message(seqno=7, data={"a": 1}, diff={"a": ""}, seed=SEED)
LEFT: Final = SIGNED_BASE.followed_by({"a": 1, "b": 2}, {"b": ""}, seed=SEED)
RIGHT: Final = SIGNED_BASE.followed_by({"a": 1, "c": 3}, {"c": ""}, seed=SEED)
BOTH: Final = merge_of(LEFT, RIGHT, data={"a": 1, "b": 2, "c": 3}, seed=SEED)
HIGHEST: Final = max(LEFT, RIGHT, key=lambda message: message.hash)


def drafts() -> tuple[Draft, ...]:
    """Writers, a reader, and who may push."""
    return (_signed_race(), _reader(), _signed_first(), *_refusals())


def _signed_race() -> Draft:
    stored = [LEFT, RIGHT]
    return story(
        "signed-race",
        "Two clients with the same signing key merge to the same signed bytes",
        "CM-SIGN-MADE CM-SIGN-REQUIRED CM-CLIENT-CONVERGE CM-SWARM-DEDUPLICATE CM-CLIENT-PUSH-EDIT",
        [
            (store(SIGNED_BASE), (NOBODY, [SIGNED_BASE])),
            (do("A", "fetch"), (NOBODY, [SIGNED_BASE])),
            (do("A", "resolve"), ({"A": SIGNED_BASE, "B": None}, [SIGNED_BASE])),
            (do("B", "fetch"), ({"A": SIGNED_BASE, "B": None}, [SIGNED_BASE])),
            (do("B", "resolve"), ({"A": SIGNED_BASE, "B": SIGNED_BASE}, [SIGNED_BASE])),
            (edit("A", LEFT.data), ({"A": SIGNED_BASE, "B": SIGNED_BASE}, [SIGNED_BASE])),
            (edit("B", RIGHT.data), ({"A": SIGNED_BASE, "B": SIGNED_BASE}, [SIGNED_BASE])),
            (do("A", "push"), ({"A": LEFT, "B": SIGNED_BASE}, [LEFT])),
            (do("B", "push"), ({"A": LEFT, "B": RIGHT}, stored)),
            (do("A", "fetch"), ({"A": LEFT, "B": RIGHT}, stored)),
            (do("B", "fetch"), ({"A": LEFT, "B": RIGHT}, stored)),
            (do("A", "resolve"), ({"A": BOTH, "B": RIGHT}, stored)),
            (do("B", "resolve"), ({"A": BOTH, "B": BOTH}, stored)),
            (do("A", "push"), ({"A": BOTH, "B": BOTH}, [BOTH])),
            (do("B", "push"), ({"A": BOTH, "B": BOTH}, [BOTH])),
        ],
        {"A": BOTH.data, "B": BOTH.data},
        verify_key=PUBLIC.hex(),
        signing_keys={"A": SEED.hex(), "B": SEED.hex()},
    )


def _reader() -> Draft:
    unsigned = Message(seqno=9, data={"forged": 1}, diff={"forged": ""})
    stored: list[Content] = [LEFT, RIGHT, unsigned]
    return story(
        "reader-waits-for-a-merge",
        "A client that cannot sign keeps to the highest message until somebody has merged",
        "CM-SIGN-CANNOT-MERGE CM-SIGN-REQUIRED CM-CLIENT-RESOLVE CM-IGNORE-INVALID",
        [
            (store(LEFT), (NOBODY, stored[:1])),
            (store(RIGHT), (NOBODY, stored[:2])),
            (store(unsigned), (NOBODY, stored)),
            (do("B", "fetch"), (NOBODY, stored)),
            (do("B", "resolve"), ({"A": None, "B": HIGHEST}, stored)),
            (do("B", "push"), ({"A": None, "B": HIGHEST}, stored)),
            (do("A", "fetch"), ({"A": None, "B": HIGHEST}, stored)),
            (do("A", "resolve"), ({"A": BOTH, "B": HIGHEST}, stored)),
            (do("A", "push"), ({"A": BOTH, "B": HIGHEST}, [unsigned, BOTH])),
            (do("B", "fetch"), ({"A": BOTH, "B": HIGHEST}, [unsigned, BOTH])),
            (do("B", "resolve"), ({"A": BOTH, "B": BOTH}, [unsigned, BOTH])),
        ],
        {"A": BOTH.data, "B": BOTH.data},
        verify_key=PUBLIC.hex(),
        signing_keys={"A": SEED.hex()},
    )


def _signed_first() -> Draft:
    first = Message(seqno=1, data={"a": 1}, diff={"a": ""}, seed=SEED)
    second = first.followed_by({"a": 2}, {"a": ""}, seed=SEED, window=1)
    nobody: Moment = ({"A": None}, [])
    return story(
        "signed-first-message",
        "The first message and its update are signed; with a window of 1 they carry no rows",
        "CM-SIGN-MADE CM-MESSAGE-FIRST CM-CLIENT-PUSH-EDIT",
        [
            (edit("A", {"a": 1}), nobody),
            (do("A", "push"), ({"A": first}, [first])),
            (edit("A", {"a": 2}), ({"A": first}, [first])),
            (do("A", "push"), ({"A": second}, [second])),
        ],
        {"A": {"a": 2}},
        window=1,
        verify_key=PUBLIC.hex(),
        signing_keys={"A": SEED.hex()},
    )


def _refusals() -> tuple[Draft, ...]:
    steps = (edit("B", {"a": 1}), do("B", "push"))
    unsigned = Message(seqno=9, data={"forged": 1}, diff={"forged": ""})
    unreadable = (store(unsigned), do("B", "fetch"), *steps)
    one, both = {"A": SEED.hex()}, {"A": SEED.hex(), "B": SEED.hex()}
    return (
        refused(
            "push-without-signing-key",
            "scenario",
            "A client that cannot sign does not push an edit where signatures are required",
            "CM-SIGN-CANNOT-UPDATE CM-CLIENT-PUSH-EDIT",
            given("AB", steps, verify_key=PUBLIC.hex(), signing_keys={**one}),
            given("AB", steps, verify_key=PUBLIC.hex(), signing_keys={**both}),
        ),
        refused(
            "push-without-signing-key-or-message",
            "scenario",
            "Nor is it let off because it has no valid message to build on",
            "CM-SIGN-CANNOT-UPDATE CM-CLIENT-PUSH-EDIT",
            given("AB", unreadable, verify_key=PUBLIC.hex(), signing_keys={**one}),
            given("AB", unreadable, verify_key=PUBLIC.hex(), signing_keys={**both}),
        ),
    )
