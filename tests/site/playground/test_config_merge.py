"""The playground of config merge plays the worked example of the document to its known end."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from support.browser import Opened

DATA_OF_127 = (
    "{dictA: {goodbye: [123, 456, 789], hello: 123}, "
    "dictB: {added: 9999, answer: 42, changed: 1, nested: {a: 1}}, "
    'good: [99, 123, "Foo", "bar"], int1: 5, int2: 2, string2: "hello", string3: "omg"}'
)
HASH_OF_123 = "d9398c597b058ac7e28e3febb76ed68eb8c5b6c369610562ab5f2b596775d73c"
"""As the deployed library computes it."""


def _said(page: Page) -> list[str]:
    return page.locator("#said > li").all_inner_texts()


def _status(page: Page) -> str:
    return page.get_by_role("status").inner_text()


@pytest.mark.parametrize("example", ["worked-example", "complex-conflict"])
def test_the_worked_example_ends_with_127_for_everybody(opened: Opened, example: str) -> None:
    page = opened.open(f"config-merge.html#example={example}")
    for client in "ABCD":
        expect(page.locator(f"#data-{client}")).to_have_value(DATA_OF_127)
        expect(page.locator(f"#client-{client} h3")).to_have_text(f"{client}, head 127")
    assert page.locator("#swarm li").all_inner_texts() == ["127 Lose it"]


def test_the_merge_of_the_late_message_is_shown_step_by_step(opened: Opened) -> None:
    page = opened.open("config-merge.html#example=worked-example")
    page.locator("#step-23").click()  # C, who knows 124a, resolves
    said = _said(page)
    assert said[2].startswith("What counts, by rank: 124a, 125a, 125b.")
    assert said[4].startswith("Begin with the data of 125b, the highest.")
    assert said[-1].startswith("The merge is 126b.")


def test_a_message_is_decoded_with_the_hash_of_the_deployed_library(opened: Opened) -> None:
    page = opened.open("config-merge.html#example=worked-example")
    page.locator(f"#message-{HASH_OF_123[:8]}").focus()
    page.keyboard.press("Enter")
    shown = page.locator("#inspected")
    expect(shown).to_contain_text(HASH_OF_123)
    expect(shown).to_contain_text("{-int0, =int1, =int2}")
    expect(shown).to_contain_text("119 120b 121 122")


def test_two_clients_race_and_agree(opened: Opened) -> None:
    page = opened.open("config-merge.html#example=empty")
    page.locator("#data-A").fill("{a: 1}")
    page.locator("#edit-A").click()
    page.locator("#push-A").click()
    page.locator("#sync-B").click()
    assert _status(page) == "B fetches. B resolves: the head of B is 1."
    for client, text in (("A", "{a: 2}"), ("B", "{a: 1, b: [3]}")):
        page.locator(f"#data-{client}").fill(text)
        page.locator(f"#edit-{client}").click()
    page.locator("#push-A").click()
    page.locator("#push-B").click()
    page.locator("#sync-A").click()
    expect(page.locator("#data-A")).to_have_value("{a: 2, b: [3]}")
    page.locator("#push-A").click()
    page.locator("#sync-B").click()
    expect(page.locator("#data-B")).to_have_value("{a: 2, b: [3]}")
    expect(page.locator("#client-B h3")).to_have_text("B, head 3")


def test_a_lost_message_reaches_nobody(opened: Opened) -> None:
    page = opened.open("config-merge.html#example=empty")
    page.locator("#data-A").fill("{a: 1}")
    page.locator("#edit-A").click()
    page.locator("#push-A").click()
    page.get_by_role("button", name="Lose 1").click()
    page.locator("#sync-B").click()
    expect(page.locator("#client-B h3")).to_have_text("B, no head")
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    page.locator("#sync-B").click()
    expect(page.locator("#client-B h3")).to_have_text("B, head 1")


def test_data_that_are_not_in_the_notation_say_where(opened: Opened) -> None:
    page = opened.open("config-merge.html#example=empty")
    page.locator("#data-A").fill("{a 1}")
    page.locator("#edit-A").click()
    assert _status(page) == "The data of A: at character 4, expected `:`, found 1}."
    expect(page.locator("#data-A")).to_have_value("{a 1}")


def test_a_vector_opens_with_the_list_that_it_resolves(opened: Opened) -> None:
    vector = "config-merge/worked-example/126a-with-repetitions"
    page = opened.open(f"config-merge.html#vector={vector}")
    assert sum("It was listed before." in each for each in _said(page)) == 2


def test_a_damaged_state_gets_one_message(opened: Opened) -> None:
    page = opened.open("config-merge.html#state=bm90IGpzb24")
    expect(page.get_by_role("status")).to_have_text(
        "This address cannot be opened: the state in the address is damaged: it is not JSON. "
        "Shown instead: The document: messages 122 to 127."
    )
