"""Text that is not in the notation of conflict detection is one error with its line."""

from __future__ import annotations

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from rejoin_conformance.contract.notation import Example
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.phrases import NotationError
from rejoin_conformance.systems.conflict_detection.notation import NOTATION

FOUND = "overwrite, conflict, stale or same"
QUESTION = "`d follows a`, `ours ...`"
OBSERVED = "an observation: a finding"


def _parse(text: str) -> Example:
    return NOTATION.parse(text.split("\n"))


def _answer(text: str, lines: str) -> JsonObject:
    return NOTATION.parse_output(lines.split("\n"), _parse(text))


@pytest.mark.parametrize(
    ("text", "line", "expected", "found"),
    [
        ("", 1, QUESTION, ""),
        ("a; b < a", 1, QUESTION, ""),
        ("a\nb before a", 2, QUESTION, "b before a"),
        ("a\nb < \nb follows a", 2, "a parent", ""),
        ("a\na follows a = maybe", 2, "yes or no", "maybe"),
        ("a\nours a   theirs a = newer", 2, FOUND, "newer"),
        ("a\nours a", 2, "`theirs` and a version, after two spaces", ""),
        ("a\nours a theirs a", 2, "the end of the statement, or two spaces", "theirs a"),
        ("a\nours a   cached nothing   theirs a   same", 2, "`downloads` and snapshots", ""),
        ("ours (A:x)   theirs ()", 1, "a version number", "x)   theirs ()"),
        ("ours (A:1 A:2)   theirs ()", 1, "one entry for 'A'", "2)   theirs ()"),
        ("a\njoin (A:1)", 1, "no graph in a question on version maps", "a"),
        ("clients A=a A=a", 1, "a client that does not occur earlier in this list", "A=a"),
        ("clients A = a", 1, "`=` and a value after 'A', without spaces", ""),
        ("renewed a\nkept at 1", 1, "a snapshot, or `until` and a time", ""),
        ('identify "\\x"', 1, "a text, `0x` and hex, or `#` as a JSON string", '"\\x"'),
        ("identify 0x0", 1, "two hex digits for each byte after `0x`", "0x0"),
        ("identify a after #b", 1, "the name of a snapshot that is defined above", "b"),
        ("#a: x; #a: y\nidentify a", 1, "a name other than 'a', which is already", ": y"),
        ("snapshots: A\nA writes foo", 2, "the action of the client: edits, polls", "writes foo"),
        ("snapshots: A\nA edits foo = 1", 2, "`=` and a text right after the file's name", ""),
        ("snapshots: A B\nA polls B   newer", 2, OBSERVED, "newer"),
        ("snapshots: A B\nA polls B   same   same", 2, "one finding of a poll", "" ),
        ("snapshots: A B\nA polls B\nB polls A   same", 2, "the finding of this poll too", ""),
        ("snapshots: A\nA edits foo=1   A: foo", 2, "`=` and a value after 'foo'", ""),
        ("snapshots: A\nA edits foo=1   1 letter", 2, "snapshots, contents, updates", "letter"),
        ("snapshots: A\nA edits foo=1   A: nothing   A: a=1", 2, "one observation", "A: a=1"),
        ("snapshots: A\nsigning keys A=0x00..1e", 2, "32 bytes as `0x` and hex", "0x00..1e"),
        ("snapshots: A\nreport letters", 2, "reports: operations, links", "letters"),
        ("both designs: A", 1, "`snapshots:`, `version maps:` or `in sync:`", "both designs: A"),
        ("snapshots: A\nA edits foo=\x1b[2J", 2, "a name, a text or a mark", "\x1b[2J"),
        ("snapshots: A\nA edits foo={1}", 2, "a name, a text or a mark", "{1}"),
    ],
)  # fmt: skip
def test_anything_else_is_one_error_with_its_line(
    text: str, line: int, expected: str, found: str
) -> None:
    with pytest.raises(NotationError) as caught:
        _parse(text)
    assert (caught.value.line, caught.value.found) == (line, found)
    assert caught.value.expected.startswith(expected)


@pytest.mark.parametrize(
    ("lines", "line", "expected"),
    [
        ("B polls A   same", 1, "a step of the scenario above"),
        ("A polls B", 1, "the finding of this poll"),
        ("A edits foo=2", 1, "a step of the scenario above"),
        ("A edits foo=1   A: nothing\nA says foo", 2, "the action of the client"),
    ],
)
def test_an_answer_of_another_reading_names_steps_of_the_scenario(
    lines: str, line: int, expected: str
) -> None:
    with pytest.raises(NotationError) as caught:
        _answer("snapshots: A B; A edits foo=1\nA polls B   nothing", lines)
    assert caught.value.line == line
    assert caught.value.expected.startswith(expected)


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("", 1, "the number of clients"),
        ("9 clients", 1, "1 to 8 clients"),
        ("2 people", 1, "`clients`"),
        ("2 clients\nI edits foo=1", 2, "an event of a history; here.client"),
        ("2 clients\nA edits foo a", 2, "`=` and a value"),
        ("2 clients\nA polls foo of A", 2, "an event of a history; here: a client does not poll"),
        ("2 clients\nA resolves foo against B", 2, "`any conflict file`, or `conflict files`"),
        ("2 clients\nA discards foo in conflict files 0", 2, "the number of a conflict file"),
        ("2 clients\nA deletes foo twice", 2, "nothing more"),
        ("2 clients\nA deletes foo   again", 2, "the next event on a line of its own"),
    ],
)
def test_an_invalid_history_is_one_error(text: str, line: int, expected: str) -> None:
    with pytest.raises(NotationError) as caught:
        NOTATION.parse_history(text)
    assert caught.value.line == line
    assert caught.value.expected.startswith(expected)


PIECES = (
    "snapshots:", "version maps:", "in sync:", "A", "B", "edits", "polls", "all of", "foo=a",
    "ours", "theirs", "   ", " ", "\n", ";", "=", "<", "(A:1)", "#a", ":", "conflict", "nothing",
    "follows", "report", "links", "has", "1 snapshot,", "identify", "after", "at", "4 diamonds",
    '"', "t1..9",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=25).map("".join))
def test_hostile_text_is_one_error_or_a_question(text: str) -> None:
    try:
        example = _parse(text)
    except NotationError:
        return
    rendered = NOTATION.render(example)
    assert rendered is None or _parse(rendered) == example


def test_an_output_that_no_text_describes_is_not_rendered() -> None:
    told = _parse("snapshots: A; A edits foo=1   A: foo=1")
    gone: JsonObject = {"classification": None, "files": {}}
    outputs: list[JsonObject] = [{"steps": []}, {"steps": [gone]}]
    for output in outputs:
        assert NOTATION.render(evolve(told, output=output)) is None
        assert NOTATION.render_output(told, output) is None
    mixed: JsonObject = {
        "design": "snapshots",
        "clients": ["A"],
        "steps": [{"client": "A", "edit": "1"}, {"client": "A", "edit": "1", "file": "foo"}],
    }
    assert NOTATION.render(evolve(told, input=mixed, output=None)) is None
