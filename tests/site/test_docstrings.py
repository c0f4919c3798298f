"""Docstrings become Markdown: parameters a list, clauses and errors paragraphs."""

from __future__ import annotations

from rejoin_site.docstrings import as_markdown

DOCSTRING = """Return the sum of <a> and `b*`.

    a, b: numbers, which
        may be large.
    unknown: not a parameter
    Errors: "too-large".

    Clauses: CM-RESOLVE-BASE
    pre: a >= 0
    """


def test_a_docstring_becomes_markdown() -> None:
    assert as_markdown(DOCSTRING, ("a", "b")).splitlines() == [
        r"Return the sum of \<a> and `b*`.",
        "",
        "",
        "- `a`, `b`: numbers, which",
        "  may be large.",
        "  unknown: not a parameter",
        "",
        '**Errors:** "too-large".',
        "",
        "",
        "**Clauses:** CM-RESOLVE-BASE",
        "",
        "*pre:* `a >= 0`",
    ]
