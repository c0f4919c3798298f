"""What everybody holds, decides and stores in a history: what two readings are compared by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.config_merge.histories.run import Run


def outcome_of(run: Run) -> JsonObject:
    """The outcome of a history that has been run to its end.

    held: the config's data after each resolve, and what each application sees at the end.
    decided: whether each resolve merged, and why it ignored what it ignored. stored: the names of
    what the clients put into the swarm. The names of the fields sort by time; `exchange` is what
    follows the events.
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
    """A name that sorts by time; a client does several things in the exchange."""
    if event >= 0:
        return f"event {event:03}, client {client}"
    return f"exchange {number:03}, client {client}"


def shown(data: Any) -> Json:
    """Data for people, and unambiguous: scalars and keys as Python writes them, sets as lists.

    Its nesting is limited by the protocol.
    """
    if isinstance(data, Mapping):
        return {repr(key): shown(value) for key, value in data.items()}
    if isinstance(data, frozenset):
        return [*sorted(map(repr, data))]
    return repr(data)
