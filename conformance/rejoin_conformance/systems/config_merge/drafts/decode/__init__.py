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
    """Values that are encoded correctly, and faulty ones."""
    return Topic(
        "decode",
        "bt-encoding on its own: integers, strings, lists and dicts, the one way to write each, "
        "and input that is not quite right.",
        (*integers.drafts(), *strings.drafts(), *containers.drafts(), *nesting.drafts()),
    )
