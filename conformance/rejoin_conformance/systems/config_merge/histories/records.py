"""Records of a run of a history: the messages, and the clients' resolves and pushes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import define, field, frozen

from rejoin import config_merge as cm
from rejoin_conformance.systems.config_merge.histories.events import Change
from rejoin_conformance.systems.config_merge.histories.leaves import Tree


@frozen
class Record:
    """A message of the history, and the facts known about it.

    name: of the ciphertext in the swarm. kind: `first`, `update`, `merge`, `merge-and-change`, or
    the kind of the injection. by: the client that pushed it first, None if it was injected.
    parents: the records that it was made from. mask: bit k is set if record k is this record or one
    of its ancestors. honest: whether its rows, diff and data follow the protocol. changes: its own
    changes. event: the index of the history's event that made it, or -1 in the final exchange.
    """

    index: int
    message: cm.Message
    ciphertext: bytes
    name: bytes
    kind: str
    by: int | None
    parents: tuple[int, ...]
    mask: int
    honest: bool
    changes: tuple[Change, ...]
    event: int


@define
class RecordBook:
    """The records of a run, in the order in which their messages were made.

    by_rank: rank of a message -> index of its record.
    """

    records: list[Record] = field(factory=list)
    by_rank: dict[cm.Rank, int] = field(factory=dict)

    def add(
        self,
        message: cm.Message,
        ciphertext: bytes,
        *,
        kind: str,
        by: int | None,
        parents: tuple[int, ...],
        honest: bool,
        changes: tuple[Change, ...],
        event: int,
    ) -> int:
        """Record a message and return the index of its record.

        If the message already has a record, the record stays as it is. A message made from a
        dishonest message is not honest.
        """
        known = self.by_rank.get(message.rank)
        if known is not None:
            return known
        index = len(self.records)
        mask = 1 << index
        for parent in parents:
            mask |= self.records[parent].mask
            honest = honest and self.records[parent].honest
        self.by_rank[message.rank] = index
        self.records.append(
            Record(
                index=index,
                message=message,
                ciphertext=ciphertext,
                name=cm.storage_id(ciphertext),
                kind=kind,
                by=by,
                parents=parents,
                mask=mask,
                honest=honest,
                changes=changes,
                event=event,
            )
        )
        return index


@frozen
class Resolved:
    """A client resolved the messages that it knew.

    known: by name in the swarm, in order of arrival.
    """

    event: int
    client: int
    known: Mapping[bytes, cm.Parsed]
    resolution: cm.Resolution
    settings: cm.Settings


@frozen
class Pushed:
    """A client pushed a message.

    before: the client's state before the push. record: index of the message's record. ciphertext:
    the message as the client encrypted it. intended: the data that the application saw. obsolete:
    the names of the ciphertexts that the batch asks to delete. permitted: whether the batch may
    delete them. was_stored: whether the swarm already had this ciphertext.
    """

    event: int
    client: int
    before: cm.Client
    record: int
    ciphertext: bytes
    intended: Mapping[bytes, Any]
    obsolete: tuple[bytes, ...]
    permitted: bool
    was_stored: bool


@frozen
class Kept:
    """A client with an edit that it had not pushed got a new head.

    expected: the data that the application should see. seen: the data that it sees.
    """

    event: int
    client: int
    expected: Tree
    seen: Mapping[bytes, Any]
