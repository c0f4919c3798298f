"""The examples of the document: the messages 118 to 127, and the sections that they come from."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.document_example import DocumentExample

_MESSAGES: Final = "118 119 120 120b 121 122 123 124a 124b 125a 125b 126a 126b 127"
_TEXT: Final = """
worked-example: all messages of the document, from 118 to 127 | 208-621
  | 123 124b 125a 125b 126a delayed-121 124a 120b 126b pure-127-from-126a-126b 127 everything
ordinary-update: 123 changes int1, adds int2 and removes int0 | 221-286
  | 122 123 diff-of-123 diff-of-123-applied
large-update: 124b changes almost everything | 289-400
  | 124b diff-of-124b diff-of-124b-applied
simple-conflict: 125a and 125b are merged to 126a, in either order | 403-464
  | 125a 125b 126a 126a-from-125b-125a
stale-message: a late message of seqno 121 beside 126 | 467-473 | delayed-121 late-121
complex-conflict: a late 124a and a very late 120b: two messages 126, and their merge 127 | 476-621
  | 124a diff-of-124a 120b 120-and-120b 126a 126b pure-127-from-126a-126b 127 127-other-order
  127-with-124a 128-from-127-and-pure-127 everything
"""
"""Name, title, first and last line in the document, and vectors of each example."""


def _example(row: str) -> DocumentExample:
    name, _, rest = row.partition(": ")
    title, lines, vectors = (each.strip() for each in rest.split("|"))
    first, _, last = lines.partition("-")
    return DocumentExample(
        name=name,
        title=title,
        first_line=int(first),
        last_line=int(last),
        vectors=tuple(f"worked-example/{each}" for each in vectors.split()),
        whole="worked-example/everything",
        names=tuple(_MESSAGES.split()),
    )


EXAMPLES: Final = tuple(map(_example, _TEXT.strip().replace("\n  ", " ").split("\n")))
"""The examples, the whole one first."""
