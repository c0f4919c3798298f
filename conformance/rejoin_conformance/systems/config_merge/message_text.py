"""Write messages and other bytes plainly; `messages` reads back the same bytes.

Messages are called by seqno and, if several have one seqno, by letters in the order of their
hashes, as the document calls them: 123, 124a, 124b. Everything else is called x1, x2, and so on,
and bytes that are stored as they are raw1, raw2, and so on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import Any, Final

from attrs import define, field

from rejoin_conformance.kit.bt import Tree, blake2b, bt, unbt
from rejoin_conformance.systems.config_merge.by_hand.messages import Message, message_of
from rejoin_conformance.systems.config_merge.bytes_text import hex_text, string_text
from rejoin_conformance.systems.config_merge.data_text import diff_text, value_text
from rejoin_conformance.systems.config_merge.messages import SIGNATURE, well_formed_row

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_MOST_BYTES: Final = 2000
"""The maximum number of bytes to write that are not a message."""


class UnsayableError(Exception):
    """The notation cannot express a value."""


def decoded(text: str) -> Tree:
    """Return the tree of an encoding in hex. Raises UnsayableError if it is not canonical."""
    try:
        return unbt(bytes.fromhex(text))
    except ValueError:
        raise UnsayableError("bytes that are not a canonical encoding") from None


@define(slots=False)
class Sheet:
    """The names of the plaintexts in a text.

    plaintexts: each of them gets a name. stored: bytes that are stored as they stand.
    names: plaintexts whose names are given. messages: the plaintexts that are messages, by rank.
    """

    plaintexts: Sequence[bytes] = ()
    stored: Sequence[bytes] = ()
    names: Mapping[bytes, str] = field(factory=dict)
    messages: dict[bytes, Message] = field(factory=dict, init=False)
    _names: dict[bytes, str] = field(factory=dict, init=False)
    _stored_names: dict[bytes, str] = field(factory=dict, init=False)
    _by_row: dict[bytes, str] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        found = filter(None, map(message_of, dict.fromkeys(self.plaintexts)))
        self.messages = {each.encoded: each for each in sorted(found, key=lambda each: each.rank)}
        for seqno, group in groupby(self.messages.values(), key=lambda each: each.seqno):
            alike = [*group]
            for place, each in enumerate(alike if seqno >= 0 else ()):
                letters = _letters(place) if len(alike) > 1 else ""
                self._names[each.encoded] = f"{seqno}{letters}"
        others = [each for each in dict.fromkeys(self.plaintexts) if each not in self._names]
        self._names |= {each: f"x{number}" for number, each in enumerate(others, start=1)}
        self._names.update(self.names)
        self._by_row = {bt(each.row): self.name(key) for key, each in self.messages.items()}
        stored = enumerate(dict.fromkeys(self.stored), start=1)
        self._stored_names = {ciphertext: f"raw{number}" for number, ciphertext in stored}

    @cached_property
    def by_hash(self) -> dict[str, str]:
        """Return a mapping from the hash of each plaintext to its name."""
        return {blake2b(each).hex(): name for each, name in self._names.items()}

    def name(self, encoded: bytes) -> str:
        """Return the name of a plaintext."""
        return self._names[encoded]

    def name_of_stored(self, ciphertext: bytes) -> str:
        """Return the name of bytes that are stored unencrypted."""
        return self._stored_names[ciphertext]

    def named(self, messages: Sequence[bytes]) -> list[str]:
        """Return a name for each message of a list: `NAME`, and `NAME/2` if it comes again."""
        names = [self.name(each) for each in messages]
        times = [names[: place + 1].count(name) for place, name in enumerate(names)]
        return [
            f"{name}/{count}" if count > 1 else name
            for name, count in zip(names, times, strict=True)
        ]

    def definitions(self) -> list[str]:
        """Return a statement for each name, messages by rank, then everything else.

        Raises UnsayableError for bytes that are not a message and too many to be written.
        """
        lines = [f"{self.name(key)}: {self._in_full(each)}" for key, each in self.messages.items()]
        others = [each for each in self._names if each not in self.messages]
        lines += [f"{self._names[each]}: bytes {bytes_text(each)}" for each in others]
        raw = self._stored_names.items()
        return lines + [f"{name}: raw {bytes_text(each)}" for each, name in raw]

    def text(self, encoded: bytes) -> str:
        """Return the name of a plaintext, or a message in full. Raises UnsayableError."""
        if encoded in self._names:
            return self.name(encoded)
        message = message_of(encoded)
        return f"bytes {bytes_text(encoded)}" if message is None else self._in_full(message)

    def _in_full(self, message: Message) -> str:
        """Return a message part by part."""
        text = f"{message.seqno} {value_text(message.data)}"
        if message.diff != {}:
            text += f" diff {diff_text(message.diff)}"
        if message.rows:
            text += f" rows {' '.join(map(self._row_text, message.rows))}"
        others = dict(message.others)
        signature: Any = others.get(SIGNATURE)
        signed = isinstance(signature, bytes) and signature != b""
        if signed:
            del others[SIGNATURE]
        if others:
            text += f" unknown {value_text(others)}"
        return f"{text} signature {hex_text(signature)}" if signed else text

    def rows_text(self, rows: Sequence[Tree]) -> str:
        """Return the rows with the word before them."""
        return f"rows {' '.join(map(self._row_text, rows)) or 'none'}"

    def _row_text(self, row: Any) -> str:
        encoded = bt(row)
        if encoded in self._by_row:
            return self._by_row[encoded]
        if not well_formed_row(row):
            return value_text(row)
        seqno, digest, diff = row
        return f"({seqno} {hex_text(digest)} {diff_text(diff)})"


def bytes_text(encoded: bytes) -> str:
    """Return bytes as a string. Raises UnsayableError if they are too many."""
    text = string_text(encoded)
    if len(text) > _MOST_BYTES:
        raise UnsayableError("bytes that are not a message, and too many to be written")
    return text


def _letters(place: int) -> str:
    """Return the letters of a number: a to z, then aa to az, and so on."""
    more, last = divmod(place, len(_LETTERS))
    return (_letters(more - 1) if more else "") + _LETTERS[last]
