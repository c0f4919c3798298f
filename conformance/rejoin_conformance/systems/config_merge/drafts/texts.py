"""Recipes of bt-encoded texts, and the bytes and hashes that they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rejoin_conformance.contract.recipe_drafting import in_hex
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.kit.recipe import expand
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import blake2b


def bytes_of(texts: Iterable[Json]) -> bytes:
    """Return the bytes that recipes of texts stand for."""
    return bytes.fromhex(str(expand(in_hex("", *texts))))


def digest_of(texts: Iterable[Json]) -> str:
    """Return the hash of the bytes that recipes of texts stand for, as hex."""
    return blake2b(bytes_of(texts)).hex()


def message_of(
    seqno: str, data: Sequence[Json], rows: Sequence[Json] = (), diff: Sequence[Json] = ()
) -> list[Json]:
    """Return the text of a message. data, rows, diff: the texts inside their brackets."""
    return [f"d1:#i{seqno}e1:&d", *data, "e1:<l", *rows, "e1:=d", *diff, "ee"]
