"""Snapshots and their bytes as text.

    #x: X; #a < #x: a; #d < #x
    identify b after #a   encodes "d7:content32:" #(b) "7:parent032:" #a e

`#a` is the ID of the snapshot with the name a, the content `a` and the parent #x. A snapshot
without a colon is a deletion. `#(b)` is the ID of the content `b`. Bytes that are not text are
written as `0x6162`, or as `0x00..ff` if each byte is one more than the byte before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from rejoin_conformance.contract.notation import Example
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.notation.encodings import (
    blake2b,
    content_id,
    snapshot_id,
)
from rejoin_conformance.systems.conflict_detection.notation.words import (
    GAP,
    Segment,
    Statement,
    in_lines,
    spelled,
)

OPERATION: Final = "conflict-detection/snapshot-id"

_RUN: Final = re.compile(r"0x([0-9a-f]{2})\.\.([0-9a-f]{2})")
_HEX: Final = re.compile(r"0x((?:[0-9a-f]{2})+)")
_SHORTEST_RUN: Final = 16
_ID_BYTES: Final = 32
_NO_BYTES: Final = '""'

Names = dict[str, bytes]
"""Name -> the ID of the snapshot."""


def is_definition(statement: Statement) -> bool:
    """Return whether a statement defines a snapshot."""
    return statement[0].tokens[0].text == "#"


def define_snapshot(names: Names, statement: Statement) -> None:
    """Add the snapshot that a statement defines to the names. Raises NotationError."""
    segment = statement[0]
    segment.need("#")
    name = segment.word("the name of a snapshot")
    if name in names:
        segment.fail(f"a name other than {name!r}, which is already defined")
    parents = []
    if segment.reads("<"):
        while not segment.ended and segment.tokens[segment.place].text == "#":
            parents.append(parse_id(names, segment))
    content = parse_bytes(names, segment) if segment.reads(":") else None
    segment.end("`#` and the name of a parent, or `:` and the content")
    for more in statement[1:]:
        more.fail("another definition after a semicolon")
    names[name] = snapshot_id(content, parents)


def spelled_definition(name: str, content: bytes | None, parents: Iterable[str]) -> str:
    """Return the statement that defines a snapshot."""
    after = " ".join(f"#{parent}" for parent in parents)
    text = f"#{name}{' < ' if after else ''}{after}"
    return text if content is None else f"{text}: {spelled_bytes(content, {})}"


def parse_id(names: Mapping[str, bytes], segment: Segment) -> bytes:
    """Consume `#` and a name, or `#` and hex; return the ID."""
    segment.need("#", "`#` and the name of a snapshot")
    name = segment.word("the name of a snapshot")
    if name in names:
        return names[name]
    if re.fullmatch(r"(?:[0-9a-f]{2})*", name):
        return bytes.fromhex(name)
    segment.place -= 1
    return segment.fail("the name of a snapshot that is defined above")


def spelled_id(names: Mapping[bytes, str], identity: bytes) -> str:
    """Return the text of an ID: its name, or hex."""
    return f"#{names.get(identity) or identity.hex() or _NO_BYTES}"


def parse_bytes(names: Mapping[str, bytes], segment: Segment, end: str = "") -> bytes:
    """Consume pieces of bytes, up to the token `end`; return them joined."""
    value = b""
    first = True
    while first or not (segment.ended or (end and segment.tokens[segment.place].text == end)):
        first = False
        token = None if segment.ended else segment.tokens[segment.place]
        if token is not None and token.text == "#":
            value += _hash(names, segment)
        elif token is not None and token.kind == "bare" and token.text.startswith("0x"):
            value += parse_hex(segment)
        else:
            value += segment.word("a text, `0x` and hex, or `#`").encode("utf-8", "surrogatepass")
    return value


def _hash(names: Mapping[str, bytes], segment: Segment) -> bytes:
    if not segment.reads("#", "("):
        return parse_id(names, segment)
    content = parse_bytes(names, segment, ")")
    segment.need(")")
    return content_id(content)


def parse_hex(segment: Segment) -> bytes:
    """Consume `0x6162`, or a run such as `0x00..ff`; return the bytes."""
    token = segment.tokens[segment.place].text
    run, plain = _RUN.fullmatch(token), _HEX.fullmatch(token)
    if run is not None and run[1] < run[2]:
        value = bytes(range(int(run[1], 16), int(run[2], 16) + 1))
    elif plain is not None:
        value = bytes.fromhex(plain[1])
    else:
        segment.fail("two hex digits for each byte after `0x`")
    segment.place += 1
    return value


def spelled_bytes(value: bytes, known: Mapping[bytes, str]) -> str:
    """Return the text of bytes; known IDs in them are written by name."""
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
        return f'"{text}"' if text.startswith("0x") else spelled(text)
    return spelled_hex(value)


def spelled_hex(value: bytes) -> str:
    """Return the hex of bytes, as a run if possible."""
    if len(value) >= _SHORTEST_RUN and value == bytes(range(value[0], value[-1] + 1)):
        return f"0x{value[:1].hex()}..{value[-1:].hex()}"
    return f"0x{value.hex()}"


def parse_identity(names: Mapping[str, bytes], statement: Statement) -> Example:
    """Return the question for a snapshot's ID, with its answer if it is stated."""
    segment, *rest = statement
    segment.need("identify")
    deletion = segment.reads("deletion")
    content = None if deletion else parse_bytes(names, segment, "after")
    parents: list[Json] = []
    if segment.reads("after"):
        parents.append(parse_id(names, segment).hex())
        while not segment.ended:
            parents.append(parse_id(names, segment).hex())
    segment.end("`after` and parents, or two spaces and the encoding")
    value: JsonObject = {"content": None if content is None else content.hex(), "parents": parents}
    return Example(
        operation=OPERATION,
        input=value,
        output=parse_identified(names, content, rest) if rest else None,
    )


