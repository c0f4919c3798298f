"""The outer dict of a message and its known keys."""

from __future__ import annotations

from attrs import evolve

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Raw, bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.keys import SEED
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message
from rejoin_conformance.systems.config_merge.drafts.parse.plain import (
    PLAIN,
    invalid,
    outer,
    valid,
)

NO_DICTS = (
    ("empty-input", b"", "No bytes at all"),
    ("a-list", b"le", "A list instead of a dict"),
    ("a-list-of-the-fields", b"l1:#i7e1:&de1:<le1:=dee", "A list of keys and values is no dict"),
    ("an-integer", b"i7e", "An integer instead of a dict"),
    ("a-string", b"2:de", "A string instead of a dict"),
    ("first-byte-e", b"e", "The first byte ends something"),
    ("first-byte-unknown", b"\x00" + PLAIN.encoded[1:], "The first byte is not d"),
    ("an-empty-dict", b"de", "A dict without any key"),
)

EARLY_KEYS = (
    ("empty-key-at-the-top", b"", "The empty key sorts before #"),
    ("key-of-a-zero-byte", b"\x00", "A zero byte sorts before #"),
    ("key-of-a-space", b" ", "A space sorts before #"),
    ("key-just-before", b'"', "The last byte that sorts before #"),
    ("long-key-before", b'"' * 40, "A long key that sorts before #"),
)

LATE_KEYS = (
    ("key-after-tilde-unsigned", b"\x7f", "A key after ~ in a message without a signature"),
    ("key-tilde-tilde", b"~~", "A key that begins with ~ sorts after it"),
    ("key-of-a-high-byte", b"\xff", "Bytes compare as unsigned: 0xff sorts after ~"),
)


def drafts() -> tuple[Draft, ...]:
    """Known keys: there, in order, and of the right kind."""
    return (*_valid(), *_no_dicts(), *_keys_out_of_bounds(), *_known_keys(), *_encoding())


def _valid() -> tuple[Draft, ...]:
    return (
        valid(
            "plain", "A message with data, rows and a diff", "CM-OUTER-DICT CM-OUTER-DATA", PLAIN
        ),
        valid(
            "smallest",
            "The smallest message: everything in it is empty",
            "CM-OUTER-DICT CM-OUTER-DATA CM-OUTER-LAGGED CM-OUTER-DIFF CM-DATA-EMPTY-ROOT "
            "CM-DIFF-EMPTY-ROOT CM-DIFFS-GAPS",
            Message(seqno=0),
        ),
        valid(
            "hash-covers-signature",
            "The hash is over the whole plaintext, signature included",
            "CM-MESSAGE-HASH",
            evolve(PLAIN, seed=SEED),
        ),
    )


def _no_dicts() -> tuple[Draft, ...]:
    return tuple(
        invalid(name, summary, "CM-OUTER-DICT CM-SECURITY-REFUSE-AT-ONCE", bad)
        for name, bad, summary in NO_DICTS
    )


def _keys_out_of_bounds() -> tuple[Draft, ...]:
    signed = evolve(PLAIN, seed=SEED).encoded
    return (
        *(
            invalid(name, summary, "CM-OUTER-MAJOR-VERSION", outer(others={key: ""}))
            for name, key, summary in EARLY_KEYS
        ),
        *(
            invalid(name, summary, "CM-OUTER-AFTER-TILDE", outer(others={key: ""}))
            for name, key, summary in LATE_KEYS
        ),
        invalid(
            "key-after-tilde-signed",
            "A key behind the signature",
            "CM-OUTER-AFTER-TILDE CM-SIGN-LAST",
            signed[:-1] + b"1:\x7f0:e",
            good=signed,
        ),
    )


