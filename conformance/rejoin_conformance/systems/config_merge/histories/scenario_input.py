"""Convert a history into the input of the operation `scenario`, without the network.

A scenario has no partitions and no delays. So its steps are the steps of the history on a network
on which every fetch returns everything and every batch arrives immediately.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from rejoin import config_merge as cm
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.config_merge.histories.events import (
    Edit,
    Event,
    Fetch,
    History,
    Inject,
    Push,
    Resolve,
)
from rejoin_conformance.systems.config_merge.histories.run import Run
from rejoin_conformance.systems.config_merge.histories.settings import (
    DOMAIN,
    ENCRYPTION_KEY,
    SIGNING_KEY,
    VERIFY_KEY,
)

_NAMES = "ABCDEFGH"


def scenario_of(history: History, reading: cm.Reading) -> JsonObject:
    """Return the input of the scenario, without the events that the reference refuses."""
    run = Run(history, reading)
    clients: list[Json] = [*_NAMES[: history.clients]]
    steps: list[Json] = [
        said for event in history.events for said in _carried_out(run, _on_a_sound_network(event))
    ]
    scenario: JsonObject = {
        "clients": clients,
        "key": ENCRYPTION_KEY.hex(),
        "domain": DOMAIN.hex(),
        "window": run.history.window,
        "steps": steps,
    }
    if history.signed:
        scenario["verify_key"] = VERIFY_KEY.hex()
        scenario["signing_keys"] = {
            _NAMES[client]: SIGNING_KEY.hex()
            for client in range(history.clients)
            if history.can_sign(client)
        }
    return scenario


def _on_a_sound_network(event: Event) -> Event:
    match event:
        case Fetch():
            return evolve(event, skip=0)
        case Push():
            return evolve(event, delete=True, delayed=False)
        case _:
            return event


def _carried_out(run: Run, event: Event) -> Iterator[JsonObject]:
    """Carry out an event and yield its step, unless it is refused or has no step."""
    refusals = _refusals(run)
    stored = dict(run.network.stored_for(0))
    if isinstance(event, Edit | Push | Fetch | Resolve | Inject):
        run.perform(event)
    if _refusals(run) > refusals:
        return
    match event:
        case Edit(client):
            data = cm.encode_data(run.clients[client].data).hex()
            yield {"client": _NAMES[client], "edit": data}
        case Push(client):
            yield {"client": _NAMES[client], "push": True}
        case Fetch(client):
            yield {"client": _NAMES[client], "fetch": True}
        case Resolve(client):
            yield {"client": _NAMES[client], "resolve": True}
        case Inject():
            for name, ciphertext in run.network.stored_for(0).items():
                if name not in stored:
                    yield _storing(run, ciphertext)


def _storing(run: Run, ciphertext: bytes) -> JsonObject:
    """Return the step that stores a ciphertext, given by its plaintext if that reproduces it."""
    settings = run.clients[0].settings
    key, reading, domain = settings.encryption_key, settings.reading, settings.domain
    try:
        plaintext = cm.decrypt(ciphertext, key, reading=reading, domain=domain)
    except cm.ConfigMergeError:
        return {"store_raw": ciphertext.hex()}
    if cm.encrypt(plaintext, key, reading=reading, domain=domain) == ciphertext:
        return {"store": plaintext.hex()}
    return {"store_raw": ciphertext.hex()}


def _refusals(run: Run) -> int:
    """Return the number of events that the reference refused."""
    return sum(
        count
        for what, count in run.counts.items()
        if what.startswith(("resolve-", "edit-", "push-"))
    )
