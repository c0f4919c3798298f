"""Values and Markdown as text of a page."""

from __future__ import annotations

import pytest

from rejoin_conformance.reports.values import prose


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("take `a < b` first", "take <code>a &lt; b</code> first"),
        (r"members(G) = merge\[G\](max(G))", "members(G) = merge[G](max(G))"),
        (r"(a \\ o), anc\*(X)", r"(a \ o), anc*(X)"),
        (r"code keeps `\*`; \ alone stays", r"code keeps <code>\*</code>; \ alone stays"),
        ("no link: [x] (y), a_b", "no link: [x] (y), a_b"),
    ],
)
def test_markdown_is_shown_as_it_is_read(text: str, page: str) -> None:
    assert prose(text) == page


def test_what_is_too_long_is_cut_at_a_word_and_leaves_no_half_of_a_mark() -> None:
    assert prose("one two three", 13) == "one two three"
    assert prose("one two three", 12) == "one two ..."
    assert prose("one `two three`", 11) == "one <code>two</code> ..."
    assert prose("one <three> four", 13) == "one &lt;three&gt; ..."
