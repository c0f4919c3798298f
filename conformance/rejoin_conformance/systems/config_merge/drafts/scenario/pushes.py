"""Pushes: what is stored, what is deleted, and when nothing is."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import (
    Message,
    Row,
    blake2b,
    merge_of,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.stories import (
    Moment,
    do,
    edit,
    store,
    story,
)
from rejoin_conformance.systems.config_merge.drafts.scenario.shared import (
    A_SETS_B,
    B_SETS_C,
    BASE,
    BOTH_ON_BASE,
    C_SETS_D,
    MERGE,
    NOBODY,
    RACE,
    RACED,
)


def drafts() -> tuple[Draft, ...]:
    """What a push does to the swarm."""
    return (
        _first_message(),
        _race(),
        _merge_and_change(),
        _merge_fetched(),
        _batch(permitted=True),
        _batch(permitted=False),
        _unseen(),
        _stale_deleted(),
        _fetched_later(),
        _made_anew(),
        _nothing_to_push(),
        _not_pushed_again(),
        _before_any_resolve(),
    )


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


def _race() -> Draft:
    return story(
        "racing-merges-are-stored-once",
        "Two clients merge the same conflict and push the same bytes, which are stored once",
        "CM-SWARM-DEDUPLICATE CM-CLIENT-CONVERGE CM-CLIENT-PUSH-MERGE CM-ENCRYPT-HASH-PLAINTEXT "
        "CM-ENCRYPT-DETERMINISTIC",
        [
            *RACE,
            (do("B", "fetch"), ({"A": MERGE, "B": B_SETS_C}, RACED)),
            (do("B", "resolve"), ({"A": MERGE, "B": MERGE}, RACED)),
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
            *RACE,
            (edit("A", data), ({"A": MERGE, "B": B_SETS_C}, RACED)),
            (do("A", "push"), ({"A": both, "B": B_SETS_C}, [both])),
        ],
        {"A": data, "B": B_SETS_C.data},
    )


def _merge_fetched() -> Draft:
    data = {**MERGE.data, "e": 5}
    both = merge_of(A_SETS_B, B_SETS_C, data=data, diff={"e": ""})
    return story(
        "merge-fetched-before-the-push",
        "A merge that somebody else has pushed meanwhile changes nothing for an edit made on it",
        "CM-CLIENT-PUSH-EDIT CM-CLIENT-FETCH",
        [
            *RACE,
            (do("B", "fetch"), ({"A": MERGE, "B": B_SETS_C}, RACED)),
            (do("B", "resolve"), ({"A": MERGE, "B": MERGE}, RACED)),
            (do("B", "push"), ({"A": MERGE, "B": MERGE}, [MERGE])),
            (do("A", "fetch"), ({"A": MERGE, "B": MERGE}, [MERGE])),
            (edit("A", data), ({"A": MERGE, "B": MERGE}, [MERGE])),
            (do("A", "push"), ({"A": both, "B": MERGE}, [MERGE, both])),
        ],
        {"A": data, "B": MERGE.data},
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
            *BOTH_ON_BASE,
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
            *BOTH_ON_BASE,
            (store(B_SETS_C), ({"A": BASE, "B": BASE}, [BASE, B_SETS_C])),
            (edit("A", A_SETS_B.data), ({"A": BASE, "B": BASE}, [BASE, B_SETS_C])),
            (do("A", "push"), ({"A": A_SETS_B, "B": BASE}, RACED)),
            (do("B", "fetch"), ({"A": A_SETS_B, "B": BASE}, RACED)),
            (do("B", "resolve"), ({"A": A_SETS_B, "B": MERGE}, RACED)),
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
            *BOTH_ON_BASE,
            (store(B_SETS_C), ({"A": BASE, "B": BASE}, [BASE, B_SETS_C])),
            (do("A", "fetch"), ({"A": BASE, "B": BASE}, [BASE, B_SETS_C])),
            (edit("A", A_SETS_B.data), ({"A": BASE, "B": BASE}, [BASE, B_SETS_C])),
            (do("A", "push"), ({"A": A_SETS_B, "B": BASE}, RACED)),
        ],
        {"A": A_SETS_B.data, "B": BASE.data},
    )


def _made_anew() -> Draft:
    three = merge_of(A_SETS_B, B_SETS_C, C_SETS_D, data={"a": 1, "b": 2, "c": 3, "d": 4})
    stored = [*RACED, C_SETS_D]
    return story(
        "unpushed-merge-is-made-anew",
        "A merge that was not pushed is no message: the next resolve merges what is known",
        "CM-CLIENT-RESOLVE CM-CLIENT-PUSH-MERGE",
        [
            *RACE,
            (store(C_SETS_D), ({"A": MERGE, "B": B_SETS_C}, stored)),
            (do("A", "fetch"), ({"A": MERGE, "B": B_SETS_C}, stored)),
            (do("A", "resolve"), ({"A": three, "B": B_SETS_C}, stored)),
            (do("A", "push"), ({"A": three, "B": B_SETS_C}, [three])),
        ],
        {"A": three.data, "B": B_SETS_C.data},
    )


def _nothing_to_push() -> Draft:
    return story(
        "nothing-to-push",
        "A push without edit and without merge sends nothing",
        "CM-CLIENT-PUSH-MERGE",
        [*BOTH_ON_BASE, (do("A", "push"), ({"A": BASE, "B": BASE}, [BASE]))],
        {"A": BASE.data, "B": BASE.data},
    )


def _not_pushed_again() -> Draft:
    return story(
        "deleted-head-is-not-pushed-again",
        "A head that somebody else has made obsolete and deleted is not stored again by a push",
        "CM-CLIENT-PUSH-MERGE CM-CLIENT-BATCH",
        [
            *BOTH_ON_BASE,
            (edit("B", B_SETS_C.data), ({"A": BASE, "B": BASE}, [BASE])),
            (do("B", "push"), ({"A": BASE, "B": B_SETS_C}, [B_SETS_C])),
            (do("A", "push"), ({"A": BASE, "B": B_SETS_C}, [B_SETS_C])),
        ],
        {"A": BASE.data, "B": B_SETS_C.data},
    )


def _before_any_resolve() -> Draft:
    of_document = Message(seqno=1, data={"x": 1}, diff={"x": ""})
    before_it: Row = (0, blake2b(b"d1:#i0e1:&de1:<le1:=dee"), {})
    of_library = Message(seqno=1, data={"x": 1}, rows=[before_it], diff={"x": ""})

    def moments(first: Message) -> list[Moment]:
        return [
            ({"A": None}, [BASE]),
            ({"A": None}, [BASE]),
            ({"A": None}, [BASE]),
            ({"A": first}, [BASE, first]),
            ({"A": BASE}, [BASE, first]),
        ]

    steps = (
        store(BASE),
        do("A", "fetch"),
        edit("A", {"x": 1}),
        do("A", "push"),
        do("A", "resolve"),
    )
    return story(
        "push-before-any-resolve",
        "A client that has fetched and not resolved has no head: its push is a first message",
        "CM-CLIENT-PUSH-EDIT CM-CLIENT-FETCH CM-CLIENT-DELETE-KNOWN",
        list(zip(steps, moments(of_document), strict=True)),
        {"A": BASE.data},
        in_libsession=moments(of_library),
    )
