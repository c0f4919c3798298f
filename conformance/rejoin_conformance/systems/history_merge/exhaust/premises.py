"""Premises under which the document's claim might hold, and the histories that meet them.

A premise forbids some *faults*: operations on the element, or shapes of the history. An operation
is an addition or a removal.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Final

from attrs import frozen

from rejoin_conformance.kit.locations import table, text_beside
from rejoin_conformance.systems.history_merge.exhaust.dags import Dag
from rejoin_conformance.systems.history_merge.exhaust.kernel import Bits, Merges, Possible, together


@frozen
class Premise:
    """A premise. A history meets it if none of its faults occurs."""

    name: str
    statement: str
    faults: tuple[str, ...]


PREMISES: Final = tuple(
    Premise(name, told["statement"], tuple(faults.split()))
    for name, faults, told in table(text_beside(__name__))
)
"""The premises of the report, in its order."""

ORDER_INDEPENDENT: Final = "order-independent"
"""The name of a question about histories in which no fold order matters."""


def shapes_of(merges: Merges[Possible], dag: Dag) -> dict[str, Bits]:
    """Return the faults of the shape of a DAG: all patterns, as -1, or none."""
    chains = [chain for chain in merges.chains.values() if len(chain) > 1]
    origins = {
        together(past for past in chain if past != last) & last
        for chain in chains
        for last in chain
    }
    return {
        "several-parents": -any(len(merges.chains[before]) > 1 for before in dag),
        "several-origins": -any(len(merges.chains[origin]) > 1 for origin in origins),
        "three-heads": -any(len(chain) > 2 for chain in chains),
    }


def faults_of(
    merges: Merges[Possible], dag: Dag, parents: tuple[Bits, ...], shapes: Mapping[str, Bits]
) -> dict[str, Bits]:
    """Return each fault with the patterns under which it occurs.

    parents: for each node, the patterns under which the merge of its parents is in.
    """
    states = [state for _, state in merges.states[1:]]
    both = [*zip(states, parents, strict=True)]
    adds, removes = [s & ~merged for s, merged in both], [merged & ~s for s, merged in both]
    found = dict.fromkeys(
        ["re-added", "concurrent-additions", "concurrent-removals", "concurrent-opposites"], 0
    )
    for i, j in combinations(range(len(dag)), 2):
        if dag[j] >> (i + 1) & 1:
            found["re-added"] |= removes[i] & adds[j]
        else:
            found["concurrent-additions"] |= adds[i] & adds[j]
            found["concurrent-removals"] |= removes[i] & removes[j]
            found["concurrent-opposites"] |= adds[i] & removes[j] | removes[i] & adds[j]
    operations = [s ^ merged for s, merged in both]
    at_merges = [n for n, before in enumerate(dag) if len(merges.chains[before]) > 1]
    found["changed-at-merge"] = together(operations[node] for node in at_merges)
    found["removed"], found["removed-twice"], _ = _repeated(removes)
    _, found["added-twice"], _ = _repeated(adds)
    _, found["operation-twice"], found["operation-thrice"] = _repeated(operations)
    return {**found, **shapes}


def _repeated(sets: list[Bits]) -> tuple[Bits, Bits, Bits]:
    """Return the patterns that are in at least one, two and three of some sets."""
    once = twice = thrice = 0
    for patterns in sets:
        thrice |= twice & patterns
        twice |= once & patterns
        once |= patterns
    return once, twice, thrice


def faulty(faults: Mapping[str, Bits], premise: Premise) -> Bits:
    """Return the patterns under which a history does not meet a premise; -1 stands for all."""
    return together(faults[fault] for fault in premise.faults)
