"""Edits: kept, replaced, taken back, refused."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import refused
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message
from rejoin_conformance.systems.config_merge.drafts.by_hand.stories import (
    do,
    edit,
    given,
    store,
    story,
)
from rejoin_conformance.systems.config_merge.drafts.scenario.shared import (
    A_SETS_B,
    B_SETS_C,
    BASE,
    BOTH_ON_BASE,
    NOBODY,
)


def drafts() -> tuple[Draft, ...]:
    """What becomes of a change that is not pushed yet."""
    return (
        _edit_survives(),
        _edit_becomes_none(),
        _removal_meets_a_new_kind(),
        _further_edit(),
        _edit_taken_back(),
        _invalid_edit(),
    )


def _edit_survives() -> Draft:
    data = {**B_SETS_C.data, "b": 2}
    update = B_SETS_C.followed_by(data, {"b": ""})
    return story(
        "edit-survives-a-merge",
        "An edit that was not pushed is made again on the new head",
        "CM-CLIENT-EDIT-KEPT CM-CLIENT-PUSH-EDIT",
        [
            *BOTH_ON_BASE,
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
            *BOTH_ON_BASE,
            (edit("A", {"a": 2}), ({"A": BASE, "B": BASE}, [BASE])),
            (edit("B", {"a": 2}), ({"A": BASE, "B": BASE}, [BASE])),
            (do("B", "push"), ({"A": BASE, "B": same}, [same])),
            (do("A", "fetch"), ({"A": BASE, "B": same}, [same])),
            (do("A", "resolve"), ({"A": same, "B": same}, [same])),
            (do("A", "push"), ({"A": same, "B": same}, [same])),
        ],
        {"A": {"a": 2}, "B": {"a": 2}},
    )


def _removal_meets_a_new_kind() -> Draft:
    base = Message(seqno=7, data={"a": 1, "d": {"x": 1}}, diff={"a": "", "d": {"x": ""}})
    scalar = base.followed_by({"a": 1, "d": 5}, {"d": ""})
    removed = scalar.followed_by({"a": 1}, {"d": "-"})
    before = [
        (store(base), (NOBODY, [base])),
        (do("A", "fetch"), (NOBODY, [base])),
        (do("A", "resolve"), ({"A": base, "B": None}, [base])),
        (do("B", "fetch"), ({"A": base, "B": None}, [base])),
        (do("B", "resolve"), ({"A": base, "B": base}, [base])),
        (edit("A", {"a": 1}), ({"A": base, "B": base}, [base])),
        (edit("B", scalar.data), ({"A": base, "B": base}, [base])),
        (do("B", "push"), ({"A": base, "B": scalar}, [scalar])),
        (do("A", "fetch"), ({"A": base, "B": scalar}, [scalar])),
        (do("A", "resolve"), ({"A": scalar, "B": scalar}, [scalar])),
    ]
    return story(
        "waiting-removal-meets-a-new-kind",
        "An edit that emptied a dict takes nothing from the integer that has come in its place",
        "CM-CLIENT-EDIT-KEPT CM-DIFF-APPLY-TYPE-MISMATCH",
        [*before, (do("A", "push"), ({"A": scalar, "B": scalar}, [scalar]))],
        {"A": scalar.data, "B": scalar.data},
        in_libsession=[
            *[moment for _, moment in before],
            ({"A": removed, "B": scalar}, [removed]),
        ],
        data_in_libsession={"A": removed.data, "B": scalar.data},
    )


def _further_edit() -> Draft:
    last = BASE.followed_by({"a": 9}, {"a": ""})
    return story(
        "further-edit-replaces-the-first",
        "Of two edits before a push only the last is pushed",
        "CM-CLIENT-EDIT-KEPT CM-CLIENT-PUSH-EDIT",
        [
            *BOTH_ON_BASE,
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
            *BOTH_ON_BASE,
            (edit("A", {"a": 2}), ({"A": BASE, "B": BASE}, [BASE])),
            (edit("A", {"a": 1}), ({"A": BASE, "B": BASE}, [BASE])),
            (do("A", "push"), ({"A": BASE, "B": BASE}, [BASE])),
        ],
        {"A": BASE.data, "B": BASE.data},
    )


def _invalid_edit() -> Draft:
    return refused(
        "edit-with-invalid-data",
        "scenario",
        "An edit to data that break the rules is refused, not repaired",
        "CM-UPDATE-INVALID-DATA CM-DATA-SET-NONEMPTY",
        given("A", [edit("A", {"s": []})]),
        given("A", [edit("A", {"s": [1]})]),
    )
