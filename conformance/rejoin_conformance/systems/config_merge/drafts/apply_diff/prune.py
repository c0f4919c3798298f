"""Sets and dicts that become empty, and diffs applied to what they were made from."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.apply_diff.applying import Case, applied

PRUNE = "CM-DIFF-APPLY-PRUNE"
ROUND_TRIP = "CM-DIFF-ROUND-TRIP"

CASES: tuple[Case, ...] = (
    (
        "last-element-removes-the-set",
        PRUNE,
        {"s": [1], "z": 0},
        {"s": [[], [1]]},
        {"z": 0},
        {"z": 0},
        "A set without elements goes",
    ),
    (
        "last-key-removes-the-dict",
        PRUNE,
        {"d": {"x": 1}, "z": 0},
        {"d": {"x": "-"}},
        {"z": 0},
        {"z": 0},
        "A dict without keys goes",
    ),
    (
        "last-key-removes-the-dicts",
        PRUNE,
        {"d": {"e": {"f": {"x": 1}}}, "z": 0},
        {"d": {"e": {"f": {"x": "-"}}}},
        {"z": 0},
        {"z": 0},
        "So do the dicts around it, up to the root",
    ),
    (
        "last-element-removes-set-and-dicts",
        PRUNE,
        {"d": {"e": {"s": [1]}}, "z": 0},
        {"d": {"e": {"s": [[], [1]]}}},
        {"z": 0},
        {"z": 0},
        "A set without elements takes the dicts around it along",
    ),
    (
        "root-stays",
        PRUNE,
        {"d": {"x": 1}},
        {"d": {"x": "-"}},
        {},
        {},
        "The root may be empty",
    ),
    (
        "dict-with-another-key-stays",
        PRUNE,
        {"d": {"e": {"x": 1}, "y": 2}},
        {"d": {"e": {"x": "-"}}},
        {"d": {"e": {"w": 1}, "y": 2}},
        {"d": {"y": 2}},
        "Pruning stops at a dict that has something left",
    ),
    (
        "dict-emptied-by-a-lost-value",
        f"{PRUNE} CM-DIFF-APPLY-ASSIGN-MISSING",
        {"d": {"x": 1}, "z": 0},
        {"d": {"x": ""}},
        {"d": {"y": 1}, "z": 0},
        {"z": 0},
        "A dict goes whose last key had its value taken away in the source",
    ),
    (
        "emptied-and-filled-in-one-diff",
        PRUNE,
        {"d": {"x": 1}, "s": [1]},
        {"d": {"x": "-", "y": ""}, "s": [[2], [1]]},
        {"d": {"y": 2}, "s": [2]},
        {"d": {"y": 2}, "s": [2]},
        "What is refilled by the same diff stays",
    ),
    (
        "round-trip-scalars",
        ROUND_TRIP,
        {"a": 1, "b": "x", "c": 1},
        {"a": "", "b": "-", "d": ""},
        {"a": "1", "c": 1, "d": ""},
        {"a": "1", "c": 1, "d": ""},
        "A diff applied to its old data, with its new data as source, gives the new data",
    ),
    (
        "round-trip-containers",
        ROUND_TRIP,
        {"d": {"e": {"x": 1}, "s": [1, 2]}, "s": [1]},
        {"d": {"e": {"x": "-"}, "s": [["a"], [1]]}, "n": {"m": [[0], []]}, "s": [[], [1]]},
        {"d": {"s": [2, "a"]}, "n": {"m": [0]}},
        {"d": {"s": [2, "a"]}, "n": {"m": [0]}},
        "The same with sets and dicts that come, change and go",
    ),
    (
        "round-trip-kinds",
        ROUND_TRIP,
        {"a": 1, "b": [1], "c": {"x": 1}, "d": 1, "e": [1], "f": {"x": 1}},
        {
            "a": [[1], []],
            "b": {"x": ""},
            "c": "",
            "d": {"x": ""},
            "e": "",
            "f": [["x"], []],
        },
        {"a": [1], "b": {"x": 1}, "c": 1, "d": {"x": 1}, "e": 1, "f": ["x"]},
        {"a": [1], "b": {"x": 1}, "c": 1, "d": {"x": 1}, "e": 1, "f": ["x"]},
        "The same with values that change their kind, from each kind to each other",
    ),
    (
        "round-trip-to-nothing",
        f"{ROUND_TRIP} {PRUNE}",
        {"a": 1, "d": {"e": {"x": "y"}}, "s": [1, "a"]},
        {"a": "-", "d": {"e": {"x": "-"}}, "s": [[], [1, "a"]]},
        {},
        {},
        "All data are removed",
    ),
)


def drafts() -> tuple[Draft, ...]:
    """Pruning, then round trips."""
    return tuple(map(applied, CASES))
