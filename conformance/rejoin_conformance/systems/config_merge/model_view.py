"""Map the state of a run to the state of the formal model.

A short key that is a word is its own name in the model. The name of every other key is `x_` and the
key's bytes in hex, because TLC prints keys without quotes. The name of an integer is its decimal
digits. The name of a string is `0x` and its bytes in hex. Long byte strings are named by their
hash. Two objects have the same name only if they are equal; the model compares names for nothing
else.

A message's number is its position among all messages of the run, in the order in which they were
first stored. A form is a pair of a message number and a copy number, as in the model. The mapping
omits the filler's key and value; `model_behaviours.history_of` explains the filler.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias

from attrs import define, field

from rejoin import config_merge as cm
from rejoin_conformance.kit.tla_values import Function, Value, function, record
from rejoin_conformance.systems.config_merge.changes import Scalar
from rejoin_conformance.systems.config_merge.records import Record
from rejoin_conformance.systems.config_merge.run import Run

Data: TypeAlias = Mapping[bytes, Any]

FILLER: Final = b"filler"
"""The key of the outermost dict that the model does not have."""

LONGEST: Final = 24
"""The maximum number of bytes that a name spells out. Longer byte strings are hashed."""

LYING_ROW: Final = -1
"""Represents a row that names an unknown message, or whose diff is not its message's diff."""

NOBODY_S: Final = -1
"""The number of a message in the swarm that the run has no record of."""

ZERO: Final = record(seqno=0, data=(), diff=(), rows=(), extra="", sign="")
"""The empty message of seqno 0, which precedes the first message in one of the readings."""

_WORD: Final = re.compile(rb"[a-z][a-z0-9]*")


def key_name(key: bytes) -> str:
    """Return the name of a key."""
    if len(key) <= LONGEST and _WORD.fullmatch(key):
        return key.decode("ascii")
    return "x_" + _hex(key)


def scalar_name(scalar: Scalar) -> str:
    """Return the name of a scalar or an element."""
    return "0x" + _hex(scalar) if isinstance(scalar, bytes) else str(scalar)


def _hex(text: bytes) -> str:
    if len(text) <= LONGEST:
        return text.hex()
    return "hash_" + hashlib.blake2b(text, digest_size=16).hexdigest()


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def data_value(data: Data) -> Value:
    """Return application data in the model's notation, without the filler."""
    return function((key_name(k), _value(value)) for k, value in data.items() if k != FILLER)


def _value(value: Any) -> Value:
    if isinstance(value, (int, bytes)):
        return ("scalar", scalar_name(value))
    if isinstance(value, (set, frozenset)):
        return ("set", _elements(value))
    return ("dict", data_value(value))


def _elements(elements: Any) -> Value:
    return frozenset(scalar_name(element) for element in elements)


def diff_value(diff: Data) -> Value:
    """Return a diff in the model's notation, without the filler."""
    return function((key_name(k), _change(change)) for k, change in diff.items() if k != FILLER)


def _change(change: Any) -> Value:
    if isinstance(change, bytes):
        return ("assign",) if change == cm.ASSIGNED else ("remove",)
    if isinstance(change, cm.SetDiff):
        return ("set", _elements(change.added), _elements(change.removed))
    return ("dict", diff_value(change))


def data_of_value(value: Value) -> dict[bytes, Any]:
    """Return the application data for a value of the model. All its names come from the model."""
    if not isinstance(value, Function):
        return {}
    return {_key_of(str(name)): _content(inner) for name, inner in value.items()}


def _key_of(name: str) -> bytes:
    return bytes.fromhex(name[2:]) if name.startswith("x_") else name.encode("ascii")


def _scalar_of(name: str) -> Scalar:
    return bytes.fromhex(name[2:]) if name.startswith("0x") else int(name)


