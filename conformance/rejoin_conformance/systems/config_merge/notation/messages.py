"""Read definitions of messages by name.

    10:  10 {k: 1} diff {=k}
    11a: after 10 {a: 1, k: 1} diff {=a}
    11b: after 10 {b: 1, k: 1} diff {=b}
    12:  after 11a 11b {a: 1, b: 1, k: 1}

A message has a seqno, data, and after them what it has of `diff`, `rows`, `unknown` keys and a
signature (`signed by alice`, or `signature` and its bytes in hex). `after` messages means: the next
seqno, their rows and themselves as rows as far as they are within the window, and the unknown keys
of the one that ranks highest. A row is the name of a message or `(SEQNO HASH DIFF)`; a hash is 64
hex digits or `hash of NAME`.

    bad:   11a but diff {a: 1}       the same message with one part replaced
    long:  11a then "e"              its bytes and some more
    short: 11a cut 7                 its bytes without the last 7
    other: bytes "de"                bytes that are not a message
    more:  bytes hex 00ff            the same in hex
    noise: raw "hello"               bytes that are stored unencrypted

Rows go by the window of the question, by another one in `after 10 within 3`, or by another one for
all definitions in the statement `made within 3`.

A name that is a seqno, or a seqno and a letter, is checked: letters ascend with the hashes, as in
the document.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from attrs import Factory, define, evolve, field

from rejoin_conformance.kit.phrases import NotationError
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import (
    Message,
    merge_of,
)
from rejoin_conformance.systems.config_merge.notation.contents import (
    DEFAULT_WINDOW,
    RESERVED,
    SIGNATURE,
    Content,
    Parts,
    Plaintext,
    Stored,
)
from rejoin_conformance.systems.config_merge.notation.data import (
    is_integer,
    read_integer,
    read_string,
)
from rejoin_conformance.systems.config_merge.notation.keys import read_hex
from rejoin_conformance.systems.config_merge.notation.message_parts import (
    read_data,
    read_parts,
    well_formed_row,
)
from rejoin_conformance.systems.config_merge.notation.statements import Reader, Statement

_SEQNO_NAME: Final = re.compile(r"(0|[1-9][0-9]*)([a-z]*)")


@define
class Book:
    """The messages that a text defines; each is built when it is first used.

    window: of the operation, for `after`. statements: name -> the definition, read up to the colon.
    letters_ascend: whether the letters of names must be in the order of the hashes: not if messages
    are others in another reading.
    """

    window: int = DEFAULT_WINDOW
    letters_ascend: bool = True
    statements: dict[str, Statement] = Factory(dict)
    _made: dict[str, Content] = field(factory=dict, init=False)
    _open: list[str] = field(factory=list, init=False)

    def define(self, statement: Statement) -> None:
        """Add a definition `NAME: ...`; it replaces an earlier one of the same name."""
        reader = Reader(statement)
        name = reader.next("word", "the name of a message").text
        if name in RESERVED:
            raise reader.wrong("the name of a message that is not a word of the notation")
        self.statements[name] = statement

    def make_all(self) -> None:
        """Build every message. Raises NotationError for an invalid definition."""
        for name in self.statements:
            self._content(name, Reader(self.statements[name]))
        self._check_names()

    def named(self, reader: Reader) -> Content:
        """Return the content with the next name."""
        return self._content(self.name(reader), reader)

    def message(self, reader: Reader) -> Message:
        """Return the message with the next name. Raises NotationError if it is not a message."""
        content = self.named(reader)
        if not isinstance(content, Message):
            raise reader.wrong("the name of a message with parts")
        return content

    def name(self, reader: Reader) -> str:
        """Return the next name, of something that is defined."""
        name = reader.next("word", "the name of a message").text
        if name not in self.statements:
            known = ", ".join(self.statements) or "there is none yet"
            raise reader.wrong(f"the name of a message that is defined ({known})")
        return name

    def names(self, reader: Reader) -> list[str]:
        """Return the names that come next, up to something else."""
        found = []
        while self.sees_name(reader):
            found.append(self.name(reader))
        return found

    def sees_name(self, reader: Reader) -> bool:
        """Return whether the next word can be a name."""
        return reader.sees_kind("word") and not any(map(reader.sees, RESERVED))

    def content(self, name: str) -> Content:
        """Return the content of that name, which is defined."""
        return self._content(name, Reader(self.statements[name]))

    def _content(self, name: str, reader: Reader) -> Content:
        if name in self._made:
            return self._made[name]
        if name in self._open:
            raise reader.wrong(f"a message that is not made of itself: {' -> '.join(self._open)}")
        self._open.append(name)
        definition = Reader(self.statements[name], 2)
        made = read_content(definition, self)
        definition.end()
        self._open.pop()
        self._made[name] = made
        return made

    def _check_names(self) -> None:
        """Raise NotationError if a name does not match the seqno or the order of the messages."""
        lettered: dict[str, list[tuple[int, str, str]]] = {}
        for name, content in self._made.items():
            match = _SEQNO_NAME.fullmatch(name)
            if match is None or not isinstance(content, Message):
                continue
            if content.seqno != int(match[1]):
                self._refuse_name(name, f"a name that begins with the seqno {content.seqno}")
            if match[2]:
                lettered.setdefault(match[1], []).append((len(match[2]), match[2], name))
        for entries in lettered.values() if self.letters_ascend else ():
            names = [name for *_, name in sorted(entries)]
            by_hash = sorted(names, key=self._hash)
            if by_hash != names:
                self._refuse_name(
                    names[0], f"letters in the order of the hashes: {' '.join(by_hash)}"
                )

    def _hash(self, name: str) -> bytes:
        content = self._made[name]
        assert isinstance(content, Message)
        return content.hash

    def _refuse_name(self, name: str, expected: str) -> None:
        raise NotationError(self.statements[name][0].line, expected, name)


def read_content(reader: Reader, book: Book) -> Content:
    """Return the message or the bytes that a definition describes."""
    if reader.take("bytes"):
        return Plaintext(_bytes(reader))
    if reader.take("raw"):
        return Stored(_bytes(reader))
    if reader.sees("after") or sees_seqno(reader):
        return read_message(reader, book)
    content = book.named(reader)
    if reader.take("but"):
        if not isinstance(content, Message):
            raise reader.wrong("`but` after a message with parts")
        return read_parts(reader, book).of(content)
    if reader.sees("then") or reader.sees("cut"):
        return _changed_bytes(reader, content)
    return content


def _bytes(reader: Reader) -> bytes:
    """Read bytes in quotes, or in hex after the word `hex`."""
    return read_hex(reader, "bytes in hex") if reader.take("hex") else read_string(reader)


def _changed_bytes(reader: Reader, content: Content) -> Plaintext:
    if isinstance(content, Stored):
        raise reader.missing("a message, not bytes that are stored unencrypted")
    encoded = content.encoded
    if reader.take("then"):
        return Plaintext(encoded + _bytes(reader))
    reader.expect("cut")
    number = read_integer(reader)
    if not 0 < number <= len(encoded):
        raise reader.wrong(f"a number of bytes up to {len(encoded)}")
    return Plaintext(encoded[:-number])


def sees_seqno(reader: Reader) -> bool:
    """Return whether a seqno comes next, and not a name: data come after it."""
    ahead = Reader(reader.statement, reader.place + reader.sees("-"))
    if not ahead.sees_kind("word") or not is_integer(ahead.next("word", "").text):
        return False
    return reader.sees("-") or ahead.sees("{") or ahead.sees("data")


def read_message(reader: Reader, book: Book) -> Message:
    """Return a message that is stated part by part."""
    if not reader.take("after"):
        seqno = read_integer(reader)
        return read_parts(reader, book, data=read_data(reader, book)).of(Message(seqno=seqno))
    parents, window = read_parents(reader, book)
    data = read_data(reader, book)
    return following(reader, parents, window, read_parts(reader, book, data=data))


def read_parents(reader: Reader, book: Book) -> tuple[list[Message], int]:
    """Return the messages that a message updates, and the window for its rows."""
    parents = [book.message(reader)]
    while book.sees_name(reader):
        parents.append(book.message(reader))
    return parents, read_integer(reader) if reader.take("within") else book.window


def following(reader: Reader, parents: Sequence[Message], window: int, parts: Parts) -> Message:
    """Return the message that comes after others, with the parts that are stated."""
    if not all(map(well_formed_row, (row for parent in parents for row in parent.rows))):
        raise reader.wrong("`after` messages whose rows are [seqno, hash, diff]")
    message = merge_of(*parents, data={}, window=window)
    unknown = {key: value for key, value in message.others.items() if key != SIGNATURE}
    return parts.of(evolve(message, others=unknown))
