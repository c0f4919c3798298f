"""Lists and dicts in bt-encoding, and bytes around the one value."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import accepted, refused
from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import DOCUMENT, LIBSESSION

DECODE: Final = "config-merge/decode"

LISTS: tuple[tuple[str, bytes, list[Json], str], ...] = (
    ("list-empty", b"le", [], "A list may be empty."),
    ("list-of-one", b"li7ee", [{"int": "7"}], "A list may hold 1 integer."),
    (
        "list-of-every-kind",
        b"li-1e2:abledee",
        [{"int": "-1"}, {"str": "6162"}, {"list": []}, {"dict": []}],
        "A list may hold values of every kind.",
    ),
    (
        "list-keeps-order",
        b"li2ei1ei2ee",
        [{"int": "2"}, {"int": "1"}, {"int": "2"}],
        "A list need not be sorted and may hold a value twice.",
    ),
)

DICTS: tuple[tuple[str, bytes, list[Json], str], ...] = (
    ("dict-empty", b"de", [], "A dict may be empty."),
    ("dict-of-one", b"d1:ai1ee", [["61", {"int": "1"}]], "A dict may hold 1 pair."),
    ("dict-empty-key", b"d0:i1ee", [["", {"int": "1"}]], "A key may be empty."),
    (
        "dict-of-every-kind",
        b"d1:ai1e1:b1:x1:cle1:ddee",
        [["61", {"int": "1"}], ["62", {"str": "78"}], ["63", {"list": []}], ["64", {"dict": []}]],
        "A dict may hold values of every kind.",
    ),
    (
        "key-order-ignores-length",
        b"d2:aai1e1:bi2ee",
        [["6161", {"int": "1"}], ["62", {"int": "2"}]],
        "Keys compare by their bytes: aa comes before b.",
    ),
    (
        "key-order-prefix-first",
        b"d1:ai1e2:aai2ee",
        [["61", {"int": "1"}], ["6161", {"int": "2"}]],
        "A key comes before the keys that it begins.",
    ),
    (
        "key-order-unsigned",
        b"d1:\x7fi1e1:\x80i2ee",
        [["7f", {"int": "1"}], ["80", {"int": "2"}]],
        "Bytes compare as unsigned numbers.",
    ),
    (
        "key-order-capitals-first",
        b"d1:Bi1e1:ai2ee",
        [["42", {"int": "1"}], ["61", {"int": "2"}]],
        "Letters compare as bytes: B comes before a.",
    ),
    (
        "key-order-zero-byte",
        b"d1:ai1e2:a\x00i2e2:abi3ee",
        [["61", {"int": "1"}], ["6100", {"int": "2"}], ["6162", {"int": "3"}]],
        "A zero byte does not end a key.",
    ),
    (
        "key-order-starts-anew-inside",
        b"d1:bd1:ai1ee1:ci2ee",
        [["62", {"dict": [["61", {"int": "1"}]]}], ["63", {"int": "2"}]],
        "The keys of an inner dict are ordered among themselves.",
    ),
)

UNSORTED = (
    (
        "keys-unsorted",
        b"d1:bi1e1:ai2ee",
        b"d1:ai2e1:bi1ee",
        "The key b before the key a is refused.",
    ),
    (
        "keys-by-length",
        b"d1:bi1e2:aai2ee",
        b"d2:aai2e1:bi1ee",
        "Keys in the order of their lengths are refused.",
    ),
    (
        "keys-longer-first",
        b"d2:aai1e1:ai2ee",
        b"d1:ai2e2:aai1ee",
        "The key aa before the key a is refused.",
    ),
    (
        "keys-signed-bytes",
        b"d1:\x80i1e1:\x7fi2ee",
        b"d1:\x7fi2e1:\x80i1ee",
        "Keys in the order of signed bytes are refused.",
    ),
    (
        "keys-ignoring-case",
        b"d1:ai1e1:Bi2ee",
        b"d1:Bi2e1:ai1ee",
        "Keys in an order that ignores case are refused.",
    ),
    ("keys-equal", b"d1:ai1e1:ai2ee", b"d1:ai1e1:bi2ee", "The same key twice is refused."),
    ("keys-equal-empty", b"d0:i1e0:i2ee", b"d0:i1e1:ai2ee", "The empty key twice is refused."),
    (
        "keys-equal-apart",
        b"d1:ai1e1:bi2e1:ai3ee",
        b"d1:ai1e1:bi2e1:ci3ee",
        "A key that occurs again later is refused.",
    ),
    (
        "keys-unsorted-inside",
        b"ld1:bi1e1:ai2eee",
        b"ld1:ai2e1:bi1eee",
        "Unsorted keys of a dict in a list are refused.",
    ),
)

MALFORMED_DICTS = (
    ("key-is-an-integer", b"di1ei2ee", b"d1:1i2ee", "An integer as a key is refused."),
    ("key-is-a-list", b"dlei2ee", b"d0:i2ee", "A list as a key is refused."),
    ("key-is-a-dict", b"ddei2ee", b"d0:i2ee", "A dict as a key is refused."),
    (
        "key-without-length",
        b"d:i2ee",
        b"d0:i2ee",
        "A key without the digits of its length is refused.",
    ),
    ("key-without-value", b"d1:ae", b"d1:a0:e", "A key without a value is refused."),
    (
        "last-key-without-value",
        b"d1:ai1e1:be",
        b"d1:ai1e1:b0:e",
        "A last key without a value is refused.",
    ),
)

TRUNCATED = (
    ("nothing", b"", b"de", "Empty input is refused."),
    ("list-opened-only", b"l", b"le", "A list that is not closed is refused."),
    (
        "list-not-closed",
        b"li1e",
        b"li1ee",
        "A list that is not closed after its element is refused.",
    ),
    ("inner-list-not-closed", b"lle", b"llee", "An outer list that is not closed is refused."),
    ("dict-opened-only", b"d", b"de", "A dict that is not closed is refused."),
    ("dict-ends-behind-key", b"d1:a", b"d1:a0:e", "Input that ends after a key is refused."),
    (
        "dict-not-closed",
        b"d1:ai1e",
        b"d1:ai1ee",
        "A dict that is not closed after its pair is refused.",
    ),
)

NO_VALUE = (
    ("end-without-begin", b"e", b"le", "An e that closes nothing is refused."),
    ("letter", b"x", b"0:", "A value that begins with x is refused."),
    ("space-in-front", b" i1e", b"i1e", "White space before a value is refused."),
    ("byte-order-mark", b"\xef\xbb\xbfde", b"de", "A byte order mark before a value is refused."),
    ("json", b"{}", b"de", "JSON is refused."),
    ("letter-and-end", b"xe", b"le", "A letter that an e follows is refused."),
    (
        "letter-and-end-in-a-list",
        b"lxee",
        b"llee",
        "A letter that an e follows is refused inside a list too.",
    ),
    ("letter-in-a-list", b"lxe", b"le", "An element that begins with x is refused."),
)

TRAILING: tuple[tuple[str, bytes, int, JsonObject, str], ...] = (
    (
        "trailing-bytes",
        b"i1ei2e",
        3,
        {"int": "1"},
        "A second value after the first: refused, or ignored.",
    ),
    (
        "trailing-line-end",
        b"i1e\n",
        3,
        {"int": "1"},
        "A line end after the value: refused, or ignored.",
    ),
    ("trailing-end", b"dee", 2, {"dict": []}, "A second e at the end: refused, or ignored."),
    (
        "trailing-behind-string",
        b"4:spamx",
        6,
        {"str": "7370616d"},
        "A byte after a string: refused, or ignored.",
    ),
    (
        "integer-with-exponent",
        b"i1e3e",
        3,
        {"int": "1"},
        "Bytes after the first e of an integer: refused, or ignored.",
    ),
    (
        "trailing-zero-byte",
        b"le\x00",
        2,
        {"list": []},
        "A zero byte after the value: refused, or ignored.",
    ),
)


def drafts() -> tuple[Draft, ...]:
    """Lists and dicts, and the whole input."""
    return (
        *_accepted("CM-BT-LIST", "list", LISTS),
        *_accepted("CM-BT-DICT CM-BT-DICT-ORDER", "dict", DICTS),
        *_refused("CM-BT-DICT-ORDER", UNSORTED),
        *_refused("CM-BT-DICT", MALFORMED_DICTS),
        *_refused("CM-BT-TRUNCATED", TRUNCATED),
        *_refused("CM-BT-LIST CM-BT-DICT", NO_VALUE),
        *(
            refused(
                DECODE,
                name,
                summary,
                "CM-BT-NO-TRAILING",
                given={"encoded": bad.hex()},
                mended={"encoded": bad[:end].hex()},
                by=DOCUMENT,
                otherwise={LIBSESSION: {"value": value}},
            )
            for name, bad, end, value, summary in TRAILING
        ),
    )


def _accepted(
    clauses: str, kind: str, table: tuple[tuple[str, bytes, list[Json], str], ...]
) -> tuple[Draft, ...]:
    return tuple(
        accepted(
            DECODE,
            name,
            summary,
            clauses,
            given={"encoded": encoded.hex()},
            output={"value": {kind: tree}},
        )
        for name, encoded, tree, summary in table
    )


def _refused(clauses: str, table: tuple[tuple[str, bytes, bytes, str], ...]) -> tuple[Draft, ...]:
    return tuple(
        refused(
            DECODE,
            name,
            summary,
            clauses,
            given={"encoded": bad.hex()},
            mended={"encoded": good.hex()},
        )
        for name, bad, good, summary in table
    )
