"""Signatures: their span and form, contexts that require them, and who can merge."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.systems.config_merge.drafts.signatures import making, received, signing


def topic() -> Topic:
    """Everything about the key `~`."""
    return Topic(
        "signatures",
        "Signatures. Keys are those of the test vectors of RFC 8032; signatures come from PyNaCl.",
        (*signing.drafts(), *received.drafts(), *making.drafts()),
    )
