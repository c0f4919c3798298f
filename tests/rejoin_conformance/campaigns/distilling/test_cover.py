"""Choosing among histories: everything stays reached, nothing redundant is left, ties are fixed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rejoin_conformance.campaigns.distilling.cover import (
    Candidate,
    Keys,
    chosen,
    shared_out,
    without_redundant,
)

_CANDIDATES = st.builds(
    Candidate, size=st.integers(1, 5), profile=st.integers(0, 1), index=st.integers(0, 9)
)
_REACH = st.dictionaries(_CANDIDATES, st.frozensets(st.sampled_from("abcdefgh")), max_size=8)


def _all(reach: dict[Candidate, Keys]) -> frozenset[str]:
    return frozenset[str]().union(*reach.values())


@given(_REACH)
def test_what_is_chosen_reaches_everything_and_none_can_be_left_out(
    reach: dict[Candidate, Keys],
) -> None:
    taken = chosen(reach)
    assert _all({each: reach[each] for each in taken}) == _all(reach)
    for left_out in taken:
        rest = {each: reach[each] for each in taken if each != left_out}
        assert _all(rest) != _all(reach)


@given(_REACH)
def test_the_choice_does_not_depend_on_the_order_of_listing(reach: dict[Candidate, Keys]) -> None:
    backwards = dict(reversed(reach.items()))
    assert chosen(backwards) == chosen(reach)


@given(_REACH)
def test_every_key_is_one_history_s_to_keep(reach: dict[Candidate, Keys]) -> None:
    taken = chosen(reach)
    shares = shared_out(taken, reach)
    assert set(shares) == set(taken)
    assert sorted(key for keys in shares.values() for key in keys) == sorted(_all(reach))
    assert all(shares[each] <= reach[each] for each in taken)
    assert all(shares.values())


def test_of_two_that_reach_as_much_the_smaller_one_is_chosen() -> None:
    large, small = Candidate(9, 0, 0), Candidate(3, 0, 7)
    assert chosen({large: frozenset("ab"), small: frozenset("ab")}) == (small,)


def test_the_greedy_choice_is_mended_where_a_later_one_made_it_redundant() -> None:
    broad = Candidate(1, 0, 0)
    left, right = Candidate(1, 0, 1), Candidate(1, 0, 2)
    reach = {broad: frozenset("abcd"), left: frozenset("abe"), right: frozenset("cdf")}
    assert set(chosen(reach)) == {left, right}


def test_only_what_is_needed_has_to_stay_reached() -> None:
    one, two = Candidate(1, 0, 0), Candidate(2, 0, 1)
    reach = {one: frozenset("a"), two: frozenset("b")}
    assert without_redundant((one, two), reach, frozenset("a")) == (one,)


def test_nothing_is_chosen_where_nothing_is_reached() -> None:
    assert chosen({}) == ()
    assert chosen({Candidate(1, 0, 0): frozenset()}) == ()
