"""Text for people: near misses, folded lines; nothing steers a terminal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rejoin_conformance.kit.text import (
    did_you_mean,
    folded,
    shown,
    shown_bytes,
    shown_line,
)

FOLDED = [
    ("a b c", 5, ["a b c"]),
    ("", 5, [""]),
    ("a\n  b", 5, ["a", "  b"]),
    ("first words; others, more", 20, ["first words;", "    others, more"]),
    ("first words, others more", 20, ["first words,", "    others more"]),
    ("first words others", 15, ["first words", "    others"]),
    ("A polls B   conflict   A: foo=a", 26, ["A polls B   conflict", "    A: foo=a"]),
    ("{a: {b: 1, c: 2}, d: {e: 3, f: 4}}", 28, ["{a: {b: 1, c: 2},", "    d: {e: 3, f: 4}}"]),
    ('say "one two three" now', 12, ["say", '    "one two three"', "    now"]),
    ("0123456789 a", 6, ["0123456789", "    a"]),
    ("0123456789", 6, ["0123456789"]),
    ("  one two three", 10, ["  one two", "      three"]),
]


def test_long_lines_are_folded_outside_brackets_and_quoted_strings() -> None:
    for text, width, lines in FOLDED:
        assert folded(text, width) == lines


def test_a_near_miss_is_suggested_and_nothing_else() -> None:
    known = ["CM-RESOLVE-BASE", "CM-RESOLVE-ORDER"]
    assert did_you_mean("CM-RESOLVE-BAS", known) == "; did you mean CM-RESOLVE-BASE?"
    assert did_you_mean("xyz", known) == ""
    assert did_you_mean("a-name", ["a/b/other", "a/long/folder/a-name"]) == (
        "; did you mean a/long/folder/a-name?"
    )
    assert did_you_mean("x" * 10**6, known) == ""


def test_what_could_steer_a_terminal_is_escaped_and_long_text_is_cut() -> None:
    assert shown("a\x1b[31m\u202eb\ud800\x00") == r"a\x1b[31m\u202eb\ud800\x00"
    assert (shown("a\n\tb"), shown_line("a\n\tb")) == ("a\n\tb", r"a\n\tb")
    assert shown("x" * 30, 10) == "xxxxxxxxxx... (30 characters)"
    assert shown_bytes(b"ok \xff\x00") == r'"ok \xff\x00"'
    assert shown_bytes(b"x" * 9, 4) == '"xxxx" ... (9 bytes)'


@given(st.text())
def test_whatever_is_shown_is_printable(text: str) -> None:
    assert shown_line(text).isprintable()
    assert shown(shown(text)) == shown(text)
