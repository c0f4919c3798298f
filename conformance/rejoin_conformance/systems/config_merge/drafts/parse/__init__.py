"""Parsing messages."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.systems.config_merge.drafts.parse import (
    data,
    diffs,
    expired,
    numbers,
    outer,
    rows,
    unknown,
)


def topic() -> Topic:
    """What is a valid message, and what is not."""
    return Topic(
        "parse",
        "The plaintext of one message: its outer keys, seqno, data, lagged rows and diff. Refused "
        "messages differ from a valid one, which is given as `mended`, in a single place.",
        (
            *outer.drafts(),
            *unknown.drafts(),
            *numbers.drafts(),
            *data.drafts(),
            *rows.drafts(),
            *expired.drafts(),
            *diffs.drafts(),
        ),
    )
