"""The outcome of a history, for comparing readings: the clients' data, decisions and stores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.config_merge.histories.run import Run


def outcome_of(run: Run) -> JsonObject:
    """Return the outcome of a history that has run to its end.

    held: the config's data after each resolve, and the data that each application sees at the end.
    decided: whether each resolve merged, and its reasons for ignoring messages. stored: the names
    of the ciphertexts that clients put into the swarm. The field names sort by time; `exchange` is
    the exchange after the events.
    """
    held: JsonObject = {}
    decided: JsonObject = {}
    stored: JsonObject = {}
    for number, step in enumerate(run.resolved):
        when = _when(step.event, step.client, number)
        held[when] = shown(step.resolution.message.data)
        decided[when] = {
            "merged": step.resolution.merged,
            "ignored": [ignored.why for ignored in step.resolution.ignored],
        }
    for client, each in enumerate(run.clients):
        held[f"the end, client {client}"] = shown(each.data)
    for number, pushed in enumerate(run.pushed):
        when = _when(pushed.event, pushed.client, number)
        stored[when] = run.records[pushed.record].name.hex()
    return {"held": held, "decided": decided, "stored": stored}


def _when(event: int, client: int, number: int) -> str:
    """Return a name that sorts by time. A client acts several times in the exchange."""
    if event >= 0:
        return f"event {event:03}, client {client}"
    return f"exchange {number:03}, client {client}"


def shown(data: Any) -> Json:
    """Return data in an unambiguous form for people: Python literals, with sets as lists.

    The protocol limits the nesting.
    """
    if isinstance(data, Mapping):
        return {repr(key): shown(value) for key, value in data.items()}
    if isinstance(data, frozenset):
        return [*sorted(map(repr, data))]
    return repr(data)
