"""`scenario`: clients and a swarm, step by step.

All clients share the window, the encryption key and, in the reading `libsession`, the domain. One
client takes each step, except for steps that store bytes in the swarm directly:

    {"client": "A", "edit": data}      the application of A has this data (bt-encoded, whole)
    {"client": "A", "push": true}      A makes its message, stores it and deletes obsolete ones
    {"client": "A", "fetch": true}     A fetches everything that the swarm has stored
    {"client": "A", "resolve": true}   A resolves all its messages; the result becomes its head
    {"store": plaintext}               the swarm stores these bytes, encrypted with the common key
    {"store_raw": bytes}               the swarm stores these bytes as they are
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from attrs import define

from rejoin import config_merge as cm
from rejoin.config_merge import (
    Client,
    Reading,
    Settings,
    Swarm,
    edit,
    encode_data,
    encrypt,
    execute,
    fetch,
    parse_data,
    push,
    resolve_known,
    store,
)
from rejoin.errors import RejoinError
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.schemas import (
    BOOLEAN,
    any_of,
    hex_of,
    list_of,
    map_of,
    nullable,
    record,
)
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.config_merge import READINGS
from rejoin_conformance.systems.config_merge.features import (
    DELETION,
    SIGNATURES,
    STORES,
    WINDOWS,
)
from rejoin_conformance.systems.config_merge.fields import (
    BYTES,
    DOMAIN,
    HASH,
    SEQNO,
    SIGNING_KEY,
    VERIFY_KEY,
    WINDOW,
    bytes_field,
    optional_bytes,
    window_field,
)

_NAME: Final[JsonObject] = {"type": "string", "minLength": 1}
_TRUE: Final[JsonObject] = {"const": True}


class UnknownClientError(RejoinError):
    """The scenario names a client that `clients` does not list."""


@define
class _Stage:
    """The state of a scenario between two steps."""

    swarm: Swarm
    clients: dict[str, Client]


def heads_of(value: JsonObject, reading: cm.Reading) -> Iterator[bytes]:
    """Yield the plaintexts of all clients' heads after each step of a scenario.

    Raises RejoinError if a step is refused.
    """
    stage = _opening(value, reading)
    script: Any = value["steps"]
    for step in script:
        _perform_step(stage, step)
        for client in stage.clients.values():
            if client.head is not None:
                yield client.head.encoded


def _scenario(value: JsonObject, reading: cm.Reading) -> JsonObject:
    stage = _opening(value, reading)
    script: Any = value["steps"]
    steps: list[Json] = []
    for step in script:
        _perform_step(stage, step)
        steps.append({"heads": _heads(stage), "stored": _names(stage.swarm)})
    clients = stage.clients
    heads: JsonObject = {
        name: None if client.head is None else client.head.encoded.hex()
        for name, client in clients.items()
    }
    data: JsonObject = {name: encode_data(client.data).hex() for name, client in clients.items()}
    stored: list[Json] = [*sorted(form.hex() for form in stage.swarm.stored.values())]
    return {"steps": steps, "heads": heads, "data": data, "stored": stored}


def _words(value: JsonObject) -> list[str]:
    """Return the action of each step."""
    script: Any = value["steps"]
    return [next(key for key in step if key != "client") for step in script]


def _opening(value: JsonObject, reading: Reading) -> _Stage:
    names: Any = value["clients"]
    signing_keys: Any = value.get("signing_keys", {})
    if not signing_keys.keys() <= set(names):
        raise UnknownClientError("unknown-client", "`signing_keys` names a client not in `clients`")
    clients = {
        name: Client(
            Settings(
                encryption_key=bytes_field(value, "key"),
                domain=optional_bytes(value, "domain"),
                window=window_field(value),
                reading=reading,
                verify_key=optional_bytes(value, "verify_key"),
                signing_key=optional_bytes(signing_keys, name),
            )
        )
        for name in names
    }
    permitted = value.get("deletion_permitted", True) is True
    return _Stage(Swarm(deletion_permitted=permitted), clients)


def _perform_step(stage: _Stage, step: Any) -> None:
    if "client" not in step:
        stage.swarm = store(stage.swarm, _foreign(stage, step))
        return
    name = step["client"]
    client = _client(stage, name)
    if "edit" in step:
        data = parse_data(bytes_field(step, "edit"), reading=client.settings.reading)
        client = edit(client, data)
    elif "fetch" in step:
        client = fetch(client, stage.swarm.stored.values())
    elif "resolve" in step:
        client, _ = resolve_known(client)
    else:
        client, batch = push(client)
        if batch is not None:
            stage.swarm = execute(stage.swarm, batch)
    stage.clients[name] = client


def _client(stage: _Stage, name: str) -> Client:
    if name not in stage.clients:
        raise UnknownClientError("unknown-client", f"{name[:40]!r} is not in `clients`")
    return stage.clients[name]


def _foreign(stage: _Stage, step: JsonObject) -> bytes:
    if "store_raw" in step:
        return bytes_field(step, "store_raw")
    settings = next(iter(stage.clients.values())).settings
    return encrypt(
        bytes_field(step, "store"),
        settings.encryption_key,
        reading=settings.reading,
        domain=settings.domain,
    )


def _heads(stage: _Stage) -> JsonObject:
    return {
        name: None
        if client.head is None
        else {"seqno": str(client.head.seqno), "hash": client.head.hash.hex()}
        for name, client in stage.clients.items()
    }


def _names(swarm: Swarm) -> list[Json]:
    return [*sorted(name.hex() for name in swarm.stored)]


SCENARIO: Final = Operation(
    name="config-merge/scenario",
    summary=(
        "Let clients and a swarm act step by step. Return after each step the seqno and hash of "
        "every client's head (null before its first), and the sorted BLAKE2b-32 hashes of the "
        "stored forms. Return at the end every client's head, the data that its application sees, "
        "and the sorted stored forms. A step is {client, edit: data}, {client, push: true}, "
        "{client, fetch: true}, {client, resolve: true}, {store: plaintext} (encrypted with the "
        "common key) or {store_raw: bytes}. Clients in `signing_keys` sign their messages. If a "
        "step is rejected, the scenario is rejected."
    ),
    input_schema=record(
        {
            "clients": list_of(_NAME, unique=True, minimum=1),
            "key": hex_of(32),
            "steps": list_of(
                any_of(
                    record({"client": _NAME, "edit": BYTES}),
                    record({"client": _NAME, "push": _TRUE}),
                    record({"client": _NAME, "fetch": _TRUE}),
                    record({"client": _NAME, "resolve": _TRUE}),
                    record({"store": BYTES}),
                    record({"store_raw": BYTES}),
                )
            ),
        },
        {
            "domain": DOMAIN,
            "window": WINDOW,
            "deletion_permitted": {
                "description": "Whether a push may delete obsolete messages.",
                "default": True,
                **BOOLEAN,
            },
            "signing_keys": map_of(SIGNING_KEY),
            "verify_key": VERIFY_KEY,
        },
    ),
    output_schema=record(
        {
            "steps": list_of(
                record(
                    {
                        "heads": map_of(nullable(record({"seqno": SEQNO, "hash": HASH}))),
                        "stored": list_of(HASH, unique=True),
                    }
                )
            ),
            "heads": map_of(nullable(BYTES)),
            "data": map_of(BYTES),
            "stored": list_of(BYTES, unique=True),
        }
    ),
    perform=under(READINGS, _scenario),
    features=(SIGNATURES, WINDOWS, DELETION, STORES),
    step_words=_words,
)
