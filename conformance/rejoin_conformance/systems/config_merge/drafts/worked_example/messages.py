"""The messages of the worked example, field by field."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import (
    Data,
    Message,
    merge_of,
)

KNOWN_HASHES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "119": "43094f68c1faa37eff79e1c2f3973ffd5f9d6423b00ccda306fc6e7dac5f0c44",
        "120": "e3a237f91014d31e4d30569c4a8bfcd72157804f99b8732c611c48bf126432b5",
        "121": "1a7f602055124deaf21175ef3f32983dee7c9de570e5d9c9a0bbc2db71dcb97f",
        "122": "46560604fe352101bb869435260d7100ccfe007be5f741c7e96303f02f394e8a",
        "123": "d9398c597b058ac7e28e3febb76ed68eb8c5b6c369610562ab5f2b596775d73c",
        "124b": "8b73f316178765b9b3b37168e865c84bb5a78610cbb59b84d0fa4d3b4b3c102b",
        "125a": "80f229c3667de6d0fa6f96b53118e097fbda82db3ca1aea221a3db91ea9c45fb",
        "125b": "ab12f0efe9a9ed00db6b17b44ae0ff36b9f49094077fb114f415522f2a0e98de",
    }
)
"""Hashes that the deployed library computes: nothing here may contradict them."""

DATA_118: Final[Data] = {
    "dictB": {"changed": -1, "foo": 123, "removed": "x", "removed2": "y"},
    "dictC": {"x": {"y": 1}},
    "good": {99, 456, "bar"},
    "great": {-42, "omg"},
    "int0": -9999,
    "int1": 100,
    "string1": "hello",
    "string2": "goodbye",
}
DATA_120B: Final[Data] = {**DATA_118, "late": "too late"}
DATA_123: Final[Data] = {
    "dictB": {"changed": -1, "foo": 123, "removed": "x", "removed2": "y"},
    "dictC": {"x": {"y": 1}},
    "good": {99, 456, "bar"},
    "great": {-42, "omg"},
    "int1": 1,
    "int2": 2,
    "string1": "hello",
    "string2": "goodbye",
}
DATA_124A: Final[Data] = {
    **DATA_123,
    "dictB": {"answer": 42, "changed": -1, "foo": 66, "removed": "x", "removed2": "y"},
}
DATA_124B: Final[Data] = {
    "dictA": {"goodbye": {123, 456}, "hello": 123},
    "dictB": {"added": 9999, "changed": 1, "foo": 123, "nested": {"a": 1}},
    "good": {99, 123, "Foo", "bar"},
    "int1": 42,
    "int2": 2,
    "string2": "hello",
    "string3": "omg",
}
DATA_125A: Final[Data] = {
    **DATA_124B,
    "dictB": {"added": 9999, "changed": 1, "nested": {"a": 1}},
}
DATA_125B: Final[Data] = {**DATA_124B, "int1": 5}
DATA_126A: Final[Data] = {
    "dictA": {"goodbye": {123, 456}, "hello": 123},
    "dictB": {"added": 9999, "changed": 1, "nested": {"a": 1}},
    "good": {99, 123, "Foo", "bar"},
    "int1": 5,
    "int2": 2,
    "string2": "hello",
    "string3": "omg",
}
DATA_126B: Final[Data] = {
    "dictA": {"goodbye": {123, 456}, "hello": 123},
    "dictB": {"added": 9999, "answer": 42, "changed": 1, "nested": {"a": 1}},
    "good": {99, 123, "Foo", "bar"},
    "int1": 5,
    "int2": 2,
    "string2": "hello",
    "string3": "omg",
}
DATA_127: Final[Data] = {
    "dictA": {"goodbye": {123, 456, 789}, "hello": 123},
    "dictB": {"added": 9999, "answer": 42, "changed": 1, "nested": {"a": 1}},
    "good": {99, 123, "Foo", "bar"},
    "int1": 5,
    "int2": 2,
    "string2": "hello",
    "string3": "omg",
}

DIFF_118: Final[Data] = {
    "dictB": {"changed": "", "foo": "", "removed": "", "removed2": ""},
    "dictC": {"x": {"y": ""}},
    "good": [{99, 456, "bar"}, []],
    "great": [{-42, "omg"}, []],
    "int0": "",
    "int1": "",
    "string1": "",
    "string2": "",
}
DIFF_123: Final[Data] = {"int0": "-", "int1": "", "int2": ""}
DIFF_124A: Final[Data] = {"dictB": {"answer": "", "foo": ""}}
DIFF_124B: Final[Data] = {
    "dictA": {"goodbye": [{123, 456}, []], "hello": ""},
    "dictB": {
        "added": "",
        "changed": "",
        "nested": {"a": ""},
        "removed": "-",
        "removed2": "-",
    },
    "dictC": {"x": {"y": "-"}},
    "good": [{123, "Foo"}, {456}],
    "great": [[], {-42, "omg"}],
    "int1": "",
    "string1": "-",
    "string2": "",
    "string3": "",
}
DIFF_125A: Final[Data] = {"dictB": {"foo": "-"}}
DIFF_125B: Final[Data] = {"int1": ""}
DIFF_127: Final[Data] = {"dictA": {"goodbye": [{789}, []]}}

M118: Final = Message(seqno=118, data=DATA_118, diff=DIFF_118)
M119: Final = M118.followed_by(DATA_118, {})
M120: Final = M119.followed_by(DATA_118, {})
M120B: Final = M119.followed_by(DATA_120B, {"late": ""})
M121: Final = M120.followed_by(DATA_118, {})
M122: Final = M121.followed_by(DATA_118, {})
M123: Final = M122.followed_by(DATA_123, DIFF_123)
M124A: Final = M123.followed_by(DATA_124A, DIFF_124A)
M124B: Final = M123.followed_by(DATA_124B, DIFF_124B)
M125A: Final = M124B.followed_by(DATA_125A, DIFF_125A)
M125B: Final = M124B.followed_by(DATA_125B, DIFF_125B)
M126A: Final = merge_of(M125A, M125B, data=DATA_126A)
M126B: Final = merge_of(M124A, M125A, M125B, data=DATA_126B)
M127: Final = merge_of(M126A, M126B, data=DATA_127, diff=DIFF_127)
PURE_127: Final = merge_of(M126A, M126B, data=DATA_126B)
LATE_127: Final = merge_of(M126A, M124A, data=DATA_126B)
"""What becomes of 126a and 124a where nobody has made 126b."""

BY_NAME: Final[Mapping[str, Message]] = MappingProxyType(
    {
        "118": M118,
        "119": M119,
        "120": M120,
        "120b": M120B,
        "121": M121,
        "122": M122,
        "123": M123,
        "124a": M124A,
        "124b": M124B,
        "125a": M125A,
        "125b": M125B,
        "126a": M126A,
        "126b": M126B,
        "127": M127,
    }
)
