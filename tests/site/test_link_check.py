"""The check of the site's links finds every link to nowhere and every request."""

from __future__ import annotations

from rejoin_site.link_check import link_faults

PAGE = '<h1 id="top">Title</h1><a href="{}">link</a>'


def test_a_link_that_leads_somewhere_is_no_fault() -> None:
    for link in (
        "b/c.html",
        "b/c.html#there",
        "#top",
        "b/../a.html",
        "https://x.com/x",
        "data.txt",
    ):
        files: dict[str, str | bytes] = {
            "a.html": PAGE.format(link),
            "b/c.html": '<p id="there"></p>',
            "data.txt": b"\xff",
        }
        assert [*link_faults(files)] == [], link


def test_a_link_to_nowhere_and_a_request_are_faults() -> None:
    for page, fault in (
        (PAGE.format("gone.html"), "a.html: there is no gone.html (link gone.html)"),
        (PAGE.format("../up.html"), "a.html: there is no ../up.html (link ../up.html)"),
        (PAGE.format("#gone"), "a.html: a.html has no anchor gone"),
        ('<img src="https://example.com/x.png">', "a.html: fetches https://example.com/x.png"),
        ('<script src="//example.com/x.js"></script>', "a.html: fetches //example.com/x.js"),
        ("<link href='https://example.com/x.css'>", "a.html: fetches https://example.com/x.css"),
    ):
        assert [*link_faults({"a.html": page})] == [fault]


def test_a_style_that_fetches_is_a_fault() -> None:
    files = {
        "a.css": "x { background: url('data:image/svg+xml,<svg/>') }",
        "b.css": "@import 'https://example.com/font.css';",
    }
    assert [*link_faults(files)] == ["b.css: fetches https://example.com/font.css"]


def test_a_playground_reads_what_follows_the_number_sign_itself() -> None:
    files = {"a.html": PAGE.format("playground/x.html#vector=y"), "playground/x.html": ""}
    assert [*link_faults(files)] == []
