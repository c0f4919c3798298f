"""The document's example of a simultaneous update with four parties, stage by stage.

Source: "Example: simultaneous update with four parties"
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Final, Generic, TypeVar

from attrs import frozen

from rejoin.conflict_detection.clients import Folder, add_client
from rejoin.conflict_detection.designs import Design
from rejoin.conflict_detection.directories_and_polling import poll
from rejoin.conflict_detection.local_changes import edit
from rejoin.conflict_detection.resolution import resolve

V = TypeVar("V")

CLIENTS: Final = ("A", "B", "C", "D")
FILE: Final = "foo"


@frozen
class Stage(Generic[V]):
    """A stage of the example: the folder after `event`."""

    event: str
    folder: Folder[V]


def simultaneous_update(design: Design[V]) -> tuple[Stage[V], ...]:
    """Play steps 1 to 5 and the later events, until all clients have D's resolution.

    Clauses: CD-FOUR-PARTIES
    Source: "Example: simultaneous update with four parties"
    """
    empty: Folder[V] = reduce(add_client, CLIENTS, Folder(design))
    in_sync = _everyone_polls(_edited(empty, "A", b"X"))
    changed = _edited(_edited(in_sync, "A", b"XA"), "B", b"XB")
    accepted = _polled(changed, [("C", "A"), ("D", "B")])
    all_heard = _everyone_polls(accepted)
    ignored = _polled(
        _edited(_edited(all_heard, "A", b"XA2"), "B", b"XB2"), [("C", "A"), ("D", "B")]
    )
    updated = _everyone_polls(ignored)
    changed_again = _everyone_polls(_edited(_edited(updated, "A", b"XA3"), "C", b"XC3"))
    resolved = resolve(changed_again, "D", FILE, ["A", "C"], b"merged").folder
    taken_over = _polled(resolved, [("A", "D"), ("B", "D"), ("C", "D")])
    return (
        Stage("all are in sync at X", in_sync),
        Stage("A and B change the file", changed),
        Stage("C hears about XA and D about XB", accepted),
        Stage("all hear about the other update", all_heard),
        Stage("A and B go on, C and D follow", ignored),
        Stage("the conflict files are updated", updated),
        Stage("A and C change the file at once", changed_again),
        Stage("D integrates the differences", resolved),
        Stage("everyone takes over D's version", taken_over),
    )


def _edited(folder: Folder[V], nickname: str, content: bytes) -> Folder[V]:
    return edit(folder, nickname, FILE, content).folder


def _polled(folder: Folder[V], polls: Iterable[tuple[str, str]]) -> Folder[V]:
    for nickname, other in polls:
        folder = poll(folder, nickname, other, FILE).folder
    return folder


def _everyone_polls(folder: Folder[V]) -> Folder[V]:
    """Let every client poll every other client."""
    return _polled(
        folder,
        [(nickname, other) for nickname in CLIENTS for other in CLIENTS if nickname != other],
    )
