"""The generator makes pages whose names are links, and the same bytes each time."""

from __future__ import annotations

from pathlib import Path

import pytest

from rejoin_site.shells import Shells
from rejoin_site.texts import TextsError, build_texts
from support.browser import Opened, browser, program

INDEX = "# Rejoin\n\n```{toctree}\nspec/history-merge/errata\n```\n"
ERRATA = (
    "# Errata\n\n## Part\n\n### HM-E01 A title\n\nSee HM-LCAU-LOWEST and "
    "`history-merge/criss-cross/both-kept`.\n\n**HM-MERGE-FOLD** (MUST) It is so. "
    "It states a rule. It ends.\n"
)
DOCUMENTS: dict[str, str | bytes] = {"index.md": INDEX, "spec/history-merge/errata.md": ERRATA}


@pytest.fixture(scope="module")
def html(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the pages."""
    return build_texts(DOCUMENTS, tmp_path_factory.mktemp("work"))


def test_mentions_are_links_and_clauses_and_errata_are_anchors(html: Path) -> None:
    page = (html / "spec/history-merge/errata.html").read_text(encoding="utf-8")
    assert 'href="../../clauses/history-merge/HM-LCAU-LOWEST.html"' in page
    assert 'href="../../vectors/history-merge/criss-cross.html#both-kept"' in page
    assert 'id="HM-MERGE-FOLD"' in page
    assert 'id="HM-E01"' in page
    assert "Its smallest example" in page


@pytest.mark.skipif(program() is None, reason="there is no Chromium on this machine")
def test_a_search_shows_the_sentence_around_the_words_that_it_finds(html: Path) -> None:
    with browser() as running:
        page = Opened(running.new_page(), html).open("search.html?q=stated+rules")
        found = page.locator(".kind-text p")
        found.first.wait_for()
        assert found.all_inner_texts() == ["It states a rule."]


def test_an_empty_page_takes_a_title_and_a_text(html: Path) -> None:
    page = Shells(html).page("clauses/x/Y.html", "A < B", "<h1>text</h1>")
    assert "<title>A &lt; B - Rejoin</title>" in page
    assert "<h1>text</h1>" in page
    assert 'href="../../index.html"' in page


def test_another_build_gives_the_same_bytes(html: Path, tmp_path: Path) -> None:
    again = build_texts(DOCUMENTS, tmp_path)
    pages = {path.relative_to(html): path.read_bytes() for path in html.rglob("*.*")}
    assert pages == {path.relative_to(again): path.read_bytes() for path in again.rglob("*.*")}


def test_a_link_to_a_text_that_does_not_exist_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(TextsError, match=r"gone\.md"):
        build_texts({"index.md": "# Title\n\n[text](gone.md)\n"}, tmp_path)
