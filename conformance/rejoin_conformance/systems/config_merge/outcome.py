"""What a history comes to, for the comparison of readings: its outcome, and what it costs.

A larger N makes messages longer, because they carry more lagged diffs. A smaller N ignores more
messages and loses their edits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rejoin_conformance.contract.history import Cost
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.config_merge.changes import Tree, carry_out, differences, touches
from rejoin_conformance.systems.config_merge.run import Run, data_of


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
    for name, client in run.clients.items():
        held[f"the end, client {name}"] = shown(client.data)
    for number, pushed in enumerate(run.pushed):
        when = _when(pushed.event, pushed.client, number)
        stored[when] = run.records[pushed.record].name.hex()
    return {"held": held, "decided": decided, "stored": stored}


_PLAIN: Final = frozenset(map(chr, range(32, 127))) - {'"', "\\"}


def _when(event: int, client: str, number: int) -> str:
    """Return a name that sorts by time. A client acts several times in the exchange."""
    if event >= 0:
        return f"event {event:03}, client {client}"
    return f"exchange {number:03}, client {client}"


def shown(data: Any) -> Json:
    """Return data with its parts as the notation spells them, and sets as lists.

    The protocol limits the nesting.
    """
    if isinstance(data, Mapping):
        return {_spelled(key): shown(value) for key, value in data.items()}
    if isinstance(data, frozenset):
        return [*sorted(map(_spelled, data))]
    return _spelled(data)


def _spelled(part: int | bytes) -> str:
    """Return an integer, or a string in quotes whose other bytes are `\\x` and two digits."""
    if isinstance(part, int):
        return str(part)
    plain = (chr(each) if chr(each) in _PLAIN else f"\\x{each:02x}" for each in part)
    return f'"{"".join(plain)}"'


def costs_of(run: Run) -> Mapping[str, Cost]:
    """Return the costs of a history that has run to its end.

    bytes per message: the length of the ciphertexts of the messages that clients made.
    messages ignored: the messages that some resolve set aside as stale although no survivor of that
    resolve descends from them, of the messages that clients made. edits lost: see `_lost`.
    """
    made = [record for record in run.records if record.by is not None]
    return {
        "bytes per message": Cost(sum(len(each.ciphertext) for each in made), len(made)),
        "messages ignored per 100": Cost(len(_ignored(run)), len(run.records), per=100),
        "edits lost per 100": _lost(run),
    }


def _ignored(run: Run) -> set[int]:
    """Return the indices of the records that a resolve ignored as stale and did not include."""
    index = {record.name: record.index for record in run.records}
    ignored: set[int] = set()
    for step in run.resolved:
        survivors = run.records_of(step.resolution.survivors)
        included = {record.index for record in run.with_ancestors(survivors)}
        names = list(step.known)
        stale = [each.index for each in step.resolution.ignored if each.why == "stale"]
        ignored |= {index[names[each]] for each in stale if names[each] in index} - included
    return ignored


def _lost(run: Run) -> Cost:
    """Return how many edits are lost at the end, of all edits.

    An edit is lost if it is the last edit of a place in the data, by seqno and hash, and the final
    data do not show it. If the clients hold different data at the end, or if the history has a
    message that does not follow the protocol, no edit is counted.
    """
    if run.head is None or len(run.heads) != 1 or not all(each.honest for each in run.records):
        return Cost(0, 0, per=100)
    edits = [record for record in run.records if record.changes]
    edits.sort(key=lambda record: record.message.rank)
    expected: Tree = {}
    for record in edits:
        carry_out(expected, record.changes)
    lost: set[int] = set()
    for leaf, _ in differences(expected, data_of(run.head)):
        touching = [
            record.index
            for record in edits
            if any(touches(change, leaf) for change in record.changes)
        ]
        lost.update(touching[-1:])
    return Cost(len(lost), len(edits), per=100)
