"""Keys by name: the ones that everyone may know, and others as hex.

`alice`, `bob` and `carol` sign with the keys of the first three test vectors of RFC 8032, section
7.1; `histories` is the key of random histories. A repeated byte is written with its number: 07*32.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rejoin_conformance.systems.config_merge.drafts.by_hand.keys import (
    KEY,
    PUBLIC,
    PUBLIC_2,
    PUBLIC_3,
    SEED,
    SEED_2,
    SEED_3,
)
from rejoin_conformance.systems.config_merge.histories.settings import (
    ENCRYPTION_KEY,
    SIGNING_KEY,
)
from rejoin_conformance.systems.config_merge.histories.settings import (
    VERIFY_KEY as HISTORIES_PUBLIC,
)
from rejoin_conformance.systems.config_merge.notation.statements import Reader

SEEDS: Final[Mapping[str, bytes]] = MappingProxyType(
    {"alice": SEED, "bob": SEED_2, "carol": SEED_3, "histories": SIGNING_KEY}
)
PUBLICS: Final[Mapping[str, bytes]] = MappingProxyType(
    {"alice": PUBLIC, "bob": PUBLIC_2, "carol": PUBLIC_3, "histories": HISTORIES_PUBLIC}
)
ENCRYPTION: Final[Mapping[str, bytes]] = MappingProxyType(
    {"example": KEY, "histories": ENCRYPTION_KEY}
)
LENGTH: Final = 32

_MOST_BYTES: Final = 9999
_REPEATED: Final = 4
_HEX: Final = re.compile(r"([0-9a-f]{2})+")


def read_key_by_name(reader: Reader, known: Mapping[str, bytes]) -> bytes:
    """Return the key that comes next: a name, or 32 bytes in hex."""
    for name, key in known.items():
        if reader.take(name):
            return key
    names = ", ".join(known)
    return read_bytes(reader, f"a key ({names}, or 64 hex digits)")


def key_text(key: bytes, known: Mapping[str, bytes]) -> str:
    """Return the text that `read_key_by_name` reads back."""
    return next((name for name, each in known.items() if each == key), bytes_text(key))


def read_bytes(reader: Reader, expected: str) -> bytes:
    """Return 32 bytes as hex: `43094f...`, or `55*32` for a repeated byte."""
    data = read_hex(reader, expected)
    if len(data) != LENGTH:
        raise reader.wrong(expected)
    return data


def read_hex(reader: Reader, expected: str) -> bytes:
    """Return bytes as hex, of any length; `55*32` for a repeated byte."""
    text = reader.next("word", expected).text
    if not _HEX.fullmatch(text):
        raise reader.wrong(expected)
    data = bytes.fromhex(text)
    if len(data) > 1 or not reader.take("*"):
        return data
    number = reader.next("word", "a number of bytes").text
    if not number.isdecimal() or len(number) > len(str(_MOST_BYTES)):
        raise reader.wrong(f"a number of bytes up to {_MOST_BYTES}")
    return data * int(number)


def bytes_text(data: bytes) -> str:
    """Return the text that `read_hex` reads back, for at least one byte."""
    repeated = len(data) > _REPEATED and data == data[:1] * len(data)
    return f"{data[:1].hex()}*{len(data)}" if repeated else data.hex()
