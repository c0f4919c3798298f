"""The worked example: its order, and the hashes that other implementations compute."""

from __future__ import annotations

import pytest

from rejoin.config_merge.worked_example import worked_example
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.corpus.paragraph import given_lines, lines_of
from rejoin_conformance.kit.bt import Raw, Tree, bt
from rejoin_conformance.kit.locations import vectors_directory
from rejoin_conformance.systems.config_merge.body import Body
from rejoin_conformance.systems.config_merge.by_hand.messages import Message

STEPS = [
    *("118", "119", "120", "120b", "121", "122", "123", "124a", "124b", "125a", "125b", "126a"),
    *("126b", "127"),
]
DEPLOYED = {
    "119": "43094f68c1faa37eff79e1c2f3973ffd5f9d6423b00ccda306fc6e7dac5f0c44",
    "120": "e3a237f91014d31e4d30569c4a8bfcd72157804f99b8732c611c48bf126432b5",
    "121": "1a7f602055124deaf21175ef3f32983dee7c9de570e5d9c9a0bbc2db71dcb97f",
    "122": "46560604fe352101bb869435260d7100ccfe007be5f741c7e96303f02f394e8a",
    "123": "d9398c597b058ac7e28e3febb76ed68eb8c5b6c369610562ab5f2b596775d73c",
    "124b": "8b73f316178765b9b3b37168e865c84bb5a78610cbb59b84d0fa4d3b4b3c102b",
    "125a": "80f229c3667de6d0fa6f96b53118e097fbda82db3ca1aea221a3db91ea9c45fb",
    "125b": "ab12f0efe9a9ed00db6b17b44ae0ff36b9f49094077fb114f415522f2a0e98de",
}
"""Hashes of the worked example that the deployed library computes."""
OTHER_IMPLEMENTATION = {
    "118": "61dcd65d0b84f56777dad6343088bc42a8c66d32aca0ee9a2e4843ff64d86a3b",
    "120b": "d09d7bdf296bf8020472f76acc3960c0e720727b905723ce0fe92f9b9d5c81d7",
    "124a": "8634712e5345e11858674ce8bd1de1801ee19d7b5fb3ba8afa98c486a31cd8fe",
    "126a": "4880a507551dc04b578482b1f4d0872f022c96d04b9cd5f711d5616261e3f649",
    "126b": "6de3eb60b334acb357525709d10f3bc2616be98bcd6bc8c3d77a8a30f23173e1",
    "127": "f589694ca0acf72923c3bcd84c1c415809227044fc194ed44c6b06109472aaf8",
    "127-merge": "f1c31c8a7ceb83b6061a13849b6716b637e187cffe74402f8606a6b44f07ac0f",
}


@pytest.fixture(scope="module")
def vectors() -> tuple[Vector, ...]:
    return load_system("config-merge")


def _worked_example() -> Body:
    """The messages that the vectors of the worked example share."""
    text = (vectors_directory() / "config-merge" / "worked-example.txt").read_text("ascii")
    (given,) = (block for block in text.split("\n\n") if block.startswith("given\n"))
    return Body.of([*(line.text for line in given_lines(lines_of(given))), "resolve 118"])


def test_the_worked_example_is_one_story_in_order(vectors: tuple[Vector, ...]) -> None:
    steps = [
        vector.scenario.step
        for vector in vectors
        if vector.scenario is not None and vector.scenario.name == "worked-example"
    ]
    assert sorted(steps) == STEPS
    assert steps.index("118") == 0
    assert steps.index("127") == len(steps) - 1


def test_messages_of_the_worked_example_have_the_hashes_of_other_implementations() -> None:
    book = _worked_example().book
    for name, known in {**DEPLOYED, **OTHER_IMPLEMENTATION}.items():
        message = book.content(name)
        assert isinstance(message, Message)
        assert message.hash.hex() == known, name


def test_the_reference_makes_the_worked_example_from_its_edits() -> None:
    made = {name: message.hash.hex() for name, message in worked_example().items()}
    assert {**made, "127-merge": OTHER_IMPLEMENTATION["127-merge"]} == {
        **DEPLOYED,
        **OTHER_IMPLEMENTATION,
    }


def test_the_unsent_message_0_has_the_hash_of_the_deployed_library() -> None:
    known = "ea173b57beca8af18c3519a7bbf69c3e7a05d1c049fa9558341d8ebb48b0c965"
    assert Message(seqno=0).hash.hex() == known


def test_the_encoder_of_the_vectors_also_writes_invalid_values() -> None:
    encodings: list[tuple[Tree, bytes]] = [
        (0, b"i0e"),
        (-5, b"i-5e"),
        ("\u00e9", b"2:\xc3\xa9"),
        (b"\xff", b"1:\xff"),
        ([2, "a", []], b"li2e1:alee"),
        ({"b": 1, "aa": {}, "": 0}, b"d0:i0e2:aade1:bi1ee"),
        ({"k": Raw(b"i007e")}, b"d1:ki007ee"),
    ]
    assert [bt(tree) for tree, _ in encodings] == [encoded for _, encoded in encodings]
