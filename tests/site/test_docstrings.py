"""Docstrings become reStructuredText: lists of parameters, paragraphs of clauses, and tables."""

from __future__ import annotations

from inspect import cleandoc
from typing import Any

from rejoin_site.docstrings import in_sphinx

DOCSTRING = """Return the sum of <a> and `b*`.

    a, b: numbers_, which
        may be large*.
    Errors: "too-large".

    Clauses: CM-RESOLVE-BASE
    pre: a >= 0

    | One | `two` |
    |---|---|
    | a_b | c |

    >>> a_b
    """


def test_a_docstring_becomes_restructured_text() -> None:
    lines = cleandoc(DOCSTRING).split("\n")
    nothing: Any = None
    in_sphinx(nothing, "function", "f", nothing, nothing, lines)
    assert [line for line in lines if line] == [
        "Return the sum of <a> and ``b*``.",
        r"- ``a``, ``b``: numbers\_, which",
        r"  may be large\*.",
        '**Errors:** "too-large".',
        "**Clauses:** CM-RESOLVE-BASE",
        "*pre:* ``a >= 0``",
        ".. list-table::",
        "   :header-rows: 1",
        "   * - One\n     - ``two``",
        r"   * - a\_b" + "\n     - c",
        ">>> a_b",
    ]
