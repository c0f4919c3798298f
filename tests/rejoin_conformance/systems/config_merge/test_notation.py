"""Questions, answers and histories of config merge are read from text as they are written."""

from __future__ import annotations

from collections import defaultdict

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from rejoin import config_merge as cm
from rejoin_conformance.contract.notation import Example
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.vector import Topic, Vector
from rejoin_conformance.corpus.generate import vectors_of
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.corpus.paragraph import lines_of, parse_paragraph
from rejoin_conformance.corpus.paragraph_text import render_paragraph
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.phrases import NotationError
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Tree, bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.keys import (
    PUBLIC,
    SEED,
    stored_form,
    stored_form_in_domain,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import (
    Message,
    merge_of,
    message_of,
)
from rejoin_conformance.systems.config_merge.text import NOTATION, answer, parse

SYSTEM = system_named("config-merge")
VECTORS: dict[str, list[Vector]] = defaultdict(list)
for _vector in load_system("config-merge"):
    if _vector.operation in NOTATION.operations:
        VECTORS[_vector.topic].append(_vector)
NOT_CANONICAL = frozenset(
    {
        "data/inner-keys-unsorted",
        "data/integer-not-canonical",
        "data/keys-equal",
        "data/keys-unsorted",
        "data/set-equal-but-for-zeros",
        "data/set-integer-not-canonical",
        "data/truncated",
        "apply-diff/diff-not-canonical",
        "hostile/deep-data-in-an-update",
        "hostile/deep-diff-applied",
        "update/data-with-unsorted-keys",
    }
)
TOO_LONG = frozenset(
    {
        *(f"hostile/{name}-nested-2000-deep-among-good" for name in ("data", "diff", "lists")),
        "hostile/rows-nested-2000-deep-among-good",
        "sizes/stored-forms-of-each-length",
        "sizes/stored-forms-of-each-length-in-a-domain",
    }
)
"""Messages that are not messages, and too long to be written as bytes."""

BASE = Message(seqno=10, data={"k": 1}, diff={"k": ""})
LEFT = BASE.followed_by({"a": 1, "k": 1}, {"a": ""})
RIGHT = BASE.followed_by({"b": 1, "k": 1}, {"b": ""})
FORK = """\
10:  10 {k: 1} diff {=k}
11a: after 10 {b: 1, k: 1} diff {=b}
11b: after 10 {a: 1, k: 1} diff {=a}
"""


def _parse(text: str) -> Example:
    return parse(text.split("\n"))


def _message(text: str, *, window: int = 5) -> str:
    """The bytes that a message which stands after the fork is given as, in hex."""
    (message,) = _listed(f"{FORK}m: {text}\nresolve m, window {window}")
    return message


def _listed(text: str) -> list[str]:
    messages = _parse(text).input["messages"]
    assert isinstance(messages, list)
    return [str(message) for message in messages]


def test_data_are_encoded_as_they_stand() -> None:
    data: Tree = {"": [2, 1], "d": {}, b"\xff": -7, "k-1": '"\\', "s": "ab" * 50}
    text = 'diff {"": [2, 1], d: {}, "\\xff": -7, k-1: "\\"\\\\", s: "ab"*50} -> {}'
    assert _parse(text).input == {"old": bt(data).hex(), "new": "6465"}


def test_a_diff_shows_what_is_assigned_removed_added_and_taken_out() -> None:
    diff: Tree = {
        "a": "",
        "b": "-",
        "d": {"x": "-"},
        "s": [[1, "x"], [2]],
        "t": [[], []],
        "u": [[], [1]],
    }
    text = 'apply {=a, -b, d: {-x}, s: +[1, "x"] -[2], t: +[] -[], u: -[1]} to {}, source {}'
    assert _parse(text).input["diff"] == bt(diff).hex()
    assert NOTATION.render(_parse(text)) == text


def test_a_diff_may_hold_what_no_diff_holds() -> None:
    diff: Tree = {"a": 1, "b": "v", "c": [[1]], "d": [{}, [1]], "e": {"x": -1}}
    text = 'apply {a: 1, b: "v", c: [[1]], d: [{}, [1]], e: {x: -1}} to {}, source {}'
    assert _parse(text).input["diff"] == bt(diff).hex()
    assert NOTATION.render(_parse(text)) == text


SCALARS = st.one_of(
    st.integers(-(2**70), 2**70),
    st.binary(max_size=20),
    st.sampled_from([2**63, -(2**63) - 1, b"k" * 129, b"\xc3\xa9" * 64, b"-"]),
)
TREES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.binary(max_size=3), inner),
    max_leaves=20,
)


@given(old=TREES, diff=TREES)
def test_any_data_and_diffs_are_read_as_they_are_written(old: Tree, diff: Tree) -> None:
    output: JsonObject = {"diff": bt(diff).hex()}
    given_data: JsonObject = {"old": bt(old).hex(), "new": "6465"}
    example = Example(operation="config-merge/diff", input=given_data, output=output)
    assert NOTATION.render(example) is not None


