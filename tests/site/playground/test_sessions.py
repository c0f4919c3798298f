"""Each case of the files beside this one: what a user does on a page, and what the page then shows.

A case begins with `# title`. `open`, `click`, `focus` and `press` act; `fill SELECTOR = TEXT` and
`select SELECTOR = VALUE` enter a value. `text`, `has` and `value` compare the whole text of an
element, a part of it, or the value of a field; `all` compares the texts of all elements, separated
by ` | `; `count` compares their number. `#state=` alone opens the state that the address shows.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from support.browser import Opened

PLAYGROUND = pytest.mark.full_run("playground")
CASES = [
    pytest.param(
        case,
        id=f"{path.stem}: {case.partition(chr(10))[0]}",
        marks=PLAYGROUND if number else (),
    )
    for path in sorted(Path(__file__).parent.glob("*.txt"))
    for number, case in enumerate(re.split(r"^# ", path.read_text("utf-8"), flags=re.MULTILINE)[1:])
]
"""Every case, of which the first of each file is a part of every run of the tests."""


def _play(page: Page, verb: str, rest: str) -> None:
    selector, _, text = rest.partition(" = ")
    found = page.locator(selector)
    match verb:
        case "press":
            page.keyboard.press(rest)
        case "click":
            found.click()
        case "focus":
            found.focus()
        case "fill":
            found.fill(text)
        case "select":
            found.select_option(text)
        case "text":
            expect(found).to_have_text(text)
        case "has":
            expect(found).to_contain_text(text)
        case "value":
            expect(found).to_have_value(text)
        case "all":
            assert found.all_inner_texts() == text.split(" | ")
        case "count":
            expect(found).to_have_count(int(text))
        case _:
            raise AssertionError(verb)


@pytest.mark.parametrize("case", CASES)
def test_a_page_does_what_is_shown(case: str, opened: Opened) -> None:
    page: Page | None = None
    for line in filter(None, case.splitlines()[1:]):
        verb, _, rest = line.partition(" ")
        if verb == "open":
            shown = page.url.partition("#state=")[2] if page and rest.endswith("#state=") else ""
            assert shown or not rest.endswith("#state=")
            page = opened.open(rest + shown)
            continue
        assert page is not None
        try:
            _play(page, verb, rest)
        except AssertionError as error:
            error.add_note(line)
            raise