def _known_keys() -> tuple[Draft, ...]:
    without_rows = evolve(PLAIN, rows=())
    without_diff = evolve(PLAIN, diff={})
    signed = evolve(PLAIN, seed=SEED)
    tail = signed.encoded[signed.encoded.index(b"1:~64:") :]
    return (
        invalid("seqno-missing", "No key #", "CM-OUTER-SEQNO", outer(without="#")),
        invalid("seqno-a-string", "A seqno in a string", "CM-OUTER-SEQNO", outer(seqno="7")),
        invalid("seqno-a-list", "A seqno in a list", "CM-OUTER-SEQNO", outer(seqno=[7])),
        invalid("seqno-a-dict", "A seqno in a dict", "CM-OUTER-SEQNO", outer(seqno={"": 7})),
        invalid(
            "seqno-behind-data",
            "The seqno is not the first key",
            "CM-OUTER-SEQNO CM-BT-DICT-ORDER",
            b"d1:&de1:#i7e1:<le1:=dee",
            good=b"d1:#i7e1:&de1:<le1:=dee",
        ),
        invalid("data-missing", "No key &", "CM-OUTER-DATA", outer(without="&")),
        invalid("data-a-list", "Data in a list", "CM-OUTER-DATA CM-DATA-DICT", outer(data=[])),
        invalid("data-a-string", "Data in a string", "CM-OUTER-DATA", outer(data="de")),
        invalid("data-an-integer", "An integer as data", "CM-OUTER-DATA", outer(data=0)),
        invalid(
            "lagged-missing",
            "No key <",
            "CM-OUTER-LAGGED",
            outer(without="<"),
            libsession=without_rows,
        ),
        invalid("lagged-a-dict", "Rows in a dict", "CM-OUTER-LAGGED", outer(lagged={})),
        invalid("lagged-a-string", "Rows in a string", "CM-OUTER-LAGGED", outer(lagged="le")),
        invalid("lagged-an-integer", "An integer as rows", "CM-OUTER-LAGGED", outer(lagged=0)),
        invalid(
            "diff-missing-at-the-end",
            "No key =, nor any behind it",
            "CM-OUTER-DIFF",
            outer(without="="),
        ),
        invalid(
            "diff-missing-before-signature",
            "No key =, but a signature",
            "CM-OUTER-DIFF",
            outer(without="=")[:-1] + tail,
            good=signed.encoded,
            libsession=without_diff,
        ),
        invalid(
            "diff-missing-before-unknown-key",
            "No key =, but an unknown key behind its place",
            "CM-OUTER-DIFF",
            outer(without="=", others={"x": 1}),
            libsession=without_diff,
        ),
        invalid("diff-a-list", "A list as diff", "CM-OUTER-DIFF", outer(diff=[])),
        invalid("diff-a-string", "A string as diff", "CM-OUTER-DIFF", outer(diff="")),
        invalid("diff-an-integer", "An integer as diff", "CM-OUTER-DIFF", outer(diff=0)),
        invalid(
            "key-repeated",
            "The key & twice",
            "CM-BT-DICT-ORDER",
            b"d1:#i7e1:&de1:&de1:<le1:=dee",
            good=b"d1:#i7e1:&de1:<le1:=dee",
        ),
        invalid(
            "keys-unsorted",
            "= before <",
            "CM-BT-DICT-ORDER",
            b"d1:#i7e1:&de1:=de1:<lee",
            good=b"d1:#i7e1:&de1:<le1:=dee",
        ),
    )


def _encoding() -> tuple[Draft, ...]:
    encoded = PLAIN.encoded
    zeros = encoded.replace(b"1:&", b"01:&", 1)
    return (
        invalid(
            "trailing-bytes-are-hashed",
            "Bytes behind the final e: refused, or accepted and then hashed with the rest",
            "CM-BT-NO-TRAILING CM-MESSAGE-HASH",
            encoded + b"x",
            libsession=PLAIN,
        ),
        invalid(
            "seqno-with-leading-zeros",
            "A seqno with leading zeros",
            "CM-BT-INT-CANONICAL",
            outer(seqno=Raw(b"i007e")),
            libsession=PLAIN,
        ),
        invalid(
            "key-length-with-leading-zero",
            "A known key whose length has a leading zero",
            "CM-BT-STRING-CANONICAL",
            zeros,
            libsession=PLAIN,
        ),
        invalid(
            "data-not-canonical",
            "A leading zero in the data: where it is accepted the data are reported without it",
            "CM-BT-INT-CANONICAL",
            outer(data={"k": Raw(b"i01e"), "s": [1]}),
            libsession=PLAIN,
        ),
        invalid("key-an-integer", "An integer as key", "CM-BT-DICT", b"di0e1:#" + encoded[4:]),
        invalid("cut-behind-a-key", "Cut off behind a key", "CM-BT-TRUNCATED", encoded[:4]),
        invalid("cut-in-the-data", "Cut off inside the data", "CM-BT-TRUNCATED", encoded[:14]),
        invalid("cut-in-the-rows", "Cut off inside a row", "CM-BT-TRUNCATED", encoded[:60]),
        invalid("cut-before-the-end", "The final e is missing", "CM-BT-TRUNCATED", encoded[:-1]),
        invalid(
            "cut-in-the-signature",
            "Cut off inside the signature",
            "CM-BT-TRUNCATED",
            evolve(PLAIN, seed=SEED).encoded[:-20],
        ),
        invalid(
            "zero-byte-in-front",
            "A zero byte in front of a message",
            "CM-OUTER-DICT",
            b"\x00" + bt({"#": 7, "&": {}, "<": [], "=": {}}),
            good=bt({"#": 7, "&": {}, "<": [], "=": {}}),
        ),
    )
