"""The outcome of a history, by which two readings are compared: members and merges."""

from __future__ import annotations

from itertools import combinations
from typing import Final

from rejoin.history_merge import HistoryMergeError
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.history_merge.histories.run import Run

LAST: Final = 6
"""The number of final messages of a history from which every pair is merged."""


def outcome_of(run: Run) -> JsonObject:
    """Return the outcome of a history that has been run to its end.

    held: the members after each message, and at the end. The names of its fields sort by time.
    decided: the merge of every two of the last messages, or the code of the refusal. It is refused
    if one of the two is before the other.
    """
    held: JsonObject = {
        f"message {message.number:03}, {message.post.id}": [*sorted(message.state)]
        for message in run.messages
    }
    held["the end"] = [*sorted(run.session.members())]
    last = [message.post.id for message in run.messages[-LAST:]]
    decided: JsonObject = {
        f"merge of {one} and {other}": _merged(run, (one, other))
        for one, other in combinations(last, 2)
    }
    return {"held": held, "decided": decided}


def _merged(run: Run, names: tuple[str, ...]) -> Json:
    try:
        return [*sorted(run.session.merge(names))]
    except HistoryMergeError as error:
        return error.code
