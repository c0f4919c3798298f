"""The form of a diff, as the diff of a message."""

from __future__ import annotations

from attrs import evolve

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Raw, Tree
from rejoin_conformance.systems.config_merge.drafts.data.limits import (
    KEY_128,
    KEY_129,
    STRING_4096,
    STRING_4097,
    nested,
)
from rejoin_conformance.systems.config_merge.drafts.parse.plain import (
    PLAIN,
    invalid,
    outer,
    valid,
)

VALID: tuple[tuple[str, str, dict[str, Tree], str], ...] = (
    ("diff-empty", "CM-DIFF-EMPTY-ROOT", {}, "The root of a diff may be empty"),
    (
        "diff-of-every-kind",
        "CM-DIFF-VALUES CM-DIFF-SET-PAIR CM-DIFF-SET-ELEMENTS",
        {"a": "", "b": "-", "c": [[-1, "x"], [2, ""]], "d": {"e": {"f": "-"}}},
        "Assigned, removed, a set diff and a dict diff",
    ),
    ("set-diff-only-added", "CM-DIFF-SET-PAIR", {"s": [["x"], []]}, "A set diff that only adds"),
    ("set-diff-only-removed", "CM-DIFF-SET-PAIR", {"s": [[], ["x"]]}, "One that only removes"),
    (
        "set-diff-integer-and-its-digits",
        "CM-DIFF-SET-DISJOINT",
        {"s": [[1], ["1"]]},
        "The integer 1 is added, the string 1 removed: two elements",
    ),
    (
        "diff-limits",
        "CM-DIFF-LIMITS",
        {KEY_128: "", "s": [[STRING_4096], []]},
        "A key of 128 bytes and an element of 4096",
    ),
    (
        "diff-assigns-what-data-lack",
        "CM-DIFFS-OWN-UNCHECKED",
        {"gone": "", "k": {"x": ""}},
        "A diff that assigns what the data do not have, or have as another kind",
    ),
    (
        "diff-removes-what-data-have",
        "CM-DIFFS-OWN-UNCHECKED",
        {"k": "-", "s": [[], [1]]},
        "A diff that removes what the data still have",
    ),
)

BAD: tuple[tuple[str, str, Tree, Tree, str], ...] = (
    ("integer-in-a-diff", "CM-DIFF-VALUES", {"k": 1}, {"k": ""}, "An integer as a change"),
    ("zero-in-a-diff", "CM-DIFF-VALUES", {"k": 0}, {"k": ""}, "The integer 0 as a change"),
    ("text-in-a-diff", "CM-DIFF-VALUES", {"k": "v"}, {"k": ""}, "A value instead of a change"),
    ("two-minuses-in-a-diff", "CM-DIFF-VALUES", {"k": "--"}, {"k": "-"}, "Two minuses"),
    ("plus-in-a-diff", "CM-DIFF-VALUES", {"k": "+"}, {"k": ""}, "A plus as a change"),
    ("zero-byte-in-a-diff", "CM-DIFF-VALUES", {"k": "\0"}, {"k": ""}, "A zero byte as a change"),
    (
        "integer-in-a-dict-diff",
        "CM-DIFF-VALUES",
        {"k": {"x": {"y": -1}}},
        {"k": {"x": {"y": "-"}}},
        "An integer as a change at a deeper level",
    ),
    ("set-diff-empty-list", "CM-DIFF-SET-PAIR", {"s": []}, {"s": [[1], []]}, "An empty list"),
    ("set-diff-of-one", "CM-DIFF-SET-PAIR", {"s": [[1]]}, {"s": [[1], []]}, "One list of two"),
    (
        "set-diff-of-three",
        "CM-DIFF-SET-PAIR",
        {"s": [[1], [2], []]},
        {"s": [[1], [2]]},
        "Three lists",
    ),
    (
        "set-diff-of-elements",
        "CM-DIFF-SET-PAIR",
        {"s": [1, 2]},
        {"s": [[1, 2], []]},
        "Elements in the place of the two lists",
    ),
    (
        "set-diff-second-a-string",
        "CM-DIFF-SET-PAIR",
        {"s": [[1], "-"]},
        {"s": [[1], []]},
        "A string in the place of the second list",
    ),
    (
        "set-diff-first-a-dict",
        "CM-DIFF-SET-PAIR",
        {"s": [{}, [1]]},
        {"s": [[], [1]]},
        "A dict in the place of the first list",
    ),
    (
        "list-in-a-set-diff",
        "CM-DIFF-SET-ELEMENTS",
        {"s": [[[1]], []]},
        {"s": [[1], []]},
        "A list among the added elements",
    ),
    (
        "dict-in-a-set-diff",
        "CM-DIFF-SET-ELEMENTS",
        {"s": [[], [{"x": ""}]]},
        {"s": [[], ["x"]]},
        "A dict among the removed elements",
    ),
    (
        "set-diff-added-unsorted",
        "CM-DIFF-SET-ELEMENTS",
        {"s": [["a", 1], []]},
        {"s": [[1, "a"], []]},
        "Added elements out of order",
    ),
    (
        "set-diff-removed-unsorted",
        "CM-DIFF-SET-ELEMENTS",
        {"s": [[], [2, 1]]},
        {"s": [[], [1, 2]]},
        "Removed elements out of order",
    ),
    (
        "set-diff-added-twice",
        "CM-DIFF-SET-ELEMENTS",
        {"s": [["a", "a"], []]},
        {"s": [["a", "b"], []]},
        "An element that is added twice",
    ),
    (
        "set-diff-removed-twice",
        "CM-DIFF-SET-ELEMENTS",
        {"s": [[], [1, 1]]},
        {"s": [[], [1, 2]]},
        "An element that is removed twice",
    ),
    (
        "diff-keys-unsorted",
        "CM-BT-DICT-ORDER",
        Raw(b"d1:b0:1:a0:e"),
        {"a": "", "b": ""},
        "Keys of a diff out of order",
    ),
    (
        "diff-keys-equal",
        "CM-BT-DICT-ORDER",
        Raw(b"d1:a0:1:a1:-e"),
        {"a": ""},
        "A key of a diff twice",
    ),
)

