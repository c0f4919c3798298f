"""Names in texts lead to the pages of clauses, errata and vectors."""

from __future__ import annotations

import re

from rejoin import config_merge as cm
from rejoin import conflict_detection as cd
from rejoin import history_merge as hm
from rejoin_site.api_documents import api_documents
from rejoin_site.html import inline, linked
from rejoin_site.names import Piece, pieces
from rejoin_site.packed import unpacked
from rejoin_site.search_names import search_names


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


def test_the_names_that_a_search_lists_have_plain_texts() -> None:
    texts = {name: text for _, name, _, text in unpacked(search_names())}
    assert "may merge max(anc*(X)) in place of X" in texts["HM-MERGE-REDUCED"]
    assert not [name for name, text in texts.items() if "`" in text]


def test_the_page_of_a_package_links_to_what_it_exports() -> None:
    pages = api_documents()
    for package in (cm, cd, hm):
        page = pages[f"api/{package.__name__}.md"]
        assert re.findall(r"<code>(\w+)</code>", page) == package.__all__
    page = pages["api/rejoin.history_merge.md"]
    assert "<code>CODES</code></a> | Code -> its meaning. |" in page
    assert 'href="rejoin.history_merge.any_size.html#rejoin.history_merge.any_size.merge"' in page
