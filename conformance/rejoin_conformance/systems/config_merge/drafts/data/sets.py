"""Sets: which elements, in which order."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Raw, Tree
from rejoin_conformance.systems.config_merge.drafts.data.reading import read, unread

VALID: tuple[tuple[str, list[Tree], str], ...] = (
    ("set-of-one", [0], "A set of one element"),
    ("set-numeric-order", [-10, -9, 0, 2, 10], "Integers ascend by value, not by digits"),
    ("set-integers-first", [5, "", "0", "4"], "Integers come before strings"),
    ("set-prefix-first", ["a", "aa", "b"], "A string comes before those that it begins"),
    ("set-unsigned-bytes", [b"\x7f", b"\x80", b"\xff"], "Bytes compare as unsigned numbers"),
    ("set-order-ignores-length", ["aaa", "b"], "Strings are not ordered by length"),
    ("set-integer-and-its-digits", [1, "1"], "The integer 1 and the string 1 are two elements"),
    ("set-ends-of-the-range", [-(2**63), 2**63 - 1], "The ends of the 64-bit range"),
    (
        "set-integers-alike-as-doubles",
        [2**53, 2**53 + 1, 2**63 - 2, 2**63 - 1],
        "Integers that are equal as 64-bit floats",
    ),
)

UNSORTED: tuple[tuple[str, list[Tree], list[Tree], str], ...] = (
    ("set-integers-unsorted", [10, 2], [2, 10], "Integers ordered by their digits"),
    ("set-minus-behind", [1, -1], [-1, 1], "Integers ordered without their signs"),
    ("set-strings-first", ["a", 1], [1, "a"], "A string before an integer"),
    ("set-strings-unsorted", ["b", "a"], ["a", "b"], "Strings out of order"),
    ("set-strings-by-length", ["b", "aa"], ["aa", "b"], "Strings ordered by length"),
    ("set-prefix-behind", ["aa", "a"], ["a", "aa"], "A string behind one that it begins"),
    ("set-signed-bytes", [b"\x80", b"\x7f"], [b"\x7f", b"\x80"], "Bytes taken as signed"),
    ("set-strings-as-numbers", ["9", "10"], ["10", "9"], "Strings ordered as numbers"),
    ("set-out-of-order-at-the-end", [1, 2, 4, 3], [1, 2, 3, 4], "The last element out of order"),
)

REPEATED: tuple[tuple[str, list[Tree], list[Tree], str], ...] = (
    ("set-integer-twice", [1, 1], [1, 2], "An integer twice"),
    ("set-string-twice", ["a", "a"], ["a", "b"], "A string twice"),
    ("set-empty-string-twice", ["", ""], ["", "a"], "The empty string twice"),
)

NO_ELEMENTS: tuple[tuple[str, list[Tree], list[Tree], str], ...] = (
    ("set-with-list", [[]], [1], "A list in a set"),
    ("set-with-set", [[1]], [1], "A set in a set"),
    ("set-with-dict", [{}], [1], "A dict in a set"),
    ("set-with-dict-behind", [1, "a", {"x": 1}], [1, "a", "b"], "A dict behind good elements"),
)


def drafts() -> tuple[Draft, ...]:
    """Sets that are valid, and sets with one fault."""
    return (
        *(
            read(
                name,
                summary,
                "CM-DATA-SET-ORDER CM-DATA-SET-UNIQUE CM-DATA-SET-ELEMENTS",
                {"k": elements},
                {"k": [elements, []]},
            )
            for name, elements, summary in VALID
        ),
        *(
            unread(name, summary, clauses, {"k": bad}, {"k": good})
            for clauses, table in (
                ("CM-DATA-SET-ORDER", UNSORTED),
                ("CM-DATA-SET-UNIQUE", REPEATED),
                ("CM-DATA-SET-ELEMENTS", NO_ELEMENTS),
            )
            for name, bad, good, summary in table
        ),
        unread("set-empty", "An empty set", "CM-DATA-SET-NONEMPTY", {"k": []}, {"k": [1]}),
        unread(
            "set-empty-deeper",
            "An empty set in a dict in data",
            "CM-DATA-SET-NONEMPTY",
            {"k": {"x": 1, "y": []}},
            {"k": {"x": 1, "y": [1]}},
        ),
        unread(
            "set-integer-not-canonical",
            "Leading zeros in an element",
            "CM-BT-INT-CANONICAL",
            {"k": [Raw(b"i01e")]},
            {"k": [1]},
            libsession_diff={"k": [[1], []]},
        ),
        unread(
            "set-equal-but-for-zeros",
            "Elements that are equal once their leading zeros are gone",
            "CM-DATA-SET-UNIQUE",
            {"k": [1, Raw(b"i01e")]},
            {"k": [1, 2]},
        ),
    )
