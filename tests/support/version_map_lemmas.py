"""Lemmas on the entries of version maps, as contracts that CrossHair confirms over all integers."""

from __future__ import annotations

from rejoin.conflict_detection.version_maps import entry_at_least, join_entries


def entry_order_is_partial(first: int, second: int, third: int) -> bool:
    """Return whether comparing entries is reflexive, antisymmetric and transitive.

    pre: first >= 0 and second >= 0 and third >= 0
    post: __return__
    """
    reflexive = entry_at_least(first, first)
    antisymmetric = first == second or not (
        entry_at_least(first, second) and entry_at_least(second, first)
    )
    transitive = entry_at_least(first, third) or not (
        entry_at_least(first, second) and entry_at_least(second, third)
    )
    return reflexive and antisymmetric and transitive


def entry_join_is_least(left: int, right: int, bound: int) -> bool:
    """Return whether everything that is at least both entries is at least their join.

    pre: left >= 0 and right >= 0 and bound >= 0
    post: __return__
    """
    bounds_both = entry_at_least(bound, left) and entry_at_least(bound, right)
    return not bounds_both or entry_at_least(bound, join_entries(left, right))
