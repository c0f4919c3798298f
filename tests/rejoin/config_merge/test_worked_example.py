"""The document's worked example, built through the reference from 118 to 127.

The hashes of 119, 122, 123 and 124b come from the deployed library; the others from a second
program that shares no code with this one.
"""

from __future__ import annotations

from itertools import permutations

import pytest
from attrs import asdict

from rejoin.config_merge import (
    DOCUMENT,
    LIBSESSION,
    READINGS,
    Reading,
    message_hash,
    parse_message,
    resolve,
    update,
)
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


@pytest.mark.parametrize("reading", READINGS.values(), ids=list(READINGS))
def test_every_message_has_its_known_hash(reading: Reading) -> None:
    encoded: dict[str, bytes] = asdict(worked_example(reading))
    assert {name: message_hash(message).hex() for name, message in encoded.items()} == HASHES


def test_the_ordinary_update_is_the_one_printed() -> None:
    message = parse_message(EXAMPLE.m123)
    assert message.seqno == 123
    assert message.data == DATA_123
    assert message.diff == {b"int0": b"-", b"int1": b"", b"int2": b""}
    assert rows(EXAMPLE.m123) == ["119", "120", "121", "122"]


def test_the_large_update_is_the_one_printed() -> None:
    assert b"4:goodlli123e3:Fooeli456eee5:greatlleli-42e3:omgee4:int10:" in EXAMPLE.m124b
    assert parse_message(EXAMPLE.m124b).data == DATA_124B
    assert rows(EXAMPLE.m124b) == ["120", "121", "122", "123"]


@pytest.mark.parametrize(
    ("encoded", "data"),
    [
        (EXAMPLE.m124a, DATA_124A),
        (EXAMPLE.m125a, DATA_125A),
        (EXAMPLE.m125b, DATA_125B),
        (EXAMPLE.m126a, DATA_126A),
        (EXAMPLE.m126b, DATA_126B),
        (EXAMPLE.m127, DATA_127),
    ],
    ids=["124a", "125a", "125b", "126a", "126b", "127"],
)
def test_the_data_are_those_printed(encoded: bytes, data: object) -> None:
    assert parse_message(encoded).data == data


def test_the_first_merge_replays_121_and_does_not_keep_it() -> None:
    assert rows(EXAMPLE.m125a) == ["121", "122", "123", "124b"]
    assert rows(EXAMPLE.m126a) == ["122", "123", "124b", "125a", "125b"]


def test_the_second_merge_has_the_late_update_too() -> None:
    assert rows(EXAMPLE.m126b) == ["122", "123", "124a", "124b", "125a", "125b"]


def test_the_last_merge_has_a_diff_of_its_own() -> None:
    message = parse_message(EXAMPLE.m127)
    assert rows(EXAMPLE.m127) == ["123", "124a", "124b", "125a", "125b", "126a", "126b"]
    assert set(message.diff) == {b"dictA"}
    assert EXAMPLE.m127.endswith(b"1:=d5:dictAd7:goodbyelli789eeleeeee")


def test_a_merge_changes_nothing_itself() -> None:
    assert parse_message(EXAMPLE.m126a).diff == {}
    assert parse_message(EXAMPLE.m126b).diff == {}


@pytest.mark.parametrize("reading", [DOCUMENT, LIBSESSION], ids=lambda reading: reading.name)
def test_a_merge_does_not_depend_on_the_order_of_its_inputs(reading: Reading) -> None:
    seen = (EXAMPLE.m120b, EXAMPLE.m124a, EXAMPLE.m125a, EXAMPLE.m125b)
    results = {resolve(order, reading=reading).message.encoded for order in permutations(seen)}
    assert results == {EXAMPLE.m126b}


def test_included_messages_make_no_difference_to_a_merge() -> None:
    e = EXAMPLE
    everything = (e.m122, e.m123, e.m124b, e.m125b, e.m121, e.m125a, e.m125b, e.m124b)
    resolution = resolve(everything)
    assert resolution.message.encoded == e.m126a
    assert [(ignored.index, ignored.why) for ignored in resolution.ignored] == [
        (0, "included"),
        (1, "included"),
        (2, "included"),
        (4, "included"),
        (6, "duplicate"),
        (7, "duplicate"),
    ]


def test_a_message_that_is_five_behind_is_stale() -> None:
    resolution = resolve([EXAMPLE.m121, EXAMPLE.m126a])
    assert not resolution.merged
    assert resolution.message.encoded == EXAMPLE.m126a
    assert [ignored.why for ignored in resolution.ignored] == ["stale"]


def test_the_last_message_stands_above_all_that_came_before() -> None:
    encoded: dict[str, bytes] = asdict(EXAMPLE)
    resolution = resolve(tuple(encoded.values()))
    assert resolution.message.encoded == EXAMPLE.m127
    assert not resolution.merged


def test_without_the_local_change_the_last_merge_is_a_pure_one() -> None:
    pure = resolve([EXAMPLE.m126a, EXAMPLE.m126b])
    assert pure.merged
    assert pure.message.data == DATA_126B
    assert (
        pure.message.hash.hex()
        == "f1c31c8a7ceb83b6061a13849b6716b637e187cffe74402f8606a6b44f07ac0f"
    )
    unchanged = update([EXAMPLE.m126a, EXAMPLE.m126b], pure.message.data)
    assert unchanged.encoded == pure.message.encoded


def rows(encoded: bytes) -> list[str]:
    """Name the messages that a message has rows of."""
    names = {digest: name.removeprefix("m") for name, digest in HASHES.items()}
    return [names[row.hash.hex()] for row in parse_message(encoded).lagged]
