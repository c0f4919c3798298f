"""The short form of drafts of `update`."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import accepted, made
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message


def updated(
    name: str,
    summary: str,
    clauses: str,
    given: JsonObject,
    result: Message,
    *,
    libsession: Message | None = None,
) -> Draft:
    """A draft whose update succeeds; libsession: what that reading makes, if something else."""
    return accepted(
        name,
        "update",
        summary,
        clauses,
        given,
        made(result),
        libsession=None if libsession is None else made(libsession),
    )
