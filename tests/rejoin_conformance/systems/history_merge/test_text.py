"""Questions, answers and random histories of history merge are read from text as they are shown."""

from __future__ import annotations

from collections import defaultdict

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from rejoin_conformance.contract.notation import Example
from rejoin_conformance.contract.operation import Output
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.vector import Topic, Vector
from rejoin_conformance.corpus.generate import vectors_of
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.corpus.paragraph import lines_of, parse_paragraph
from rejoin_conformance.corpus.paragraph_text import render_paragraph
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.phrases import NotationError
from rejoin_conformance.systems.history_merge.text import NOTATION
from support.plain_history_merge import messages_in

SYSTEM = system_named("history-merge")
VECTORS: dict[str, list[Vector]] = defaultdict(list)
for _vector in load_system("history-merge"):
    VECTORS[_vector.topic].append(_vector)
FORK = "r: {};  p < r: {x};  q < r: {y}"

STEP = "`accepted` or `refused` and the state of the session"


def _parse(text: str) -> Example:
    return NOTATION.parse(text.split("\n"))


def test_a_question_lists_messages_and_then_asks_about_them() -> None:
    assert _parse(f"{FORK}\nmerge p q = {{x y}}") == Example(
        operation="history-merge/merge",
        input={"nodes": messages_in(FORK), "merge": ["p", "q"]},
        output={"state": ["x", "y"]},
    )


def test_names_that_are_words_of_the_notation_stand_in_quotes() -> None:
    nodes: JsonObject = {"nodes": [{"id": "merge", "parents": []}, {"id": "~", "parents": []}]}
    example = Example(operation="history-merge/ancestors", input={**nodes, "of": ["nothing"]})
    assert NOTATION.render(example) == '"merge";  "~"\nancestors of "nothing"'


def test_states_show_their_type() -> None:
    assert _parse("r: 5\nmembers").input["state_type"] == "counter"
    assert _parse('r: "5"\nmembers').input["state_type"] == "register"
    assert _parse("r: [5]\nmembers").input["state_type"] == "lines"
    assert "state_type" not in _parse("r: {5}\nmembers").input
    assert _parse("states are counters\nmembers").input == {"nodes": [], "state_type": "counter"}
    assert "state_type" not in _parse("r: 5\nancestors of r").input


def test_a_mended_question_leaves_out_what_it_shares() -> None:
    example = _parse(f"{FORK}\nmerge p z")
    assert NOTATION.parse_mended is not None
    assert NOTATION.render_mended is not None
    for text in ("merge p q", "r: {};  p < r: {x};  z < r: {y}", "r: {};  p: {}\nmerge p"):
        mended = NOTATION.parse_mended(text.split("\n"), example)
        assert mended.operation == example.operation
        assert NOTATION.render_mended(mended, example) == text


@pytest.mark.parametrize(
    "topic",
    [pytest.param(each, marks=pytest.mark.long) if each == "large" else each for each in VECTORS],
)
def test_each_vector_of_the_corpus_is_read_as_it_is_rendered(topic: str) -> None:
    for vector in VECTORS[topic]:
        text = render_paragraph(SYSTEM, vector)
        if text is None:
            assert vector.recipe, vector.id
            continue
        draft = parse_paragraph(SYSTEM, lines_of(text.rstrip("\n"))).draft
        (again,) = vectors_of(SYSTEM, Topic(topic, "", (evolve(draft, lineage=vector.lineage),)))
        assert again == evolve(vector, summary=draft.summary)


@pytest.mark.parametrize(
    "profile",
    [each for each in SYSTEM.histories.profiles if each != "large"],  # as `long`, only larger
)
def test_the_calls_of_random_histories_are_read_as_they_are_rendered(profile: str) -> None:
    for seed in range(1 if profile == "long" else 10):
        history = SYSTEM.histories.generate(profile, seed)
        for call in SYSTEM.calls(history, "document"):
            operation = SYSTEM.operation(call.operation)
            assert operation is not None
            result = operation.run(call.input, "document")
            output = result.value if isinstance(result, Output) else None
            example = Example(operation=call.operation, input=call.input, output=output)
            text = NOTATION.render(example)
            assert text is not None
            assert _parse(text) == example


