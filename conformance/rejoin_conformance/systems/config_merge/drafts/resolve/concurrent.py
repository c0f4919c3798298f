"""Two updates of one message that touch the same set, dict or key."""

from __future__ import annotations

from typing import Final, TypeAlias

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Tree
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import (
    Data,
    Message,
    merge_of,
)
from rejoin_conformance.systems.config_merge.drafts.resolve.resolving import merged

Side: TypeAlias = tuple[Tree, Tree]
"""What an update makes of the key `k` (None where it is gone), and its diff for that key."""

Race: TypeAlias = tuple[str, str, Tree, Side, Side, Tree, str]
"""Name, clauses, `k` at first, lower-ranked update, higher-ranked update, `k` merged, summary."""

GONE: Final[Tree] = ()

RACES: Final[tuple[Race, ...]] = (
    (
        "both-add-to-a-set",
        "CM-DIFF-APPLY-SET",
        [1],
        ([1, 2], [[2], []]),
        ([1, 3], [[3], []]),
        [1, 2, 3],
        "Both additions are in the set",
    ),
    (
        "both-add-the-same-element",
        "CM-DIFF-APPLY-SET",
        [1],
        ([1, "x"], [["x"], []]),
        ([1, "x"], [["x"], []]),
        [1, "x"],
        "An element that both add is there once",
    ),
    (
        "both-remove-the-same-element",
        "CM-DIFF-APPLY-SET",
        [1, 2],
        ([2], [[], [1]]),
        ([2], [[], [1]]),
        [2],
        "An element that both remove is gone",
    ),
    (
        "one-adds-one-removes",
        "CM-DIFF-APPLY-SET",
        [1, 2],
        ([2], [[], [1]]),
        ([1, 2, 3], [[3], []]),
        [2, 3],
        "An addition and a removal of different elements both happen",
    ),
    (
        "together-they-empty-a-set",
        "CM-RESOLVE-PRUNE CM-DIFF-APPLY-PRUNE",
        [1, 2],
        ([2], [[], [1]]),
        ([1], [[], [2]]),
        GONE,
        "A set of which each takes one element is gone",
    ),
    (
        "together-they-empty-a-dict",
        "CM-RESOLVE-PRUNE CM-DIFF-APPLY-PRUNE",
        {"x": 1, "y": 1},
        ({"y": 1}, {"x": "-"}),
        ({"x": 1}, {"y": "-"}),
        GONE,
        "A dict of which each takes one key is gone",
    ),
    (
        "addition-above-an-emptied-set",
        "CM-DIFF-APPLY-SET CM-RESOLVE-LATER-WINS",
        [1],
        (GONE, [[], [1]]),
        ([1, 2], [[2], []]),
        [2],
        "The lower empties a set to which the higher adds",
    ),
    (
        "both-change-a-dict",
        "CM-DIFF-APPLY-DICT",
        {"x": 1, "y": 1},
        ({"x": 2, "y": 1}, {"x": ""}),
        ({"x": 1, "y": 1, "z": 1}, {"z": ""}),
        {"x": 2, "y": 1, "z": 1},
        "Changes of different keys of a dict both happen",
    ),
    (
        "both-create-a-dict",
        "CM-DIFF-APPLY-DICT CM-DIFF-APPLY-DICT-CREATE",
        GONE,
        ({"x": 1}, {"x": ""}),
        ({"y": 1}, {"y": ""}),
        {"x": 1, "y": 1},
        "A dict that both create holds the keys of both",
    ),
    (
        "assignment-above-a-removal",
        "CM-RESOLVE-LATER-WINS",
        {"x": 1, "y": 1},
        ({"y": 1}, {"x": "-"}),
        ({"x": 2, "y": 1}, {"x": ""}),
        {"x": 2, "y": 1},
        "A key that the lower removes and the higher changes",
    ),
    (
        "removal-above-an-assignment",
        "CM-RESOLVE-LATER-WINS",
        {"x": 1, "y": 1},
        ({"x": 2, "y": 1}, {"x": ""}),
        ({"y": 1}, {"x": "-"}),
        {"y": 1},
        "A key that the lower changes and the higher removes",
    ),
    (
        "change-above-an-emptied-dict",
        "CM-RESOLVE-LATER-WINS CM-DIFF-APPLY-DICT",
        {"x": 1, "y": 1},
        (GONE, {"x": "-", "y": "-"}),
        ({"x": 1, "y": 1, "z": 1}, {"z": ""}),
        {"z": 1},
        "The lower removes a dict to which the higher adds a key",
    ),
    (
        "dict-above-another-scalar",
        "CM-DIFF-APPLY-TYPE-MISMATCH CM-RESOLVE-LATER-WINS",
        1,
        (2, ""),
        ({"x": 1}, {"x": ""}),
        {"x": 1},
        "The lower changes a scalar, the higher makes a dict of it",
    ),
    (
        "another-scalar-above-dict",
        "CM-DIFF-APPLY-ASSIGN CM-RESOLVE-LATER-WINS",
        1,
        ({"x": 1}, {"x": ""}),
        (2, ""),
        2,
        "The lower makes a dict of a scalar, the higher changes it",
    ),
    (
        "set-above-dict",
        "CM-DIFF-APPLY-TYPE-MISMATCH CM-RESOLVE-LATER-WINS",
        1,
        ({"x": 1}, {"x": ""}),
        ([7], [[7], []]),
        [7],
        "The lower makes a dict of a scalar, the higher a set",
    ),
    (
        "addition-above-a-scalar",
        "CM-DIFF-APPLY-TYPE-MISMATCH",
        [1],
        (5, ""),
        ([1, 2], [[2], []]),
        [2],
        "The lower makes a scalar of a set to which the higher adds: a new set of the addition",
    ),
    (
        "scalar-above-an-addition",
        "CM-DIFF-APPLY-ASSIGN CM-RESOLVE-LATER-WINS",
        [1],
        ([1, 2], [[2], []]),
        (5, ""),
        5,
        "The lower adds to a set of which the higher makes a scalar",
    ),
    (
        "scalar-above-a-removal",
        "CM-DIFF-APPLY-ASSIGN CM-RESOLVE-LATER-WINS",
        [1, 2],
        ([2], [[], [1]]),
        (5, ""),
        5,
        "The lower removes from a set of which the higher makes a scalar",
    ),
    (
        "scalar-above-an-addition-inside",
        "CM-DIFF-APPLY-DICT CM-DIFF-APPLY-TYPE-MISMATCH",
        {"s": [1]},
        ({"s": [1, 2]}, {"s": [[2], []]}),
        (5, ""),
        5,
        "The lower adds to a set in a dict of which the higher makes a scalar",
    ),
    (
        "both-remove-a-scalar",
        "CM-DIFF-APPLY-REMOVE",
        1,
        (GONE, "-"),
        (GONE, "-"),
        GONE,
        "A scalar that both remove is gone",
    ),
    (
        "both-deep-in-dicts",
        "CM-DIFF-APPLY-DICT CM-DIFF-APPLY-SET",
        {"d": {"e": {"s": [1], "x": 1}}},
        ({"d": {"e": {"s": [1, 2], "x": 1}}}, {"d": {"e": {"s": [[2], []]}}}),
        ({"d": {"e": {"s": [1]}, "f": 1}}, {"d": {"e": {"x": "-"}, "f": ""}}),
        {"d": {"e": {"s": [1, 2]}, "f": 1}},
        "Changes at several levels of the same dicts",
    ),
)

