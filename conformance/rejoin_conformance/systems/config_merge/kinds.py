"""The kinds of the fields of config merge: their schemas, their values in Python, and their text.

The context of `load` and `dump` is the reading, and that of `write` is the sheet of names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from attrs import evolve

from rejoin import config_merge as cm
from rejoin_conformance.kit import schemas as s
from rejoin_conformance.kit.bt import bt
from rejoin_conformance.kit.json_types import Json, JsonObject
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

Text: TypeAlias = tuple[Callable[[Any], Any], Callable[[Any, Any], str]]
"""The functions that read and write a kind."""

_HASH: Final = s.hex_of(32)


def _of_bytes(text: Text | None, words: str, schema: JsonObject = s.HEX) -> Kind:
    kind = Kind(
        schema=schema,
        load=lambda value, _: bytes.fromhex(value),
        dump=lambda value, _: value.hex(),
        words=words,
    )
    return kind if text is None else evolve(kind, read=text[0], write=text[1])


def _key(known: Mapping[str, bytes], words: str) -> Kind:
    text: Text = (
        lambda text: read_key_by_name(text, known).hex(),
        lambda value, _: key_name(bytes.fromhex(value), known),
    )
    return _of_bytes(text, words, _HASH)


def _encryption_key(text: Any) -> str:
    """Take a key of any length, because operations refuse the wrong ones themselves."""
    named = ENCRYPTION.get(text.next.text)
    return (text.take() and named if named else read_hex(text, "a key in hex")).hex()


def _data(words: str) -> Kind:
    return Kind(
        schema=s.HEX,
        read=hex_by(lambda text: bt(read_any_data(text))),
        write=lambda value, _: value_text(decoded(value)),
        load=lambda value, reading: cm.parse_data(bytes.fromhex(value), reading=reading),
        dump=lambda value, _: cm.encode_data(value).hex(),
        words=words,
    )


def _read_tree(text: Any) -> JsonObject:
    tree: JsonObject = read_tree(text)
    return tree


def hex_by(read: Callable[[Any], bytes]) -> Callable[[Any], str]:
    """Return a function that takes bytes as another one does, and returns them in hex."""
    return lambda text: read(text).hex()


def _names(text: Any) -> list[Json]:
    text.book.asked = text.book.names(text)
    return [plaintext(text.book.content(name), text).hex() for name in text.book.asked]


def _truth(text: Any) -> bool:
    if text.takes("true"):
        return True
    return False if text.takes("false") else text.fail("`true` or `false`")


def record_of(*names: str) -> JsonObject:
    """Return the schema of an object with fields of these kinds."""
    return s.record({name: KINDS[name].described() for name in names})


def _dumped(*names: str) -> Callable[[Any, Any], Any]:
    """Return a function from a list of values to the list of these fields of each."""
    return lambda value, reading: [
        {name: KINDS[name].dump(getattr(each, name), reading) for name in names} for each in value
    ]


_BYTES: Final[Text] = (
    lambda text: read_bytes(text).hex(),
    lambda value, _: bytes_text(bytes.fromhex(value)),
)
KINDS: Final[dict[str, Kind]] = {
    "encoded": _of_bytes(_BYTES, "The bt-encoded value."),
    "plaintext": _of_bytes(_BYTES, "The bytes before encryption."),
    "ciphertext": _of_bytes(_BYTES, "The encrypted bytes."),
    "key": _of_bytes(
        (_encryption_key, lambda value, _: key_name(bytes.fromhex(value), ENCRYPTION)),
        "The encryption key: 32 bytes.",
    ),
    "domain": _of_bytes(
        _BYTES, "The kind of config as bytes. Only the reading `libsession` uses it."
    ),
    "old": _data("The data before the change, bt-encoded."),
    "new": _data("The data after the change, bt-encoded."),
    "data": _data("The application data, bt-encoded."),
    "source": _data("The data of the message that the diff comes from, bt-encoded."),
    "diff": Kind(
        schema=s.HEX,
        read=hex_by(lambda text: bt(read_changes(text))),
        write=lambda value, _: diff_text(decoded(value)),
        load=lambda value, reading: cm.parse_diff(bytes.fromhex(value), reading=reading),
        dump=lambda value, _: cm.encode_diff(value).hex(),
        words="A diff, bt-encoded.",
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
        words="A config message, bt-encoded.",
    ),
    "messages": Kind(
        schema=s.list_of(s.HEX),
        read=_names,
        write=lambda value, sheet: " ".join(sheet.name(bytes.fromhex(each)) for each in value),
        load=lambda value, _: [bytes.fromhex(each) for each in value],
        words="The messages in any order, each bt-encoded.",
    ),
    "seqno": Kind(
        schema=s.DECIMAL, dump=lambda value, _: str(value), words="The seqno of the message."
    ),
    "hash": _of_bytes(None, "The hash of the message: 32 bytes.", _HASH),
    "merged": Kind(
        schema=s.BOOLEAN, words="Whether the result is a new message that merges several."
    ),
    "valid": Kind(
        schema=s.BOOLEAN,
        read=_truth,
        write=lambda value, _: str(value).lower(),
        words="Whether the signature is valid.",
    ),
    "index": Kind(schema=s.integer(0), words="The index of the message in the input, from 0."),
    "why": Kind(
        schema=s.one_of_texts("invalid", "duplicate", "stale", "included"),
        words="The reason. It is a report, and an adapter can leave it out.",
    ),
    "window": Kind(
        schema={"default": cm.DEFAULT_WINDOW, **s.integer(0, 2**31)},
        read=read_integer,
        write=lambda value, _: str(value),
        missing=cm.DEFAULT_WINDOW,
        words="N of 'within N', from 1 to 2^31 - 1. The schema also allows 0 and 2^31, which an "
        "implementation must reject.",
    ),
    "signing_key": _key(SEEDS, "The seed of an Ed25519 key. It signs the messages that are made."),
    "verify_key": _key(
        PUBLICS, "An Ed25519 public key. A message without a valid signature by it is invalid."
    ),
}
KINDS["lagged"] = Kind(
    schema=s.list_of(record_of("seqno", "hash", "diff")),
    dump=_dumped("seqno", "hash", "diff"),
    words="The lagged diffs: one row for each message within the window, in ascending order.",
)
KINDS["ignored"] = Kind(
    schema=s.list_of(record_of("index", "why")),
    dump=_dumped("index", "why"),
    words="The messages that are ignored.",
)
"""The kinds of all fields of operations. A field that has no text is told by the whole answer."""

WHOLE_DATA: Final = evolve(
    KINDS["data"],
    load=lambda value, reading: cm.parse_data(
        bytes.fromhex(value), reading=reading, omit_empty=True
    ),
    words="The whole new data, bt-encoded. Empty sets and dicts below the outermost dict are "
    "omitted.",
)
"""The data of an update or an edit."""
