"""The short form of drafts of `resolve`."""

from __future__ import annotations

from collections.abc import Sequence

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import (
    accepted,
    resolved,
    resolving,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message


def merged(
    name: str,
    summary: str,
    clauses: str,
    messages: Sequence[Message | bytes],
    merge: Message,
    *ignoring: tuple[int, str],
    libsession: Message | None = None,
    **options: Json,
) -> Draft:
    """A draft whose messages are merged; libsession: the merge of that reading, if another."""
    return accepted(
        name,
        "resolve",
        summary,
        clauses,
        resolving(messages, **options),
        resolved(merge, *ignoring, merged=True),
        libsession=None if libsession is None else resolved(libsession, *ignoring, merged=True),
    )


def stands(
    name: str,
    summary: str,
    clauses: str,
    messages: Sequence[Message | bytes],
    result: Message | bytes,
    *ignoring: tuple[int, str],
    **options: Json,
) -> Draft:
    """A draft of whose messages one survives."""
    return accepted(
        name,
        "resolve",
        summary,
        clauses,
        resolving(messages, **options),
        resolved(result, *ignoring),
    )
