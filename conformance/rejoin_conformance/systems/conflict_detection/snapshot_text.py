"""Questions about one snapshot as text.

    identify b after #a   encodes "d7:content32:" #(b) "7:parent032:" #a e
    sign X   key 0x00..1f   over "d6:author32:" @0x00..1f "7:content32:" #(X) e
    verify X   author @0x00..1f   signature of 0x00..1f over X = yes

An answer states the encoding, or the bytes that are signed; IDs and signatures follow from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from attrs import evolve

from rejoin_conformance.contract.notation import Example
from rejoin_conformance.kit.bt import bt
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.phrases import Scanner
from rejoin_conformance.systems.conflict_detection.fields import FIELDS
from rejoin_conformance.systems.conflict_detection.segments import (
    GAP,
    Segment,
    Statement,
    ends,
    flat,
)
from rejoin_conformance.systems.conflict_detection.snapshots import (
    ID_BYTES,
    author_of,
    blake2b,
    content_id,
    cut,
    encoded_snapshot,
    is_changed,
    read_bytes,
    read_hex,
    read_ids,
    read_size,
    signature_of,
    sized,
    spelled_bytes,
    spelled_hex,
    spelled_id,
)

IDENTIFY: Final = "conflict-detection/snapshot-id"
SIGN: Final = "conflict-detection/sign-snapshot"
VERIFY: Final = "conflict-detection/verify-snapshot"
_WORDS: Final = {"identify": IDENTIFY, "sign": SIGN, "verify": VERIFY}
"""The word of a question -> the operation."""
OPERATIONS: Final = (IDENTIFY, SIGN, VERIFY)


def begins(statement: Statement) -> bool:
    """Return whether a statement begins a question about one snapshot."""
    first, second = statement[0].text_at(0), statement[0].text_at(1)
    return first in _WORDS and second not in ("follows", "uploads")


def read(asked: Sequence[Statement]) -> Example:
    """Return the question, with its answer if it is stated."""
    text = flat(asked)
    operation = _WORDS[text.take()]
    content, parents = _read_snapshot(text)
    value: JsonObject = {
        "content": None if content is None else content.hex(),
        "parents": [each.hex() for each in parents],
    }
    if operation == SIGN:
        text.need("key")
        value["signing_key"] = cut(text, read_hex(text)).hex()
    for name in ("author", "signature") if operation == VERIFY else ():
        if text.takes(name):
            value[name] = _read_signature(text).hex()
    if not ends(text):
        text.fail("`after` and parents, or two spaces and what comes next")
    asks = Example(operation=operation, input=value)
    return asks if text.at_end else evolve(asks, output=_answer(text, asks))


def _read_snapshot(text: Scanner) -> tuple[bytes | None, list[bytes]]:
    content = None if text.takes("deletion") else read_bytes(text, "after", "but")
    return content, read_ids(text) if text.takes("after") else []


def _read_signature(text: Scanner) -> bytes:
    """Take bytes, or `of` a key and `over` the snapshot that it signs, perhaps with a fault."""
    if not text.takes("of"):
        return cut(text, read_bytes(text, "but"))
    seed = read_hex(text)
    author = None if text.takes("without", "the", "author") else author_of(seed)
    changed, size = is_changed(text), read_size(text)
    text.need("over")
    span = encoded_snapshot(*_read_snapshot(text), author)
    return sized(signature_of(span, seed, changed=changed), size)


def read_answer(body: Sequence[Statement], asks: Example) -> JsonObject:
    """Return the answer to a question."""
    return _answer(flat(body), asks)


def _answer(text: Segment, asks: Example) -> JsonObject:
    value: Any = asks.input
    if asks.operation == VERIFY:
        text.takes("=")
        valid: Json = FIELDS["valid"].read(text)
        text.end()
        return {"valid": valid}
    verb = "encodes" if asks.operation == IDENTIFY else "over"
    if not text.takes(verb):
        text.fail(f"`{verb}` and bytes")
    encoded = read_bytes(text)
    while not text.at_end:
        encoded += read_bytes(text)
    if asks.operation == IDENTIFY:
        content = value["content"]
        identity = None if content is None else content_id(bytes.fromhex(content)).hex()
        return {"content_id": identity, "encoded": encoded.hex(), "id": blake2b(encoded).hex()}
    seed = bytes.fromhex(value["signing_key"])
    signature = signature_of(encoded, seed)
    whole_snapshot = encoded[:-1] + bt(b"signature") + bt(signature) + b"e"
    return {
        "author": author_of(seed).hex(),
        "signature": signature.hex(),
        "id": blake2b(whole_snapshot).hex(),
    }


def written(asks: Example) -> str:
    """Return the text of a question, and of its answer if it has one."""
    value: Any = asks.input
    content = None if value["content"] is None else bytes.fromhex(value["content"])
    word = next(each for each, operation in _WORDS.items() if operation == asks.operation)
    said = [word, "deletion" if content is None else spelled_bytes(content, {})]
    said += ["after"] if value["parents"] else []
    parts = [" ".join([*said, *(spelled_id(bytes.fromhex(each)) for each in value["parents"])])]
    for name, told in (("signing_key", "key"), ("author",) * 2, ("signature",) * 2):
        if name in value:
            parts.append(f"{told} {spelled_hex(bytes.fromhex(value[name]))}")
    parts += [] if asks.output is None else [written_answer(asks, asks.output)]
    return GAP.join(parts)


def written_answer(asks: Example, output: JsonObject) -> str:
    """Return the text of an answer."""
    value: Any = asks.input
    if asks.operation == VERIFY:
        return f"= {FIELDS['valid'].write(output['valid'], None)}"
    parents = [bytes.fromhex(parent) for parent in value["parents"]]
    known = {parent: spelled_id(parent) for parent in parents if len(parent) == ID_BYTES}
    content = None
    if value["content"] is not None:
        content = bytes.fromhex(value["content"])
        known[content_id(content)] = f"#({spelled_bytes(content, {})})"
    if asks.operation == IDENTIFY:
        return f"encodes {spelled_bytes(bytes.fromhex(str(output['encoded'])), known)}"
    seed = bytes.fromhex(value["signing_key"])
    author = bytes.fromhex(str(output["author"]))
    known[author] = f"@{spelled_hex(seed)}"
    return f"over {spelled_bytes(encoded_snapshot(content, parents, author), known)}"