PARTINGS: Final[tuple[tuple[Race, Tree], ...]] = (
    (
        (
            "concurrent-addition-to-an-emptied-set",
            "CM-DIFF-APPLY-SET",
            [1],
            ([1, 2], [[2], []]),
            (GONE, [[], [1]]),
            [2],
            "The higher empties a set to which the lower adds: the addition stays, or is lost",
        ),
        GONE,
    ),
    (
        (
            "concurrent-change-in-an-emptied-dict",
            "CM-DIFF-APPLY-DICT",
            {"x": 1},
            ({"x": 1, "y": 1}, {"y": ""}),
            (GONE, {"x": "-"}),
            {"y": 1},
            "The higher empties a dict to which the lower adds a key: it stays, or is lost",
        ),
        GONE,
    ),
    (
        (
            "removal-from-a-set-above-a-new-scalar",
            "CM-DIFF-APPLY-TYPE-MISMATCH",
            [1, 2],
            (5, ""),
            ([2], [[], [1]]),
            5,
            "The lower makes a scalar of a set of which the higher removes an element",
        ),
        GONE,
    ),
    (
        (
            "removal-from-a-dict-above-a-new-scalar",
            "CM-DIFF-APPLY-TYPE-MISMATCH",
            {"x": 1, "y": 1},
            (5, ""),
            ({"y": 1}, {"x": "-"}),
            5,
            "The same with a dict",
        ),
        GONE,
    ),
)


def drafts() -> tuple[Draft, ...]:
    """Races on which the readings agree, races on which they do not, and a longer story."""
    return (
        *map(_race, RACES),
        *(_race(race, in_libsession) for race, in_libsession in PARTINGS),
        _emptied_then_filled_again(),
    )


def _race(race: Race, in_libsession: Tree | None = None) -> Draft:
    name, clauses, at_first, (low, low_diff), (high, high_diff), result, summary = race
    for attempt in range(1000):
        before = Message(seqno=10, data=_data(at_first, attempt))
        lower = before.followed_by({**_data(low, attempt), "l": 1}, {"k": low_diff, "l": ""})
        higher = before.followed_by(_data(high, attempt), {"k": high_diff})
        if lower.rank < higher.rank:
            break
    else:
        raise AssertionError(name)
    return merged(
        name,
        summary,
        clauses,
        [higher, lower],
        merge_of(lower, higher, data={**_data(result, attempt), "l": 1}),
        libsession=None
        if in_libsession is None
        else merge_of(lower, higher, data={**_data(in_libsession, attempt), "l": 1}),
    )


def _data(value: Tree, attempt: int) -> Data:
    """The data with that value at `k`; `n` steers which update has the higher hash."""
    return {"n": attempt} if value == GONE else {"k": value, "n": attempt}


def _emptied_then_filled_again() -> Draft:
    before = Message(seqno=10, data={"d": {"x": 1}, "s": [1]})
    emptied = before.followed_by({}, {"d": {"x": "-"}, "s": [[], [1]]})
    filled = emptied.followed_by({"d": {"y": 1}, "s": [2]}, {"d": {"y": ""}, "s": [[2], []]})
    beside = before.followed_by(
        {"b": 1, "d": {"x": 1, "z": 1}, "s": [1, 3]}, {"b": "", "d": {"z": ""}, "s": [[3], []]}
    )
    return merged(
        "emptied-then-filled-again",
        "One side empties a set and a dict and fills them again; the other adds to the old ones",
        "CM-RESOLVE-PRUNE CM-DIFF-APPLY-PRUNE CM-DIFF-APPLY-SET-CREATE CM-DIFF-APPLY-DICT-CREATE",
        [filled, beside],
        merge_of(filled, beside, data={"b": 1, "d": {"y": 1, "z": 1}, "s": [2, 3]}),
    )
