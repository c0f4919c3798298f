from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rejoin import conflict_detection as cd

MAPS = st.dictionaries(st.sampled_from("ABC"), st.integers(0, 3), max_size=3)


def follows_or_equals(later: cd.VersionMap, earlier: cd.VersionMap) -> bool:
    return cd.strictly_follows(cd.REPAIRED, later, earlier) or cd.is_same_version(later, earlier)


@given(MAPS, MAPS, MAPS)
def test_the_join_is_the_least_upper_bound(
    left: cd.VersionMap, right: cd.VersionMap, bound: cd.VersionMap
) -> None:
    joined = cd.join([left, right])
    assert follows_or_equals(joined, left)
    assert follows_or_equals(joined, right)
    if follows_or_equals(bound, left) and follows_or_equals(bound, right):
        assert follows_or_equals(bound, joined)


@given(MAPS, MAPS)
def test_the_join_does_not_depend_on_order_or_repetition(
    left: cd.VersionMap, right: cd.VersionMap
) -> None:
    assert cd.join([left, right]) == cd.join([right, left, right])


@given(MAPS, MAPS, MAPS)
def test_strictly_follows_is_a_strict_order(
    a: cd.VersionMap, b: cd.VersionMap, c: cd.VersionMap
) -> None:
    assert not cd.strictly_follows(cd.REPAIRED, a, a)
    assert not (cd.strictly_follows(cd.REPAIRED, a, b) and cd.strictly_follows(cd.REPAIRED, b, a))
    if cd.strictly_follows(cd.REPAIRED, a, b) and cd.strictly_follows(cd.REPAIRED, b, c):
        assert cd.strictly_follows(cd.REPAIRED, a, c)


@given(MAPS, MAPS)
def test_maps_that_differ_in_entries_of_zero_do_not_strictly_follow_each_other(
    a: cd.VersionMap, b: cd.VersionMap
) -> None:
    if cd.is_same_version(a, b):
        assert not cd.strictly_follows(cd.REPAIRED, a, b)


@given(MAPS, MAPS)
def test_the_two_sides_see_each_other_mirrored(local: cd.VersionMap, remote: cd.VersionMap) -> None:
    mirrored = {
        cd.Classification.OVERWRITE: cd.Classification.STALE,
        cd.Classification.STALE: cd.Classification.OVERWRITE,
    }
    ours = cd.classify_by_maps(cd.REPAIRED, local, remote)
    assert cd.classify_by_maps(cd.REPAIRED, remote, local) == mirrored.get(ours, ours)
