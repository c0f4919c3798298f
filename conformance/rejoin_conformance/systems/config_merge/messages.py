"""Read definitions of messages by name.

    10:  10 {k: 1} diff {=k}
    11a: after 10 {a: 1, k: 1} diff {=a}
    11b: after 10 {b: 1, k: 1} diff {=b}
    12:  after 11a 11b {a: 1, b: 1, k: 1}

A message has a seqno, data, and after them what it has of `diff`, `rows`, `unknown` keys and a
signature (`signed by alice`, or `signature` and its bytes). `after` messages means: the next seqno,
their rows and themselves as rows as far as they are within the window, and the unknown keys of the
one that ranks highest. A row is the name of a message, `(SEQNO HASH DIFF)`, or any [list].

    bad:   11a but diff {a: 1}         the same message with one part replaced
    long:  11a then "e"                its bytes and some more
    short: 11a cut 7                   its bytes without the last 7, or with other changes
    other: bytes "d1:#" hex 00ff       bytes that are not a message
    noise: raw "hello"                 bytes that are stored unencrypted

Rows go by the window of the question, by another one in `after 10 within 3`, or by another one for
all definitions in the statement `made within 3`. A name that is a seqno, or a seqno and a letter,
is checked: letters ascend with the hashes, as in the document.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from attrs import evolve, frozen

from rejoin_conformance.kit.bt import Raw, Tree, blake2b
from rejoin_conformance.systems.config_merge.by_hand.messages import Message, merge_of
from rejoin_conformance.systems.config_merge.bytes_text import (
    LENGTH,
    SEEDS,
    changed,
    is_integer,
    read_bytes,
    read_hash,
    read_integer,
    read_key_by_name,
    read_part,
    read_signature,
)
from rejoin_conformance.systems.config_merge.data_text import (
    read_data,
    read_dict,
    read_diff,
    read_value,
)
from rejoin_conformance.systems.config_merge.statements import Statement

DEFAULT_WINDOW: Final = 5
SIGNATURE: Final = b"~"
NAMED: Final = "the name of a message"


@frozen
class Plaintext:
    """Bytes that are not a message, or not known to be one."""

    encoded: bytes

    @property
    def hash(self) -> bytes:
        """Return the hash of all the bytes."""
        return blake2b(self.encoded)


@frozen
class Stored:
    """Bytes that are stored without encryption."""

    ciphertext: bytes


Content: TypeAlias = Message | Plaintext | Stored


def plaintext(content: Content, text: Statement) -> bytes:
    """Return the plaintext of a content. Raises NotationError if the bytes are not encrypted."""
    if isinstance(content, Stored):
        text.refuse("a message, not bytes that are stored unencrypted")
    return content.encoded


def read_content(text: Statement) -> Content:
    """Take the message or the bytes that a definition describes."""
    if text.takes("bytes"):
        return Plaintext(read_bytes(text))
    if text.takes("raw"):
        return Stored(read_bytes(text))
    if text.would_take("after") or sees_seqno(text):
        return read_message(text)
    content = text.book.named(text)
    if text.takes("but"):
        if not isinstance(content, Message):
            text.refuse("`but` after a message with parts")
        content = stated(content, read_parts(text))
    if text.takes("then"):
        return Plaintext(plaintext(content, text) + read_bytes(text))
    start = text.place
    if isinstance(content, Stored):
        return content
    encoded = changed(text, content.encoded)
    return content if text.place == start else Plaintext(encoded)


def sees_seqno(text: Statement) -> bool:
    """Return whether a seqno comes next, and not a name: data come after it."""
    if text.would_take("-"):
        return True
    start = text.place
    number = text.next.kind == "bare" and is_integer(text.take())
    found = number and (text.next.text in ("{", "data", "raw"))
    text.place = start
    return found


def read_message(text: Statement) -> Message:
    """Take a message that is stated part by part."""
    if not text.takes("after"):
        seqno = read_integer(text)
        data = read_new_data(text)
        return stated(Message(seqno=seqno, data=data), read_parts(text))
    parents = [text.book.message(text)]
    while text.is_message():
        parents.append(text.book.message(text))
    window = read_integer(text) if text.takes("within") else text.book.window
    data = read_new_data(text)
    return following(text, parents, window, {"data": data, **read_parts(text)})


def following(
    text: Statement, parents: Sequence[Message], window: int, parts: Mapping[str, Any]
) -> Message:
    """Return the message that comes after others, with the parts that are stated."""
    if not all(well_formed_row(row) for parent in parents for row in parent.rows):
        text.refuse("`after` messages whose rows are [seqno, hash, diff]")
    message = merge_of(*parents, data={}, window=window)
    unknown = {key: value for key, value in message.others.items() if key != SIGNATURE}
    return stated(evolve(message, others=unknown), parts)


def stated(message: Message, parts: Mapping[str, Any]) -> Message:
    """Return a message with these parts instead of its own."""
    changes = dict(parts)
    signature = changes.pop("signature", None)
    made = evolve(message, **changes)
    if signature is None:
        return made
    return evolve(made, others={**made.others, SIGNATURE: signature})


def read_parts(text: Statement) -> dict[str, Any]:
    """Take the parts of a message that come next, in any order, each once."""
    found: dict[str, Any] = {}
    while text.next.kind == "bare" and text.next.text in _PARTS:
        field_name, read = _PARTS[text.next.text]
        if field_name in found:
            break
        text.take()
        found[field_name] = read(text)
    return found


def _seqno(text: Statement) -> Any:
    return Raw(read_part(text)) if text.takes("raw") else read_integer(text)


def read_new_data(text: Statement) -> Any:
    """Take data in braces, with or without the word `data` before them, or `data of NAME`."""
    if text.takes("data") and text.takes("of"):
        return text.book.message(text).data
    return read_data(text)


def read_any_data(text: Statement) -> Tree:
    """Take the data of a question, valid or not, or `data of NAME`."""
    return text.book.message(text).data if text.takes("data", "of") else read_value(text)


def read_changes(text: Statement) -> Tree:
    """Take a diff in braces, or `diff of NAME`."""
    return text.book.message(text).diff if text.takes("diff", "of") else read_diff(text)


def _data(text: Statement) -> Any:
    return text.book.message(text).data if text.takes("of") else read_data(text)


def _seed(text: Statement) -> bytes:
    text.need("by")
    return read_key_by_name(text, SEEDS)


def read_rows(text: Statement) -> Any:
    """Take rows: names of messages, `(SEQNO HASH DIFF)`, lists or raw bytes; `none` for no rows."""
    if text.takes("none"):
        return []
    if text.would_take("raw"):
        return read_value(text)
    rows = [_row(text)]
    while text.next.text in ("(", "[", "raw") or text.is_message():
        rows.append(_row(text))
    return rows


def _row(text: Statement) -> Any:
    if text.would_take("["):
        row: Any = read_value(text)
        return tuple(row)
    if text.would_take("raw"):
        return read_value(text)
    if not text.takes("("):
        return text.book.message(text).row
    seqno = _seqno(text)
    digest = read_hash(text, "a hash: 64 hex digits, or `hash of` a message")
    diff = read_value(text) if text.would_take("raw") else read_diff(text)
    text.need(")")
    return (seqno, digest, diff)


def well_formed_row(row: Tree) -> bool:
    """Return whether a row is a seqno, a hash of 32 bytes and a diff."""
    return (
        isinstance(row, list | tuple)
        and len(row) == 3
        and isinstance(row[0], int)
        and isinstance(row[1], bytes)
        and len(row[1]) == LENGTH
        and isinstance(row[2], Mapping)
    )


_PARTS: Final[Mapping[str, tuple[str, Callable[[Statement], Any]]]] = MappingProxyType(
    {
        "seqno": ("seqno", _seqno),
        "data": ("data", _data),
        "diff": ("diff", read_diff),
        "rows": ("rows", read_rows),
        "unknown": ("others", read_dict),
        "signed": ("seed", _seed),
        "signature": ("signature", read_signature),
        "unsigned": ("seed", lambda _: None),
    }
)
"""The first word of a part -> the field of a message, and the function that takes the rest."""
