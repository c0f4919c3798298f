"""Every action of a client, of the swarm and of the network is one row.

Scenarios and random histories share the rows, and one function carries out each of them. An event
of a history is an action in JSON: `{"client": "A", "push": true, "delayed": true}`. Two events
depend on the state: the changes of an edit become whole data, and an injection becomes stored
bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, Final

from attrs import define, evolve, field

from rejoin import config_merge as cm
from rejoin_conformance.contract.rows import TRUE, Action, read_action
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.phrases import Kind
from rejoin_conformance.kit.schemas import integer, list_of, one_of_texts
from rejoin_conformance.systems.config_merge.bytes_text import (
    is_string,
    read_integer,
    read_least,
    read_part,
)
from rejoin_conformance.systems.config_merge.changes import CHANGE, Path, change_json, change_of
from rejoin_conformance.systems.config_merge.data_text import key_text, read_key, value_text
from rejoin_conformance.systems.config_merge.injections import INJECTIONS, sealed
from rejoin_conformance.systems.config_merge.kinds import KINDS as OF_OPERATIONS
from rejoin_conformance.systems.config_merge.kinds import WHOLE_DATA

NAMES: Final = "ABCDEFGH"
"""The names of the clients of a history."""

NAME: Final[JsonObject] = {"type": "string", "minLength": 1}


def _named(known: Collection[str], expected: str) -> Callable[[Any], str]:
    """Return a function that takes one of these words."""
    return lambda text: text.take() if text.next.text in known else text.fail(expected)


def _read_changes(text: Any) -> list[Json]:
    if _follows(text, "end") and text.takes("nothing"):
        return []
    found: list[Json] = [_read_change(text)]
    while text.takes(","):
        found.append(_read_change(text))
    return found


def _follows(text: Any, *kinds: str) -> bool:
    """Return whether a token of one of these kinds comes after the next one."""
    return [each.kind for each in text.tokens[text.place + 1 :][:1]] in [[kind] for kind in kinds]


def _read_change(text: Any) -> JsonObject:
    if _follows(text, "bare", "quoted") and text.takes("remove"):
        return change_json("remove", _read_path(text))
    path = _read_path(text)
    kind = next((kind for kind, mark in _MARKS.items() if text.takes(mark)), "")
    if not kind:
        text.fail("`.` and a key, or `=`, `+` or `-` and a value")
    return change_json(kind, path, read_part(text) if is_string(text) else read_integer(text))


def _read_path(text: Any) -> Path:
    keys = [read_key(text)]
    while text.takes("."):
        keys.append(read_key(text))
    return tuple(keys)


def _change_text(given: Any) -> str:
    change = change_of(given)
    path = ".".join(map(key_text, change.path))
    if change.value is None:
        return f"remove {path}"
    return f"{path} {_MARKS[change.kind]} {value_text(change.value)}"


def _read_places(text: Any) -> int:
    skipped = 0
    while text.next.kind == "bare":
        place = read_integer(text, "a place")
        skipped |= 1 << place if place < _PLACES else text.refuse(f"a place below {_PLACES}")
    return skipped or text.fail("the places that a fetch leaves out")


def _places_text(skipped: int, _: object) -> str:
    return " ".join(str(bit) for bit in range(skipped.bit_length()) if skipped >> bit & 1)


def _read_clients(text: Any) -> list[Json]:
    if text.takes(_NOBODY):
        return []
    read = _named([*NAMES], f"clients by their letters, or `{_NOBODY}`")
    found: list[Json] = [read(text)]
    while text.next.kind == "bare":
        found.append(read(text))
    return found


def read_actions(
    text: Any, rows: Sequence[Action], clients: Sequence[str], instead: Sequence[str] = ()
) -> list[JsonObject]:
    """Take an action of the swarm, or the actions of a client with commas between them.

    instead: other words that can come, for the error.
    """
    swarm = dict.fromkeys([row.lead[0] for row in rows if not row.subject])
    if text.next.kind != "bare" or text.next.text not in (*swarm, *clients):
        words = ", ".join(f"`{word}`" for word in (*swarm, *instead))
        text.fail(f"{words} or the name of a client ({', '.join(clients)})")
    first = read_action(rows, text)
    found = [first]
    while "client" in first and text.takes(","):
        found.append(read_action(rows, text, {"client": first["client"]}))
    text.done()
    return found


_MARKS: Final = {"assign": "=", "add": "+", "discard": "-"}
_NOBODY: Final = "nobody"
_PLACES: Final = 64
KINDS: Final[Mapping[str, Kind]] = {
    "client": Kind(
        schema=NAME,
        read=lambda text: text.take(),
        write=lambda name, _: str(name),
        words="The client that takes the step.",
    ),
    "data": WHOLE_DATA,
    "message": evolve(
        OF_OPERATIONS["message"], write=lambda value, sheet: sheet.name(bytes.fromhex(value))
    ),
    "ciphertext": evolve(
        OF_OPERATIONS["ciphertext"],
        write=lambda value, sheet: sheet.name_of_stored(bytes.fromhex(value)),
    ),
    "changes": Kind(
        schema=list_of(CHANGE),
        load=lambda each, _: tuple(map(change_of, each)),
        read=_read_changes,
        write=lambda each, _: ", ".join(map(_change_text, each)) or "nothing",
    ),
    "flag": TRUE,
    "places": Kind(schema=integer(1), read=_read_places, write=_places_text),
    "injection": Kind(
        schema=one_of_texts(*INJECTIONS),
        read=_named(INJECTIONS, f"the kind of an injection: {', '.join(INJECTIONS)}"),
        write=lambda kind, _: str(kind),
    ),
    "count": Kind(
        schema=integer(0), read=lambda text: read_least(text, 0), write=lambda count, _: str(count)
    ),
    "clients": Kind(
        schema=list_of(NAME, unique=True),
        read=_read_clients,
        write=lambda names, _: " ".join(names) or _NOBODY,
    ),
}


@define
class Stage:
    """Clients, the swarm, and the network between them.

    clients: by their names. permitted: whether the swarm permits deletion. sides: the swarm, or its
    two sides while the network is cut. far: the clients that reach the second side. on_the_way: the
    delayed batches, each with its client and whether it may delete.
    """

    clients: dict[str, cm.Client]
    permitted: bool = True
    sides: list[cm.Swarm] = field(factory=lambda: [cm.Swarm()])
    far: frozenset[str] = frozenset()
    on_the_way: list[tuple[str, cm.Batch, bool]] = field(factory=list)

    @property
    def settings(self) -> cm.Settings:
        """Return the settings of the first client. Only the signing keys differ from it."""
        return next(iter(self.clients.values())).settings

    def stored_for(self, name: str) -> Mapping[bytes, bytes]:
        """Return the ciphertexts on a client's side of the swarm: ID -> ciphertext."""
        return self.sides[name in self.far].stored

    def fetch(self, name: str, _skip: int) -> bool:
        """Let a client fetch. Returns whether it may have learned something."""
        self.clients[name] = cm.fetch(self.clients[name], self.stored_for(name).values())
        return True

    def execute(self, name: str, batch: cm.Batch, *, permitted: bool) -> None:
        """Execute a client's batch on its side. permitted: whether it may delete."""
        swarm = cm.Swarm(self.stored_for(name), permitted)
        self.sides[name in self.far] = cm.execute(swarm, batch)

    def mend(self) -> None:
        """Join the sides of the swarm, which then stores the ciphertexts of both."""
        if len(self.sides) == 2:
            near, far = self.sides
            for name, ciphertext in far.stored.items():
                if name not in near.stored:
                    near = cm.store(near, ciphertext)
            self.sides, self.far = [near], frozenset()


