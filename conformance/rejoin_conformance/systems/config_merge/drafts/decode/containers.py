"""Lists and dicts in bt-encoding, and what stands around the one value."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import accepted, refused

LISTS: tuple[tuple[str, bytes, list[Json], str], ...] = (
    ("list-empty", b"le", [], "The empty list"),
    ("list-of-one", b"li7ee", [{"int": "7"}], "A list of one integer"),
    (
        "list-of-every-kind",
        b"li-1e2:abledee",
        [{"int": "-1"}, {"str": "6162"}, {"list": []}, {"dict": []}],
        "A list holds values of every kind",
    ),
    (
        "list-keeps-order",
        b"li2ei1ei2ee",
        [{"int": "2"}, {"int": "1"}, {"int": "2"}],
        "A list need not be sorted, and may hold a value twice",
    ),
)

DICTS: tuple[tuple[str, bytes, list[Json], str], ...] = (
    ("dict-empty", b"de", [], "The empty dict"),
    ("dict-of-one", b"d1:ai1ee", [["61", {"int": "1"}]], "A dict of one pair"),
    ("dict-empty-key", b"d0:i1ee", [["", {"int": "1"}]], "A key may be empty"),
    (
        "dict-of-every-kind",
        b"d1:ai1e1:b1:x1:cle1:ddee",
        [["61", {"int": "1"}], ["62", {"str": "78"}], ["63", {"list": []}], ["64", {"dict": []}]],
        "A dict holds values of every kind",
    ),
    (
        "key-order-ignores-length",
        b"d2:aai1e1:bi2ee",
        [["6161", {"int": "1"}], ["62", {"int": "2"}]],
        "Keys compare by their bytes: aa comes before b",
    ),
    (
        "key-order-prefix-first",
        b"d1:ai1e2:aai2ee",
        [["61", {"int": "1"}], ["6161", {"int": "2"}]],
        "A key that is the beginning of another comes first",
    ),
    (
        "key-order-unsigned",
        b"d1:\x7fi1e1:\x80i2ee",
        [["7f", {"int": "1"}], ["80", {"int": "2"}]],
        "Bytes compare as unsigned numbers",
    ),
    (
        "key-order-capitals-first",
        b"d1:Bi1e1:ai2ee",
        [["42", {"int": "1"}], ["61", {"int": "2"}]],
        "Letters compare as bytes: B comes before a",
    ),
    (
        "key-order-zero-byte",
        b"d1:ai1e2:a\x00i2e2:abi3ee",
        [["61", {"int": "1"}], ["6100", {"int": "2"}], ["6162", {"int": "3"}]],
        "A zero byte does not end a key",
    ),
    (
        "key-order-starts-anew-inside",
        b"d1:bd1:ai1ee1:ci2ee",
        [["62", {"dict": [["61", {"int": "1"}]]}], ["63", {"int": "2"}]],
        "The keys of an inner dict are ordered among themselves",
    ),
)

UNSORTED = (
    ("keys-unsorted", b"d1:bi1e1:ai2ee", b"d1:ai2e1:bi1ee", "b before a"),
    ("keys-by-length", b"d1:bi1e2:aai2ee", b"d2:aai2e1:bi1ee", "Ordered by length, then by bytes"),
    ("keys-longer-first", b"d2:aai1e1:ai2ee", b"d1:ai2e2:aai1ee", "aa before a"),
    (
        "keys-signed-bytes",
        b"d1:\x80i1e1:\x7fi2ee",
        b"d1:\x7fi2e1:\x80i1ee",
        "Bytes taken as signed",
    ),
    ("keys-ignoring-case", b"d1:ai1e1:Bi2ee", b"d1:Bi2e1:ai1ee", "Letters taken without case"),
    ("keys-equal", b"d1:ai1e1:ai2ee", b"d1:ai1e1:bi2ee", "The same key twice"),
    ("keys-equal-empty", b"d0:i1e0:i2ee", b"d0:i1e1:ai2ee", "The empty key twice"),
    ("keys-equal-apart", b"d1:ai1e1:bi2e1:ai3ee", b"d1:ai1e1:bi2e1:ci3ee", "A key again, later"),
    ("keys-unsorted-inside", b"ld1:bi1e1:ai2eee", b"ld1:ai2e1:bi1eee", "In a dict in a list"),
)

MALFORMED_DICTS = (
    ("key-is-an-integer", b"di1ei2ee", b"d1:1i2ee", "A key is a string, not an integer"),
    ("key-is-a-list", b"dlei2ee", b"d0:i2ee", "A key is a string, not a list"),
    ("key-is-a-dict", b"ddei2ee", b"d0:i2ee", "A key is a string, not a dict"),
    ("key-without-value", b"d1:ae", b"d1:a0:e", "A key without a value"),
    ("last-key-without-value", b"d1:ai1e1:be", b"d1:ai1e1:b0:e", "The last key has no value"),
)

TRUNCATED = (
    ("nothing", b"", b"de", "Empty input is no value"),
    ("list-opened-only", b"l", b"le", "A list that is not closed"),
    ("list-not-closed", b"li1e", b"li1ee", "A list that is not closed behind its element"),
    ("inner-list-not-closed", b"lle", b"llee", "One list of two is not closed"),
    ("dict-opened-only", b"d", b"de", "A dict that is not closed"),
    ("dict-ends-behind-key", b"d1:a", b"d1:a0:e", "The input ends behind a key"),
    ("dict-not-closed", b"d1:ai1e", b"d1:ai1ee", "A dict that is not closed behind its pair"),
)

NO_VALUE = (
    ("end-without-begin", b"e", b"le", "An e that closes nothing"),
    ("letter", b"x", b"0:", "No value begins with this byte"),
    ("space-in-front", b" i1e", b"i1e", "White space in front of a value"),
    ("byte-order-mark", b"\xef\xbb\xbfde", b"de", "A byte order mark in front of a value"),
    ("json", b"{}", b"de", "JSON is not bt-encoding"),
    ("letter-and-end", b"xe", b"le", "An e does not make a value of a letter"),
    ("letter-and-end-in-a-list", b"lxee", b"llee", "Nor inside a list"),
    ("letter-in-a-list", b"lxe", b"le", "No element begins with this byte"),
)

TRAILING: tuple[tuple[str, bytes, int, JsonObject, str], ...] = (
    ("trailing-bytes", b"i1ei2e", 3, {"int": "1"}, "A second value"),
    ("trailing-line-end", b"i1e\n", 3, {"int": "1"}, "A line end behind the value"),
    ("trailing-end", b"dee", 2, {"dict": []}, "An e too many"),
    ("trailing-behind-string", b"4:spamx", 6, {"str": "7370616d"}, "More bytes than announced"),
    ("integer-with-exponent", b"i1e3e", 3, {"int": "1"}, "The first e ends an integer"),
    ("trailing-zero-byte", b"le\x00", 2, {"list": []}, "A zero byte behind the value"),
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
                name,
                "decode",
                summary,
                "CM-BT-NO-TRAILING",
                {"encoded": bad.hex()},
                {"encoded": bad[:end].hex()},
                libsession={"value": value},
            )
            for name, bad, end, value, summary in TRAILING
        ),
    )


def _accepted(
    clauses: str, kind: str, table: tuple[tuple[str, bytes, list[Json], str], ...]
) -> tuple[Draft, ...]:
    return tuple(
        accepted(
            name, "decode", summary, clauses, {"encoded": given.hex()}, {"value": {kind: tree}}
        )
        for name, given, tree, summary in table
    )


def _refused(clauses: str, table: tuple[tuple[str, bytes, bytes, str], ...]) -> tuple[Draft, ...]:
    return tuple(
        refused(name, "decode", summary, clauses, {"encoded": bad.hex()}, {"encoded": good.hex()})
        for name, bad, good, summary in table
    )
