"""Map the state of a run to the model's state: messages to numbers, ciphertexts to forms.

A message's number is its position among all messages of the run, in the order in which they were
first stored. A form is a pair of a message number and a copy number, as in the model. The mapping
omits the filler's key and value; `behaviours.history_of` explains the filler.
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
"""The key of the outermost dict that the model does not have."""

LYING_ROW: Final = -1
"""Represents a row that names an unknown message, or whose diff is not its message's diff."""

NOBODY_S: Final = -1
"""The number of a message in the swarm that the run has no record of."""

SIGNED: Final = "signed"
"""The name of every message's signature if messages must be signed."""


@define
class View:
    """The model's view of a run.

    forms: name of a ciphertext in the swarm -> its form. copies: for each message, the number of
    its ciphertexts besides the original. translated: rank -> content of each message translated so
    far.
    """

    run: Run
    forms: dict[bytes, tuple[int, int]] = field(factory=dict)
    copies: dict[int, int] = field(factory=dict)
    translated: dict[cm.Rank, Function] = field(factory=dict)

    @property
    def before_first(self) -> int:
        """Return the number of messages in the book before a client makes one."""
        return 1 if self.run.reading.first_message_lags_zero else 0

    def number(self, record: Record) -> int:
        """Return the number of a message in the book."""
        return record.index + 1 + self.before_first

    def length(self) -> int:
        """Return the length of the book."""
        return len(self.run.records) + self.before_first

    def place(self, record: Record) -> int:
        """Return the 1-based position of a message's hash among the hashes of its seqno."""
        seqno, own = record.message.rank
        hashes = [each.message.hash for each in self.run.records if each.message.seqno == seqno]
        return 1 + sum(each < own for each in hashes)

    def message(self, message: cm.Message) -> Function:
        """Return the parts of a message. They never change, so they are translated once."""
        content = self.translated.get(message.rank)
        if content is None:
            content = record(
                seqno=message.seqno,
                data=self.data(message.data),
                diff=diff_value({k: v for k, v in message.diff.items() if k != FILLER}),
                rows=tuple(self._row(row) for row in message.lagged),
                extra=extra_name(message.unknown),
                sign=self.signature(message),
            )
            if all(row.rank in self.run.by_rank or row.rank[0] == 0 for row in message.lagged):
                self.translated[message.rank] = content
        return content

    def data(self, data: Mapping[bytes, Any]) -> Value:
        """Return application data without the filler."""
        return data_value({key: value for key, value in data.items() if key != FILLER})

    def _row(self, row: cm.LaggedDiff) -> int:
        index = self.run.by_rank.get(row.rank)
        if index is None:
            return 1 if row.rank[0] == 0 and self.before_first and not row.diff else LYING_ROW
        known = self.run.records[index]
        return self.number(known) if known.message.row.encoded == row.encoded else LYING_ROW

    def signature(self, message: cm.Message) -> str:
        """Return the name of a message's signature."""
        if message.signature is None:
            return ""
        return SIGNED if self.run.history.signed else _name(message.signature.hex())

    def form(self, name: bytes) -> tuple[int, int]:
        """Return the form of a ciphertext. A new ciphertext gets the next number."""
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
        """Return the number of the message in a ciphertext, 0 for no message, or NOBODY_S."""
        if name in self.run.opened:
            content = self.run.opened[name].content
            if isinstance(content, cm.ConfigMergeError):
                return 0
            found = self.run.by_rank.get(content.rank)
        else:
            found = next((each.index for each in self.run.records if each.name == name), None)
        return NOBODY_S if found is None else self._number_at(found)

    def form_set(self, names: Iterable[bytes]) -> Value:
        """Return the forms of several ciphertexts."""
        return frozenset(self.form(name) for name in names)

    def swarm(self) -> Value:
        """Return the forms that each side of the swarm stores."""
        return tuple(self.form_set(side.stored) for side in self.run.network.sides)

    def observed_edit(self, client: int) -> Value:
        """Return the observation that is compared after an edit."""
        local = self.run.clients[client].local
        return () if local is None else (self.data(local.data),)

    def observed_fetch(self, client: int) -> Value:
        """Return the observation that is compared after a fetch."""
        return self.form_set(self.run.clients[client].known)

    def observed_resolve(self, client: int) -> Value:
        """Return the observation that is compared after a resolve."""
        now = self.run.clients[client]
        shown: Value = (0, ())
        if now.head is not None:
            index = self.run.by_rank.get(now.head.rank)
            shown = (0, self._head(client)) if index is None else (self._number_at(index), ())
        return (shown, now.head_is_stored, self.observed_edit(client))

    def _number_at(self, index: int) -> int:
        return self.number(self.run.records[index])

    def observed_push(self, client: int) -> Value:
        """Return the observation that is compared after a push."""
        stored = self.run.clients[client].head_is_stored
        return (self._head(client), stored, self.swarm(), self.length())

    def observed_network(self) -> Value:
        """Return the observation that is compared after a step that no client takes."""
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
"""The empty message of seqno 0, which precedes the first message in one of the readings."""


def extra_name(unknown: tuple[tuple[bytes, bytes], ...]) -> str:
    """Return the name of a message's unknown keys and their encoded values."""
    return _name(repr(unknown)) if unknown else ""


def _name(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
