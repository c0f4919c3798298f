"""Snapshots and their bytes: their encoding by the standard library, and their text.

    #x: X; #a < #x: a; #d < #x
    identify b after #a   encodes "d7:content32:" #(b) "7:parent032:" #a e

`#a` is the ID of the snapshot with the name a, the content `a` and the parent #x. A snapshot
without a colon is a deletion. `#(b)` is the ID of the content `b`. Bytes that are not text are
written as `0x6162`, or as `0x00..ff` if each byte is one more than the byte before.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from rejoin_conformance.contract.notation import Example
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.phrases import Scanner
from rejoin_conformance.systems.conflict_detection.kinds import content_of
from rejoin_conformance.systems.conflict_detection.segments import (
    GAP,
    WORDS,
    Segment,
    Statement,
    ends,
    flat,
    word,
)

OPERATION: Final = "conflict-detection/snapshot-id"
_RUN: Final = re.compile(r"0x([0-9a-f]{2})\.\.([0-9a-f]{2})")
_HEX: Final = re.compile(r"0x((?:[0-9a-f]{2})+)")
_SHORTEST_RUN: Final = 16
_ID_BYTES: Final = 32


# Encodings, without the reference.


def blake2b(encoded: bytes) -> bytes:
    """Return the BLAKE2b hash of 32 bytes."""
    return hashlib.blake2b(encoded, digest_size=32).digest()


def string(value: bytes) -> bytes:
    """Return a bt-encoded string."""
    return b"%d:" % len(value) + value


def content_id(content: bytes) -> bytes:
    """Return the capability of a content."""
    return blake2b(string(content))


def encoded_snapshot(
    content: bytes | None,
    parents: Sequence[bytes] = (),
    author: bytes | None = None,
    signature: bytes | None = None,
) -> bytes:
    """Return a snapshot as a canonical dict. content: the bytes of the file, or None."""
    entries = [(b"parent%d" % number, parent) for number, parent in enumerate(parents)]
    if content is not None:
        entries.append((b"content", content_id(content)))
    if author is not None:
        entries.append((b"author", author))
    if signature is not None:
        entries.append((b"signature", signature))
    return b"d" + b"".join(string(key) + string(value) for key, value in sorted(entries)) + b"e"


def snapshot_id(content: bytes | None, parents: Sequence[bytes] = ()) -> bytes:
    """Return the ID of an unsigned snapshot."""
    return blake2b(encoded_snapshot(content, parents))


# Names of snapshots, and bytes.


def is_definition(statement: Statement) -> bool:
    """Return whether a statement defines a snapshot."""
    return statement[0].would_take("#")


def define_snapshot(statement: Statement) -> None:
    """Note the name of the snapshot that a statement defines. Raises NotationError."""
    text = statement[0]
    text.need("#")
    name = word(text, "the name of a snapshot")
    if name in text.defined:
        text.fail(f"a name other than {name!r}, which is already defined")
    parents: list[bytes] = []
    while (parents or text.takes("<")) and text.would_take("#"):
        parents.append(read_id(text))
    content = read_bytes(text) if text.takes(":") else None
    text.end("`#` and the name of a parent, or `:` and the content")
    for more in statement[1:]:
        more.fail("another definition after a semicolon")
    text.defined[name] = snapshot_id(content, parents)


def read_id(text: Scanner) -> bytes:
    """Take `#` and a name, or `#` and hex; return the ID."""
    assert isinstance(text, Segment)
    if not text.takes("#"):
        text.fail("`#` and the name of a snapshot")
    name = word(text, "the name of a snapshot")
    if name in text.defined:
        return text.defined[name]
    if re.fullmatch(r"(?:[0-9a-f]{2})*", name):
        return bytes.fromhex(name)
    return text.refuse("the name of a snapshot that is defined above")


def read_bytes(text: Scanner, end: str = "") -> bytes:
    """Take pieces of bytes up to the token `end` or the end of the segment; return them joined."""
    value, first = b"", True
    while first or not (ends(text) or (end and text.next.text == end)):
        first = False
        if text.takes("#", "("):
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
    run, plain = _RUN.fullmatch(text.next.text), _HEX.fullmatch(text.next.text)
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
        found = known.get(value[place : place + _ID_BYTES])
        if found is None:
            place += 1
            continue
        pieces += [_piece(value[start:place])] if start < place else []
        pieces.append(found)
        start = place = place + _ID_BYTES
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
    """Return the hex of bytes, as a run if possible."""
    if len(value) >= _SHORTEST_RUN and value == bytes(range(value[0], value[-1] + 1)):
        return f"0x{value[:1].hex()}..{value[-1:].hex()}"
    return f"0x{value.hex()}"


# The question for the ID of a snapshot. The answer states the encoding; the ID is its hash.


def read_identity(asked: Sequence[Statement]) -> Example:
    """Return the question for a snapshot's ID, with its answer if it is stated."""
    text = flat(asked)
    text.need("identify")
    content = None if text.takes("deletion") else read_bytes(text, "after")
    parents: list[Json] = []
    while (parents and not ends(text)) or (not parents and text.takes("after")):
        parents.append(read_id(text).hex())
    if not ends(text):
        text.fail("`after` and parents, or two spaces and the encoding")
    value: JsonObject = {"content": None if content is None else content.hex(), "parents": parents}
    output = None if text.at_end else read_identified(text, content)
    return Example(operation=OPERATION, input=value, output=output)


def read_identified(text: Segment, content: bytes | None) -> JsonObject:
    """Take the answer."""
    if not text.takes("encodes"):
        text.fail("`encodes` and bytes")
    encoded = read_bytes(text)
    while not text.at_end:
        encoded += read_bytes(text)
    return _answer(content, encoded)


def _answer(content: bytes | None, encoded: bytes) -> JsonObject:
    return {
        "content_id": None if content is None else content_id(content).hex(),
        "encoded": encoded.hex(),
        "id": blake2b(encoded).hex(),
    }


def written_identity(example: Example) -> str:
    """Return the text of a question, and of its answer if it has one."""
    value: Any = example.input
    said = ["identify deletion"]
    if value["content"] is not None:
        said = [f"identify {spelled_bytes(bytes.fromhex(value['content']), {})}"]
    said += ["after"] if value["parents"] else []
    text = " ".join([*said, *(spelled_id(bytes.fromhex(each)) for each in value["parents"])])
    return text + (GAP + written_identified(example, example.output) if example.output else "")


def written_identified(example: Example, output: JsonObject) -> str:
    """Return the text of an answer."""
    value: Any = example.input
    parents = [bytes.fromhex(parent) for parent in value["parents"]]
    known = {parent: spelled_id(parent) for parent in parents if len(parent) == _ID_BYTES}
    if value["content"] is not None:
        content = bytes.fromhex(value["content"])
        known[content_id(content)] = f"#({spelled_bytes(content, {})})"
    return f"encodes {spelled_bytes(bytes.fromhex(str(output['encoded'])), known)}"
