"""How often the fold order matters under each merge of sets that the document's laws allow."""

from __future__ import annotations

from collections import Counter

import pytest

from rejoin.history_merge import SET_MERGES, SetMerge, merging_sets_by
from rejoin_conformance.systems.history_merge.exhaust.by_reference import (
    anti_chains,
    every_history,
    possible_merges,
)
from rejoin_conformance.systems.history_merge.exhaust.set_merges import counts_of_merge

COUNTS = {
    "idempotent": ((12, 12, 12), (828, 609, 609), (51_010, 29_439, 29_415)),
    "additions-cancel": ((12, 12, 12), (842, 623, 623), (52_167, 31_436, 31_400)),
    "removals-cancel": ((12, 12, 12), (860, 641, 641), (53_747, 32_631, 32_595)),
    "symmetric-difference": ((0, 0, 0), (0, 0, 0), (0, 0, 0)),
}
"""Merge: for 4, 5 and 6 nodes, the histories in which the order matters for some anti-chain, for
the heads, and for the heads if only they are folded in another order."""


@pytest.mark.parametrize("name", SET_MERGES)
def test_the_order_matters_in_so_many_histories(name: SetMerge) -> None:
    found = [counts_of_merge(name, nodes) for nodes in (4, 5, 6)]
    assert tuple((each.any_set, each.heads, each.heads_alone) for each in found) == COUNTS[name]


@pytest.mark.parametrize("name", SET_MERGES)
def test_the_reference_comes_to_the_same_counts_one_history_at_a_time(name: SetMerge) -> None:
    counts: Counter[str] = Counter()
    for graph in every_history(4, merging_sets_by(name)):
        dependent = {
            chain
            for chain in anti_chains(graph)
            if len(possible_merges(graph, chain, merging_sets_by(name))) > 1
        }
        counts["any_set"] += bool(dependent)
        counts["heads"] += tuple(sorted(graph.heads())) in dependent
    found = counts_of_merge(name, 4)
    assert (found.any_set, found.heads) == (counts["any_set"], counts["heads"])
