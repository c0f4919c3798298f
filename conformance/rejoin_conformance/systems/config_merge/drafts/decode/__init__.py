"""Decoding bt-encoding."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.systems.config_merge.drafts.decode import (
    containers,
    integers,
    nesting,
    strings,
)


def topic() -> Topic:
    """What is bt-encoding, and what only looks like it."""
    return Topic(
        "decode",
        "bt-encoding on its own: integers, strings, lists and dicts, the one way to write each, "
        "and what comes close to it without being it.",
        (*integers.drafts(), *strings.drafts(), *containers.drafts(), *nesting.drafts()),
    )
