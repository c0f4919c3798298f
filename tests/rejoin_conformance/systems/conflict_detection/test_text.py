"""The text of conflict detection is read as it is written, and anything else is one error."""

from __future__ import annotations

import pytest
from attrs import evolve

from rejoin_conformance.contract.notation import Example
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.phrases import NotationError
from rejoin_conformance.systems.conflict_detection.text import NOTATION

FOUND = "overwrite, conflict, stale or same"
QUESTION = "`d follows a`, `ours ...`"
OBSERVED = "an observation: a finding"
ACTION = "`polls all of`, "


def _parse(text: str) -> Example:
    return NOTATION.parse(text.split("\n"))


WRONG = (
    ("", 1, QUESTION, ""),
    ("a; b < a", 1, QUESTION, ""),
    ("a\nb before a", 2, QUESTION, "b"),
    ("a\nb < \nb follows a", 2, "a parent", ""),
    ("a\na follows a = maybe", 2, "yes or no", "maybe"),
    ("a\nours a   theirs a = newer", 2, FOUND, "newer"),
    ("a\nours a", 2, "`theirs`", ""),
    ("a\nours a   cached nothing   theirs a   same", 2, "`downloads`", "same"),
    ("ours (A:x)   theirs ()", 1, "a version number", "x"),
    ("ours (A:1 A:2)   theirs ()", 1, "one entry for 'A'", "2"),
    ("a\njoin (A:1)", 1, "no graph in a question on version maps", "a"),
    ("clients A=a A=a", 1, "a client that does not occur earlier in this list", "A"),
    ("clients A = a", 1, "`=` and a value after 'A', without spaces", "="),
    ("renewed a\nkept at 1", 1, "a snapshot, or `until` and a time", ""),
    ("2000 diamonds\nt1 follows t0", 1, "the number of diamonds, from 0 to 1000", "2000"),
    ('identify "\\x"', 1, "a text in quotes as JSON writes it", '"\\x"'),
    ("identify 0x0", 1, "two hex digits for each byte after `0x`", "0x0"),
    ("identify a after #b", 1, "the name of a snapshot that is defined above", "b"),
    ("#a: x; #a: y\nidentify a", 1, "a name other than 'a', which is already", ":"),
    ("snapshots: A\nA writes foo", 2, ACTION, "writes"),
    ("snapshots: A\nA edits foo = 1", 2, "`=` and a value, without spaces", ""),
    ("snapshots: A B\nA polls B   newer", 2, OBSERVED, "newer"),
    ("snapshots: A B\nA polls B   same   same", 2, "one finding of a poll", "same"),
    ("snapshots: A B\nA polls B\nB polls A   same", 2, "the finding of this poll too", ""),
    ("snapshots: A\nA shares foo=1   A: nothing", 2, "the next step: `shares` implies", "A"),
    ("snapshots: A\nA edits foo=1   A: foo", 2, "`=` and a value after 'foo'", ""),
    ("snapshots: A\nA edits foo=1   1 letter", 2, "snapshots, contents, updates", "letter"),
    ("snapshots: A\nA edits foo=1   A: nothing   A: a=1", 2, "one observation", "A"),
    ("snapshots: A\nsigning keys A=0x00..1e", 2, "32 bytes as `0x` and hex", "0x00..1e"),
    ("snapshots: A\nreport letters", 2, "reports: operations, links", "letters"),
    ("both designs: A", 1, "`snapshots:`, `version maps:` or `in sync:`", "both"),
    ("snapshots: A\nA edits foo=\x1b[2J", 2, "a name, a quoted text or a mark", "\x1b[2J"),
    ("v<i> < r for i a..b\nr follows r", 1, "the first and the last number, such as", "a..b"),
    ("sign a   key 0x0", 1, "two hex digits for each byte after `0x`", "0x0"),
    ("verify a   author 0x00 but few bytes = yes", 1, "a number of bytes", "few"),
    ("#a: a   by 0x00\nidentify a", 1, "another definition after a semicolon, or `signed", "by"),
    ("old design: A\nA writes a", 2, "`edits` or `polls`", "writes"),
    ("old design: A B\nA polls B   newer", 2, FOUND, "newer"),
    ("steps of snapshots: A\nA edits foo=1   sees A", 2, "a step: look, fetch, classify", "sees"),
    ("steps of snapshots: A\nA edits foo=1   reclassify", 2, "`unsaved` or `blocked`", ""),
    ("snapshots: A\nA edits foo={1}", 2, "a name, a quoted text or a mark", "{1}"),
)


def test_anything_else_is_one_error_with_its_line() -> None:
    for text, line, expected, found in WRONG:
        with pytest.raises(NotationError) as caught:
            _parse(text)
        assert (caught.value.line, caught.value.found) == (line, found), text
        assert caught.value.expected.startswith(expected), text


def test_an_answer_of_another_reading_names_steps_of_the_scenario() -> None:
    example = _parse("snapshots: A B; A edits foo=1\nA polls B   nothing")
    for lines, line, expected in (
        ("B polls A   same", 1, "a step of the scenario above"),
        ("A polls B", 1, "the finding of this poll"),
        ("A edits foo=2", 1, "a step of the scenario above"),
        ("A edits foo=1   A: nothing\nA says foo", 2, ACTION),
    ):
        with pytest.raises(NotationError) as caught:
            NOTATION.parse_output(lines.split("\n"), example)
        assert caught.value.line == line
        assert caught.value.expected.startswith(expected)


def test_an_invalid_history_is_one_error() -> None:
    for text, line, expected in (
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
    ):
        with pytest.raises(NotationError) as caught:
            NOTATION.parse_history(text)
        assert caught.value.line == line
        assert caught.value.expected.startswith(expected)


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
