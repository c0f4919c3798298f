"""The playground of history merge plays the examples of the document to their known ends."""

from __future__ import annotations

import base64
import json
import re

import pytest
from playwright.sync_api import expect

from support.browser import Opened


def test_the_picture_of_the_document_merges_to_its_known_end(opened: Opened) -> None:
    page = opened.open("history-merge.html#example=second-picture")
    expect(page.locator("#result")).to_have_text("merge b u v = {a b u v}")
    expect(page.locator("#recurse-fold")).to_contain_text("gives {a u v}.")
    page.locator("#step-5").click()
    expect(page.locator("#step-5")).to_contain_text("of v and of b or u: a.")
    expect(page.locator("#node-a")).to_have_class(re.compile("origin"))


@pytest.mark.parametrize(
    ("example", "result"),
    [("first-picture", "{b}"), ("first-picture-from-b", "{a b c}")],
)
def test_the_same_states_merge_by_their_history(opened: Opened, example: str, result: str) -> None:
    page = opened.open(f"history-merge.html#example={example}")
    expect(page.locator("#result")).to_have_text(f"merge l r = {result}")


def test_a_history_is_built_with_the_keyboard_alone(opened: Opened) -> None:
    page = opened.open("history-merge.html#example=empty")
    page.locator("#join").fill("a b")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_have_text("Added r with the members {a b}.")
    page.locator("#kick").fill("b")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_have_text("Added p with the members {a}.")
    for node, key in (("p", "Enter"), ("r", "Space")):
        page.locator(f"#node-{node}").focus()
        page.keyboard.press(key)
    expect(page.locator("#node-r")).to_be_focused()
    page.locator("#join").fill("c")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_have_text("Added q with the members {a b c}.")
    page.get_by_role("button", name="Choose the heads").click()
    expect(page.locator("#result")).to_have_text("merge p q = {a c}")


def test_every_action_can_be_undone(opened: Opened) -> None:
    page = opened.open("history-merge.html#example=order-dependence")
    expect(page.locator("#result")).to_have_text("merge q t s = {}")
    expect(page.locator("#orders")).to_have_text("The order matters: there are 2 results.")
    page.locator("#earlier-s").click()
    expect(page.locator("#result")).to_have_text("merge q s t = {x}")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#result")).to_have_text("merge q t s = {}")
    page.keyboard.press("Control+Shift+Z")
    expect(page.locator("#result")).to_have_text("merge q s t = {x}")


def test_a_vector_opens_by_its_id_and_its_state_by_the_address(opened: Opened) -> None:
    vector = "history-merge/order-dependence/added-twice-removed-once-q-t-s"
    page = opened.open(f"history-merge.html#vector={vector}")
    expect(page.locator("#result")).to_have_text("merge q t s = {}")
    page.locator("#node-q").click()
    address = page.url
    assert "#state=" in address
    again = opened.open("history-merge.html" + address[address.index("#") :])
    expect(again.locator("#result")).to_have_text("merge t s = {}")


def test_a_node_before_another_one_is_refused_on_the_page(opened: Opened) -> None:
    page = opened.open("history-merge.html#example=order-dependence")
    page.locator("#node-p").click()
    expect(page.locator("#result")).to_contain_text("Refused: not-an-anti-chain")


def _state(value: object) -> str:
    text = base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")
    return f"#state={text}"


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("#state=%00", "the state in the address is damaged: it is not base64 of UTF-8"),
        (_state({"nodes": "<img src=x onerror=alert(1)>"}), "the state has no field `merge`"),
        (_state([]), "the state is not an object: a list"),
        ("#vector=constructor", "there is no vector constructor that this page can open"),
        ("#example=none", "there is no example none"),
        ("#anything", "after `#` an address has `vector=`, `example=` or `state=`"),
    ],
)
def test_a_hostile_address_gets_one_message(opened: Opened, address: str, reason: str) -> None:
    page = opened.open(f"history-merge.html{address}")
    expect(page.get_by_role("status")).to_contain_text(f"This address cannot be opened: {reason}")
    expect(page.locator("#result")).to_have_text("merge b u v = {a b u v}")


def test_a_step_links_the_page_of_its_clause(opened: Opened) -> None:
    page = opened.open("history-merge.html#vector=history-merge/recurse-fold/second-picture")
    link = page.get_by_role("link", name="HM-MERGE-STEP").first
    assert link.get_attribute("href") == "../clauses/history-merge/HM-MERGE-STEP.html"
    link = page.locator("#about").get_by_role("link")
    assert link.get_attribute("href") == (
        "../vectors/history-merge/recurse-fold.html#second-picture"
    )


def test_what_was_open_before_comes_back_with_undo(opened: Opened) -> None:
    page = opened.open("history-merge.html#example=order-dependence")
    page.locator("#node-q").click()
    page.locator("#example").select_option("first-picture")
    expect(page.locator("#result")).to_have_text("merge l r = {b}")
    page.locator("#undo").click()
    expect(page.locator("#result")).to_have_text("merge t s = {}")
    page.locator("#again").click()
    expect(page.locator("#result")).to_have_text("merge q t s = {}")


def test_a_part_of_an_id_finds_a_vector_or_changes_nothing(opened: Opened) -> None:
    page = opened.open("history-merge.html#example=order-dependence")
    for part, said in (
        ("order-dependence", "vectors have order-dependence in their ID"),
        ("nonsense", "No vector that this page can open has nonsense in its ID."),
    ):
        page.locator("#vector").fill(part)
        page.keyboard.press("Enter")
        expect(page.get_by_role("status")).to_contain_text(said)
        expect(page.locator("#result")).to_have_text("merge q t s = {}")
    page.locator("#vector").fill("recurse-fold/second-picture-merged")
    page.keyboard.press("Enter")
    expect(page.locator("#about")).to_contain_text("recurse-fold/second-picture-merged")
