"""A history, and the records of its run: the messages, and the clients' resolves and pushes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final

from attrs import evolve, frozen

from rejoin import config_merge as cm
from rejoin_conformance.contract.history import NotAHistoryError
from rejoin_conformance.kit.codec import read
from rejoin_conformance.kit.json_forms import BigInt, shown_value, within
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.validation import schema_fault, validator
from rejoin_conformance.systems.config_merge.actions import EVENTS, NAMES
from rejoin_conformance.systems.config_merge.by_hand.keys import (
    HISTORY_KEY,
    HISTORY_PUBLIC,
    HISTORY_SEED,
)
from rejoin_conformance.systems.config_merge.changes import Change, Tree

ENCRYPTION_KEY, SIGNING_KEY, VERIFY_KEY = HISTORY_KEY, HISTORY_SEED, HISTORY_PUBLIC
DOMAIN: Final = b"Rejoin"
"""The keys and the domain are the same in every history."""


@frozen
class History:
    """One random history. Whatever its events, it ends with an exchange until nothing changes.

    seed: the seed from which it was drawn. clients: the number of clients. window: N, the same for
    all clients. signed: whether messages must be signed. readers: the clients that cannot sign; it
    has no meaning if messages need not be signed. events: actions in JSON; every event is valid in
    every state (in some states it does nothing), so a history stays valid without some of them.
    """

    seed: BigInt
    clients: Annotated[int, within(1, len(NAMES))]
    window: Annotated[int, within(1)]
    signed: bool
    readers: tuple[str, ...]
    events: tuple[JsonObject, ...]

    @property
    def names(self) -> str:
        """Return the names of the clients."""
        return NAMES[: self.clients]

    def can_sign(self, name: str) -> bool:
        """Return whether a client has the key that it needs to make merges and updates."""
        return not (self.signed and name in self.readers)

    def settings(self, reading: cm.Reading) -> dict[str, cm.Settings]:
        """Return the settings of each client. A client that cannot sign has no signing key."""
        writer = cm.Settings(
            encryption_key=ENCRYPTION_KEY,
            domain=DOMAIN if reading.nonce_domain_separated else None,
            window=self.window,
            reading=reading,
            verify_key=VERIFY_KEY if self.signed else None,
            signing_key=SIGNING_KEY if self.signed else None,
        )
        reader = evolve(writer, signing_key=None)
        return {name: writer if self.can_sign(name) else reader for name in self.names}


def history_from_json(value: JsonObject) -> History:
    """Return the history that `value` is as JSON.

    Raises NotAHistoryError for any other JSON.
    """
    history = read(value, History, error=NotAHistoryError)
    for place, event in enumerate(history.events):
        fault = _event_fault(event, history.names)
        if fault is not None:
            raise NotAHistoryError(f"$.events[{place}]{fault}")
    for name in history.readers:
        if name not in history.names:
            raise NotAHistoryError(f"$.readers: there is no client {shown_value(name)}")
    return history


def _event_fault(event: JsonObject, names: str) -> str | None:
    """Return where and why an event is none of this history's clients, or None."""
    row = next((row for row in EVENTS if row.key in event), None)
    if row is None:
        return f": expected an event: {', '.join(row.key for row in EVENTS)}"
    fault = schema_fault(_VALIDATORS[row.key], event)
    if fault is not None:
        return fault.removeprefix("$")
    acting: Any = event.get("partition", [event["client"]] if "client" in event else [])
    unknown = [name for name in acting if name not in names]
    return f": there is no client {shown_value(unknown[0])}" if unknown else None


_VALIDATORS: Final = {row.key: validator(row.schema()) for row in EVENTS}


@frozen
class Record:
    """A message of the history, and the facts known about it.

    name: of the ciphertext in the swarm. kind: `first`, `update`, `merge`, `merge-and-change`, or
    the kind of the injection. by: the client that pushed it first, None if it was injected.
    parents: the records that it was made from. mask: bit k is set if record k is this record or one
    of its ancestors. honest: whether its rows, diff and data follow the protocol. changes: its own
    changes. event: the index of the history's event that made it, or -1 in the final exchange.
    """

    index: int
    message: cm.Message
    ciphertext: bytes
    name: bytes
    kind: str
    by: str | None
    parents: tuple[int, ...]
    mask: int
    honest: bool
    changes: tuple[Change, ...]
    event: int


@frozen
class Resolved:
    """A client resolved the messages that it knew.

    known: by name in the swarm, in order of arrival.
    """

    event: int
    client: str
    known: Mapping[bytes, cm.Parsed]
    resolution: cm.Resolution
    settings: cm.Settings


@frozen
class Pushed:
    """A client pushed a message.

    before: the client's state before the push. record: index of the message's record. batch: the
    message as the client encrypted it, and the names of the ciphertexts to delete. intended: the
    data that the application saw. permitted: whether the batch may delete. was_stored: whether the
    swarm already had this ciphertext.
    """

    event: int
    client: str
    before: cm.Client
    record: int
    batch: cm.Batch
    intended: Mapping[bytes, Any]
    permitted: bool
    was_stored: bool


@frozen
class Kept:
    """A client with an edit that it had not pushed got a new head.

    expected: the data that the application should see. seen: the data that it sees.
    """

    event: int
    client: str
    expected: Tree
    seen: Mapping[bytes, Any]


def named(message: cm.Message) -> str:
    """Return a message's name for people: its seqno and the first bytes of its hash."""
    return f"{message.seqno}-{message.hash.hex()[:6]}"


def resolve_input(messages: Iterable[cm.Message], settings: cm.Settings) -> JsonObject:
    """Return the operation that resolves these messages, in the format of a vector."""
    listed: list[Json] = [message.encoded.hex() for message in messages]
    given: dict[str, Json] = {"messages": listed, "window": settings.window}
    if settings.verify_key is not None:
        given["verify_key"] = settings.verify_key.hex()
    if settings.signing_key is not None:
        given["signing_key"] = settings.signing_key.hex()
    return {"operation": "config-merge/resolve", "input": given}
