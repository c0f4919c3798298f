"""What others store: rubbish, newer versions, the same again."""

from __future__ import annotations

from attrs import evolve

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Raw, bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.stories import (
    Content,
    do,
    edit,
    store,
    story,
)
from rejoin_conformance.systems.config_merge.drafts.scenario.shared import (
    A_SETS_B,
    BASE,
)


def drafts() -> tuple[Draft, ...]:
    """Stored forms that no client here has made."""
    return (
        _rubbish(),
        _only_unreadable(),
        _nothing_decrypted(),
        _stored_twice(),
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


def _nothing_decrypted() -> Draft:
    raw = Raw(b"no stored form at all, just text that someone put there")
    told = story(
        "nothing-decrypted-nothing-pushed",
        "A client that can decrypt nothing of what is there does not begin a history beside it",
        "CM-CLIENT-UNREADABLE",
        [
            (store(raw), ({"A": None}, [raw])),
            (do("A", "fetch"), ({"A": None}, [raw])),
            (edit("A", {"a": 1}), ({"A": None}, [raw])),
            (do("A", "push"), ({"A": None}, [raw])),
        ],
        {"A": {"a": 1}},
        level="should",
    )
    # Nobody encrypts anything here, so that the readings cannot part.
    return evolve(told, output_by_reading={}, readings_differ=False)


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
