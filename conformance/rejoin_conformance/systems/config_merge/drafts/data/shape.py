"""The shape of data: a dict of scalars, sets and dicts."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Raw, bt
from rejoin_conformance.systems.config_merge.drafts.data.reading import read, unread


def drafts() -> tuple[Draft, ...]:
    """Kinds of values, and what is no data."""
    return (
        read("empty", "Empty data are valid", "CM-DATA-EMPTY-ROOT", {}, {}),
        read("integer", "An integer value", "CM-DATA-DICT", {"k": 1}, {"k": ""}),
        read("string", "A string value", "CM-DATA-DICT", {"k": "v"}, {"k": ""}),
        read("empty-string", "A string may be empty", "CM-DATA-DICT", {"k": ""}, {"k": ""}),
        read(
            "minus-string",
            "The string - is a value like others, in data",
            "CM-DATA-DICT",
            {"k": "-"},
            {"k": ""},
        ),
        read("set", "A set value", "CM-DATA-DICT", {"k": [1, "a"]}, {"k": [[1, "a"], []]}),
        read("dict", "A dict value", "CM-DATA-DICT", {"k": {"x": 1}}, {"k": {"x": ""}}),
        read(
            "dicts-in-dicts",
            "Dicts and sets stand in dicts at any level",
            "CM-DATA-DICT",
            {"a": {"b": {"c": {"d": 1}, "e": [7]}}},
            {"a": {"b": {"c": {"d": ""}, "e": [[7], []]}}},
        ),
        read(
            "keys-like-outer-keys",
            "The keys of messages mean nothing inside data",
            "CM-DATA-DICT",
            {"": 1, "#": 2, "&": 3, "<": 4, "=": 5, "~": 6, "\x7f": 7},
            {"": "", "#": "", "&": "", "<": "", "=": "", "~": "", "\x7f": ""},
        ),
        read(
            "keys-that-are-not-text",
            "Keys are bytes: not UTF-8, zero bytes, two forms of one letter",
            "CM-DATA-BYTES",
            {b"\x00": 1, b"e\xcc\x81": 2, b"\xc3\xa9": 3, b"\xff\xfe": 4},
            {b"\x00": "", b"e\xcc\x81": "", b"\xc3\xa9": "", b"\xff\xfe": ""},
        ),
        read(
            "elements-that-are-not-text",
            "Elements of sets are bytes, none of them normalised",
            "CM-DATA-BYTES",
            {"k": [b"\x00", b"e\xcc\x81", b"\xc3\xa9", b"\xff\xfe"]},
            {"k": [[b"\x00", b"e\xcc\x81", b"\xc3\xa9", b"\xff\xfe"], []]},
        ),
        unread("root-is-a-list", "Data are a dict, not a list", "CM-DATA-DICT", [], {}),
        unread("root-is-an-integer", "Data are a dict, no integer", "CM-DATA-DICT", 1, {}),
        unread("root-is-a-string", "Data are a dict, not a string", "CM-DATA-DICT", "", {}),
        unread(
            "keys-unsorted",
            "The keys of data ascend",
            "CM-BT-DICT-ORDER CM-DATA-DICT",
            Raw(b"d1:bi1e1:ai2ee"),
            {"a": 2, "b": 1},
        ),
        unread(
            "keys-equal",
            "A key of data stands once",
            "CM-BT-DICT-ORDER CM-DATA-DICT",
            Raw(b"d1:ai1e1:ai2ee"),
            {"a": 1, "b": 2},
        ),
        unread(
            "inner-keys-unsorted",
            "The keys of an inner dict ascend too",
            "CM-BT-DICT-ORDER CM-DATA-DICT",
            {"k": Raw(b"d1:bi1e1:ai2ee")},
            {"k": {"a": 2, "b": 1}},
        ),
        unread(
            "empty-dict",
            "An empty dict is left out of data",
            "CM-DATA-DICT-NONEMPTY",
            {"k": {}},
            {"k": {"x": 1}},
        ),
        unread(
            "empty-dict-deeper",
            "So is an empty dict at a deeper level",
            "CM-DATA-DICT-NONEMPTY",
            {"a": 1, "k": {"x": {}, "y": 1}},
            {"a": 1, "k": {"x": {"z": 1}, "y": 1}},
        ),
        unread(
            "empty-dicts-all-the-way",
            "A dict that holds nothing but an empty dict is no better",
            "CM-DATA-DICT-NONEMPTY",
            {"k": {"x": {"y": {}}}},
            {"k": {"x": {"y": 1}}},
        ),
        unread(
            "integer-not-canonical",
            "Leading zeros in a value of data",
            "CM-BT-INT-CANONICAL",
            {"k": Raw(b"i007e")},
            {"k": 7},
            libsession_diff={"k": ""},
        ),
        unread(
            "integer-too-large",
            "An integer of data has 64 bits",
            "CM-DATA-INT CM-BT-INT-RANGE",
            {"k": 2**63},
            {"k": 2**63 - 1},
        ),
        unread(
            "integer-too-small",
            "An integer of data has 64 bits, negative ones too",
            "CM-DATA-INT CM-BT-INT-RANGE",
            {"k": -(2**63) - 1},
            {"k": -(2**63)},
        ),
        unread(
            "truncated",
            "Data that are not closed",
            "CM-BT-TRUNCATED",
            Raw(bt({"k": 1})[:-1]),
            {"k": 1},
        ),
    )
