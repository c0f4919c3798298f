"""Lagged rows that are within the window."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Raw, Tree
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Row
from rejoin_conformance.systems.config_merge.drafts.parse.plain import (
    HASH_5,
    HASH_6,
    PLAIN,
    ROW_5,
    ROW_6,
    invalid,
    outer,
    valid,
    with_rows,
)

LOW = b"\x7f" * 32
HIGH = b"\x80" + b"\x00" * 31

SHAPES: tuple[tuple[str, Tree, str], ...] = (
    ("row-an-integer", 6, "An integer as a row"),
    ("row-a-string", "row", "A string as a row"),
    ("row-a-dict", {"": [6, HASH_6, {}]}, "A dict as a row"),
    ("row-empty", [], "An empty row"),
    ("row-without-diff", [6, HASH_6], "A row without a diff"),
    ("row-of-four", [6, HASH_6, {}, {}], "A row of four values"),
    ("row-in-a-list", [[6, HASH_6, {}]], "A row in a list of its own"),
    ("row-seqno-a-string", ["6", HASH_6, {}], "The seqno of a row in a string"),
    ("row-seqno-behind-hash", [HASH_6, 6, {}], "Seqno and hash of a row exchanged"),
    ("row-hash-an-integer", [6, 6, {}], "An integer as the hash of a row"),
    ("row-hash-a-list", [6, [HASH_6], {}], "A hash in a list"),
    ("row-diff-a-list", [6, HASH_6, []], "A list as the diff of a row"),
    ("row-diff-a-string", [6, HASH_6, ""], "A string as the diff of a row"),
)

HASHES = (
    ("row-hash-empty", b"", "An empty hash"),
    ("row-hash-of-31-bytes", HASH_6[1:], "A hash of 31 bytes"),
    ("row-hash-of-33-bytes", HASH_6 + b"\x66", "A hash of 33 bytes"),
    ("row-hash-of-64-bytes", HASH_6 * 2, "A hash of 64 bytes"),
    ("row-hash-in-hex", HASH_6.hex(), "A hash spelt in hex"),
)

ORDERS: tuple[tuple[str, tuple[Row, ...], tuple[Row, ...], str], ...] = (
    ("rows-not-ascending", (ROW_6, ROW_5), (ROW_5, ROW_6), "Rows by descending seqno"),
    (
        "rows-by-hash-before-seqno",
        ((6, LOW, {}), (5, HIGH, {})),
        ((5, HIGH, {}), (6, LOW, {})),
        "Rows ordered by hash first",
    ),
    (
        "rows-hashes-not-ascending",
        ((6, HIGH, {}), (6, LOW, {})),
        ((6, LOW, {}), (6, HIGH, {})),
        "Rows of one seqno with their hashes out of order, or taken as signed bytes",
    ),
    ("row-repeated", (ROW_6, ROW_6), (ROW_6,), "The same row twice"),
    (
        "row-repeated-with-another-diff",
        ((6, HASH_6, {"a": ""}), (6, HASH_6, {"b": ""})),
        ((6, HASH_6, {"a": ""}),),
        "Two rows of one seqno and hash, with different diffs",
    ),
)

DIFFS: tuple[tuple[str, str, Tree, str], ...] = (
    ("row-diff-with-integer", "CM-DIFF-VALUES", {"k": 1}, "An integer in the diff of a row"),
    ("row-diff-with-text", "CM-DIFF-VALUES", {"k": "v"}, "A value in the diff of a row"),
    ("row-diff-with-triple", "CM-DIFF-SET-PAIR", {"s": [[1], [], []]}, "Three lists"),
    ("row-diff-unsorted", "CM-DIFF-SET-ELEMENTS", {"s": [[2, 1], []]}, "Unsorted elements"),
    ("row-diff-keys-unsorted", "CM-BT-DICT-ORDER", Raw(b"d1:b0:1:a0:e"), "Keys out of order"),
)


def drafts() -> tuple[Draft, ...]:
    """Rows: shape, hash, seqno, order and diff."""
    ten: tuple[Row, Row] = (9, HASH_5, {}), (10, HASH_6, {})
    return (
        *_valid(),
        *(
            invalid(name, summary, "CM-DIFFS-ROW", outer(lagged=[ROW_5, row]))
            for name, row, summary in SHAPES
        ),
        *(
            invalid(name, summary, "CM-DIFFS-ROW-HASH", outer(lagged=[ROW_5, [6, hashed, {}]]))
            for name, hashed, summary in HASHES
        ),
        *(
            invalid(name, summary, "CM-DIFFS-ROW-ORDER", outer(lagged=bad), good=outer(lagged=good))
            for name, bad, good, summary in ORDERS
        ),
        invalid(
            "rows-ordered-by-digits",
            "A row of seqno 10 before one of seqno 9",
            "CM-DIFFS-ROW-ORDER",
            outer(seqno=11, lagged=ten[::-1]),
            good=outer(seqno=11, lagged=ten),
        ),
        *(
            invalid(
                name,
                f"{summary} in the diff of a row",
                f"CM-DIFFS-ROW-DIFF {clause}",
                outer(lagged=[ROW_5, [6, HASH_6, diff]]),
            )
            for name, clause, diff, summary in DIFFS
        ),
        *(
            invalid(
                name,
                summary,
                "CM-DIFFS-ROW-SEQNO CM-SECURITY-REFUSE-AT-ONCE",
                outer(lagged=[ROW_5, [seqno, HASH_6, {}]]),
            )
            for name, seqno, summary in (
                ("row-seqno-of-the-message", 7, "A row with the seqno of its message"),
                ("row-seqno-above-the-message", 8, "A row of a later seqno than its message"),
                ("row-seqno-int64-max", 2**63 - 1, "A row of the largest 64-bit integer"),
            )
        ),
        invalid(
            "row-seqno-negative",
            "A row of a seqno below zero",
            "CM-DIFFS-ROW-SEQNO",
            outer(seqno=2, lagged=[[-1, HASH_5, {}]]),
            good=outer(seqno=2, lagged=[[0, HASH_5, {}]]),
        ),
        invalid(
            "row-seqno-with-leading-zero",
            "A leading zero in the seqno of a row",
            "CM-BT-INT-CANONICAL",
            outer(lagged=[ROW_5, [Raw(b"i06e"), HASH_6, {}]]),
            libsession=PLAIN,
        ),
    )


def _valid() -> tuple[Draft, ...]:
    many: tuple[Row, ...] = tuple(
        (seqno, bytes([place]) * 32, {}) for seqno in range(4) for place in range(75)
    )
    return (
        valid(
            "row-seqno-just-below",
            "A row of the seqno just below its message",
            "CM-DIFFS-ROW-SEQNO",
            with_rows(ROW_6),
        ),
        valid(
            "row-seqno-zero",
            "A row of seqno 0",
            "CM-DIFFS-ROW-SEQNO CM-DIFFS-GAPS",
            with_rows((0, HASH_5, {}), seqno=4),
        ),
        valid(
            "rows-with-gaps",
            "Rows need not cover every seqno",
            "CM-DIFFS-GAPS",
            with_rows((3, HASH_5, {}), (6, HASH_6, {})),
        ),
        valid(
            "rows-of-one-seqno",
            "Several rows of one seqno, by ascending hash",
            "CM-DIFFS-GAPS CM-DIFFS-ROW-ORDER",
            with_rows((6, LOW, {}), (6, HIGH, {"a": ""}), (6, b"\xff" * 32, {})),
        ),
        valid(
            "rows-in-numeric-order",
            "9 comes before 10",
            "CM-DIFFS-ROW-ORDER",
            with_rows((9, HASH_6, {}), (10, HASH_5, {}), seqno=11),
        ),
        valid(
            "row-that-nobody-has",
            "A row of a message that does not exist, with a diff of data that do not exist",
            "CM-DIFFS-HASH-UNCHECKED",
            with_rows((6, b"\x00" * 32, {"nowhere": "", "never": {"x": "-"}})),
        ),
        valid(
            "row-with-a-diff-of-every-kind",
            "The diff of a row is reported as it stands",
            "CM-DIFFS-ROW CM-DIFFS-ROW-DIFF",
            with_rows((6, HASH_6, {"a": "", "b": "-", "c": [[1, "x"], [2]], "d": {"e": ""}})),
        ),
        valid(
            "three-hundred-rows",
            "The number of rows has no limit",
            "CM-MESSAGE-NO-SIZE-LIMIT CM-DIFFS-GAPS",
            with_rows(*many, seqno=4),
        ),
    )
