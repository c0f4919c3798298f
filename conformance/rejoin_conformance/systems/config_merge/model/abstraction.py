"""How a run of the reference looks to the model: messages by number, ciphertexts as forms.

A message's number is its place among all messages of the run, in the order in which they were first
stored; a form is that number and a copy, as the model has it. What stands under the key of
the filler is left out: `behaviours.history_of` says why it is there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any, Final

from attrs import define, field

from rejoin import config_merge as cm
from rejoin_conformance.kit.tla_values import Function, Value, record
from rejoin_conformance.systems.config_merge.histories.records import Record
from rejoin_conformance.systems.config_merge.histories.run import Run
from rejoin_conformance.systems.config_merge.model.names import data_value, diff_value

FILLER: Final = b"filler"
"""The key of the outermost dict that is not of the model."""

LYING_ROW: Final = -1
"""Stands for a row whose diff is not that of the message that it names, or that names nobody's."""

NOBODY_S: Final = -1
"""The number of a message in the swarm that the run has no record of."""

SIGNED: Final = "signed"
"""The name of the one signature that a message has where messages must be signed."""


@define
class View:
    """A run as the model sees it.

    forms: name of a ciphertext in the swarm -> its form. copies: how many ciphertexts a message has
    beside its own. told: content of the messages that have been looked at, by rank.
    """

    run: Run
    forms: dict[bytes, tuple[int, int]] = field(factory=dict)
    copies: dict[int, int] = field(factory=dict)
    told: dict[cm.Rank, Function] = field(factory=dict)

    @property
    def before_first(self) -> int:
        """How many messages the book holds before anyone made one."""
        return 1 if self.run.reading.first_message_lags_zero else 0

    def number(self, record: Record) -> int:
        """The number of a message in the book."""
        return record.index + 1 + self.before_first

    def length(self) -> int:
        """The length of the book."""
        return len(self.run.records) + self.before_first

    def place(self, record: Record) -> int:
        """The place of a message's hash among those of its seqno, from 1 on."""
        seqno, own = record.message.rank
        hashes = [each.message.hash for each in self.run.records if each.message.seqno == seqno]
        return 1 + sum(each < own for each in hashes)

    def message(self, message: cm.Message) -> Function:
        """The parts of a message; they are told once, for they never change."""
        told = self.told.get(message.rank)
        if told is None:
            told = record(
                seqno=message.seqno,
                data=self.data(message.data),
                diff=diff_value({k: v for k, v in message.diff.items() if k != FILLER}),
                rows=tuple(self._row(row) for row in message.lagged),
                extra=extra_name(message.unknown),
                sign=self.signature(message),
            )
            if all(row.rank in self.run.by_rank or row.rank[0] == 0 for row in message.lagged):
                self.told[message.rank] = told
        return told

    def data(self, data: Mapping[bytes, Any]) -> Value:
        """Application data, without the filler."""
        return data_value({key: value for key, value in data.items() if key != FILLER})

    def _row(self, row: cm.LaggedDiff) -> int:
        index = self.run.by_rank.get(row.rank)
        if index is None:
            return 1 if row.rank[0] == 0 and self.before_first and not row.diff else LYING_ROW
        known = self.run.records[index]
        return self.number(known) if known.message.row.encoded == row.encoded else LYING_ROW

    def signature(self, message: cm.Message) -> str:
        """The name of a message's signature."""
        if message.signature is None:
            return ""
        return SIGNED if self.run.history.signed else _name(message.signature.hex())

    def form(self, name: bytes) -> tuple[int, int]:
        """The form of a ciphertext; one that is seen for the first time gets the next number."""
        form = self.forms.get(name)
        if form is None:
            form = self.forms[name] = self._new_form(name)
        return form

    def _new_form(self, name: bytes) -> tuple[int, int]:
        number = self._number_of(name)
        if number > 0 and self.run.records[number - 1 - self.before_first].name == name:
            return number, 0
        self.copies[number] = self.copies.get(number, 0) + 1
        return number, self.copies[number]

    def _number_of(self, name: bytes) -> int:
        """The number of the message in a ciphertext, 0 for none, and NOBODY_S."""
        if name in self.run.opened:
            content = self.run.opened[name].content
            if isinstance(content, cm.ConfigMergeError):
                return 0
            found = self.run.by_rank.get(content.rank)
        else:
            found = next((each.index for each in self.run.records if each.name == name), None)
        return NOBODY_S if found is None else self._number_at(found)

    def form_set(self, names: Iterable[bytes]) -> Value:
        """The forms of several ciphertexts."""
        return frozenset(self.form(name) for name in names)

    def swarm(self) -> Value:
        """What each side of the swarm has stored."""
        return tuple(self.form_set(side.stored) for side in self.run.network.sides)

    def observed_edit(self, client: int) -> Value:
        """What is compared after an edit."""
        local = self.run.clients[client].local
        return () if local is None else (self.data(local.data),)

    def observed_fetch(self, client: int) -> Value:
        """What is compared after a fetch."""
        return self.form_set(self.run.clients[client].known)

    def observed_resolve(self, client: int) -> Value:
        """What is compared after a resolve."""
        now = self.run.clients[client]
        shown: Value = (0, ())
        if now.head is not None:
            index = self.run.by_rank.get(now.head.rank)
            shown = (0, self._head(client)) if index is None else (self._number_at(index), ())
        return (shown, now.head_is_stored, self.observed_edit(client))

    def _number_at(self, index: int) -> int:
        return self.number(self.run.records[index])

    def observed_push(self, client: int) -> Value:
        """What is compared after a push."""
        stored = self.run.clients[client].head_is_stored
        return (self._head(client), stored, self.swarm(), self.length())

    def observed_network(self) -> Value:
        """What is compared after a step of nobody."""
        records = self.run.records
        newest: Value = ()
        if records:
            newest = (self.length(), self.message(records[-1].message))
        elif self.before_first:
            newest = (1, ZERO)
        return (self.swarm(), newest)

    def _head(self, client: int) -> Value:
        head = self.run.clients[client].head
        return () if head is None else (self.message(head),)


ZERO: Final = record(seqno=0, data=(), diff=(), rows=(), extra="", sign="")
"""The message of seqno 0, from which one reading counts."""


def extra_name(unknown: tuple[tuple[bytes, bytes], ...]) -> str:
    """The name of unknown keys and their encoded values."""
    return _name(repr(unknown)) if unknown else ""


def _name(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
