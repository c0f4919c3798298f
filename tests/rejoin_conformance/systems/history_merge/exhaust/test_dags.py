"""The DAGs that are searched: every one, each once."""

from __future__ import annotations

import pytest

from rejoin_conformance.systems.history_merge.exhaust.by_reference import every_dag
from rejoin_conformance.systems.history_merge.exhaust.dags import dags, downsets, parents_of


@pytest.mark.parametrize(
    ("nodes", "count"), [(0, 1), (1, 1), (2, 2), (3, 7), (4, 40), (5, 357), (6, 4824), (7, 96428)]
)
def test_there_are_as_many_dags_as_naturally_labelled_partial_orders(
    nodes: int, count: int
) -> None:
    """The known numbers of partial orders on 1 .. K in which i before j implies i < j."""
    assert len(dags(nodes)) == count


@pytest.mark.parametrize("nodes", range(5))
def test_they_are_the_dags_whose_parents_are_anti_chains(nodes: int) -> None:
    found = [parents_of(dag) for dag in dags(nodes)]
    assert len(set(found)) == len(found)
    assert set(found) == set(every_dag(nodes))


def test_a_star_has_a_downset_for_every_set_of_its_nodes() -> None:
    star = (1, 1, 1)
    assert len(downsets(star)) == 8


def test_a_chain_has_a_downset_for_every_node() -> None:
    chain = (0b1, 0b11, 0b111)
    assert downsets(chain) == [0b1, 0b11, 0b111, 0b1111]
