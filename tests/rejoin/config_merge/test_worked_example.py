"""The document's worked example, built through the reference from 118 to 127.

The hashes of 119, 122, 123 and 124b come from the deployed library; the others from a second
program that shares no code with this one. Vectors show how the messages resolve.
"""

from __future__ import annotations

from attrs import asdict

from rejoin.config_merge import READINGS, message_hash, parse_message, resolve, update
from support.config_merge import (
    DATA_123,
    DATA_124A,
    DATA_124B,
    DATA_125A,
    DATA_125B,
    DATA_126A,
    DATA_126B,
    DATA_127,
    worked_example,
)

EXAMPLE = worked_example()
HASHES = {
    "m118": "61dcd65d0b84f56777dad6343088bc42a8c66d32aca0ee9a2e4843ff64d86a3b",
    "m119": "43094f68c1faa37eff79e1c2f3973ffd5f9d6423b00ccda306fc6e7dac5f0c44",
    "m120": "e3a237f91014d31e4d30569c4a8bfcd72157804f99b8732c611c48bf126432b5",
    "m120b": "d09d7bdf296bf8020472f76acc3960c0e720727b905723ce0fe92f9b9d5c81d7",
    "m121": "1a7f602055124deaf21175ef3f32983dee7c9de570e5d9c9a0bbc2db71dcb97f",
    "m122": "46560604fe352101bb869435260d7100ccfe007be5f741c7e96303f02f394e8a",
    "m123": "d9398c597b058ac7e28e3febb76ed68eb8c5b6c369610562ab5f2b596775d73c",
    "m124a": "8634712e5345e11858674ce8bd1de1801ee19d7b5fb3ba8afa98c486a31cd8fe",
    "m124b": "8b73f316178765b9b3b37168e865c84bb5a78610cbb59b84d0fa4d3b4b3c102b",
    "m125a": "80f229c3667de6d0fa6f96b53118e097fbda82db3ca1aea221a3db91ea9c45fb",
    "m125b": "ab12f0efe9a9ed00db6b17b44ae0ff36b9f49094077fb114f415522f2a0e98de",
    "m126a": "4880a507551dc04b578482b1f4d0872f022c96d04b9cd5f711d5616261e3f649",
    "m126b": "6de3eb60b334acb357525709d10f3bc2616be98bcd6bc8c3d77a8a30f23173e1",
    "m127": "f589694ca0acf72923c3bcd84c1c415809227044fc194ed44c6b06109472aaf8",
}
PURE_127 = "f1c31c8a7ceb83b6061a13849b6716b637e187cffe74402f8606a6b44f07ac0f"


def test_every_message_has_its_known_hash() -> None:
    for reading in READINGS.values():
        encoded: dict[str, bytes] = asdict(worked_example(reading))
        assert {name: message_hash(message).hex() for name, message in encoded.items()} == HASHES


def test_the_data_and_diffs_are_those_printed() -> None:
    e = EXAMPLE
    for encoded, data in (
        *((e.m123, DATA_123), (e.m124a, DATA_124A), (e.m124b, DATA_124B), (e.m125a, DATA_125A)),
        *((e.m125b, DATA_125B), (e.m126a, DATA_126A), (e.m126b, DATA_126B), (e.m127, DATA_127)),
    ):
        assert parse_message(encoded).data == data
    assert parse_message(e.m123).diff == {b"int0": b"-", b"int1": b"", b"int2": b""}
    assert b"4:goodlli123e3:Fooeli456eee5:greatlleli-42e3:omgee4:int10:" in e.m124b
    assert parse_message(e.m126a).diff == parse_message(e.m126b).diff == {}
    assert e.m127.endswith(b"1:=d5:dictAd7:goodbyelli789eeleeeee")


def test_the_rows_are_those_printed() -> None:
    names = {digest: name.removeprefix("m") for name, digest in HASHES.items()}
    for encoded, rows in (
        (EXAMPLE.m123, "119 120 121 122"),
        (EXAMPLE.m124b, "120 121 122 123"),
        (EXAMPLE.m125a, "121 122 123 124b"),
        (EXAMPLE.m126a, "122 123 124b 125a 125b"),
        (EXAMPLE.m126b, "122 123 124a 124b 125a 125b"),
        (EXAMPLE.m127, "123 124a 124b 125a 125b 126a 126b"),
    ):
        assert " ".join(names[row.hash.hex()] for row in parse_message(encoded).lagged) == rows


def test_without_the_local_change_the_last_merge_is_a_pure_one() -> None:
    pure = resolve([EXAMPLE.m126a, EXAMPLE.m126b])
    assert pure.merged
    assert pure.message.data == DATA_126B
    assert pure.message.hash.hex() == PURE_127
    unchanged = update([EXAMPLE.m126a, EXAMPLE.m126b], pure.message.data)
    assert unchanged.encoded == pure.message.encoded
