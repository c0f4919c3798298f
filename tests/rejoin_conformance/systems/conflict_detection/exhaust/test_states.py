"""A packed state preserves its parts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rejoin_conformance.systems.conflict_detection.exhaust.states import (
    Form,
    Own,
    Versions,
    initial_state,
    no_versions,
    pack_own,
    pack_versions,
    unpack_clients,
    unpack_versions,
    uploads_of,
    with_version,
)

_SLOTS = 30
_numbers = st.integers(-1, _SLOTS - 1)
_bits = st.integers(0, 2**_SLOTS - 1)
_forms = st.lists(_numbers, max_size=5).map(tuple)
_owns = st.builds(Own, _numbers, _bits, st.tuples(*[_numbers] * 5))


@st.composite
def _versions(draw: st.DrawFn) -> Versions:
    versions = no_versions(_SLOTS)
    for version in draw(st.sets(st.integers(0, _SLOTS - 1), max_size=6)):
        versions = with_version(versions, version, draw(_bits), draw(_forms))
    return versions


@given(versions=_versions())
def test_versions_come_back_from_their_bytes(versions: Versions) -> None:
    assert unpack_versions(pack_versions(versions)) == versions


@given(owns=st.lists(_owns, min_size=5, max_size=5))
def test_clients_come_back_from_their_bytes(owns: list[Own]) -> None:
    packed = b"".join(map(pack_own, owns))
    assert unpack_clients(packed, 5) == tuple(owns)


@given(one=_versions(), other=_versions())
def test_different_versions_have_different_bytes(one: Versions, other: Versions) -> None:
    assert (pack_versions(one) == pack_versions(other)) == (one == other)


def test_a_version_that_follows_nothing_differs_from_one_that_was_not_made() -> None:
    root: Form = ()
    versions = with_version(no_versions(6), 3, 0, root)
    assert uploads_of(versions, 1, 3) == 1
    assert uploads_of(versions, 0, 3) == 0
    assert unpack_versions(pack_versions(versions)) == versions


def test_at_the_start_nobody_has_anything() -> None:
    versions, clients = initial_state(3, 12)
    assert unpack_versions(versions) == no_versions(12)
    assert unpack_clients(clients, 3) == (Own(-1, 0, (-1, -1, -1)),) * 3
