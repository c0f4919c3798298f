"""Faults that every reading refuses."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Raw, Tree
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Row
from rejoin_conformance.systems.config_merge.drafts.data import nested
from rejoin_conformance.systems.config_merge.drafts.parse.plain import (
    BARE,
    ENCODED,
    HASH_6,
    ROW_5,
    ROW_6,
    SIGNED,
    outer,
)

FAULTS: Final[tuple[tuple[str, str, bytes, str], ...]] = (
    ("empty-input", "CM-OUTER-DICT CM-SECURITY-REFUSE-AT-ONCE", b"", "Empty input is refused."),
    ("a-list", "CM-OUTER-DICT CM-SECURITY-REFUSE-AT-ONCE", b"le", "A list is refused."),
    (
        "a-list-of-the-fields",
        "CM-OUTER-DICT CM-SECURITY-REFUSE-AT-ONCE",
        b"l1:#i7e1:&de1:<le1:=dee",
        "A list of keys and values is refused.",
    ),
    ("an-integer", "CM-OUTER-DICT CM-SECURITY-REFUSE-AT-ONCE", b"i7e", "An integer is refused."),
    ("a-string", "CM-OUTER-DICT CM-SECURITY-REFUSE-AT-ONCE", b"2:de", "A string is refused."),
    (
        "first-byte-e",
        "CM-OUTER-DICT CM-SECURITY-REFUSE-AT-ONCE",
        b"e",
        "An e that ends nothing is refused.",
    ),
    (
        "first-byte-unknown",
        "CM-OUTER-DICT CM-SECURITY-REFUSE-AT-ONCE",
        b"\x00" + ENCODED[1:],
        "A message whose first byte is not d is refused.",
    ),
    (
        "an-empty-dict",
        "CM-OUTER-DICT CM-SECURITY-REFUSE-AT-ONCE",
        b"de",
        "A dict without keys is refused.",
    ),
    ("seqno-missing", "CM-OUTER-SEQNO", outer(without="#"), "A message without # is refused."),
    ("seqno-a-string", "CM-OUTER-SEQNO", outer(seqno="7"), "A seqno in a string is refused."),
    ("seqno-a-list", "CM-OUTER-SEQNO", outer(seqno=[7]), "A seqno in a list is refused."),
    ("seqno-a-dict", "CM-OUTER-SEQNO", outer(seqno={"": 7}), "A seqno in a dict is refused."),
    ("data-missing", "CM-OUTER-DATA", outer(without="&"), "A message without & is refused."),
    ("data-a-list", "CM-OUTER-DATA CM-DATA-DICT", outer(data=[]), "Data in a list are refused."),
    ("data-a-string", "CM-OUTER-DATA", outer(data="de"), "Data in a string are refused."),
    ("data-an-integer", "CM-OUTER-DATA", outer(data=0), "An integer as the data is refused."),
    ("lagged-a-dict", "CM-OUTER-LAGGED", outer(lagged={}), "Rows in a dict are refused."),
    ("lagged-a-string", "CM-OUTER-LAGGED", outer(lagged="le"), "Rows in a string are refused."),
    ("lagged-an-integer", "CM-OUTER-LAGGED", outer(lagged=0), "An integer as the rows is refused."),
    (
        "diff-missing-at-the-end",
        "CM-OUTER-DIFF",
        outer(without="="),
        "A message without = is refused if no key comes after it.",
    ),
    (
        "key-an-integer",
        "CM-BT-DICT",
        b"di0e1:#" + ENCODED[4:],
        "An integer as a key is refused.",
    ),
    (
        "cut-behind-a-key",
        "CM-BT-TRUNCATED",
        ENCODED[:4],
        "A message cut off after a key is refused.",
    ),
    (
        "cut-in-the-data",
        "CM-BT-TRUNCATED",
        ENCODED[:14],
        "A message cut off in the data is refused.",
    ),
    ("cut-in-the-rows", "CM-BT-TRUNCATED", ENCODED[:60], "A message cut off in a row is refused."),
    (
        "cut-before-the-end",
        "CM-BT-TRUNCATED",
        ENCODED[:-1],
        "A message without its final e is refused.",
    ),
    (
        "cut-in-the-signature",
        "CM-BT-TRUNCATED",
        SIGNED[:-20],
        "A message cut off in its signature is refused.",
    ),
    (
        "unknown-dict-unsorted",
        "CM-BT-DICT-ORDER",
        outer(others={"x": Raw(b"d1:bi1e1:ai2ee")}),
        "An unsorted dict under an unknown key is refused.",
    ),
    ("row-an-integer", "CM-DIFFS-ROW", outer(lagged=[ROW_5, 6]), "An integer as a row is refused."),
    (
        "row-an-integer-of-two-digits",
        "CM-DIFFS-ROW",
        outer(lagged=[12, ROW_5, ROW_6]),
        "An integer of two digits as a row is refused.",
    ),
    ("row-a-string", "CM-DIFFS-ROW", outer(lagged=[ROW_5, "row"]), "A string as a row is refused."),
    (
        "row-a-dict",
        "CM-DIFFS-ROW",
        outer(lagged=[ROW_5, {"": [6, HASH_6, {}]}]),
        "A dict as a row is refused.",
    ),
    (
        "row-diff-keys-unsorted",
        "CM-DIFFS-ROW-DIFF CM-BT-DICT-ORDER",
        outer(lagged=[ROW_5, [6, HASH_6, Raw(b"d1:b0:1:a0:e")]]),
        "Keys out of order in the diff of a row are refused.",
    ),
)
"""Faults whose mended message is the plain one."""

LONE: Final[tuple[tuple[str, Tree, int, str], ...]] = (
    ("empty-dict", {}, 1, "an empty dict"),
    ("empty-list", [], 1, "an empty list"),
    ("list-in-a-list", [1, [2], 3], 2, "a list with a list in it"),
    ("dict-in-a-dict", {"a": 1, "b": {}, "c": 3}, 2, "a dict with a dict in it"),
)
"""Elements that no set can take, each with its levels."""

ENDLESS: Final[tuple[tuple[str, str, Row, Row, str], ...]] = (
    (
        "list-without-key",
        "CM-BT-DICT",
        [2, HASH_6, Raw(b"dlleli1eeee")],
        [2, HASH_6, Raw(b"d1:slleli1eeee")],
        "with a value in the place of a key",
    ),
    (
        "closed-unknown-byte",
        "CM-BT-LIST",
        [2, HASH_6, {"s": [[Raw(b"xe")], []]}],
        [2, HASH_6, {"s": [[Raw(b"1:e")], []]}],
        "with a byte that begins no value, before an e,",
    ),
    (
        "key-without-value",
        "CM-BT-DICT",
        [2, HASH_6, Raw(b"d1:ae")],
        [2, HASH_6, Raw(b"d1:a0:e")],
        "with a key without a value",
    ),
    (
        "key-an-integer",
        "CM-BT-DICT",
        [2, HASH_6, Raw(b"di1e0:e")],
        [2, HASH_6, Raw(b"d1:10:e")],
        "with an integer as a key",
    ),
    (
        "integer-without-digits",
        "CM-BT-INT",
        [2, HASH_6, {"s": [[Raw(b"i-e")], []]}],
        [2, HASH_6, {"s": [[Raw(b"i-1e")], []]}],
        "with an integer that is only a sign",
    ),
    (
        "unknown-byte",
        "CM-BT-LIST",
        [2, HASH_6, {"s": [[Raw(b"x")], []]}],
        [2, HASH_6, {"s": [[Raw(b"i1e")], []]}],
        "with a byte that begins no value",
    ),
    (
        "length-without-colon",
        "CM-BT-STRING",
        [2, HASH_6, {"s": [[Raw(b"1x")], []]}],
        [2, HASH_6, {"s": [[Raw(b"1:x")], []]}],
        "with a string without a colon",
    ),
    (
        "length-before-a-semicolon",
        "CM-BT-STRING",
        [2, HASH_6, {"s": [[Raw(b"1;x")], []]}],
        [2, HASH_6, {"s": [[Raw(b"1:x")], []]}],
        "with a semicolon between the length and the bytes of a string",
    ),
)
"""Rows whose end cannot be found, each with its mended row."""

MENDED: Final[tuple[tuple[str, str, bytes, bytes, str], ...]] = (
    (
        "key-after-tilde-signed",
        "CM-OUTER-AFTER-TILDE CM-SIGN-LAST",
        SIGNED[:-1] + b"1:\x7f0:e",
        SIGNED,
        "A key after the signature is refused.",
    ),
    (
        "seqno-behind-data",
        "CM-OUTER-SEQNO CM-BT-DICT-ORDER",
        b"d1:&de1:#i7e1:<le1:=dee",
        BARE,
        "A message whose first key is not # is refused.",
    ),
    (
        "key-repeated",
        "CM-BT-DICT-ORDER",
        b"d1:#i7e1:&de1:&de1:<le1:=dee",
        BARE,
        "A message with the key & twice is refused.",
    ),
    (
        "keys-unsorted",
        "CM-BT-DICT-ORDER",
        b"d1:#i7e1:&de1:=de1:<lee",
        BARE,
        "A message with = before < is refused.",
    ),
    (
        "zero-byte-in-front",
        "CM-OUTER-DICT",
        b"\x00" + BARE,
        BARE,
        "A zero byte before a message is refused.",
    ),
    (
        "unknown-100-levels",
        "CM-BT-DEPTH",
        outer(others={"x": Raw(b"l" * 100 + b"e" * 100)}),
        outer(others={"x": Raw(b"l" * 99 + b"e" * 99)}),
        "100 lists under an unknown key, 101 levels with the message, are refused.",
    ),
    (
        "unknown-keys-unsorted",
        "CM-BT-DICT-ORDER",
        ENCODED[:-1] + b"1:bi1e1:ai2ee",
        ENCODED[:-1] + b"1:ai1e1:bi2ee",
        "Unknown keys out of order are refused.",
    ),
    (
        "unknown-key-without-value",
        "CM-BT-DICT",
        ENCODED[:-1] + b"1:xe",
        ENCODED[:-1] + b"1:x0:e",
        "An unknown key without a value is refused.",
    ),
    (
        "data-65-levels",
        "CM-DATA-DEPTH",
        outer(data=nested(65, 1)),
        outer(data=nested(64, 1)),
        "Data of 65 levels of dicts make a message invalid.",
    ),
    (
        "diff-keys-unsorted",
        "CM-BT-DICT-ORDER",
        outer(diff=Raw(b"d1:b0:1:a0:e")),
        outer(diff={"a": "", "b": ""}),
        "Keys of a diff out of order are refused.",
    ),
    (
        "diff-keys-equal",
        "CM-BT-DICT-ORDER",
        outer(diff=Raw(b"d1:a0:1:a1:-e")),
        outer(diff={"a": ""}),
        "A key of a diff that occurs twice is refused.",
    ),
    (
        "key-a-number",
        "CM-BT-DICT",
        outer()[:-1] + b"i5e0:e",
        ENCODED,
        "An integer other than 0 in the place of a key is refused.",
    ),
    (
        "diff-65-levels",
        "CM-DIFF-DEPTH",
        outer(diff=nested(65, "")),
        outer(diff=nested(64, "")),
        "A diff of 65 levels of dict diffs is refused.",
    ),
    (
        "set-diff-on-level-65",
        "CM-DIFF-DEPTH",
        outer(diff=nested(64, [[1], []])),
        outer(diff=nested(63, [[1], []])),
        "A set diff in the innermost of 64 dict diffs is on level 65 and is refused.",
    ),
    (
        "lone-list-on-level-65",
        "CM-DIFF-DEPTH CM-DIFF-SET-ELEMENTS",
        outer(diff=nested(63, [[[1]], []])),
        outer(diff=nested(63, [[1], []])),
        "A list that is the only element of a set diff on level 64 is on level 65 and is refused.",
    ),
    *(
        (
            f"lone-{name}-up-to-level-65",
            "CM-DIFF-DEPTH CM-DIFF-SET-ELEMENTS",
            outer(diff=nested(64 - levels, [[element], []])),
            outer(diff=nested(64 - levels, [[1], []])),
            f"A set diff whose only element is {what} is refused if it reaches level 65.",
        )
        for name, element, levels, what in LONE
    ),
    *(
        (
            f"expired-row-{name}",
            f"CM-DIFFS-EXPIRED {clause}",
            outer(lagged=[bad, ROW_5, ROW_6]),
            outer(lagged=[good, ROW_5, ROW_6]),
            f"An expired row {what} is refused, because its end cannot be found.",
        )
        for name, clause, bad, good, what in ENDLESS
    ),
    (
        "expired-row-not-closed",
        "CM-DIFFS-EXPIRED CM-BT-TRUNCATED",
        b"d1:#i7e1:&de1:<lli2e",
        b"d1:#i7e1:&de1:<le1:=dee",
        "A message that ends inside an expired row is refused.",
    ),
    (
        "expired-row-string-too-long",
        "CM-DIFFS-EXPIRED CM-BT-STRING",
        b"d1:#i7e1:&de1:<lli2e99:xee1:=dee",
        b"d1:#i7e1:&de1:<le1:=dee",
        "A string in an expired row that goes beyond the end of the message is refused.",
    ),
    (
        "expired-row-seqno-too-small",
        "CM-DIFFS-EXPIRED CM-BT-INT-RANGE",
        outer(lagged=[[Raw(b"i-9223372036854775809e"), HASH_6, {}], ROW_5, ROW_6]),
        outer(lagged=[[2, HASH_6, {}], ROW_5, ROW_6]),
        "A row whose seqno is -2^63 - 1 is refused.",
    ),
)
"""Faults with a mended message of their own."""
