"""Text that is not in the notation of config merge is one error with its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rejoin_conformance.contract.notation import Example
from rejoin_conformance.kit.phrases import NotationError
from rejoin_conformance.systems.config_merge.text import NOTATION, parse

FORK = """\
10:  10 {k: 1} diff {=k}
11a: after 10 {b: 1, k: 1} diff {=b}
11b: after 10 {a: 1, k: 1} diff {=a}
"""


def _parse(text: str) -> Example:
    return parse(text.split("\n"))


def test_names_that_are_seqnos_are_checked() -> None:
    exchanged = FORK.replace("11a", "x").replace("11b", "11a").replace("x", "11b")
    with pytest.raises(NotationError, match="letters in the order of the hashes: 11b 11a"):
        _parse(f"{exchanged}resolve 10")
    with pytest.raises(NotationError, match="a name that begins with the seqno 11, found `12`"):
        _parse(f"{FORK}12: after 10 {{}}\nresolve 10")


IN_QUESTIONS = [
    ("", 1, "a question: `diff`, `apply`", ""),
    (FORK, 4, "a question: `diff`, `apply`", ""),
    ("merge 10", 1, "a question: `diff`, `apply`", "merge"),
    ("diff {k: 1} {k: 2}", 1, "`->`", "{"),
    ("diff {k: 1} -> {k: two}", 1, "an integer", "two"),
    ("diff {k: 1} ->\n  {k 2}", 2, "`:`", "2"),
    ("diff {k: 1, k: 2} -> {}", 1, "each key once, not k twice", "2"),
    ('diff {k: "\\q"} -> {}', 1, "the escapes", '"\\q"'),
    ("diff {k: $} -> {}", 1, "a name, a quoted text or a mark", "$} -> {}"),
    ("diff {} -> {} =", 1, "an answer after `=`", ""),
    ("diff {} -> {} = {}\n= {}", 2, "a question before its answer", "="),
    ("diff {} -> {} = {} {}", 1, "the end of the statement", "{"),
    ("diff {} -> {}\ndiff {} -> {}", 2, "one question, and definitions", "diff"),
    ("apply {=k} to {}", 1, "`, source`", ""),
    ("apply {s: +1} to {}, source {}", 1, "`[`", "1"),
    (f"{FORK}resolve 12", 4, "a message that is defined (10, 11a, 11b)", "12"),
    (f"{FORK}resolve 10 = 12", 4, "a message that is defined (10, 11a, 11b)", "12"),
    (f"{FORK}resolve 10 = merge", 4, "the data of the merge in braces", ""),
    (f"{FORK}resolve 10 = 10, ignoring old 10", 4, "why messages are ignored", "old"),
    (f"{FORK}resolve 10 = 10, ignoring stale 11a", 4, "of the question (10)", "11a"),
    (f"{FORK}resolve 10, window 3, window 4", 4, "each at most once", ","),
    (f"{FORK}update 10 to {{}} = {{}}", 4, "`diff` and a diff", "{"),
    (f"{FORK}m: m but diff {{}}\nresolve m", 4, "not made of itself: m", "m"),
    ("after: 7 {}\nresolve after", 1, "not a word of the notation", "after"),
    ("m: 7 {} rows (6 66 {})\nresolve m", 1, "a hash: 64 hex digits", "66"),
    ('m: 7 {} then "e"\nresolve m', 1, "the end of the statement", "then"),
    ('parse 7 {} unknown "k"', 1, "data in braces", '"k"'),
    ('parse 7 {} "\\xff"', 1, "the end of the statement", '"\\xff"'),
    (
        "<m<i>: 7 {}; for each i 9..1>\nresolve m1",
        1,
        "a repetition",
        "<m<i>: 7 {}; for each i 9..1>",
    ),
    ("parse 7 {} = given", 1, "a message that is defined", "given"),
    ("verify 7 {}, verify key dave = true", 1, "a key (alice, bob, carol", "dave"),
    ("verify 7 {}, verify key alice = yes", 1, "`true` or `false`", "yes"),
    ("clients A\nB pushes", 2, "the name of a client (A)", "B"),
    ("clients A\nA waits", 2, "`edits`, `pushes`, `fetches` or `resolves`", "waits"),
    ("clients A\nA pushes = stored", 2, "the names of messages that are stored", ""),
    ("clients A, colour red\nA pushes", 1, "a property of the scenario", "colour"),
]
IN_HISTORIES = [
    ("", 1, "`clients`, `window` and `seed`"),
    ("clients B, window 5, seed 1", 1, "the clients by their letters"),
    ("clients A, seed 1", 1, "`window`"),
    ("clients A, window 5, seed 1\nA edits k", 2, "`=`, `+` or `-` and a value"),
    (
        "clients A, window 5, seed 1\nB pushes",
        2,
        "`inject`, `partition`, `heal`, `deliver` or the",
    ),
    ("clients A, window 5, seed 1\ninject rain, target 1, salt 1", 2, "kind of an injection"),
    ("clients A, window 5, seed 1\nA fetches, skips 64", 2, "a place below 64"),
    ("clients A, window 5, seed 1\npartition", 2, "clients by their letters, or `nobody`"),
    ("clients A, window 5, seed 1\npartition B\nheal", 2, "clients of the history (A)"),
    ("clients A, window 5, seed 1\nA edits", 2, "a key: a word or a string in quotes"),
]


def _error(parse_text: Callable[[str], Any], text: str) -> NotationError:
    with pytest.raises(NotationError) as caught:
        parse_text(text)
    return caught.value


def test_an_error_says_where_and_what_was_expected() -> None:
    for text, line, expected, found in IN_QUESTIONS:
        error = _error(_parse, text)
        assert (error.line, error.found) == (line, found), text
        assert expected in error.expected, text


def test_an_error_in_a_history_says_where_and_what_was_expected() -> None:
    for text, line, expected in IN_HISTORIES:
        error = _error(NOTATION.parse_history, text)
        assert error.line == line, text
        assert expected in error.expected, text
