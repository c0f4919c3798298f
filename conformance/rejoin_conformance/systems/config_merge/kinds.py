"""The kinds of the fields of config merge: their schemas, their values in Python, and their text.

The context of `load` and `dump` is the reading, and that of `write` is the sheet of names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from attrs import evolve

from rejoin import config_merge as cm
from rejoin_conformance.contract.rows import dumped, one_of
from rejoin_conformance.kit import schemas as s
from rejoin_conformance.kit.bt import bt
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.locations import saying, text_beside
from rejoin_conformance.kit.phrases import Kind
from rejoin_conformance.systems.config_merge.bytes_text import (
    ENCRYPTION,
    PUBLICS,
    SEEDS,
    key_name,
    read_bytes,
    read_hex,
    read_integer,
    read_key_by_name,
)
from rejoin_conformance.systems.config_merge.data_text import (
    diff_text,
    read_tree,
    tree_text,
    value_text,
)
from rejoin_conformance.systems.config_merge.message_text import bytes_text, decoded
from rejoin_conformance.systems.config_merge.messages import (
    plaintext,
    read_any_data,
    read_changes,
    read_content,
)
from rejoin_conformance.systems.config_merge.typed_tree import NODE, tree_of, value_of

_HASH: Final = s.hex_of(32)


def _of_bytes(schema: JsonObject = s.HEX, **text: Any) -> Kind:
    """Return a kind of bytes. text: the functions `read` and `write`, if it has a text."""
    return Kind(
        schema=schema,
        load=lambda value, _: bytes.fromhex(value),
        dump=lambda value, _: value.hex(),
        **text,
    )


def _key(known: Mapping[str, bytes]) -> Kind:
    return _of_bytes(
        _HASH,
        read=lambda text: read_key_by_name(text, known).hex(),
        write=lambda value, _: key_name(bytes.fromhex(value), known),
    )


def _encryption_key(text: Any) -> str:
    """Take a key of any length, because operations refuse the wrong ones themselves."""
    named = ENCRYPTION.get(text.next.text)
    return (text.take() and named if named else read_hex(text, "a key in hex")).hex()


def _read_tree(text: Any) -> JsonObject:
    tree: JsonObject = read_tree(text)
    return tree


def hex_by(read: Callable[[Any], bytes]) -> Callable[[Any], str]:
    """Return a function that takes bytes as another one does, and returns them in hex."""
    return lambda text: read(text).hex()


def _names(text: Any) -> list[Json]:
    text.book.asked = text.book.names(text)
    return [plaintext(text.book.content(name), text).hex() for name in text.book.asked]


def record_of(*names: str) -> JsonObject:
    """Return the schema of an object with fields of these kinds."""
    return s.record({name: KINDS[name].described() for name in names})


def records_of(*names: str) -> Kind:
    """Return the kind of a list of objects with fields of these kinds."""
    kinds = {name: KINDS[name] for name in names}
    return Kind(
        schema=s.list_of(record_of(*names)),
        dump=lambda value, reading: [dumped(each, kinds, reading) for each in value],
    )


_BYTES: Final = _of_bytes(
    read=lambda text: read_bytes(text).hex(),
    write=lambda value, _: bytes_text(bytes.fromhex(value)),
)
_DATA: Final = Kind(
    schema=s.HEX,
    read=hex_by(lambda text: bt(read_any_data(text))),
    write=lambda value, _: value_text(decoded(value)),
    load=lambda value, reading: cm.parse_data(bytes.fromhex(value), reading=reading),
    dump=lambda value, _: cm.encode_data(value).hex(),
)
KINDS: Final[dict[str, Kind]] = {
    **dict.fromkeys(("encoded", "plaintext", "ciphertext", "domain"), _BYTES),
    **dict.fromkeys(("old", "new", "data", "source"), _DATA),
    "key": _of_bytes(
        read=_encryption_key, write=lambda value, _: key_name(bytes.fromhex(value), ENCRYPTION)
    ),
    "diff": Kind(
        schema=s.HEX,
        read=hex_by(lambda text: bt(read_changes(text))),
        write=lambda value, _: diff_text(decoded(value)),
        load=lambda value, reading: cm.parse_diff(bytes.fromhex(value), reading=reading),
        dump=lambda value, _: cm.encode_diff(value).hex(),
    ),
    "value": Kind(
        schema=NODE,
        read=_read_tree,
        write=lambda value, _: tree_text(value),
        load=lambda value, _: value_of(value),
        dump=lambda value, _: tree_of(value),
    ),
    "message": Kind(
        schema=s.HEX,
        read=hex_by(lambda text: plaintext(read_content(text), text)),
        write=lambda value, sheet: sheet.text(bytes.fromhex(value)),
        load=lambda value, _: bytes.fromhex(value),
        dump=lambda message, _: message.encoded.hex(),
    ),
    "messages": Kind(
        schema=s.list_of(s.HEX),
        read=_names,
        write=lambda value, sheet: " ".join(sheet.name(bytes.fromhex(each)) for each in value),
        load=lambda value, _: [bytes.fromhex(each) for each in value],
    ),
    "seqno": Kind(schema=s.DECIMAL, dump=lambda value, _: str(value)),
    "hash": _of_bytes(_HASH),
    "merged": Kind(schema=s.BOOLEAN),
    "valid": one_of({"true": True, "false": False}),
    "index": Kind(schema=s.integer(0)),
    "why": Kind(schema=s.one_of_texts("invalid", "duplicate", "stale", "included")),
    "window": Kind(
        schema={"default": cm.DEFAULT_WINDOW, **s.integer(0, 2**31)},
        read=read_integer,
        write=lambda value, _: str(value),
        missing=cm.DEFAULT_WINDOW,
    ),
    "signing_key": _key(SEEDS),
    "verify_key": _key(PUBLICS),
}
_WORDS: Final = text_beside(__name__)
KINDS.update(saying(_WORDS, KINDS))
KINDS["lagged"] = records_of("seqno", "hash", "diff")
KINDS["ignored"] = records_of("index", "why")
KINDS.update(saying(_WORDS, KINDS))
"""The kinds of the fields of operations, which `kinds.txt` describes. The whole answer tells those
that have no text."""

WHOLE_DATA: Final = evolve(
    KINDS["data"],
    load=lambda value, reading: cm.parse_data(
        bytes.fromhex(value), reading=reading, omit_empty=True
    ),
    words="The whole new data, bt-encoded. Empty sets and dicts below the outermost dict are "
    "omitted.",
)
"""The data of an update or an edit."""
