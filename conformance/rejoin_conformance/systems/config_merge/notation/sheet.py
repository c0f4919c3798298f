"""Write definitions of messages; `messages` reads back the same bytes.

Messages are called by seqno and, if several have one seqno, by letters in the order of their
hashes, as the document calls them: 123, 124a, 124b. Everything else is called x1, x2, and so on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from attrs import define, evolve, field, frozen

from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Tree, bt, first_tree, unbt
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import (
    Data,
    Message,
    blake2b,
    merge_of,
)
from rejoin_conformance.systems.config_merge.notation.contents import (
    DEFAULT_WINDOW,
    SIGNATURE,
)
from rejoin_conformance.systems.config_merge.notation.data import (
    diff_text,
    integer_text,
    string_text,
    value_text,
)
from rejoin_conformance.systems.config_merge.notation.keys import SEEDS, bytes_text, key_text
from rejoin_conformance.systems.config_merge.notation.message_parts import (
    well_formed_row,
)

MOST_BYTES: Final = 2000
"""The maximum number of bytes to write that are not a message."""
LONG: Final = 30
"""The maximum length of data to repeat; longer data are referred to by a message's name."""
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_SIGNATURE_LENGTH: Final = 64


class UnsayableError(Exception):
    """The notation cannot express a value."""


def message_of(encoded: bytes) -> Message | None:
    """Return the message whose encoding these bytes are exactly, or None."""
    try:
        tree = unbt(encoded)
    except ValueError:
        return None
    if not isinstance(tree, Mapping):
        return None
    parts: dict[Any, Any] = {**tree}
    seqno, data = parts.pop(b"#", None), parts.pop(b"&", None)
    rows, diff = parts.pop(b"<", None), parts.pop(b"=", None)
    if not isinstance(seqno, int) or not isinstance(data, dict) or diff is None:
        return None
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        return None
    message = Message(seqno=seqno, data=data, rows=rows, diff=diff, others=parts)
    return _with_its_signer(message, encoded)


def _with_its_signer(message: Message, encoded: bytes) -> Message:
    """Return the message with its signing key if a known key signed it, else without one."""
    signature: Any = message.others.get(SIGNATURE, b"")
    if isinstance(signature, bytes) and len(signature) == _SIGNATURE_LENGTH:
        others = {key: value for key, value in message.others.items() if key != SIGNATURE}
        for seed in SEEDS.values():
            signed = evolve(message, others=others, seed=seed)
            if signed.encoded == encoded:
                return signed
    return message


@frozen
class Entry:
    """A message of a sheet, with values that are compared often.

    row: the encoding of its row. rows: those of the rows that it carries.
    """

    message: Message
    encoded: bytes
    hash: bytes
    row: bytes
    rows: frozenset[bytes]

    @property
    def rank(self) -> tuple[int, bytes]:
        """Return the key by which messages are ordered."""
        return self.message.seqno, self.hash


def entry_of(encoded: bytes) -> Entry | None:
    """Return the entry of these bytes, or None if they are not a message."""
    message = message_of(encoded)
    if message is None:
        return None
    digest = blake2b(encoded)
    row = bt((message.seqno, digest, message.diff))
    return Entry(message, encoded, digest, row, frozenset(map(bt, message.rows)))