@pytest.mark.parametrize("step", ["0", "00", "-1", "x", "1" * 5000])
def test_a_step_of_a_repetition_is_a_number_from_1_on(step: str) -> None:
    with pytest.raises(NotationError, match="a number from 1 to 99999"):
        _parse(f"h<i> < r for each i 0..9 by {step}\nmembers")


def test_nodes_and_elements_are_repeated() -> None:
    nodes = _parse("a<i> < r: {e<i:2>}, b<i> < a<i>: {} for each i 1..4 by 3\nmembers").input[
        "nodes"
    ]
    assert nodes == messages_in("a1 < r: {e01}; b1 < a1: {}; a4 < r: {e04}; b4 < a4: {}")
    example = _parse("h<i> < r for i 0..9\nmaximal among h<i> for each i 0..2")
    assert example.input["nodes"] == [{"$repeat": 10, "$of": {"id": "h<i>", "parents": ["r"]}}]
    assert example.input["among"] == ["h0", "h1", "h2"]


ERRORS = (
    ("", 1, "a question, such as `merge p q`", ""),
    (FORK, 1, "a question, such as `merge p q`", ""),
    ("r: {}\np < : {}\nmerge p", 2, "the ID of a parent", ":"),
    ("r: x\nmerge r", 1, 'a state: `{a b}`, `5`, `"text"` or `[a b]`', "x"),
    ("r: {a ;", 1, "an element or `}`", ";"),
    ("r p: {}\nmerge r", 1, "`<`, `:`, `;` or the end of the line", "p"),
    ("r: {}\nmerge\n", 2, "the ID of a message, or `nothing`", ""),
    ("r: {}\n\nmerge r = ", 3, 'a state: `{a b}`, `5`, `"text"` or `[a b]`', ""),
    ("r: {}\nmerge r = {} {}", 2, "nothing after the question and its answer", "{"),
    ("r: {}\nmerge r\np: {}", 3, "nothing after the question and its answer", "p"),
    ("r\nbefore r", 2, "the ID of a message", ""),
    ("r\nbefore r r = maybe", 2, "`yes` or `no`", "maybe"),
    ("r\ncommon-ancestors of r", 2, "`with`", ""),
    ("diff {a} {b}", 1, "`->`", "{"),
    ("states are lists\nmembers", 1, "`sets`, `counters`, `registers` or `lines`", "lists"),
    ("< p", 1, "a message, such as `p < r: {x}`, or a question, such as `merge p q`", "<"),
    ("session\nr: {} accepted {}\np: {}", 3, STEP, ""),
    ("r: {}\nmerge r!", 2, "a name, a quoted text or a mark", "!"),
    ('r: "\\x"\nmembers', 1, "a text in quotes as JSON writes it", '"\\x"'),
    ("r: {}\nmerge r \x1b[2J", 2, "a name, a quoted text or a mark", "\x1b[2J"),
)  # fmt: skip
HISTORY_ERRORS = (
    ("A posts m: found A", 1, "`probe` and a number"),
    ("A sends m\nprobe 1", 1, "`posts` or `hears`"),
    ("A posts m: party\nprobe 1", 1, "`found`, `talk`, `join`, `kick`, `leave`, `reinvite`"),
    ("A hears B, x behind\nprobe 1", 1, "a number of messages"),
    ("A posts m: talk\nA posts m: talk\nprobe 1", 3, "a history (two messages have the same ID)"),
    ("probe 1\nA hears B", 2, "the end of the history"),
)


def test_anything_else_is_one_error_with_its_line() -> None:
    for text, line, expected, found in ERRORS:
        with pytest.raises(NotationError) as caught:
            _parse(text)
        error = caught.value
        assert (error.line, error.expected, error.found) == (line, expected, found)
    for text, line, expected in HISTORY_ERRORS:
        with pytest.raises(NotationError) as caught:
            NOTATION.parse_history(text)
        assert (caught.value.line, caught.value.expected) == (line, expected)


@given(st.text(alphabet=st.sampled_from('rp {}<:;=">-5\n') | st.characters(), max_size=40))
def test_hostile_text_is_one_error_or_a_question(text: str) -> None:
    try:
        example = _parse(text)
    except NotationError:
        return
    rendered = NOTATION.render(example)
    assert rendered is None or _parse(rendered) == example