def parse_identified(
    names: Mapping[str, bytes], content: bytes | None, segments: Sequence[Segment]
) -> JsonObject:
    """Return the answer, from the encoding; the ID is its hash."""
    segments[0].need("encodes", "`encodes` and bytes")
    return _answer(content, b"".join(parse_bytes(names, segment) for segment in segments))


def _answer(content: bytes | None, encoded: bytes) -> JsonObject:
    return {
        "content_id": None if content is None else content_id(content).hex(),
        "encoded": encoded.hex(),
        "id": blake2b(encoded).hex(),
    }


def render_identity(example: Example) -> list[str] | None:
    """Return the lines of a question; None if the ID in the answer is not the encoding's hash."""
    value: Any = example.input
    content = None if value["content"] is None else bytes.fromhex(value["content"])
    parents = [bytes.fromhex(parent) for parent in value["parents"]]
    text = f"identify {'deletion' if content is None else spelled_bytes(content, {})}"
    if parents:
        text += f" after {' '.join(spelled_id({}, parent) for parent in parents)}"
    if example.output is None:
        return [text]
    encoded = bytes.fromhex(str(example.output["encoded"]))
    if example.output != _answer(content, encoded):
        return None
    return in_lines([text, render_identified(example, example.output)], GAP, "    ")


def render_identified(example: Example, output: JsonObject) -> str:
    """Return the text of an answer."""
    value: Any = example.input
    parents = [bytes.fromhex(parent) for parent in value["parents"]]
    known = {parent: spelled_id({}, parent) for parent in parents if len(parent) == _ID_BYTES}
    if value["content"] is not None:
        content = bytes.fromhex(value["content"])
        known[content_id(content)] = f"#({spelled_bytes(content, {})})"
    return f"encodes {spelled_bytes(bytes.fromhex(str(output['encoded'])), known)}"
