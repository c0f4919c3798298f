"""States of a search, small enough to keep by the million.

A version is a number: its maker times the bound on uploads, plus how many uploads its maker had
made before. So what a version is called does not depend on the order in which clients that do not
know of each other's uploads made them, and neither does a state.

A state has two parts: the versions that were made, which polls do not change, and what each client
has.
"""

from __future__ import annotations

import struct
from functools import cache
from typing import NamedTuple, TypeAlias

NONE = -1
"""Where there is no version."""

Form: TypeAlias = tuple[int, ...]
"""How a design represents a version: the numbers of its parents, sorted and without those that
another parent descends from; or its version map, an entry for each client and `NONE` where there is
none."""


class Versions(NamedTuple):
    """All versions that were made.

    follows: version -> the bits of the versions that it follows; 0 for one that was not made.
    forms: version -> how the design represents it; None for one that was not made.
    """

    follows: tuple[int, ...]
    forms: tuple[Form | None, ...]


class Own(NamedTuple):
    """What one client has.

    current: its version. behind: the bits of the versions that its next upload will follow.
    held: for each client the version that its conflict file holds, `NONE` for none.
    """

    current: int
    behind: int
    held: tuple[int, ...]


def no_versions(slots: int) -> Versions:
    """Nothing was made yet; there is room for so many versions."""
    return Versions((0,) * slots, (None,) * slots)


def nothing_yet(clients: int) -> Own:
    """A client without a version."""
    return Own(NONE, 0, (NONE,) * clients)


def with_version(versions: Versions, version: int, follows: int, form: Form) -> Versions:
    """The versions with one more."""
    return Versions(
        (*versions.follows[:version], follows, *versions.follows[version + 1 :]),
        (*versions.forms[:version], form, *versions.forms[version + 1 :]),
    )


def uploads_of(versions: Versions, client: int, uploads: int) -> int:
    """How many uploads a client has made, where `uploads` is the bound."""
    own = versions.forms[client * uploads : (client + 1) * uploads]
    return sum(form is not None for form in own)


def pack_versions(versions: Versions) -> bytes:
    """The versions as bytes; equal for equal versions, and for no others."""
    packed = bytearray()
    for follows, form in zip(versions.follows, versions.forms, strict=True):
        if form is None:
            packed.append(0)
        else:
            packed += struct.pack(">BI", 1 + len(form), follows)
            packed += bytes(each + 1 for each in form)
    return bytes(packed)


def unpack_versions(packed: bytes) -> Versions:
    """The inverse of `pack_versions`."""
    follows: list[int] = []
    forms: list[Form | None] = []
    at = 0
    while at < len(packed):
        size = packed[at] - 1
        if size < 0:
            follows.append(0)
            forms.append(None)
            at += 1
            continue
        follows.append(int.from_bytes(packed[at + 1 : at + 5], "big"))
        forms.append(tuple(each - 1 for each in packed[at + 5 : at + 5 + size]))
        at += 5 + size
    return Versions(tuple(follows), tuple(forms))


@cache
def own_format(clients: int) -> struct.Struct:
    """How what one client has is packed."""
    return struct.Struct(f">bI{clients}b")


def pack_own(own: Own) -> bytes:
    """What a client has, as bytes of a length that depends on the number of clients only."""
    return own_format(len(own.held)).pack(own.current, own.behind, *own.held)


def unpack_clients(packed: bytes, clients: int) -> tuple[Own, ...]:
    """What each client has, from the bytes of one after the other."""
    return tuple(
        Own(current, behind, tuple(held))
        for current, behind, *held in own_format(clients).iter_unpack(packed)
    )


def initial_state(clients: int, slots: int) -> tuple[bytes, bytes]:
    """Both parts, packed: no versions, and clients that have none."""
    return pack_versions(no_versions(slots)), pack_own(nothing_yet(clients)) * clients
