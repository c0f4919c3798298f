"""Integers, bytes and keys as text.

A string is any expression of bytes:

    "\\xff\\x00"  hex ff00  "k"*129  ("ab" hex 00*3)*2    bytes; in sequence they are joined
    seven  seven cut 2  seven with "i8e" for "i7e"        a message, and changes of its bytes
    head 4 of seven  tail 24 of seven  seven flip -1      a part; the last bit of a byte changed
    hash of seven  by alice of seven  unreduced ...       a hash; a signature, and an invalid one
    sealed seven  sealed-libsession seven under 11*24     stored forms, with their nonce or another

An integer can be written beside a power of two: 2^63-1. Keys that everyone may know have names;
others are 64 hex digits. `alice`, `bob` and `carol` sign with the keys of the first three test
vectors of RFC 8032, section 7.1; `histories` is the key of random histories.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from rejoin_conformance.kit.bt import blake2b
from rejoin_conformance.systems.config_merge.by_hand import keys
from rejoin_conformance.systems.config_merge.statements import Statement, quoted

_SIGNERS: Final = {
    "alice": (keys.SEED, keys.PUBLIC),
    "bob": (keys.SEED_2, keys.PUBLIC_2),
    "carol": (keys.SEED_3, keys.PUBLIC_3),
    "histories": (keys.HISTORY_SEED, keys.HISTORY_PUBLIC),
}
SEEDS: Final = {name: seed for name, (seed, _) in _SIGNERS.items()}
PUBLICS: Final = {name: public for name, (_, public) in _SIGNERS.items()}
ENCRYPTION: Final = {"example": keys.KEY, "histories": keys.HISTORY_KEY}
LENGTH: Final = 32
"""The number of bytes of a key or a hash."""

_INTEGER: Final = re.compile(r"2\^(?P<power>[0-9]+)(?P<more>[+-][0-9]+)?|[0-9]+")
_HEX: Final = re.compile(r"([0-9a-f]{2})+")
_MOST_DIGITS: Final = 100
_MOST_BYTES: Final = 100_000
_REPEATED: Final = 12
"""The number of equal bytes from which a count is written instead."""


def read_integer(text: Any, expected: str = "an integer") -> int:
    """Take an integer of any size: decimal, or a power of two with an offset."""
    sign = -1 if text.takes("-") else 1
    match = _INTEGER.fullmatch(text.next.text) if text.next.kind == "bare" else None
    if match is None or len(match[0]) > _MOST_DIGITS or int(match["power"] or 0) > _MOST_DIGITS:
        return int(text.fail(expected))
    text.take()
    if match["power"] is None:
        return sign * int(match[0])
    return sign * (1 << int(match["power"])) + int(match["more"] or 0)


def is_integer(word: str) -> bool:
    """Return whether a word is an integer without its sign."""
    return _INTEGER.fullmatch(word) is not None


def read_number(text: Statement, most: int, of: str) -> int:
    """Take an integer from 0 to `most`. of: what it counts."""
    number = read_integer(text, f"a number of {of}")
    if not 0 <= number <= most:
        text.refuse(f"a number of {of} up to {most}")
    return number


def read_least(text: Any, least: int) -> int:
    """Take an integer of at least `least`."""
    number = read_integer(text)
    return number if number >= least else int(text.refuse(f"a number of at least {least}"))


def is_string(text: Statement) -> bool:
    """Return whether a string comes next: in quotes, in parentheses, or in hex."""
    return text.next.kind == "quoted" or text.would_take("(") or text.would_take("hex")


def read_bytes(text: Statement) -> bytes:
    """Take bytes: one or more parts, which are joined."""
    parts = [read_part(text)]
    while is_string(text) or text.is_message() or text.next.text in _PREFIXES:
        parts.append(read_part(text))
    return b"".join(parts)


def read_part(text: Statement) -> bytes:
    """Take one part of bytes with its changes."""
    if text.next.kind == "quoted":
        made = text.take().encode("latin-1")
    elif text.takes("("):
        made = read_bytes(text)
        text.need(")")
    elif text.next.kind == "bare" and text.next.text in _PREFIXES:
        made = _PREFIXES[text.take()](text)
    else:
        made = text.book.plaintext(text)
    return changed(text, made)


def changed(text: Statement, made: bytes) -> bytes:
    """Return bytes with the changes that come next."""
    while True:
        if text.takes("*"):
            made *= read_number(text, _MOST_BYTES // max(1, len(made)), "repetitions")
        elif text.takes("cut"):
            number = read_integer(text)
            if not 0 < number <= len(made):
                text.refuse(f"a number of bytes up to {len(made)}")
            made = made[:-number]
        elif text.takes("with"):
            new = read_part(text)
            text.need("for")
            old = read_part(text)
            if old not in made:
                text.refuse("bytes that are there")
            made = made.replace(old, new, 1)
        elif text.takes("flip"):
            place = read_integer(text)
            if not -len(made) <= place < len(made):
                text.refuse(f"the place of one of {len(made)} bytes")
            place %= len(made)
            made = made[:place] + bytes([made[place] ^ 1]) + made[place + 1 :]
        else:
            return made


def read_hex(text: Statement, expected: str = "bytes in hex") -> bytes:
    """Take bytes in hex, such as `43094f` or `55*32` for a repeated byte."""
    if text.next.kind != "bare" or not _HEX.fullmatch(text.next.text):
        text.fail(expected)
    made = bytes.fromhex(text.take())
    return made * read_number(text, _MOST_BYTES, "bytes") if text.takes("*") else made


def _of(text: Statement) -> bytes:
    text.need("of")
    return read_part(text)


def _cut_out(text: Statement, *, tail: bool) -> bytes:
    number = read_number(text, _MOST_BYTES, "bytes")
    made = _of(text)
    return made[len(made) - number :] if tail else made[:number]


def _sealed(text: Statement, *, libsession: bool) -> bytes:
    plaintext = read_part(text)
    if text.takes("under"):
        key = keys.derived_key(len(plaintext)) if libsession else keys.KEY
        return keys.seal(plaintext, key, read_part(text))
    return keys.stored_form_in_domain(plaintext) if libsession else keys.stored_form(plaintext)


_PREFIXES: Final[Mapping[str, Callable[[Statement], bytes]]] = {
    "hex": read_hex,
    "head": lambda text: _cut_out(text, tail=False),
    "tail": lambda text: _cut_out(text, tail=True),
    "hash": lambda text: blake2b(_of(text)),
    "by": lambda text: keys.signature(read_key_by_name(text, SEEDS), _of(text)),
    "unreduced": lambda text: keys.unreduced(read_part(text)),
    "sealed": lambda text: _sealed(text, libsession=False),
    "sealed-libsession": lambda text: _sealed(text, libsession=True),
}
"""The first word of a part -> the function that takes the rest of it."""


def read_key_by_name(text: Any, known: Mapping[str, bytes]) -> bytes:
    """Take a key: a name, or 32 bytes in hex."""
    if text.next.kind == "bare" and text.next.text in known:
        return known[text.take()]
    return read_hash(text, f"a key ({', '.join(known)}, or 64 hex digits)")


def read_hash(text: Statement, expected: str) -> bytes:
    """Take 32 bytes in hex, or the hash of bytes."""
    made = blake2b(_of(text)) if text.takes("hash") else read_hex(text, expected)
    return made if len(made) == LENGTH else text.refuse(expected)


def read_signature(text: Statement) -> bytes:
    """Take bytes of a signature: in hex, without the word, or as a part."""
    if text.next.kind == "bare" and text.next.text not in _PREFIXES:
        return read_hex(text, "a signature in hex")
    return read_part(text)


def key_name(key: bytes, known: Mapping[str, bytes]) -> str:
    """Return the text that `read_key_by_name` reads back."""
    return next((name for name, each in known.items() if each == key), hex_text(key))


def string_text(string: bytes) -> str:
    """Return the text of a string, with a count if it is one byte many times."""
    count = len(string)
    if count >= _REPEATED and string == string[:1] * count:
        return f"{quoted(string[:1])}*{count}"
    return quoted(string)


def hex_text(data: bytes) -> str:
    """Return the text that `read_hex` reads back, for at least one byte."""
    repeated = len(data) > 1 and data == data[:1] * len(data)
    return f"{data[:1].hex()}*{len(data)}" if repeated else data.hex()
