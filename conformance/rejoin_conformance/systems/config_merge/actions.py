"""Every action of a client, of the swarm and of the network is one row.

Scenarios and random histories share the rows, and one function carries out each of them. An event
of a history is an action in JSON: `{"client": "A", "push": true, "delayed": true}`. Two events
depend on the state: the changes of an edit become whole data, and an injection becomes stored
bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from attrs import define, evolve, field

from rejoin import config_merge as cm
from rejoin_conformance.contract.rows import Action
from rejoin_conformance.systems.config_merge.action_text import KINDS


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
    settings = stage.settings
    key, reading = settings.encryption_key, settings.reading
    ciphertext = cm.encrypt(fields["store"], key, reading=reading, domain=settings.domain)
    _store_raw(stage, "", {"store_raw": ciphertext})


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


def loaded(row: Action, action: Mapping[str, Any], reading: cm.Reading) -> dict[str, Any]:
    """Return the fields of an action in Python, as the function of its row takes them."""
    return {
        name: kind.load(action[name], reading)
        for name, kind in row.fields.items()
        if name in action
    }
