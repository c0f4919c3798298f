"""Names in texts lead to the pages of clauses, errata and vectors."""

from __future__ import annotations

from rejoin_site.html import inline, linked
from rejoin_site.names import Piece, pieces


def test_names_lead_to_their_pages_and_other_words_nowhere() -> None:
    text = "See CM-RESOLVE-BASE (CM-E01), not CM-NOTHING-HERE."
    assert [*pieces(text)] == [
        Piece("See ", None),
        Piece("CM-RESOLVE-BASE", "clauses/config-merge/CM-RESOLVE-BASE.html"),
        Piece(" (", None),
        Piece("CM-E01", "spec/config-merge/errata.html#CM-E01"),
        Piece("), not CM-NOTHING-HERE.", None),
    ]
    vector = "history-merge/criss-cross/both-kept"
    assert [*pieces(vector)] == [Piece(vector, "vectors/history-merge/criss-cross.html#both-kept")]


def test_a_text_is_escaped_and_its_names_are_links() -> None:
    assert linked("<b> HM-LCAU-LOWEST", "../") == (
        '&lt;b&gt; <a class="name" href="../clauses/history-merge/HM-LCAU-LOWEST.html">'
        "HM-LCAU-LOWEST</a>"
    )


def test_markdown_on_one_line_keeps_its_links_to_texts() -> None:
    html = inline("*All* `a<b` in [text](other.md#part)", "../../", "spec/history-merge/")
    assert html == (
        "<em>All</em> <code>a&lt;b</code> in "
        '<a href="../../spec/history-merge/other.html#part">text</a>'
    )