def test_large_integers_are_read_beside_a_power_of_two() -> None:
    text = "diff {a: 2^62-1, b: -2^63-1, c: 2^31, d: 4611686018427388004} -> {}"
    numbers: Tree = {"a": 2**62 - 1, "b": -(2**63) - 1, "c": 2**31, "d": 2**62 + 100}
    assert _parse(text).input["old"] == bt(numbers).hex()


def test_long_statements_are_broken_after_commas_and_read_back() -> None:
    data: Tree = {f"key{number}": {"text": "a b, c" * number} for number in range(12)}
    given_data: JsonObject = {"old": bt(data).hex(), "new": bt({}).hex()}
    text = NOTATION.render(Example(operation="config-merge/diff", input=given_data))
    assert text is not None
    assert max(map(len, text.split("\n"))) <= 96
    assert _parse(text).input == given_data


def test_messages_may_be_made_within_another_window_than_that_of_the_question() -> None:
    chain = "10: 10 {k: 1}\n11: after 10 {k: 2} diff {=k}\n12: after 11 {k: 3} diff {=k}\n"
    question = "update 12 to {k: 4}, window 2 = 13 {k: 4} diff {=k} rows 12"
    narrow, wide = (_parse(f"{chain}{made}{question}") for made in ("", "made within 3\n"))
    first = Message(seqno=10, data={"k": 1})
    second = first.followed_by({"k": 2}, {"k": ""})
    third = second.followed_by({"k": 3}, {"k": ""})
    assert wide.input["messages"] == [third.hex]
    assert narrow.input["messages"] != wide.input["messages"]
    assert wide.output == {"message": third.followed_by({"k": 4}, {"k": ""}, window=2).hex}


def test_a_message_comes_after_others() -> None:
    merge = merge_of(LEFT, RIGHT, data={"k": 2}, diff={"k": ""})
    assert _message("after 11a 11b {k: 2} diff {=k}") == merge.hex
    assert _message("after 10 data of 11b diff {=a}") == LEFT.hex
    narrow = merge_of(LEFT, RIGHT, data={}, window=2)
    assert _message("after 11b 11a within 2 {}") == narrow.hex
    assert _message("after 11b 11a {}", window=2) == narrow.hex


def test_a_message_is_stated_part_by_part() -> None:
    row = (9, b"\x99" * 32, {"z": ""})
    message = Message(
        seqno=11, data={"k": 1}, rows=(row, BASE.row, (10, LEFT.hash, {})), others={"x": [2, 1]}
    )
    rows = "rows (9 99*32 {=z}) 10 (10 hash of 11b {})"
    assert _message(f"11 {{k: 1}} {rows} unknown {{x: [2, 1]}}") == message.hex
    signed = evolve(message, seed=SEED)
    assert _message(f"11 {{k: 1}} unknown {{x: [2, 1]}} signed by alice {rows}") == signed.hex
    assert _message("10 but signature 00*64") == evolve(BASE, others={"~": bytes(64)}).hex


def test_one_part_of_a_message_is_replaced() -> None:
    assert _message("11b but diff {a: 1}") == evolve(LEFT, diff={"a": 1}).hex
    assert _message("11b but seqno 12 rows none") == evolve(LEFT, seqno=12, rows=()).hex
    assert _message("11b but rows [2] 10") == evolve(LEFT, rows=([2], BASE.row)).hex


def test_bytes_are_written_in_quotes_or_as_a_message_that_is_longer_or_shorter() -> None:
    assert _message('bytes "de"') == b"de".hex()
    assert _message('11b then "\\x00e"') == (LEFT.encoded + b"\x00e").hex()
    assert _message("bytes hex 00ff") == "00ff"
    assert _message("11b cut 7") == LEFT.encoded[:-7].hex()


def test_a_merge_comes_after_the_messages_that_are_not_ignored() -> None:
    example = _parse(
        f"{FORK}resolve 11b 10 11a 11b = merge {{}}, ignoring included 10, duplicate 11b/2"
    )
    assert example.output == {
        "message": merge_of(LEFT, RIGHT, data={}).hex,
        "merged": True,
        "ignored": [{"index": 1, "why": "included"}, {"index": 3, "why": "duplicate"}],
    }


def test_an_update_states_its_diff() -> None:
    example = _parse(f"{FORK}update 10 11b to {{k: 1}} = diff {{-a}}")
    assert example.output == {"message": LEFT.followed_by({"k": 1}, {"a": "-"}).hex}
    first = _parse("update to {k: 1}, window 1 = diff {=k} signed by bob").output
    assert first is not None
    assert message_of(bytes.fromhex(str(first["message"]))) is not None


