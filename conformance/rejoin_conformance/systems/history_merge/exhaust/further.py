"""Two further searches over every DAG: the other merges of sets, and registers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import Final, TypeAlias

from attrs import evolve

from rejoin.history_merge import SetMerge
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.history_merge.exhaust.kernel import (
    Bits,
    Merges,
    Possible,
    Rule,
    rule_of,
    states_of,
)

LARGEST: Final = 6
"""The largest number of nodes besides the root for which the four merges are compared."""


def counts_of_merge(name: SetMerge, nodes: int) -> JsonObject:
    """Return in how many histories of that many nodes besides the root the fold order matters.

    any_set: for some anti-chain of the history. heads: for its heads. heads_alone: for its heads,
    if all merges of origins fold by ascending ID.
    """
    states = states_of(nodes)
    any_set = heads = heads_alone = 0
    for merges in _every(Merges(rule_of(name), (states[0],)), states):
        *_, last = merges.chains
        any_set += _either(map(merges.of, merges.chains)).bit_count()
        if dependent := _either([merges.of(last)]):
            heads += dependent.bit_count()
            pinned = evolve(merges, known=merges.ascending(), folded={})
            heads_alone += _either([pinned.fold(merges.chains[last])]).bit_count()
    return {
        "merge": name,
        "nodes": nodes,
        "any_set": any_set,
        "heads": heads,
        "heads_alone": heads_alone,
    }


def _every(merges: Merges[Possible], states: list[Possible]) -> Iterator[Merges[Possible]]:
    """Yield the merges of every DAG that has these first nodes and one node for each state."""
    if len(merges.states) == len(states):
        yield merges
        return
    for before in merges.chains:
        yield from _every(merges.then(before, states[len(merges.states)]), states)


def _either(values: Iterable[Possible]) -> Bits:
    """Return the patterns under which the element can be out and in, in any of some values."""
    patterns = 0
    for may_be_out, may_be_in in values:
        patterns |= may_be_out & may_be_in
    return patterns


# Registers (HM-E26). A value is the states that a set can merge to, or the conflict.

_CONFLICT: Final = -1
_States: TypeAlias = frozenset[int]


def register_counts(nodes: int) -> JsonObject:
    """Return the counts of the histories of a root and that many further nodes with registers.

    The parents of each node merge to one state in every order. States are equal or different: the
    first node with a new state gives it the next number.

    order_decides: the histories whose heads conflict in some fold orders and merge in others.
    two_conflict: those of them in which two of the heads conflict by themselves in some order.
    agree_in_vain: the histories whose heads conflict in every order, although the last operations
    before them set the same state. agree_on_another: those whose heads merge to another state in
    some order.
    """
    names = "histories order_decides two_conflict agree_in_vain agree_on_another"
    counts = {"nodes": nodes, **dict.fromkeys(names.split(), 0)}
    for merges, operations in _histories(Merges(_REGISTERS, (frozenset({0}),)), (0,), nodes):
        *_, everything = merges.chains
        heads = merges.of(everything)
        counts["histories"] += 1
        if _CONFLICT in heads and len(heads) > 1:
            counts["order_decides"] += 1
            pairs = combinations(merges.chains[everything], 2)
            counts["two_conflict"] += any(_CONFLICT in merges.of(u | v) for u, v in pairs)
        last = _last_states(merges, operations)
        if len(last) == 1:
            counts["agree_in_vain"] += heads == {_CONFLICT}
            counts["agree_on_another"] += bool(heads - {_CONFLICT} - last)
    return {**counts}


def _three_way(origins: _States, lefts: _States, rights: _States) -> _States:
    found = set()
    for origin, left, right in product(origins, lefts, rights):
        merged = right if left in (origin, right) else left if right == origin else _CONFLICT
        found.add(_CONFLICT if _CONFLICT in (origin, left) else merged)
    return frozenset(found)


_REGISTERS: Final = Rule[_States](_three_way, lambda values: frozenset[int]().union(*values))


def _histories(
    merges: Merges[_States], operations: tuple[int, ...], nodes: int
) -> Iterator[tuple[Merges[_States], tuple[int, ...]]]:
    """Yield every history with these first nodes, and the nodes that changed the merge."""
    node = len(merges.states)
    if node > nodes:
        yield merges, operations
        return
    new = max(max(state) for state in merges.states) + 1
    for before in merges.chains:
        merged = merges.of(before)
        if len(merged) == 1 and _CONFLICT not in merged:
            for state in range(new + 1):
                more = operations if state in merged else (*operations, node)
                yield from _histories(merges.then(before, frozenset({state})), more, nodes)


def _last_states(merges: Merges[_States], operations: tuple[int, ...]) -> _States:
    """Return the states that the last operations of a history set."""
    return frozenset[int]().union(
        *(
            merges.states[node]
            for node in operations
            if not any(merges.pasts[other] >> node & 1 for other in operations if other != node)
        )
    )