ONLY_DOCUMENT: tuple[tuple[str, str, dict[str, Tree], Tree, str], ...] = (
    (
        "set-diff-empty",
        "CM-DIFF-SET-NOT-BOTH-EMPTY",
        {"s": [[], []]},
        {"s": [[1], []]},
        "A set diff that neither adds nor removes",
    ),
    (
        "set-diff-overlap",
        "CM-DIFF-SET-DISJOINT",
        {"s": [[1, "a"], ["a"]]},
        {"s": [[1, "a"], ["b"]]},
        "An element that is both added and removed",
    ),
    ("dict-diff-empty", "CM-DIFF-DICT-NONEMPTY", {"k": {}}, {"k": ""}, "An empty dict diff"),
    (
        "dict-diff-empty-deeper",
        "CM-DIFF-DICT-NONEMPTY",
        {"k": {"x": {}}},
        {"k": {"x": ""}},
        "An empty dict diff at a deeper level",
    ),
    (
        "diff-key-of-129-bytes",
        "CM-DIFF-LIMITS",
        {KEY_129: ""},
        {KEY_128: ""},
        "A key of 129 bytes in a diff",
    ),
    (
        "dict-diff-key-of-129-bytes",
        "CM-DIFF-LIMITS",
        {"k": {KEY_129: "-"}},
        {"k": {KEY_128: "-"}},
        "A key of 129 bytes in a dict diff",
    ),
    (
        "set-diff-element-of-4097-bytes",
        "CM-DIFF-LIMITS",
        {"s": [[], [STRING_4097]]},
        {"s": [[], [STRING_4096]]},
        "An element of 4097 bytes in a set diff",
    ),
)


def drafts() -> tuple[Draft, ...]:
    """Diffs that are valid, and diffs with one fault."""
    deep = nested(64, "")
    assert isinstance(deep, dict)
    return (
        *(
            valid(name, summary, clauses, evolve(PLAIN, diff=diff))
            for name, clauses, diff, summary in VALID
        ),
        *(
            invalid(name, summary, clause, outer(diff=bad), good=outer(diff=good))
            for name, clause, bad, good, summary in BAD
        ),
        *(
            invalid(
                name,
                summary,
                clause,
                outer(diff=bad),
                good=outer(diff=good),
                libsession=evolve(PLAIN, diff=bad),
            )
            for name, clause, bad, good, summary in ONLY_DOCUMENT
        ),
        valid(
            "diff-64-levels",
            "64 levels of dict diffs",
            "CM-DIFF-DEPTH",
            evolve(PLAIN, diff=deep),
        ),
        invalid(
            "diff-65-levels",
            "65 levels of dict diffs",
            "CM-DIFF-DEPTH",
            outer(diff=nested(65, "")),
            good=outer(diff=nested(64, "")),
        ),
        invalid(
            "set-diff-on-level-65",
            "A set diff in the innermost of 64 dict diffs is on level 65",
            "CM-DIFF-DEPTH",
            outer(diff=nested(64, [[1], []])),
            good=outer(diff=nested(63, [[1], []])),
        ),
    )