@define
class Sheet:
    """The definitions of the names in a text.

    plaintexts: each of them gets a name. stored: bytes that are stored as they stand.
    window: the one that is not mentioned in `after`. names: plaintexts whose names are given.
    """

    plaintexts: Sequence[bytes]
    window: int = DEFAULT_WINDOW
    stored: Sequence[bytes] = ()
    names: Mapping[bytes, str] = field(factory=dict)
    entries: dict[bytes, Entry] = field(factory=dict, init=False)
    _names: dict[bytes, str] = field(factory=dict, init=False)
    _stored_names: dict[bytes, str] = field(factory=dict, init=False)
    _hashes: dict[bytes, bytes] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        for encoded in dict.fromkeys(self.plaintexts):
            entry = entry_of(encoded)
            if entry is not None:
                self.entries[encoded] = entry
            self._hashes[blake2b(encoded)] = encoded
        ranked = sorted(self.entries.values(), key=lambda entry: entry.rank)
        for seqno, group in groupby(ranked, key=lambda entry: entry.message.seqno):
            alike = [*group]
            for place, entry in enumerate(alike if seqno >= 0 else ()):
                letters = _letters(place) if len(alike) > 1 else ""
                self._names[entry.encoded] = f"{seqno}{letters}"
        others = [each for each in dict.fromkeys(self.plaintexts) if each not in self._names]
        for number, encoded in enumerate(others, start=1):
            self._names[encoded] = f"x{number}"
        self._names.update(self.names)
        for number, ciphertext in enumerate(dict.fromkeys(self.stored), start=1):
            self._stored_names[ciphertext] = f"raw{number}"

    def name(self, encoded: bytes) -> str:
        """Return the name of a plaintext."""
        return self._names[encoded]

    def name_of_stored(self, ciphertext: bytes) -> str:
        """Return the name of bytes that are stored unencrypted."""
        return self._stored_names[ciphertext]

    def knows(self, encoded: bytes) -> bool:
        """Return whether a plaintext has a name."""
        return encoded in self._names

    def definitions(self) -> list[str]:
        """Return a statement for each name, messages by rank, then everything else.

        Raises UnsayableError for bytes that are not a message and too many to be written.
        """
        ranked = sorted(self.entries.values(), key=lambda entry: entry.rank)
        lines = [f"{self.name(each.encoded)}: {self.text(each)}" for each in ranked]
        for encoded, name in self._names.items():
            if encoded not in self.entries:
                lines.append(f"{name}: {self._bytes_text(encoded)}")
        for ciphertext, name in self._stored_names.items():
            lines.append(f"{name}: raw {_short(ciphertext)}")
        return lines

    def _bytes_text(self, encoded: bytes) -> str:
        """Return the text of a truncated message, of one with trailing bytes, or of other bytes."""
        try:
            _, end = first_tree(encoded)
        except ValueError:
            end = 0
        if encoded[:end] in self.entries:
            return f"{self.name(encoded[:end])} then {_short(encoded[end:])}"
        for each in self.entries.values():
            if each.encoded.startswith(encoded) and encoded:
                return f"{self.name(each.encoded)} cut {len(each.encoded) - len(encoded)}"
        return f"bytes {_short(encoded)}"

    def text(self, entry: Entry) -> str:
        """Return a message as text: as an update of others, or with its seqno and rows."""
        return self.after_any(entry) or self._in_full(entry)

    def after_any(self, entry: Entry, *, with_data: bool = True) -> str | None:
        """Return a message as an update of others in the sheet; None if it updates none of them."""
        carried = [each for each in self.entries.values() if each.row in entry.rows]
        inner = frozenset[bytes]().union(*(each.rows for each in carried))
        parents = [each for each in carried if each.row not in inner and each is not entry]
        parents.sort(key=lambda each: each.rank)
        for window in dict.fromkeys((self.window, DEFAULT_WINDOW)):
            after = self.after([each.message for each in parents], entry.message, window)
            if after is not None:
                names = " ".join(self.name(each.encoded) for each in parents)
                within = "" if window == self.window else f" within {window}"
                data = self.data_text(entry.message.data, before=entry) if with_data else ""
                return f"after {names}{within}{data and ' '}{data}{after}"
        return None

    def after(self, parents: Sequence[Message], message: Message, window: int) -> str | None:
        """Return the parts of a message except its data; None if it does not update the others."""
        if not parents or not all(well_formed_row(r) for p in parents for r in p.rows):
            return None
        made = merge_of(*parents, data=message.data, window=window)
        unknown = {key: value for key, value in made.others.items() if key != SIGNATURE}
        stated = evolve(made, diff=message.diff, others=message.others, seed=message.seed)
        if stated.encoded != message.encoded:
            return None
        return self.tail(message, unknown)

    def _in_full(self, entry: Entry) -> str:
        message = entry.message
        data = self.data_text(message.data, before=entry)
        rest = self.tail(message, {}, self.rows_text(message.rows))
        return f"{integer_text(message.seqno)} {data}{rest}"

    def tail(self, message: Message, unknown: Data, rows: str = "") -> str:
        """Return the parts besides seqno and data. unknown: the unknown keys that need no text."""
        text = (f" diff {diff_text(message.diff)}" if message.diff != {} else "") + rows
        others = dict(message.others)
        signature: Any = others.get(SIGNATURE)
        if isinstance(signature, bytes) and signature:
            del others[SIGNATURE]
        if bt(others) != bt(unknown):
            text += f" unknown {value_text(others)}"
        if len(others) < len(message.others):
            text += f" signature {bytes_text(signature)}"
        if message.seed is not None:
            text += f" signed by {key_text(message.seed, SEEDS)}"
        return text

    def rows_text(self, rows: Iterable[Tree]) -> str:
        """Return the rows with the word before them; empty if there are none."""
        parts = [self._row_text(row) for row in rows]
        return f" rows {' '.join(parts)}" if parts else ""

    def _row_text(self, row: Tree) -> str:
        encoded = bt(row)
        for each in self.entries.values():
            if each.row == encoded:
                return self.name(each.encoded)
        if not well_formed_row(row):
            return value_text(row)
        parts: Any = row
        seqno, digest, diff = parts
        known = self._hashes.get(digest)
        shown = bytes_text(digest) if known is None else f"hash of {self.name(known)}"
        return f"({integer_text(seqno)} {shown} {diff_text(diff)})"

    def data_text(self, data: Data, before: Entry | None = None) -> str:
        """Return data in braces, or the name of a message with the same data if they are long.

        before: only messages that rank lower are named.
        """
        text = value_text(data)
        if len(text) > LONG:
            for each in sorted(self.entries.values(), key=lambda entry: entry.rank):
                if before is not None and each.rank >= before.rank:
                    break
                if each.message.data == data:
                    return f"data of {self.name(each.encoded)}"
        return text

    def diff_text(self, diff: Tree) -> str:
        """Return a diff in braces, or the name of a message with the same diff if it is long."""
        text = diff_text(diff)
        if len(text) > LONG:
            for each in self.entries.values():
                if each.message.diff == diff:
                    return f"diff of {self.name(each.encoded)}"
        return text


def _letters(place: int) -> str:
    """Return the letters of a number: a to z, then aa to az, and so on."""
    more, last = divmod(place, len(_LETTERS))
    return (_letters(more - 1) if more else "") + _LETTERS[last]


def _short(data: bytes) -> str:
    """Return bytes as a string or as hex, whichever is shorter."""
    text = string_text(data)
    if len(data) > MOST_BYTES and len(text) > MOST_BYTES:
        raise UnsayableError("bytes that are not a message, and too many to be written")
    in_hex = f"hex {bytes_text(data)}"
    return text if len(text) <= len(in_hex) else in_hex
