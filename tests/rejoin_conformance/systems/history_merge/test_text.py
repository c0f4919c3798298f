"""Questions, answers and random histories of history merge are read from text as they are shown."""

from __future__ import annotations

import pytest

from rejoin_conformance.contract.notation import Example
from rejoin_conformance.kit.phrases import NotationError
from rejoin_conformance.systems.history_merge.text import NOTATION

FORK = "r: {};  p < r: {x};  q < r: {y}"

STEP = "`accepted` or `refused` and the state of the session"


def _parse(text: str) -> Example:
    return NOTATION.parse(text.split("\n"))


@pytest.mark.parametrize("step", ["0", "00", "-1", "x", "1" * 5000])
def test_a_step_of_a_repetition_is_a_number_from_1_on(step: str) -> None:
    with pytest.raises(NotationError, match="a number from 1 to 99999"):
        _parse(f"h<i> < r for each i 0..9 by {step}\nmembers")


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


def test_a_mended_question_leaves_out_what_it_shares() -> None:
    example = _parse(f"{FORK}\nmerge p z")
    assert NOTATION.parse_mended is not None
    assert NOTATION.render_mended is not None
    for text in ("merge p q", "r: {};  p < r: {x};  z < r: {y}", "r: {};  p: {}\nmerge p"):
        mended = NOTATION.parse_mended(text.split("\n"), example)
        assert mended.operation == example.operation
        assert NOTATION.render_mended(mended, example) == text
