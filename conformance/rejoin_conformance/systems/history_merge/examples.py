"""The examples of the document: its two pictures."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.document_example import DocumentExample

EXAMPLES: Final = (
    DocumentExample(
        name="first-picture",
        title="the same two states merge to {b} or to {a, b, c}, depending on their history",
        first_line=39,
        last_line=62,
        vectors=("two-branches/picture-from-abc", "two-branches/picture-from-b"),
    ),
    DocumentExample(
        name="second-picture",
        title="recurse-fold loses b, and fold-recurse keeps it",
        first_line=220,
        last_line=244,
        vectors=("recurse-fold/second-picture", "recurse-fold/second-picture-merged"),
        whole="recurse-fold/second-picture-merged",
    ),
)
"""The examples, in the order of the document."""
