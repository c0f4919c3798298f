"""Clients and a swarm: what each step changes, and what everyone holds in the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rejoin_conformance.json_types import JsonObject
from rejoin_conformance.systems.config_merge.vectors.by_hand.bt import Raw, bt
from rejoin_conformance.systems.config_merge.vectors.by_hand.drafts import refused
from rejoin_conformance.systems.config_merge.vectors.by_hand.keys import PUBLIC, SEED
from rejoin_conformance.systems.config_merge.vectors.by_hand.messages import (
    Message,
    Row,
    blake2b,
    merge_of,
)
from rejoin_conformance.systems.config_merge.vectors.by_hand.stories import (
    Content,
    Moment,
    do,
    edit,
    given,
    store,
    story,
)
from rejoin_conformance.vectors import Draft, Topic

BASE: Final = Message(seqno=7, data={"a": 1}, diff={"a": ""})
A_SETS_B: Final = BASE.followed_by({"a": 1, "b": 2}, {"b": ""})
B_SETS_C: Final = BASE.followed_by({"a": 1, "c": 3}, {"c": ""})
C_SETS_D: Final = BASE.followed_by({"a": 1, "d": 4}, {"d": ""})
MERGE: Final = merge_of(A_SETS_B, B_SETS_C, data={"a": 1, "b": 2, "c": 3})
NOBODY: Final[Mapping[str, Message | None]] = {"A": None, "B": None}


def _first_message() -> Draft:
    of_document = Message(seqno=1, data={"a": 1}, diff={"a": ""})
    before_it: Row = (0, blake2b(b"d1:#i0e1:&de1:<le1:=dee"), {})
    of_library = Message(seqno=1, data={"a": 1}, rows=[before_it], diff={"a": ""})

    def moments(first: Message) -> list[Moment]:
        return [
            (NOBODY, []),
            ({"A": first, "B": None}, [first]),
            ({"A": first, "B": None}, [first]),
            ({"A": first, "B": first}, [first]),
        ]

    steps = (edit("A", {"a": 1}), do("A", "push"), do("B", "fetch"), do("B", "resolve"))
    return story(
        "first-message",
        "A client without a head pushes the first message; another gets it",
        "CM-MESSAGE-FIRST CM-CLIENT-PUSH-EDIT CM-CLIENT-FETCH CM-CLIENT-RESOLVE",
        list(zip(steps, moments(of_document), strict=True)),
        {"A": {"a": 1}, "B": {"a": 1}},
        in_libsession=moments(of_library),
    )


_BOTH_ON_BASE: Final[tuple[tuple[JsonObject, Moment], ...]] = (
    (store(BASE), (NOBODY, [BASE])),
    (do("A", "fetch"), (NOBODY, [BASE])),
    (do("A", "resolve"), ({"A": BASE, "B": None}, [BASE])),
    (do("B", "fetch"), ({"A": BASE, "B": None}, [BASE])),
    (do("B", "resolve"), ({"A": BASE, "B": BASE}, [BASE])),
)
_RACE: Final[tuple[tuple[JsonObject, Moment], ...]] = (
    *_BOTH_ON_BASE,
    (edit("A", A_SETS_B.data), ({"A": BASE, "B": BASE}, [BASE])),
    (edit("B", B_SETS_C.data), ({"A": BASE, "B": BASE}, [BASE])),
    (do("A", "push"), ({"A": A_SETS_B, "B": BASE}, [A_SETS_B])),
    (do("B", "push"), ({"A": A_SETS_B, "B": B_SETS_C}, [A_SETS_B, B_SETS_C])),
    (do("A", "fetch"), ({"A": A_SETS_B, "B": B_SETS_C}, [A_SETS_B, B_SETS_C])),
    (do("A", "resolve"), ({"A": MERGE, "B": B_SETS_C}, [A_SETS_B, B_SETS_C])),
)
_RACED: Final = [A_SETS_B, B_SETS_C]


def _race() -> Draft:
    return story(
        "racing-merges-are-stored-once",
        "Two clients merge the same conflict and push the same bytes, which are stored once",
        "CM-SWARM-DEDUPLICATE CM-CLIENT-CONVERGE CM-CLIENT-PUSH-MERGE CM-ENCRYPT-HASH-PLAINTEXT "
        "CM-ENCRYPT-DETERMINISTIC",
        [
            *_RACE,
            (do("B", "fetch"), ({"A": MERGE, "B": B_SETS_C}, _RACED)),
            (do("B", "resolve"), ({"A": MERGE, "B": MERGE}, _RACED)),
            (do("A", "push"), ({"A": MERGE, "B": MERGE}, [MERGE])),
            (do("B", "push"), ({"A": MERGE, "B": MERGE}, [MERGE])),
        ],
        {"A": MERGE.data, "B": MERGE.data},
    )


def _merge_and_change() -> Draft:
    data = {**MERGE.data, "e": 5}
    both = merge_of(A_SETS_B, B_SETS_C, data=data, diff={"e": ""})
    return story(
        "merge-and-change-in-one",
        "An edit on a merge that was not pushed goes into the same message",
        "CM-CLIENT-PUSH-EDIT CM-RESOLVE-LOCAL-CHANGE",
        [
            *_RACE,
            (edit("A", data), ({"A": MERGE, "B": B_SETS_C}, _RACED)),
            (do("A", "push"), ({"A": both, "B": B_SETS_C}, [both])),
        ],
        {"A": data, "B": B_SETS_C.data},
    )


def _edit_survives() -> Draft:
    data = {**B_SETS_C.data, "b": 2}
    update = B_SETS_C.followed_by(data, {"b": ""})
    return story(
        "edit-survives-a-merge",
        "An edit that was not pushed is made again on the new head",
        "CM-CLIENT-EDIT-KEPT CM-CLIENT-PUSH-EDIT",
        [
            *_BOTH_ON_BASE,
            (edit("A", A_SETS_B.data), ({"A": BASE, "B": BASE}, [BASE])),
            (edit("B", B_SETS_C.data), ({"A": BASE, "B": BASE}, [BASE])),
            (do("B", "push"), ({"A": BASE, "B": B_SETS_C}, [B_SETS_C])),
            (do("A", "fetch"), ({"A": BASE, "B": B_SETS_C}, [B_SETS_C])),
            (do("A", "resolve"), ({"A": B_SETS_C, "B": B_SETS_C}, [B_SETS_C])),
            (do("A", "push"), ({"A": update, "B": B_SETS_C}, [update])),
        ],
        {"A": data, "B": B_SETS_C.data},
    )


def _edit_becomes_none() -> Draft:
    same = BASE.followed_by({"a": 2}, {"a": ""})
    return story(
        "edit-that-somebody-else-made-too",
        "An edit that leads to what the new head has already is none, and nothing is sent",
        "CM-CLIENT-EDIT-KEPT CM-CLIENT-PUSH-MERGE",
        [
            *_BOTH_ON_BASE,
            (edit("A", {"a": 2}), ({"A": BASE, "B": BASE}, [BASE])),
            (edit("B", {"a": 2}), ({"A": BASE, "B": BASE}, [BASE])),
            (do("B", "push"), ({"A": BASE, "B": same}, [same])),
            (do("A", "fetch"), ({"A": BASE, "B": same}, [same])),
            (do("A", "resolve"), ({"A": same, "B": same}, [same])),
            (do("A", "push"), ({"A": same, "B": same}, [same])),
        ],
        {"A": {"a": 2}, "B": {"a": 2}},
    )


def _further_edit() -> Draft:
    last = BASE.followed_by({"a": 9}, {"a": ""})
    return story(
        "further-edit-replaces-the-first",
        "Of two edits before a push only the last is pushed",
        "CM-CLIENT-EDIT-KEPT CM-CLIENT-PUSH-EDIT",
        [
            *_BOTH_ON_BASE,
            (edit("A", {"a": 2, "x": 1}), ({"A": BASE, "B": BASE}, [BASE])),
            (edit("A", {"a": 9}), ({"A": BASE, "B": BASE}, [BASE])),
            (do("A", "push"), ({"A": last, "B": BASE}, [last])),
        ],
        {"A": {"a": 9}, "B": BASE.data},
    )


def _edit_taken_back() -> Draft:
    return story(
        "edit-taken-back",
        "An edit that leads back to the data of the head is none",
        "CM-CLIENT-EDIT-KEPT CM-CLIENT-PUSH-MERGE",
        [
            *_BOTH_ON_BASE,
            (edit("A", {"a": 2}), ({"A": BASE, "B": BASE}, [BASE])),
            (edit("A", {"a": 1}), ({"A": BASE, "B": BASE}, [BASE])),
            (do("A", "push"), ({"A": BASE, "B": BASE}, [BASE])),
        ],
        {"A": BASE.data, "B": BASE.data},
    )


def _batch(*, permitted: bool) -> Draft:
    kept = [] if permitted else [BASE]
    return story(
        "push-deletes-what-it-obsoletes" if permitted else "deletion-refused",
        "A push stores the update and deletes the message that it names in a row"
        if permitted
        else "Where nothing may be deleted everything stays, and the result is the same",
        "CM-CLIENT-BATCH" if permitted else "CM-CLIENT-DELETE-REFUSED",
        [
            *_BOTH_ON_BASE,
            (edit("A", A_SETS_B.data), ({"A": BASE, "B": BASE}, [BASE])),
            (do("A", "push"), ({"A": A_SETS_B, "B": BASE}, [A_SETS_B, *kept])),
            (do("B", "fetch"), ({"A": A_SETS_B, "B": BASE}, [A_SETS_B, *kept])),
            (do("B", "resolve"), ({"A": A_SETS_B, "B": A_SETS_B}, [A_SETS_B, *kept])),
        ],
        {"A": A_SETS_B.data, "B": A_SETS_B.data},
        deletion_permitted=permitted,
    )


def _unseen() -> Draft:
    return story(
        "unseen-message-is-not-deleted",
        "A message that arrived after the last fetch stays, and is merged by the next who resolves",
        "CM-CLIENT-DELETE-KNOWN CM-CLIENT-RESOLVE",
        [
            *_BOTH_ON_BASE,
            (store(B_SETS_C), ({"A": BASE, "B": BASE}, [BASE, B_SETS_C])),
            (edit("A", A_SETS_B.data), ({"A": BASE, "B": BASE}, [BASE, B_SETS_C])),
            (do("A", "push"), ({"A": A_SETS_B, "B": BASE}, _RACED)),
            (do("B", "fetch"), ({"A": A_SETS_B, "B": BASE}, _RACED)),
            (do("B", "resolve"), ({"A": A_SETS_B, "B": MERGE}, _RACED)),
        ],
        {"A": A_SETS_B.data, "B": MERGE.data},
    )


def _stale_deleted() -> Draft:
    old = Message(seqno=3, data={"z": 1}, diff={"z": ""})
    return story(
        "push-deletes-what-became-stale",
        "A message that is outside the window of the new one is deleted, one inside is not",
        "CM-CLIENT-BATCH",
        [
            (store(old), ({"A": None}, [old])),
            (store(BASE), ({"A": None}, [old, BASE])),
            (do("A", "fetch"), ({"A": None}, [old, BASE])),
            (do("A", "resolve"), ({"A": BASE}, [old, BASE])),
            (edit("A", A_SETS_B.data), ({"A": BASE}, [old, BASE])),
            (do("A", "push"), ({"A": A_SETS_B}, [A_SETS_B])),
        ],
        {"A": A_SETS_B.data},
        window=4,
    )


def _fetched_later() -> Draft:
    return story(
        "fetched-after-the-last-resolve",
        "A push builds on the head, not on what was fetched since it was resolved",
        "CM-CLIENT-PUSH-EDIT CM-CLIENT-FETCH",
        [
            *_BOTH_ON_BASE,
            (store(B_SETS_C), ({"A": BASE, "B": BASE}, [BASE, B_SETS_C])),
            (do("A", "fetch"), ({"A": BASE, "B": BASE}, [BASE, B_SETS_C])),
            (edit("A", A_SETS_B.data), ({"A": BASE, "B": BASE}, [BASE, B_SETS_C])),
            (do("A", "push"), ({"A": A_SETS_B, "B": BASE}, _RACED)),
        ],
        {"A": A_SETS_B.data, "B": BASE.data},
    )


def _made_anew() -> Draft:
    three = merge_of(A_SETS_B, B_SETS_C, C_SETS_D, data={"a": 1, "b": 2, "c": 3, "d": 4})
    stored = [*_RACED, C_SETS_D]
    return story(
        "unpushed-merge-is-made-anew",
        "A merge that was not pushed is no message: the next resolve merges what is known",
        "CM-CLIENT-RESOLVE CM-CLIENT-PUSH-MERGE",
        [
            *_RACE,
            (store(C_SETS_D), ({"A": MERGE, "B": B_SETS_C}, stored)),
            (do("A", "fetch"), ({"A": MERGE, "B": B_SETS_C}, stored)),
            (do("A", "resolve"), ({"A": three, "B": B_SETS_C}, stored)),
            (do("A", "push"), ({"A": three, "B": B_SETS_C}, [three])),
        ],
        {"A": three.data, "B": B_SETS_C.data},
    )


def _rubbish() -> Draft:
    raw = Raw(b"no stored form at all, just text that someone put there")
    newer = bt({"!": 2, "#": 99, "&": {}, "<": [], "=": {}})
    stored: list[Content] = [raw, newer, BASE]
    return story(
        "rubbish-and-newer-versions-stay",
        "What a client cannot read changes nothing for it, and it does not delete it",
        "CM-CLIENT-BATCH CM-IGNORE-OLD-VERSION-KEPT CM-SECURITY-ONE-BAD CM-IGNORE-INVALID",
        [
            (store(raw), ({"A": None}, [raw])),
            (store(newer), ({"A": None}, [raw, newer])),
            (store(BASE), ({"A": None}, stored)),
            (do("A", "fetch"), ({"A": None}, stored)),
            (do("A", "resolve"), ({"A": BASE}, stored)),
            (edit("A", A_SETS_B.data), ({"A": BASE}, stored)),
            (do("A", "push"), ({"A": A_SETS_B}, [raw, newer, A_SETS_B])),
        ],
        {"A": A_SETS_B.data},
    )


def _only_unreadable() -> Draft:
    newer = bt({"!": 2, "#": 99, "&": {}, "<": [], "=": {}})
    return story(
        "nothing-readable-nothing-pushed",
        "A client that can read nothing of what is there keeps its edit to itself",
        "CM-CLIENT-UNREADABLE CM-CLIENT-RESOLVE",
        [
            (store(newer), ({"A": None}, [newer])),
            (do("A", "fetch"), ({"A": None}, [newer])),
            (do("A", "resolve"), ({"A": None}, [newer])),
            (edit("A", {"a": 1}), ({"A": None}, [newer])),
            (do("A", "push"), ({"A": None}, [newer])),
        ],
        {"A": {"a": 1}},
        level="should",
    )


def _stored_twice() -> Draft:
    return story(
        "stored-twice-kept-once",
        "A swarm that is given what it has keeps one of them",
        "CM-SWARM-DEDUPLICATE",
        [
            (store(BASE), ({"A": None}, [BASE])),
            (store(BASE), ({"A": None}, [BASE])),
            (store(A_SETS_B), ({"A": None}, [BASE, A_SETS_B])),
            (store(BASE), ({"A": None}, [BASE, A_SETS_B])),
        ],
        {"A": {}},
    )


def _nothing_to_push() -> Draft:
    return story(
        "nothing-to-push",
        "A push without edit and without merge sends nothing",
        "CM-CLIENT-PUSH-MERGE",
        [*_BOTH_ON_BASE, (do("A", "push"), ({"A": BASE, "B": BASE}, [BASE]))],
        {"A": BASE.data, "B": BASE.data},
    )


_UNSIGNING: Final = (edit("B", {"a": 1}), do("B", "push"))

REFUSED: Final = (
    refused(
        "push-without-signing-key",
        "scenario",
        "A client that cannot sign does not push an edit where signatures are required",
        "CM-SIGN-CANNOT-UPDATE CM-CLIENT-PUSH-EDIT",
        given("AB", _UNSIGNING, verify_key=PUBLIC.hex(), signing_keys={"A": SEED.hex()}),
        given(
            "AB",
            _UNSIGNING,
            verify_key=PUBLIC.hex(),
            signing_keys={"A": SEED.hex(), "B": SEED.hex()},
        ),
    ),
    refused(
        "edit-with-invalid-data",
        "scenario",
        "An edit to data that break the rules is refused, not repaired",
        "CM-UPDATE-INVALID-DATA CM-DATA-SET-NONEMPTY",
        given("A", [edit("A", {"s": []})]),
        given("A", [edit("A", {"s": [1]})]),
    ),
)


def topic() -> Topic:
    """Stories of clients and a swarm."""
    return Topic(
        "scenario",
        "Clients and a swarm, step by step. The readings encrypt differently, so what is stored "
        "differs throughout; the heads are the same but for the very first message.",
        (
            _first_message(),
            _race(),
            _merge_and_change(),
            _edit_survives(),
            _edit_becomes_none(),
            _further_edit(),
            _edit_taken_back(),
            _batch(permitted=True),
            _batch(permitted=False),
            _unseen(),
            _stale_deleted(),
            _fetched_later(),
            _made_anew(),
            _rubbish(),
            _only_unreadable(),
            _stored_twice(),
            _nothing_to_push(),
            *REFUSED,
        ),
    )