def _edit(stage: Stage, name: str, fields: Mapping[str, Any]) -> None:
    stage.clients[name] = cm.edit(stage.clients[name], fields["edit"])


def _push(stage: Stage, name: str, fields: Mapping[str, Any]) -> cm.Batch | None:
    stage.clients[name], batch = cm.push(stage.clients[name])
    permitted = stage.permitted and "deletes_nothing" not in fields
    if batch is not None and "delayed" in fields:
        stage.on_the_way.append((name, batch, permitted))
    elif batch is not None:
        stage.execute(name, batch, permitted=permitted)
    return batch


def _resolve(stage: Stage, name: str, _: object) -> cm.Resolution | None:
    stage.clients[name], resolution = cm.resolve_known(stage.clients[name])
    return resolution


def _store(stage: Stage, _: str, fields: Mapping[str, Any]) -> None:
    _store_raw(stage, "", {"store_raw": sealed(fields["store"], stage.settings)})


def _store_raw(stage: Stage, _: str, fields: Mapping[str, Any]) -> None:
    side = fields.get("side", 0) % len(stage.sides)
    stage.sides[side] = cm.store(stage.sides[side], fields["store_raw"])


def _partition(stage: Stage, _: str, fields: Mapping[str, Any]) -> bool:
    """Cut the network if clients are on both sides. An earlier partition ends in any case."""
    stage.mend()
    far = frozenset(fields["partition"])
    if 0 < len(far) < len(stage.clients):
        stage.sides, stage.far = [stage.sides[0], stage.sides[0]], far
    return len(stage.sides) == 2


