"""Scenarios told by hand: for each step what everyone holds after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from rejoin_conformance.contract.vector import Draft, Level
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Raw, bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import DOCUMENT, LIBSESSION
from rejoin_conformance.systems.config_merge.drafts.by_hand.keys import (
    DOMAIN,
    KEY,
    stored_form,
    stored_form_in_domain,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import (
    Data,
    Message,
    blake2b,
)

Content: TypeAlias = "Message | bytes"
"""What is stored: a message, a plaintext, or `Raw` bytes that nobody encrypted."""

Moment: TypeAlias = "tuple[Mapping[str, Message | None], Sequence[Content]]"
"""After a step: every client's head, and what is stored."""


def do(client: str, verb: str) -> JsonObject:
    """A step of a client that is a verb alone: push, fetch or resolve."""
    return {"client": client, verb: True}


def edit(client: str, data: Data) -> JsonObject:
    """The step by which the application of a client comes to have this data."""
    return {"client": client, "edit": bt(data).hex()}


def store(content: Content) -> JsonObject:
    """The step by which somebody else stores something."""
    if isinstance(content, Raw):
        return {"store_raw": content.hex()}
    plaintext = content if isinstance(content, bytes) else content.encoded
    return {"store": plaintext.hex()}


def given(clients: Sequence[str], steps: Sequence[JsonObject], **options: Json) -> JsonObject:
    """The input of `scenario`."""
    return {
        "clients": list(clients),
        "key": KEY.hex(),
        "domain": DOMAIN.hex(),
        "steps": list(steps),
        **options,
    }


def _form(content: Content, reading: str) -> bytes:
    if isinstance(content, Raw):
        return bytes(content)
    plaintext = content if isinstance(content, bytes) else content.encoded
    return stored_form(plaintext) if reading == DOCUMENT else stored_form_in_domain(plaintext)


def _output(moments: Sequence[Moment], data: Mapping[str, Data], reading: str) -> JsonObject:
    steps: list[Json] = []
    for heads, stored in moments:
        names: list[Json] = [*sorted(blake2b(_form(each, reading)).hex() for each in stored)]
        shown: JsonObject = {
            name: None if head is None else {"seqno": str(head.seqno), "hash": head.hash.hex()}
            for name, head in heads.items()
        }
        steps.append({"heads": shown, "stored": names})
    heads, stored = moments[-1]
    forms: list[Json] = [*sorted(_form(each, reading).hex() for each in stored)]
    return {
        "steps": steps,
        "heads": {name: None if head is None else head.hex for name, head in heads.items()},
        "data": {name: bt(of_client).hex() for name, of_client in data.items()},
        "stored": forms,
    }


def story(
    name: str,
    summary: str,
    clauses: str,
    script: Sequence[tuple[JsonObject, Moment]],
    data: Mapping[str, Data],
    *,
    in_libsession: Sequence[Moment] | None = None,
    data_in_libsession: Mapping[str, Data] | None = None,
    level: Level = "must",
    **options: Json,
) -> Draft:
    """A scenario told by hand: for each step what everyone holds after it.

    The readings differ in how they encrypt; in_libsession, data_in_libsession: where they differ in
    messages and data too.
    """
    moments = [moment for _, moment in script]
    return Draft(
        name=name,
        operation="config-merge/scenario",
        summary=summary,
        clauses=tuple(clauses.split()),
        input=given(list(moments[0][0]), [step for step, _ in script], **options),
        level=level,
        output=_output(moments, data, DOCUMENT),
        output_by_reading={
            LIBSESSION: _output(in_libsession or moments, data_in_libsession or data, LIBSESSION)
        },
        readings_differ=True,
    )