def _content(value: Value) -> Any:
    match value:
        case ("scalar", str(name)):
            return _scalar_of(name)
        case ("set", frozenset(names)):
            return {_scalar_of(str(name)) for name in names}
        case (_, inner):
            return data_of_value(inner)
        case _:
            raise ValueError("no value of application data")


def extra_name(unknown: tuple[tuple[bytes, bytes], ...]) -> str:
    """Return the name of a message's unknown keys and their encoded values."""
    return _digest(repr(unknown)) if unknown else ""


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

    def number(self, record_: Record) -> int:
        """Return the number of a message in the book."""
        return record_.index + 1 + self.before_first

    def numbered(self, number: int) -> Record:
        """Return the record of a message by its number in the book."""
        return self.run.records[number - 1 - self.before_first]

    def length(self) -> int:
        """Return the length of the book."""
        return len(self.run.records) + self.before_first

    def place(self, record_: Record) -> int:
        """Return the 1-based position of a message's hash among the hashes of its seqno."""
        seqno, own = record_.message.rank
        hashes = [each.message.hash for each in self.run.records if each.message.seqno == seqno]
        return 1 + sum(each < own for each in hashes)

    def message(self, message: cm.Message) -> Function:
        """Return the parts of a message. They never change, so they are translated once."""
        content = self.translated.get(message.rank)
        if content is None:
            content = record(
                seqno=message.seqno,
                data=data_value(message.data),
                diff=diff_value(message.diff),
                rows=tuple(self._row(row) for row in message.lagged),
                extra=extra_name(message.unknown),
                sign=self.signature(message),
            )
            if all(row.rank in self.run.by_rank or row.rank[0] == 0 for row in message.lagged):
                self.translated[message.rank] = content
        return content

    def _row(self, row: cm.LaggedDiff) -> int:
        index = self.run.by_rank.get(row.rank)
        if index is None:
            return 1 if row.rank[0] == 0 and self.before_first and not row.diff else LYING_ROW
        known = self.run.records[index]
        return self.number(known) if known.message.row.encoded == row.encoded else LYING_ROW

    def signature(self, message: cm.Message) -> str:
        """Return the name of a message's signature: one for all if messages must be signed."""
        if message.signature is None:
            return ""
        return "signed" if self.run.history.signed else _digest(message.signature.hex())

    def form(self, name: bytes) -> tuple[int, int]:
        """Return the form of a ciphertext. A new ciphertext gets the next number."""
        form = self.forms.get(name)
        if form is None:
            form = self.forms[name] = self._new_form(name)
        return form

    def _new_form(self, name: bytes) -> tuple[int, int]:
        number = self._number_of(name)
        if number > 0 and self.numbered(number).name == name:
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
        return NOBODY_S if found is None else self.number(self.run.records[found])

    def form_set(self, names: Iterable[bytes]) -> Value:
        """Return the forms of several ciphertexts."""
        return frozenset(self.form(name) for name in names)

    def observed(self, action: str, name: str = "") -> Value:
        """Return the observation that is compared after a step. name: of its client."""
        if action == "network":
            return (self._swarm(), self._newest())
        client = self.run.clients[name]
        local = () if client.local is None else (data_value(client.local.data),)
        head: Value = () if client.head is None else (self.message(client.head),)
        match action:
            case "edit":
                return local
            case "fetch":
                return self.form_set(client.known)
            case "push":
                return (head, client.head_is_stored, self._swarm(), self.length())
        shown: Value = (0, head)
        if client.head is not None and client.head.rank in self.run.by_rank:
            shown = (self.number(self.run.records_of([client.head])[0]), ())
        return (shown, client.head_is_stored, local)

    def _swarm(self) -> Value:
        """Return the forms that each side of the swarm stores."""
        return tuple(self.form_set(side.stored) for side in self.run.sides)

    def _newest(self) -> Value:
        """Return the length of the book and its last message."""
        if self.run.records:
            return (self.length(), self.message(self.run.records[-1].message))
        return (1, ZERO) if self.before_first else ()
