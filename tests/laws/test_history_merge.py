"""The machine of history merge: the reference passes it, and faulty references do not."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, Final

import pytest

from support.faults import Faulty
from support.laws import always, by, is_found, remembered, show_reached, the_laws_hold

SYSTEM: Final = "history-merge"


def merging(changed: Callable[..., Any]) -> dict[str, Faulty]:
    """Return the fault that merges sets by another function."""
    return {"rejoin.history_merge.three_way_merge.set_three_way_merge": by(changed)}


def _first_of(lca_u: Any) -> Any:
    return lambda *arguments: frozenset(sorted(lca_u(*arguments))[:1])


def _hashed(nodes: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(nodes, key=lambda each: hashlib.blake2b(each.encode()).digest()))


_FAST: Final = "rejoin.history_merge.fast_partial_orders"
_COMPLETE: Final = "rejoin.history_merge.complete_algorithm"

FAULTS: Final[dict[str, dict[str, Faulty]]] = {
    "union": merging(lambda o, a, b: a | b),
    "intersection": merging(lambda o, a, b: a & b),
    "the origin is ignored": merging(lambda o, a, b: (a & b) | (a ^ b)),
    "b is taken": merging(lambda o, a, b: b),
    "symmetric difference": merging(lambda o, a, b: o ^ a ^ b),
    "mis-bracketed": merging(lambda o, a, b: b | ((a - o) - (o - a))),
    "removals are lost": merging(lambda o, a, b: a | b | (o & a & b)),
    "not symmetric": merging(lambda o, a, b: (b | (a - o)) - (o - a - b)),
    "folds by hash": {"rejoin.history_merge.reading.ascending": by(_hashed)},
    "folds descending": {
        "rejoin.history_merge.reading.ascending": by(lambda nodes: tuple(sorted(nodes)[::-1]))
    },
    "one of several origins": {
        "rejoin.history_merge.lcau.lca_u": _first_of,
        f"{_FAST}.fast_lca_u_of_past": _first_of,
    },
    "origins are kept for the next history": {
        "rejoin.history_merge.lcau.lca_u": remembered(lambda graph, a_nodes, b: (*a_nodes, b)),
        f"{_FAST}.fast_lca_u_of_past": remembered(lambda graph, a_past, b: (repr(a_past), b)),
    },
    "no check": {
        f"{_COMPLETE}.check": always(None),
        "rejoin.history_merge.fast_complete_algorithm.fast_check": always(None),
    },
    "one head counts": {
        "rejoin.history_merge.graph.Graph.heads": lambda heads: (
            lambda self: frozenset(sorted(heads(self))[:1])
        )
    },
    "an order is ignored": {
        "rejoin.history_merge.reading.folding_by": lambda _: lambda order, reading=None: reading
    },
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(fault: str) -> None:
    assert is_found(SYSTEM, FAULTS[fault])


def test_the_reference_keeps_the_laws(capsys: pytest.CaptureFixture[str]) -> None:
    asking = the_laws_hold(SYSTEM)
    with capsys.disabled():
        show_reached(asking, "merge", "members", "merge-temporary-nodes", "three-way-merge")
