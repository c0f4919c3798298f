"""Vectors, calls and random histories are read from text as they are rendered, in every system."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.notation import Example
from rejoin_conformance.contract.operation import Output
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.contract.vector import EVERY_READING
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.corpus.paragraph import lines_of, notation_of, parse_paragraphs
from rejoin_conformance.corpus.paragraph_text import render_paragraph
from rejoin_conformance.kit.phrases import NotationError

EVERY_SYSTEM = pytest.mark.parametrize("name", system_names())
LEFT = {
    "apply-diff": 2,
    "decode": 5,
    "diff": 7,
    "encode": 1,
    "encrypt": 3,
    "parse": 22,
    "resolve": 4,
    "resolve-steps": 5,
    "scenario": 2,
    "update": 2,
}
"""Operation of config merge -> how many vectors are left to JSON: bytes, and values of people."""
SLOW = ("large", "long")
"""Profiles and topics of histories that take long to read."""
PIECES = {
    "config-merge": (
        "10:", "10", "after", "{k: 1}", "diff", "{=k}", "resolve", "clients A B", "A", "edits",
        "pushes", "fetches", "raw", '"x"', "parse", "=", "window", "hash", "{", "}", "signed",
    ),
    "conflict-detection": (
        "snapshots:", "version maps:", "in sync:", "A", "B", "edits", "polls", "all of", "foo=a",
        "ours", "theirs", "   ", ";", "=", "<", "(A:1)", "#a", ":", "conflict", "nothing",
        "follows", "report", "links", "has", "1 snapshot,", "identify", "after", "at",
        '"', "t1..9", "shares",
    ),
    "history-merge": (*'rp{}<:;=">-5', "merge", "ancestors of", "session", "accepted", "for each"),
}  # fmt: skip


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.long)])
@EVERY_SYSTEM
def test_each_vector_of_the_corpus_is_read_as_it_is_rendered(name: str, step: int) -> None:
    system, left = system_named(name), Counter[str]()
    for vector in load_system(name)[::step]:
        asked = vector.operation in notation_of(system).operations
        if not asked or (vector.topic in SLOW and step > 1):
            continue
        text = render_paragraph(system, vector)
        if text is None:
            left[vector.operation.partition("/")[2]] += not vector.recipe
            continue
        (read,) = parse_paragraphs(system, lines_of(text.rstrip("\n")), (), {})
        draft = read.draft
        for field in ("operation", "clauses", "level", "input", "mended", "scenario", "recipe"):
            assert getattr(draft, field) == getattr(vector, field), vector.id
        assert {*(draft.readings or system.readings)} == {*vector.readings}, vector.id
        for reading in vector.readings:
            result = vector.expected[reading]
            refused = draft.rejected_by == EVERY_READING or reading in draft.rejected_by
            assert refused == ("rejected" in result), vector.id
            stated = None if refused else draft.output_by_reading.get(reading, draft.output)
            assert stated == result.get("output"), vector.id
    known = Counter(LEFT if name == "config-merge" else {})
    assert left <= known if step > 1 else +left == known


@pytest.mark.parametrize("name", ["conflict-detection", "history-merge"])
def test_calls_of_random_histories_are_read_as_they_are_rendered(name: str) -> None:
    system = system_named(name)
    notation = notation_of(system)
    profiles = [each for each in system.histories.profiles if each not in SLOW]
    for number in range(40):
        profile = profiles[number % len(profiles)]
        history = system.histories.generate(profile, history_seed(2, name, profile, number))
        reading = [*system.readings][number % len(system.readings)]
        for call in system.calls(history, reading):
            operation = system.operation(call.operation)
            assert operation is not None
            result = operation.run(call.input, reading)
            output = result.value if isinstance(result, Output) else None
            example = Example(operation=call.operation, input=call.input, output=output)
            text = notation.render(example)
            assert (text is None) == (call.operation not in notation.operations)
            assert text is None or notation.parse(text.split("\n")) == example


@EVERY_SYSTEM
@given(data=st.data())
def test_hostile_text_is_one_error_or_a_question(name: str, data: st.DataObject) -> None:
    notation = notation_of(system_named(name))
    pieces = st.sampled_from((*PIECES[name], " ", "\n")) | st.text(max_size=3)
    text = data.draw(st.lists(pieces, max_size=25).map("".join))
    try:
        example = notation.parse(text.split("\n"))
    except NotationError:
        return
    rendered = notation.render(example)
    assert rendered is None or notation.parse(rendered.split("\n")) == example


def _differing(name: str, histories: int) -> list[tuple[str, int]]:
    """(profile, index) of the histories that are read otherwise, among so many of all profiles."""
    system, profiles = system_named(name), [*system_named(name).histories.profiles]
    notation = notation_of(system)
    found = []
    for number in range(histories):
        profile, index = profiles[number % len(profiles)], number // len(profiles)
        history = system.histories.generate(profile, history_seed(1, name, profile, index))
        if notation.parse_history(notation.render_history(history)) != history:
            found.append((profile, index))
    return found


@pytest.mark.parametrize("histories", [100, pytest.param(10_000, marks=pytest.mark.long)])
@EVERY_SYSTEM
def test_random_histories_are_read_as_they_are_rendered(name: str, histories: int) -> None:
    assert _differing(name, histories) == []
