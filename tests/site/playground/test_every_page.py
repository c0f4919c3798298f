"""What holds for every page of the playground: widths, labels, names."""

from __future__ import annotations

import pytest

from support.browser import Opened

PAGES = ("history-merge", "config-merge", "conflict-detection", "corpus")
UNLABELLED = """[...document.querySelectorAll("input, select, textarea, button, [role=button]")]
    .filter((it) => !it.labels?.length && !it.getAttribute("aria-label") && !it.textContent.trim())
    .map((it) => it.outerHTML)"""
IDS = '[...document.querySelectorAll("[id]")].map((it) => it.id)'


@pytest.mark.full_run("playground")
@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_a_phone_and_names_everything(opened: Opened, name: str) -> None:
    page = opened.open(f"{name}.html")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.evaluate(UNLABELLED) == []
    ids = page.evaluate(IDS)
    assert len(set(ids)) == len(ids)
    assert [heading.inner_text() for heading in page.locator("h1").all()] == [
        page.title().split(" · ")[0]
    ]
