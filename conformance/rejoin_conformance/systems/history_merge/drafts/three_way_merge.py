"""The 3-way merge of sets: every case of one element, the laws, the document's first picture."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.systems.history_merge.drafting import in_scenario, names, query


def _sets(name: str, summary: str, clauses: str, sets: str, merged: str) -> Draft:
    origin, left, right = sets.split(",")
    return query(
        "three-way-merge",
        name,
        summary,
        clauses,
        given={"origin": names(origin), "left": names(left), "right": names(right)},
        output={"state": names(merged)},
    )


_SET: Final = "HM-3WAY-SET"
_ELEMENT: Final = "HM-3WAY-SET HM-3WAY-ELEMENT"
_IDENTITY: Final = "HM-3WAY-IDENTITY HM-3WAY-SET"
_IDEMPOTENT: Final = "HM-3WAY-IDEMPOTENT HM-3WAY-SET"
_COMMUTATIVE: Final = "HM-3WAY-COMMUTATIVE HM-3WAY-SET"

_PICTURE = (
    in_scenario(_sets("picture-both-removed", "{a,b} and {b,c} from {a,b,c}: a and c were removed",
                      _SET, "a b c,a b,b c", "b"), "first-picture", "origin abc"),
    in_scenario(_sets("picture-both-added", "{a,b} and {b,c} from {b}: a and c were added", _SET,
                      "b,a b,b c", "a b c"), "first-picture", "origin b"),
)  # fmt: skip

_ONE_ELEMENT = (
    _sets("nobody-has-it", "An element that nobody has is not made up", _ELEMENT, ",,", ""),
    _sets("right-added", "Added on the right", _ELEMENT, ",,x", "x"),
    _sets("left-added", "Added on the left", _ELEMENT, ",x,", "x"),
    _sets("both-added", "Added on both sides", _ELEMENT, ",x,x", "x"),
    _sets("both-removed", "Removed on both sides", _ELEMENT, "x,,", ""),
    _sets("left-removed", "Removed on the left, kept on the right", _ELEMENT, "x,,x", ""),
    _sets("right-removed", "Removed on the right, kept on the left", _ELEMENT, "x,x,", ""),
    _sets("both-kept", "Kept on both sides", _ELEMENT, "x,x,x", "x"),
)

_LAWS = (
    _sets("left-unchanged", "Where the left changed nothing, the right stands", _IDENTITY,
          "a b,a b,b c d", "b c d"),
    _sets("right-unchanged", "Where the right changed nothing, the left stands", _IDENTITY,
          "a b,b c d,a b", "b c d"),
    _sets("nothing-changed", "Where nobody changed anything, nothing changes", _IDENTITY,
          "a b,a b,a b", "a b"),
    _sets("left-unchanged-right-emptied", "All may be removed on one side", _IDENTITY,
          "a b c,a b c,", ""),
    _sets("left-emptied-right-unchanged", "All may be removed on the other side", _IDENTITY,
          "a b c,,a b c", ""),
    _sets("mixed-changes", "Both sides add and remove", _COMMUTATIVE, "a b c,b c d,a b e", "b d e"),
    _sets("mixed-changes-swapped", "The same with the sides swapped", _COMMUTATIVE,
          "a b c,a b e,b c d", "b d e"),
    _sets("overlapping-additions", "What both added is there once", _COMMUTATIVE, "a,a b c,a c d",
          "a b c d"),
    _sets("overlapping-additions-swapped", "The same with the sides swapped", _COMMUTATIVE,
          "a,a c d,a b c", "a b c d"),
    _sets("both-made-the-same-change", "Both sides came to the same state",
          _IDEMPOTENT, "a b,b c,b c", "b c"),
    _sets("both-emptied", "Both sides came to the empty state", _IDEMPOTENT, "a b,,", ""),
)  # fmt: skip

_READING = (
    _sets("deletion-is-not-lost",
          "The formula is read from left to right: read otherwise, what the "
          "left deleted would stay", _SET, "x y,y,x y z", "y z"),
    _sets("addition-is-not-deleted", "What the left added is not taken away again", _SET, "y,x y,",
          "x"),
    _sets("symmetric-form-parts", "What either holds and o lacks, and what all hold",
          "HM-3WAY-SYMMETRIC-FORM HM-3WAY-SET", "k l m n,k l p q,k m q r", "k p q r"),
    _sets("symmetric-form-last-part",
          "Without its last part the symmetric form would lose what all "
          "three hold", "HM-3WAY-SYMMETRIC-FORM", "k,k,k", "k"),
    _sets("origin-need-not-be-contained", "The origin is any set: nothing of it need be left", _SET,
          "a b,c,d", "c d"),
    _sets("elements-by-bytes", "States are listed by code point: digits, capitals, small letters",
          _SET, "b,B b,9 10 b", "10 9 B b"),
    _sets("independent-elements", "No element influences another", _ELEMENT,
          "b c e g,c d e f,a d g e", "a d e f"),
)  # fmt: skip

TOPIC: Final = Topic(
    name="three-way-merge",
    notes="Sets. Counters and registers stand in other-types.",
    drafts=(*_PICTURE, *_ONE_ELEMENT, *_LAWS, *_READING),
)