def test_a_message_is_parsed_as_given() -> None:
    example = _parse("parse 7 {} rows (2 55*32 {}) (6 66*32 {}) = as given, rows (6 66*32 {})")
    assert example.output is not None
    assert example.output["lagged"] == [{"seqno": "6", "hash": "66" * 32, "diff": "6465"}]
    stated = _parse(f"parse 7 {{}} = as given, hash {'ab' * 32}").output
    assert stated is not None
    assert stated["hash"] == "ab" * 32


def test_keys_have_names() -> None:
    example = _parse("verify 7 {} signed by alice, verify key alice = true")
    assert example.input["verify_key"] == PUBLIC.hex()
    assert _parse("sign 7 {}, signing key 07*32").input["signing_key"] == "07" * 32


def test_lines_of_another_reading_take_the_place_of_definitions_and_answers() -> None:
    body = f"{FORK}update 10 to {{}} = diff {{-k}}".split("\n")
    instead = ["10: 10 {k: 2} diff {=k}", "= diff {=k}"]
    output = answer(body, instead, cm.LIBSESSION)
    other = evolve(BASE, data={"k": 2})
    assert output == {"message": other.followed_by({}, {"k": ""}).hex}
    assert answer(body, [], cm.LIBSESSION) == _parse("\n".join(body)).output


STORY = """\
clients A B, deletion forbidden
10:  10 {k: 1} diff {=k}
11a: after 10 {b: 1, k: 1} diff {=b}
noise: raw "hello"
store 10                = stored 10
store noise             = stored 10 noise
A fetches, resolves     = A 10
A edits {b: 1, k: 1}
A pushes                = A 11a, stored 10 11a noise
B edits {z: 1}
end = B sees {z: 1}"""


def test_a_scenario_states_what_is_otherwise_after_each_step() -> None:
    example = _parse(STORY)
    assert example.input["deletion_permitted"] is False
    assert example.output is not None
    steps = example.output["steps"]
    assert isinstance(steps, list)
    assert len(steps) == 7
    assert steps[-1]["heads"]["A"] == {"seqno": "11", "hash": RIGHT.hash.hex()}  # type: ignore[index, call-overload]  # JSON of this shape
    assert example.output["heads"] == {"A": RIGHT.hex, "B": None}
    assert example.output["data"] == {"A": bt(RIGHT.data).hex(), "B": bt({"z": 1}).hex()}


def test_what_a_scenario_stores_is_encrypted_as_the_reading_does() -> None:
    for reading, form in ((cm.DOCUMENT, stored_form), (cm.LIBSESSION, stored_form_in_domain)):
        output = answer(STORY.split("\n"), [], reading)
        assert output is not None
        stored = [form(BASE.encoded), form(RIGHT.encoded), b"hello"]
        assert output["stored"] == sorted(each.hex() for each in stored)


def test_a_scenario_may_be_told_anew_in_another_reading() -> None:
    other = STORY.replace("b: 1", "b: 2").replace("A edits {b: 2", "A edits {b: 1").split("\n")
    output = answer(STORY.split("\n"), other, cm.DOCUMENT)
    assert output is not None
    assert output["data"] != _parse(STORY).output["data"]  # type: ignore[index]  # JSON of this shape
    with pytest.raises(NotationError, match="line 12: expected the same clients and steps"):
        answer(STORY.split("\n"), [other[0], "A pushes"], cm.DOCUMENT)


@pytest.mark.parametrize("topic", VECTORS)
def test_each_vector_of_the_corpus_is_read_as_it_is_written(topic: str) -> None:
    for vector in VECTORS[topic]:
        text = render_paragraph(SYSTEM, vector)
        if text is None:
            assert _is_left_to_python(vector), vector.id
            continue
        draft = parse_paragraph(SYSTEM, lines_of(text.rstrip("\n"))).draft
        if vector.lineage is not None:
            draft = evolve(draft, lineage=vector.lineage)
        (again,) = vectors_of(SYSTEM, Topic(topic, "", (draft,)))
        assert again == evolve(vector, summary=draft.summary)


def _is_left_to_python(vector: Vector) -> bool:
    """Return whether a vector is a recipe, of bytes, or of values that only a person can write."""
    name = vector.id.partition("/")[2]
    if vector.recipe or name in NOT_CANONICAL | TOO_LONG:
        return True
    if vector.operation.endswith(("code", "crypt", "-steps")):  # long bytes, short hashes
        return True
    asked = (vector.input, *([] if vector.mended is None else [vector.mended]))
    return "message" in vector.input and any(
        message_of(bytes.fromhex(str(each["message"]))) is None for each in asked
    )


@pytest.mark.parametrize("profile", SYSTEM.histories.profiles)
def test_random_histories_are_read_as_they_are_written(profile: str) -> None:
    for seed in range(3 if profile == "large" else 40):
        history = SYSTEM.histories.generate(profile, seed)
        assert NOTATION.parse_history(NOTATION.render_history(history)) == history
