"""Snapshots and their bytes: their encoding by the standard library, and their text.

    #x: X; #a < #x: a; #d < #x; #s < #d: s   signed by 0x00..1f

`#a` is the ID of the snapshot with the name a, the content `a` and the parent #x. A snapshot
without a colon is a deletion. `#(b)` is the ID of the content `b`. Bytes that are not text are
written as `0x6162`, or as `0x00..ff` if each byte is one more than the byte before.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from nacl.signing import SigningKey

from rejoin_conformance.kit.bt import blake2b, bt
from rejoin_conformance.kit.phrases import Scanner
from rejoin_conformance.systems.conflict_detection.kinds import content_of
from rejoin_conformance.systems.conflict_detection.segments import (
    WORDS,
    Statement,
    ends,
    whole,
    word,
)

_RUN: Final = re.compile(r"0x([0-9a-f]{2})\.\.([0-9a-f]{2})")
_HEX: Final = re.compile(r"0x((?:[0-9a-f]{2})+)")
_SHORTEST_RUN: Final = 16
ID_BYTES: Final = 32


# Encodings, without the reference.


def content_id(content: bytes) -> bytes:
    """Return the capability of a content."""
    return blake2b(bt(content))


def encoded_snapshot(
    content: bytes | None,
    parents: Sequence[bytes] = (),
    author: bytes | None = None,
    signature: bytes | None = None,
) -> bytes:
    """Return a snapshot as a canonical dict. content: the bytes of the file, or None."""
    parts = {
        **{f"parent{number}": parent for number, parent in enumerate(parents)},
        "content": None if content is None else content_id(content),
        "author": author,
        "signature": signature,
    }
    return bt({name: part for name, part in parts.items() if part is not None})


def author_of(seed: bytes) -> bytes:
    """Return the public key of a signing key."""
    return bytes(SigningKey(seed).verify_key)


def signature_of(encoded: bytes, seed: bytes, *, changed: bool = False) -> bytes:
    """Return the signature of bytes. changed: whether the lowest bit of its first byte is wrong."""
    signature: bytes = SigningKey(seed).sign(encoded).signature
    return bytes([signature[0] ^ changed]) + signature[1:]


def with_signature(encoded: bytes, signature: bytes) -> bytes:
    """Return an encoded snapshot with its signature, whose field is the last one."""
    return encoded[:-1] + bt(b"signature") + bt(signature) + b"e"


def snapshot_id(content: bytes | None, parents: Sequence[bytes] = ()) -> bytes:
    """Return the ID of an unsigned snapshot."""
    return blake2b(encoded_snapshot(content, parents))


# Names of snapshots, and bytes.


def define_snapshot(text: Statement) -> bool:
    """Note the name of the snapshot that a statement defines; return whether it defines one."""
    if not text.takes("#"):
        return False
    name = word(text, "the name of a snapshot")
    if name in text.defined:
        text.fail(f"a name other than {name!r}, which is already defined")
    parents = read_ids(text) if text.takes("<") else []
    content = read_bytes(text) if text.takes(":") else None
    text.end("`#` and the name of a parent, or `:` and the content")
    encoded = encoded_snapshot(content, parents)
    while text.next_segment():
        if not text.takes("signed", "by"):
            text.fail("another definition after a semicolon, or `signed by` and a key")
        seed = read_hex(text)
        author = author_of(seed)
        unsigned = encoded_snapshot(content, parents, author)
        signature = signature_of(unsigned, seed, changed=_is_changed(text))
        encoded = encoded_snapshot(content, parents, author, signature)
        text.end()
    text.defined[name] = blake2b(encoded)
    return True


def read_id(text: Scanner) -> bytes:
    """Take `#` and a name, or `#` and hex; return the ID."""
    assert isinstance(text, Statement)
    if not text.takes("#"):
        text.fail("`#` and the name of a snapshot")
    name = word(text, "the name of a snapshot")
    if name in text.defined:
        return text.defined[name]
    if re.fullmatch(r"(?:[0-9a-f]{2})*", name):
        return bytes.fromhex(name)
    return text.refuse("the name of a snapshot that is defined above")


def read_ids(text: Scanner) -> list[bytes]:
    """Take at least one ID."""
    found = [cut(text, read_id(text))]
    while text.would_take("#"):
        found.append(cut(text, read_id(text)))
    return found


def _read_size(text: Scanner) -> int | None:
    if not text.takes("but"):
        return None
    size = whole(text, "a number of bytes")
    text.need("bytes")
    return size


def read_parents(text: Scanner) -> list[bytes]:
    """Take `after` and the IDs of parents, if they come next."""
    return read_ids(text) if text.takes("after") else []


def cut(text: Scanner, value: bytes) -> bytes:
    """Return the bytes, cut or filled with zeros if `but 31 bytes` comes next."""
    return _sized(value, _read_size(text))


def _sized(value: bytes, size: int | None) -> bytes:
    return value if size is None else value[:size].ljust(size, b"\0")


def _is_changed(text: Scanner) -> bool:
    return text.takes("with", "a", "changed", "bit")


def read_content(text: Scanner) -> bytes | None:
    """Take the content of a snapshot, or `deletion`."""
    return None if text.takes("deletion") else read_bytes(text, "after", "but")


def read_signature(text: Scanner) -> bytes:
    """Take bytes, or `of` a key and `over` the snapshot that it signs, perhaps with a fault."""
    if not text.takes("of"):
        return cut(text, read_bytes(text, "but"))
    seed = read_hex(text)
    author = None if text.takes("without", "the", "author") else author_of(seed)
    changed, size = _is_changed(text), _read_size(text)
    text.need("over")
    span = encoded_snapshot(read_content(text), read_parents(text), author)
    return _sized(signature_of(span, seed, changed=changed), size)


def read_bytes(text: Scanner, *stops: str) -> bytes:
    """Take pieces of bytes up to the end of the segment or one of these words; join them.

    `@` before the seed of a signing key is the public key.
    """
    value, first = b"", True
    while first or not (ends(text) or text.next.text in stops):
        first = False
        if text.next.kind == "bare" and text.next.text.startswith("@0x"):
            value += author_of(read_hex(text))
        elif text.takes("#", "("):
            content = read_bytes(text, ")")
            text.need(")")
            value += content_id(content)
        elif text.would_take("#"):
            value += read_id(text)
        elif text.next.kind == "bare" and text.next.text.startswith("0x"):
            value += read_hex(text)
        else:
            value += content_of(word(text, "a text, `0x` and hex, or `#`"))
    return value


def read_hex(text: Scanner) -> bytes:
    """Take `0x6162`, or a run such as `0x00..ff`; return the bytes."""
    hexed = text.next.text.removeprefix("@")
    run, plain = _RUN.fullmatch(hexed), _HEX.fullmatch(hexed)
    if run is not None and run[1] < run[2]:
        value = bytes(range(int(run[1], 16), int(run[2], 16) + 1))
    elif plain is not None:
        value = bytes.fromhex(plain[1])
    else:
        text.fail("two hex digits for each byte after `0x`")
    text.take()
    return value


def spelled_id(identity: bytes) -> str:
    """Return the text of an ID."""
    return "#" + (identity.hex() or '""')


def spelled_bytes(value: bytes, known: Mapping[bytes, str]) -> str:
    """Return the text of bytes. known: the texts of IDs that can be in them."""
    pieces: list[str] = []
    start = place = 0
    while place < len(value):
        found = known.get(value[place : place + ID_BYTES])
        if found is None:
            place += 1
            continue
        pieces += [_piece(value[start:place])] if start < place else []
        pieces.append(found)
        start = place = place + ID_BYTES
    if start < len(value) or not pieces:
        pieces.append(_piece(value[start:]))
    return " ".join(pieces)


def _piece(value: bytes) -> str:
    try:
        text = value.decode("utf-8")
    except UnicodeDecodeError:
        text = "\0"
    if text.isprintable():
        return f'"{text}"' if text.startswith("0x") else WORDS.spelled(text)
    return spelled_hex(value)


def spelled_hex(value: bytes) -> str:
    """Return the hex of bytes, as a run if possible; quotes if there are none."""
    if not value:
        return '""'
    if len(value) >= _SHORTEST_RUN and value == bytes(range(value[0], value[-1] + 1)):
        return f"0x{value[:1].hex()}..{value[-1:].hex()}"
    return f"0x{value.hex()}"
