"""Making diffs."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Tree, bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import accepted

CASES: tuple[tuple[str, str, Tree, Tree, Tree, str], ...] = (
    ("scalar-added", "CM-DIFF-MAKE-ASSIGN", {}, {"k": 1}, {"k": ""}, "A new integer"),
    ("string-added", "CM-DIFF-MAKE-ASSIGN", {}, {"k": "v"}, {"k": ""}, "A new string"),
    ("integer-changed", "CM-DIFF-MAKE-ASSIGN", {"k": 1}, {"k": 2}, {"k": ""}, "Another integer"),
    (
        "string-changed",
        "CM-DIFF-MAKE-ASSIGN",
        {"k": "a"},
        {"k": ""},
        {"k": ""},
        "An emptied string",
    ),
    (
        "integer-becomes-string",
        "CM-DIFF-MAKE-ASSIGN",
        {"k": 1},
        {"k": "1"},
        {"k": ""},
        "The integer 1 and the string 1 are not equal",
    ),
    (
        "string-becomes-integer",
        "CM-DIFF-MAKE-ASSIGN",
        {"k": ""},
        {"k": 0},
        {"k": ""},
        "The empty string and 0 are not equal",
    ),
    ("scalar-removed", "CM-DIFF-MAKE-REMOVE", {"k": 0}, {}, {"k": "-"}, "A removed integer"),
    ("string-removed", "CM-DIFF-MAKE-REMOVE", {"k": ""}, {}, {"k": "-"}, "A removed string"),
    (
        "scalar-renamed",
        "CM-DIFF-MAKE-ASSIGN CM-DIFF-MAKE-REMOVE",
        {"a": 1},
        {"b": 1},
        {"a": "-", "b": ""},
        "A value that moves to another key is removed and assigned",
    ),
    ("equal-empty", "CM-DIFF-MAKE-EQUAL CM-DIFF-EMPTY-ROOT", {}, {}, {}, "Empty and empty"),
    (
        "equal-data",
        "CM-DIFF-MAKE-EQUAL CM-DIFF-EMPTY-ROOT",
        {"d": {"s": [1, "a"], "x": 1}, "k": "v", "s": ["b"]},
        {"d": {"s": [1, "a"], "x": 1}, "k": "v", "s": ["b"]},
        {},
        "Equal data give the empty diff",
    ),
    (
        "equal-parts-left-out",
        "CM-DIFF-MAKE-EQUAL",
        {"d": {"e": {"x": 1}, "f": {"y": 1}}, "s": [1], "t": [1]},
        {"d": {"e": {"x": 1}, "f": {"y": 2}}, "s": [1], "t": [2]},
        {"d": {"f": {"y": ""}}, "t": [[2], [1]]},
        "What is equal is left out at every level",
    ),
    (
        "set-added-and-removed",
        "CM-DIFF-MAKE-SET",
        {"s": [1, 2, "a"]},
        {"s": [2, 3, "b"]},
        {"s": [[3, "b"], [1, "a"]]},
        "Elements that come and go",
    ),
    ("set-grows", "CM-DIFF-MAKE-SET", {"s": [1]}, {"s": [1, 2]}, {"s": [[2], []]}, "An addition"),
    ("set-shrinks", "CM-DIFF-MAKE-SET", {"s": [1, 2]}, {"s": [2]}, {"s": [[], [1]]}, "A removal"),
    ("set-new", "CM-DIFF-MAKE-SET", {}, {"s": ["b", "c"]}, {"s": [["b", "c"], []]}, "A new set"),
    ("set-gone", "CM-DIFF-MAKE-SET", {"s": [7, "x"]}, {}, {"s": [[], [7, "x"]]}, "A gone set"),
    (
        "set-element-changes-type",
        "CM-DIFF-MAKE-SET",
        {"s": [1]},
        {"s": ["1"]},
        {"s": [["1"], [1]]},
        "The integer 1 goes, the string 1 comes",
    ),
    (
        "set-diff-sorted",
        "CM-DIFF-MAKE-SET",
        {"s": [0, 8, 9, "y", "z"]},
        {"s": [-5, 0, 10, 11, "", "aa", "b"]},
        {"s": [[-5, 10, 11, "", "aa", "b"], [8, 9, "y", "z"]]},
        "Both lists are in the order of elements: integers by value, then strings",
    ),
    (
        "dict-changed-inside",
        "CM-DIFF-MAKE-DICT",
        {"d": {"x": 1, "y": 2, "z": 3}},
        {"d": {"w": 0, "x": 1, "y": 5}},
        {"d": {"w": "", "y": "", "z": "-"}},
        "A dict diff names the keys that changed inside",
    ),
    (
        "dict-new",
        "CM-DIFF-MAKE-DICT",
        {},
        {"d": {"e": {"x": 1}, "s": [1]}},
        {"d": {"e": {"x": ""}, "s": [[1], []]}},
        "A new dict lists everything in it",
    ),
    (
        "dict-gone",
        "CM-DIFF-MAKE-DICT",
        {"d": {"e": {"x": 1}, "s": [1], "y": "v"}},
        {},
        {"d": {"e": {"x": "-"}, "s": [[], [1]], "y": "-"}},
        "A gone dict lists every leaf that was in it as removed",
    ),
    (
        "keys-in-byte-order",
        "CM-DIFF-MAKE-ASSIGN CM-BT-ENCODE",
        {"aa": 1, b"\xff": 1},
        {"": 1, "b": 2, b"\x80": 3},
        {"": "", "aa": "-", "b": "", b"\x80": "", b"\xff": "-"},
        "The keys of a diff are in byte order, whichever side they come from",
    ),
)

KINDS: tuple[tuple[str, Tree, Tree, Tree], ...] = (
    ("scalar-becomes-set", {"k": 1}, {"k": [1]}, {"k": [[1], []]}),
    ("scalar-becomes-dict", {"k": 1}, {"k": {"x": 1}}, {"k": {"x": ""}}),
    ("set-becomes-scalar", {"k": [1]}, {"k": 1}, {"k": ""}),
    ("set-becomes-dict", {"k": [1]}, {"k": {"x": 1}}, {"k": {"x": ""}}),
    ("dict-becomes-scalar", {"k": {"x": 1}}, {"k": 1}, {"k": ""}),
    ("dict-becomes-set", {"k": {"x": 1}}, {"k": ["x"]}, {"k": [["x"], []]}),
    (
        "kind-changes-deeper",
        {"d": {"k": {"x": {"y": 1}}}},
        {"d": {"k": {"x": [1, 2]}}},
        {"d": {"k": {"x": [[1, 2], []]}}},
    ),
)


def topic() -> Topic:
    """What a diff lists, and what it does not."""
    return Topic(
        "diff",
        "Making the diff that leads from one state of the data to another.",
        (
            *(
                accepted(
                    name,
                    "diff",
                    summary,
                    clauses,
                    {"old": bt(old).hex(), "new": bt(new).hex()},
                    {"diff": bt(diff).hex()},
                )
                for name, clauses, old, new, diff, summary in CASES
            ),
            *(
                accepted(
                    name,
                    "diff",
                    "A value that changes its kind is listed like a new one; the old one is not",
                    "CM-DIFF-MAKE-TYPE-CHANGE",
                    {"old": bt(old).hex(), "new": bt(new).hex()},
                    {"diff": bt(diff).hex()},
                )
                for name, old, new, diff in KINDS
            ),
        ),
    )
