"""The playground of conflict detection plays the examples of the document to their known ends."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from support.browser import Opened


def _files(page: Page, client: str) -> list[str]:
    return page.locator(f"#client-{client} ul.files code").all_inner_texts()


@pytest.mark.parametrize("example", ["four-parties", "four-parties-with-version-maps"])
def test_the_four_parties_end_with_the_merged_text(opened: Opened, example: str) -> None:
    page = opened.open(f"conflict-detection.html#example={example}")
    for client in "ABCD":
        expect(page.locator(f"#client-{client} ul.files li")).to_contain_text(["foo “merged”"])
        assert _files(page, client) == ["foo"]


def test_the_four_parties_have_the_conflict_files_of_the_document(opened: Opened) -> None:
    page = opened.open("conflict-detection.html#example=four-parties")
    page.locator("#step-15").click()  # everyone heard of the other update
    for client, own, others in (("A", "XA", "BD"), ("C", "XA", "BD"), ("B", "XB", "AC")):
        assert _files(page, client) == ["foo", *(f"foo.conflict-{it}" for it in others)]
        expect(page.locator(f"#client-{client} ul.files li").first).to_contain_text(f"foo “{own}”")
    page.locator("#reading").select_option("literal")
    page.locator("#step-15").click()
    assert _files(page, "A") == ["foo", "foo.conflict-B,D"]


def test_the_three_clients_find_an_overwrite_and_then_a_conflict(opened: Opened) -> None:
    page = opened.open("conflict-detection.html#example=three-clients")
    for client in "ABC":
        assert _files(page, client) == ["foo"]
        expect(page.locator(f"#client-{client} ul.files li")).to_contain_text(["foo “ab”"])
    for step, found, theirs in (
        (66, "overwrite", "(A:11 B:20 C:30)"),
        (67, "conflict", "(A:10 B:21 C:30)"),
    ):
        page.locator(f"#step-{step}").click()
        expect(page.locator("#found")).to_have_text(found)
        expect(page.locator("#said")).to_contain_text(f"The downloaded map is {theirs}")
    page.locator("#reading").select_option("literal")
    page.locator("#step-66").click()
    expect(page.locator("#found")).to_have_text("conflict")
    expect(page.locator("#said")).to_contain_text("every entry must be larger")


def test_a_misclassification_is_named(opened: Opened) -> None:
    page = opened.open("conflict-detection.html#example=lagging-client")
    expect(page.locator("#found")).to_have_text("conflict")
    expect(page.locator("#said")).to_contain_text("the right answer is stale")
    page.locator("#reading").select_option("repaired")
    expect(page.locator("#found")).to_have_text("stale")


def test_a_conflict_is_made_and_resolved_with_the_keyboard(opened: Opened) -> None:
    page = opened.open("conflict-detection.html#example=empty")
    page.locator("#text-A").fill("one")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_have_text("A edits foo: “one”.")
    page.locator("#text-B").fill("two")
    page.keyboard.press("Enter")
    page.locator("#poll-A-B").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_have_text("A polls B: conflict.")
    expect(page.locator("#said")).to_contain_text("Neither of #1 and #0")
    page.locator("#text-A").fill("both")
    page.locator("#resolve-A").focus()
    page.keyboard.press("Enter")
    page.locator("#poll-B-A").focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("status")).to_have_text("B polls A: overwrite.")
    assert _files(page, "B") == ["foo"]
    page.locator("#undo").click()
    expect(page.get_by_role("status")).to_have_text("Undone: B polls A: overwrite.")
    expect(page.locator("#client-B ul.files li")).to_contain_text(["foo “two”"])


def test_a_step_that_is_not_possible_says_why(opened: Opened) -> None:
    page = opened.open("conflict-detection.html#example=empty")
    page.locator("#client-A summary").click()
    page.locator("#set-back-A").click()
    expect(page.get_by_role("status")).to_contain_text("A is set back to its backup: refused")
    expect(page.locator("#undo")).to_be_disabled()


def test_a_vector_and_a_damaged_state_open(opened: Opened) -> None:
    page = opened.open("conflict-detection.html#vector=conflict-detection/four-parties/1-in-sync")
    expect(page.locator("#steps li")).to_have_count(4)
    page = opened.open("conflict-detection.html#state=e30")
    expect(page.get_by_role("status")).to_contain_text(
        "This address cannot be opened: the state has no field `design`."
    )
    expect(page.locator("#steps li")).to_have_count(40)
