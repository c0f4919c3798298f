"""Questions, answers and histories of config merge are read from text as they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rejoin import config_merge as cm
from rejoin_conformance.contract.drafting import written_out
from rejoin_conformance.contract.notation import Example
from rejoin_conformance.kit.bt import Tree, bt
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.phrases import NotationError
from rejoin_conformance.systems.config_merge.text import NOTATION, answer, parse


def _parse(text: str) -> Example:
    return parse(text.split("\n"))


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


def test_long_statements_are_broken_after_commas_and_read_back() -> None:
    data: Tree = {f"key{number}": {"text": "a b, c" * number} for number in range(12)}
    given_data: JsonObject = {"old": bt(data).hex(), "new": bt({}).hex()}
    text = NOTATION.render(Example(operation="config-merge/diff", input=given_data))
    assert text is not None
    assert max(map(len, text.split("\n"))) <= 96
    assert _parse(text).input == given_data


REPEATED = """\
<m<i>: 10 {x<i:2>: <i>} diff {=x<i:2>}; for each i 9..10 12..12>
all: after <m<i> for each i 9..10> {<x<i:2>: <i>, for each i 9..10>}
resolve all m12"""
WRITTEN_OUT = """\
m9: 10 {x09: 9} diff {=x09};  m10: 10 {x10: 10} diff {=x10};  m12: 10 {x12: 12} diff {=x12}
all: after m9 m10 {x09: 9, x10: 10}
resolve all m12"""


def test_a_text_for_each_number_is_the_same_text_written_out() -> None:
    lines = [written_out(line, 1) for line in REPEATED.split("\n")]
    assert parse(lines) == _parse(WRITTEN_OUT)
    assert written_out("<ab*3>c", 1) == "abababc"
    with pytest.raises(NotationError, match=r"line 7: expected a repetition .* found -7"):
        written_out("<m<i>: 7 {}; for each i 9..1>", 7)


FORK = """\
10:  10 {k: 1} diff {=k}
11a: after 10 {b: 1, k: 1} diff {=b}
11b: after 10 {a: 1, k: 1} diff {=a}
"""


def test_an_answer_can_have_another_hash_than_the_given_bytes() -> None:
    output = _parse(f"parse 7 {{}} = as given, hash {'ab' * 32}").output
    assert output is not None
    assert output["hash"] == "ab" * 32


def test_names_of_another_reading_need_not_ascend_with_its_hashes() -> None:
    body = f"{FORK}update 10 to {{}} = diff {{-k}}".split("\n")
    for value in range(2, 6):  # some of them exchange the hashes of 11a and 11b
        stated = answer(body, [f"10: 10 {{k: {value}}} diff {{=k}}", "= diff {=k}"], cm.LIBSESSION)
        assert stated is not None
        assert (
            stated
            == _parse(f"10: 10 {{k: {value}}} diff {{=k}}\nupdate 10 to {{}} = diff {{=k}}").output
        )


STORY = """\
clients A B, deletion forbidden
10:  10 {k: 1} diff {=k}
11a: after 10 {b: 1, k: 1} diff {=b}
noise: raw "hello"
store 10                = stored 10
store noise             = stored also noise
A fetches, resolves     = A 10
A edits {b: 1, k: 1}
A pushes                = A 11a, stored 10 11a noise
B edits {z: 1}
end = B sees {z: 1}"""


def test_a_scenario_may_be_told_anew_in_another_reading() -> None:
    other = STORY.replace("b: 1", "b: 2").replace("A edits {b: 2", "A edits {b: 1").split("\n")
    output = answer(STORY.split("\n"), other, cm.DOCUMENT)
    assert output is not None
    assert output["data"] != _parse(STORY).output["data"]  # type: ignore[index]  # JSON of this shape
    with pytest.raises(NotationError, match="line 12: expected the same clients and steps"):
        answer(STORY.split("\n"), [other[0], "A pushes"], cm.DOCUMENT)
