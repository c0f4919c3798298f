"""No control character of an adapter reaches a terminal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rejoin_conformance.kit.untrusted import shown, shown_bytes, shown_line


def test_what_could_steer_a_terminal_is_escaped() -> None:
    assert shown("a\x1b[31m\u202eb\ud800\x00") == r"a\x1b[31m\u202eb\ud800\x00"


def test_lines_are_kept_where_lines_are_wanted() -> None:
    assert shown("a\n\tb") == "a\n\tb"
    assert shown_line("a\n\tb") == r"a\n\tb"


def test_long_text_is_cut_and_says_so() -> None:
    assert shown("x" * 30, 10) == "xxxxxxxxxx... (30 characters)"


def test_bytes_that_are_not_text_show_as_hex() -> None:
    assert shown_bytes(b"ok \xff\x00") == r'"ok \xff\x00"'
    assert shown_bytes(b"x" * 9, 4) == '"xxxx" ... (9 bytes)'


@given(st.text())
def test_whatever_is_shown_is_printable(text: str) -> None:
    assert shown_line(text).isprintable()
    assert shown(shown(text)) == shown(text)
