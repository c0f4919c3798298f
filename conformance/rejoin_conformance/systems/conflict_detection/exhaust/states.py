"""States of a search, small enough to keep millions of them.

A version is a number: its maker times the bound on uploads, plus the number of earlier uploads of
its maker. So the numbers, and with them the states, do not depend on the order of uploads by
clients
that do not know of each other's uploads.

A state has two parts: the versions, which polls do not change, and the state of each client.
"""

from __future__ import annotations

import struct
from functools import cache
from typing import NamedTuple, TypeAlias

NONE = -1
"""Stands for no version."""

Form: TypeAlias = tuple[int, ...]
"""The form of a version in a design.

Snapshots: the sorted numbers of its parents, without parents that another parent descends from.
Version maps: the entry of each client, `NONE` if there is none."""


class Versions(NamedTuple):
    """All versions that were made.

    follows: version -> the bits of the versions that it follows, 0 if it was not made.
    forms: version -> its form, None if it was not made.
    """

    follows: tuple[int, ...]
    forms: tuple[Form | None, ...]


class Own(NamedTuple):
    """The state of one client.

    current: its version. behind: the bits of the versions that its next upload will follow.
    held: for each other client, the version in the conflict file of this client, or `NONE`.
    """

    current: int
    behind: int
    held: tuple[int, ...]


def no_versions(slots: int) -> Versions:
    """Return no versions, with `slots` version numbers."""
    return Versions((0,) * slots, (None,) * slots)


def nothing_yet(clients: int) -> Own:
    """Return the state of a client without a version."""
    return Own(NONE, 0, (NONE,) * clients)


def with_version(versions: Versions, version: int, follows: int, form: Form) -> Versions:
    """Return the versions with one more version."""
    return Versions(
        (*versions.follows[:version], follows, *versions.follows[version + 1 :]),
        (*versions.forms[:version], form, *versions.forms[version + 1 :]),
    )


def uploads_of(versions: Versions, client: int, uploads: int) -> int:
    """Return the number of a client's uploads. uploads: the bound on uploads."""
    own = versions.forms[client * uploads : (client + 1) * uploads]
    return sum(form is not None for form in own)


def pack_versions(versions: Versions) -> bytes:
    """Return the versions as bytes, which are equal if and only if the versions are."""
    packed = bytearray()
    for follows, form in zip(versions.follows, versions.forms, strict=True):
        if form is None:
            packed.append(0)
        else:
            packed += struct.pack(">BI", 1 + len(form), follows)
            packed += bytes(each + 1 for each in form)
    return bytes(packed)


def unpack_versions(packed: bytes) -> Versions:
    """Return versions from their bytes: the inverse of `pack_versions`."""
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
    """Return the packed format of the state of one client."""
    return struct.Struct(f">bI{clients}b")


def pack_own(own: Own) -> bytes:
    """Return a client's state as bytes. Their length depends only on the number of clients."""
    return own_format(len(own.held)).pack(own.current, own.behind, *own.held)


def unpack_clients(packed: bytes, clients: int) -> tuple[Own, ...]:
    """Return the state of each client from their joined bytes."""
    return tuple(
        Own(current, behind, tuple(held))
        for current, behind, *held in own_format(clients).iter_unpack(packed)
    )


def initial_state(clients: int, slots: int) -> tuple[bytes, bytes]:
    """Return both parts of the initial state, packed: no versions, clients without a version."""
    return pack_versions(no_versions(slots)), pack_own(nothing_yet(clients)) * clients
