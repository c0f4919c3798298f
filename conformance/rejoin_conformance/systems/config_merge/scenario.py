"""`scenario`: clients and a swarm, action by action.

All clients share the window, the encryption key and, in the reading `libsession`, the domain. The
actions and their functions are the rows of `actions`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from attrs import evolve

from rejoin import config_merge as cm
from rejoin.errors import RejoinError
from rejoin_conformance.contract.rows import action_of, actions_schema, one_of
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.phrases import Kind
from rejoin_conformance.kit.schemas import BOOLEAN, HEX, hex_of, list_of, map_of, nullable, record
from rejoin_conformance.systems.config_merge.actions import NAME, STEPS, Stage
from rejoin_conformance.systems.config_merge.bytes_text import (
    ENCRYPTION,
    SEEDS,
    key_name,
    read_key_by_name,
)
from rejoin_conformance.systems.config_merge.kinds import KINDS as OF_OPERATIONS
from rejoin_conformance.systems.config_merge.kinds import record_of

_HEADS: Final = "Client -> its head, or null if it has none."
_STORED: Final = "The stored forms, in ascending order."
_HASHES: Final = "The hashes of the stored forms, in ascending order."


class UnknownClientError(RejoinError):
    """The scenario names a client that `clients` does not list."""


def _names(text: Any) -> list[Json]:
    found: list[Json] = []
    while not found or text.next.kind == "bare":
        found.append(text.take() if text.next.kind == "bare" else text.fail("the name of a client"))
    return found


def _read_signing_keys(text: Any) -> JsonObject:
    found: JsonObject = {}
    while not found or text.takes(",", "signing", "key"):
        key = read_key_by_name(text, SEEDS).hex()
        text.need("for")
        found |= dict.fromkeys(map(str, _names(text)), key)
    return found


def _write_signing_keys(keys: Mapping[str, str], _: object) -> str:
    said = (f"{key_name(bytes.fromhex(key), SEEDS)} for {name}" for name, key in keys.items())
    return ", signing key ".join(said)


KINDS: Final[Mapping[str, Kind]] = {
    **OF_OPERATIONS,
    "clients": Kind(
        schema=list_of(NAME, unique=True, minimum=1),
        read=_names,
        write=lambda names, _: " ".join(names),
        words="The names of the clients.",
    ),
    "key": evolve(
        OF_OPERATIONS["key"],
        schema=hex_of(32),
        read=lambda text: read_key_by_name(text, ENCRYPTION).hex(),
    ),
    "actions": Kind(schema=list_of(actions_schema(STEPS)), words="The steps in order."),
    "permitted": evolve(
        one_of({"permitted": True, "forbidden": False}),
        schema={"default": True, **BOOLEAN},
        missing=True,
        words="Whether a push may delete obsolete messages.",
    ),
    "signing_keys": Kind(
        schema=map_of(OF_OPERATIONS["signing_key"].described()),
        load=lambda keys, _: {name: bytes.fromhex(key) for name, key in keys.items()},
        missing={},
        read=_read_signing_keys,
        write=_write_signing_keys,
        words="Client -> the seed of its signing key. Other clients cannot sign.",
    ),
    "moments": Kind(
        schema=list_of(
            record(
                {
                    "heads": {
                        "description": _HEADS,
                        **map_of(nullable(record_of("seqno", "hash"))),
                    },
                    "stored": {"description": _HASHES, **list_of(hex_of(32), unique=True)},
                }
            )
        ),
        words="The steps in order.",
    ),
    "heads": Kind(schema=map_of(nullable(HEX)), words=_HEADS),
    "datas": Kind(
        schema=map_of(HEX), words="Client -> its application data at the end, bt-encoded."
    ),
    "stored": Kind(schema=list_of(HEX, unique=True), words=_STORED),
}


def stages(given: Mapping[str, Any], reading: cm.Reading) -> Iterator[Stage]:
    """Yield the same stage at first and after each step. Raises RejoinError if one is refused.

    given: the fields of the input in Python.
    """
    if not given["signing_keys"].keys() <= set(given["clients"]):
        raise UnknownClientError("input", "`signing_keys` names a client not in `clients`")
    clients = {
        name: cm.Client(
            cm.Settings(
                encryption_key=given["key"],
                domain=given["domain"],
                window=given["window"],
                reading=reading,
                verify_key=given["verify_key"],
                signing_key=given["signing_keys"].get(name),
            )
        )
        for name in given["clients"]
    }
    stage = Stage(clients, given["deletion_permitted"])
    yield stage
    for step in given["steps"]:
        name = step.get("client", "")
        if "client" in step and name not in clients:
            raise UnknownClientError("input", f"{name[:40]!r} is not in `clients`")
        row = action_of(STEPS, step)
        assert row.does is not None
        row.does(stage, name, row.loaded(step, reading))
        yield stage


def play(given: Mapping[str, Any], reading: cm.Reading) -> JsonObject:
    """Return the output of a scenario. given: the fields of its input in Python."""
    moments: list[Json] = []
    names, size = sum(map(_size_of_name, given["clients"])), 0
    for stage in stages(given, reading):
        swarm = stage.stored_for("")
        heads = {name: client.head for name, client in stage.clients.items()}
        moments.append(moment(heads, swarm))
        if len(moments) > 1:
            entries = len(stage.clients) + len(swarm)
            size = cm.checked_report(size + names + 32 * entries)
    data = {name: cm.encode_data(client.data) for name, client in stage.clients.items()}
    for name, head in heads.items():
        encoded = b"" if head is None else head.encoded
        size = cm.checked_report(size + len(encoded) + len(data[name]))
    return {"steps": moments[1:], **end(heads, data, swarm.values())}


def _size_of_name(name: str) -> int:
    return len(name.encode("utf-8", "surrogatepass"))


def moment(heads: Mapping[str, Any], names: Iterable[bytes]) -> JsonObject:
    """Return the state after a step. heads: client -> message or None. names: of stored forms."""
    return {
        "heads": {
            client: None if head is None else {"seqno": str(head.seqno), "hash": head.hash.hex()}
            for client, head in heads.items()
        },
        "stored": _sorted(names),
    }


def end(heads: Mapping[str, Any], data: Mapping[str, bytes], stored: Iterable[bytes]) -> JsonObject:
    """Return the state at the end. data: client -> the encoded data that its application sees."""
    return {
        "heads": {
            client: None if head is None else head.encoded.hex() for client, head in heads.items()
        },
        "data": {client: each.hex() for client, each in data.items()},
        "stored": _sorted(stored),
    }


def _sorted(items: Iterable[bytes]) -> list[Json]:
    return [*sorted({each.hex() for each in items})]


def step_words(value: JsonObject) -> list[str]:
    """Return the action of each step."""
    steps: Any = value["steps"]
    return [action_of(STEPS, step).key for step in steps]
