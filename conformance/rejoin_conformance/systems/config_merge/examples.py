"""The examples of the document: the messages 118 to 127, and the sections that they come from."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.document_example import DocumentExample

_MESSAGES: Final = (
    *("118", "119", "120", "120b", "121", "122", "123"),
    *("124a", "124b", "125a", "125b", "126a", "126b", "127"),
)


def _example(
    name: str, title: str, first_line: int, last_line: int, vectors: str
) -> DocumentExample:
    return DocumentExample(
        name=name,
        title=title,
        first_line=first_line,
        last_line=last_line,
        vectors=tuple(f"worked-example/{each}" for each in vectors.split()),
        whole="worked-example/everything",
        names=_MESSAGES,
    )


EXAMPLES: Final = (
    _example(
        "worked-example",
        "all messages of the document, from 118 to 127",
        208,
        621,
        "123 124b 125a 125b 126a late-121 124a 120b 126b pure-127-from-126a-126b 127 everything",
    ),
    _example(
        "ordinary-update",
        "123 changes int1, adds int2 and removes int0",
        221,
        286,
        "122 123 diff-of-123 diff-of-123-applied",
    ),
    _example(
        "large-update",
        "124b changes almost everything",
        289,
        400,
        "124b diff-of-124b diff-of-124b-applied",
    ),
    _example(
        "simple-conflict",
        "125a and 125b are merged to 126a, in either order",
        403,
        464,
        "125a 125b 126a 126a-from-125b-125a",
    ),
    _example("stale-message", "a late message of seqno 121 beside 126", 467, 473, "late-121"),
    _example(
        "complex-conflict",
        "a late 124a and a very late 120b: two messages 126, and their merge 127",
        476,
        621,
        "124a diff-of-124a 120b 126a 126b pure-127-from-126a-126b 127 127-other-order "
        "127-with-124a everything",
    ),
)
"""The examples, the whole one first."""
