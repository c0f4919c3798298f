from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rejoin.conflict_detection.definitions import Classification
from rejoin.conflict_detection.errors import ConflictDetectionError
from rejoin.conflict_detection.reading import LITERAL, REPAIRED
from rejoin.conflict_detection.version_maps import (
    LARGEST_VERSION,
    VersionMap,
    check_version_map,
    classify_by_maps,
    is_same_version,
    join,
    map_follows,
    without_zeros,
)

MAPS = st.dictionaries(st.sampled_from("ABC"), st.integers(0, 3), max_size=3)


@pytest.mark.parametrize(
    ("local", "remote", "repaired", "literal"),
    [
        (None, {"A": 1}, "overwrite", "overwrite"),
        ({"A": 10, "B": 20, "C": 30}, {"A": 11, "B": 20, "C": 30}, "overwrite", "conflict"),
        ({"A": 1, "B": 1}, {"A": 2, "B": 2}, "overwrite", "overwrite"),
        ({"A": 11, "B": 20}, {"A": 10, "B": 21}, "conflict", "conflict"),
        ({"A": 2}, {"A": 1}, "stale", "conflict"),
        ({"A": 2}, {"A": 2}, "same", "same"),
        ({"A": 1}, {"A": 1, "B": 1}, "overwrite", "conflict"),
        ({"A": 1, "B": 0}, {"A": 2}, "overwrite", "conflict"),
        ({"A": 1, "B": 0}, {"A": 1}, "same", "same"),
        ({}, {"A": 1}, "overwrite", "overwrite"),
        ({"B": 0}, {"A": 1}, "overwrite", "conflict"),
        ({"A": 1}, {}, "stale", "conflict"),
        ({"A": 1}, {"B": 1}, "conflict", "conflict"),
    ],
)
def test_maps_are_classified_in_each_reading(
    local: VersionMap | None, remote: VersionMap, repaired: str, literal: str
) -> None:
    assert classify_by_maps(REPAIRED, local, remote) == repaired
    assert classify_by_maps(LITERAL, local, remote) == literal


def test_entries_of_zero_say_nothing() -> None:
    assert without_zeros({"B": 1, "A": 0}) == {"B": 1}
    assert is_same_version({"A": 0}, {})


def test_the_join_takes_the_larger_number_of_each_client() -> None:
    assert join([{"A": 11, "B": 20}, {"A": 10, "B": 21, "C": 1}]) == {"A": 11, "B": 21, "C": 1}


def test_the_join_of_nothing_is_empty() -> None:
    assert join([]) == {}


@given(MAPS, MAPS, MAPS)
def test_the_join_is_the_least_upper_bound(
    left: VersionMap, right: VersionMap, bound: VersionMap
) -> None:
    joined = join([left, right])
    assert map_follows(REPAIRED, joined, left)
    assert map_follows(REPAIRED, joined, right)
    if map_follows(REPAIRED, bound, left) and map_follows(REPAIRED, bound, right):
        assert map_follows(REPAIRED, bound, joined)


@given(MAPS, MAPS)
def test_the_join_does_not_depend_on_order_or_repetition(
    left: VersionMap, right: VersionMap
) -> None:
    assert join([left, right]) == join([right, left, right])


@given(MAPS, MAPS, MAPS)
def test_following_is_a_partial_order(a: VersionMap, b: VersionMap, c: VersionMap) -> None:
    assert map_follows(REPAIRED, a, a)
    if map_follows(REPAIRED, a, b) and map_follows(REPAIRED, b, a):
        assert is_same_version(a, b)
    if map_follows(REPAIRED, a, b) and map_follows(REPAIRED, b, c):
        assert map_follows(REPAIRED, a, c)


@given(MAPS, MAPS)
def test_the_two_sides_see_each_other_mirrored(local: VersionMap, remote: VersionMap) -> None:
    mirrored = {
        Classification.OVERWRITE: Classification.STALE,
        Classification.STALE: Classification.OVERWRITE,
    }
    ours = classify_by_maps(REPAIRED, local, remote)
    assert classify_by_maps(REPAIRED, remote, local) == mirrored.get(ours, ours)


@pytest.mark.parametrize("version", [0, 1, LARGEST_VERSION])
def test_a_version_number_in_range_is_allowed(version: int) -> None:
    check_version_map({"A": version})


@pytest.mark.parametrize(
    ("version_map", "code"),
    [
        ({"A": -1}, "version-number"),
        ({"A": LARGEST_VERSION + 1}, "version-number"),
        ({"": 1}, "bad-nickname"),
    ],
)
def test_what_is_no_version_map_is_refused(version_map: VersionMap, code: str) -> None:
    with pytest.raises(ConflictDetectionError) as refusal:
        check_version_map(version_map)
    assert refusal.value.code == code
