"""The examples of the document: a ticket, four parties, and three clients with version maps."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.document_example import DocumentExample

EXAMPLES: Final = (
    DocumentExample(
        name="ticket",
        title="three parties for whom the design before both designs finds a false conflict",
        first_line=3,
        last_line=34,
        vectors=(
            "ticket/third-client-answers-an-answer-snapshots",
            "ticket/third-client-answers-an-answer-maps",
        ),
    ),
    DocumentExample(
        name="four-parties",
        title="four clients in Leif's design, from X until D resolves everything",
        first_line=156,
        last_line=186,
        vectors=("four-parties/9-the-end",),
    ),
    DocumentExample(
        name="four-parties-links",
        title="the versions that the four clients link, until D resolves the first conflict",
        first_line=162,
        last_line=165,
        vectors=("four-parties-links/links-snapshots", "four-parties-links/links-maps"),
    ),
    DocumentExample(
        name="four-parties-with-version-maps",
        title="the same four clients in Zooko's design",
        first_line=156,
        last_line=186,
        vectors=("four-parties/with-version-maps",),
    ),
    DocumentExample(
        name="three-clients",
        title="A and B update (10, 20, 30), and C resolves",
        first_line=203,
        last_line=206,
        vectors=("three-clients/played",),
    ),
)
"""The examples, in the order of the document."""
