"""Long lines are folded at semicolons, gaps and commas, outside brackets and quoted strings."""

from __future__ import annotations

from rejoin_conformance.kit.folding import folded


def test_a_line_that_fits_stays_as_it_is() -> None:
    assert folded("a b c", 5) == ["a b c"]
    assert folded("", 5) == [""]
    assert folded("a\n  b", 5) == ["a", "  b"]


def test_a_semicolon_is_the_best_place_and_a_space_the_last() -> None:
    assert folded("first words; others, more", 20) == ["first words;", "    others, more"]
    assert folded("first words, others more", 20) == ["first words,", "    others more"]
    assert folded("first words others", 15) == ["first words", "    others"]


def test_a_gap_divides_columns() -> None:
    assert folded("A polls B   conflict   A: foo=a", 26) == [
        "A polls B   conflict",
        "    A: foo=a",
    ]


def test_a_break_is_outside_as_many_brackets_as_possible() -> None:
    assert folded("{a: {b: 1, c: 2}, d: {e: 3, f: 4}}", 28) == [
        "{a: {b: 1, c: 2},",
        "    d: {e: 3, f: 4}}",
    ]


def test_a_quoted_string_is_not_broken() -> None:
    assert folded('say "one two three four five" now', 12) == [
        "say",
        '    "one two three four five"',
        "    now",
    ]


def test_a_word_without_a_space_is_longer_than_the_width() -> None:
    assert folded("0123456789 a", 6) == ["0123456789", "    a"]
    assert folded("0123456789", 6) == ["0123456789"]


def test_a_line_that_continues_keeps_the_indentation() -> None:
    assert folded("  one two three", 10) == ["  one two", "      three"]