def _deliver(stage: Stage, _: str, __: object) -> None:
    for name, batch, permitted in stage.on_the_way:
        stage.execute(name, batch, permitted=permitted)
    stage.on_the_way.clear()


_WORDS: Final = {
    "edit": "The whole new data of the client, bt-encoded. Empty sets and dicts are omitted.",
    "push": "The client stores its head in the swarm, if there is something to store.",
    "fetch": "The client gets the messages that the swarm stores.",
    "resolve": "The client resolves the messages that it knows to one head.",
    "store": "A message, bt-encoded, that the suite encrypts and stores in the swarm.",
    "store_raw": "Bytes that the suite stores in the swarm as they are.",
}
_client: Final = partial(Action, kinds=KINDS, words=_WORDS)
_swarm: Final = partial(Action, kinds=KINDS, words=_WORDS, subject="")

PUSH: Final = _client("push", "pushes", _push)
FETCH: Final = _client(
    "fetch", "fetches", lambda stage, name, fields: stage.fetch(name, fields.get("skip", 0))
)
RESOLVE: Final = _client("resolve", "resolves", _resolve)
STEPS: Final = (
    _client("edit", "edits {edit:data}", _edit),
    PUSH,
    FETCH,
    RESOLVE,
    _swarm("store", "store {store:message}", _store),
    _swarm("store_raw", "store {store_raw:ciphertext}", _store_raw),
)
"""The actions of scenarios."""

EVENTS: Final = (
    _client("changes", "edits {changes}", None, becomes=lambda run, *given: run.edit_of(*given)),
    evolve(PUSH, says="pushes[, deletes nothing{deletes_nothing:flag}][, delayed{delayed:flag}]"),
    evolve(FETCH, says="fetches[, skips {skip:places}]"),
    RESOLVE,
    _swarm(
        "inject",
        "inject {inject:injection}, target {target:count}, salt {salt:count}",
        None,
        becomes=lambda run, *given: run.store_of(*given),
    ),
    _swarm("partition", "partition {partition:clients}", _partition),
    _swarm("heal", "heal", lambda stage, *_: stage.mend()),
    _swarm("deliver", "deliver", _deliver),
)
"""The events of random histories."""

BY_KEY: Final[Mapping[str, Action]] = {row.key: row for row in (*EVENTS, *STEPS)}
