"""Canonical DAGs: one of every class of isomorphic DAGs."""

from __future__ import annotations

from math import factorial

import pytest

from rejoin_conformance.systems.history_merge.exhaust.classes import (
    Canonical,
    automorphisms,
    canonical_dags,
)
from rejoin_conformance.systems.history_merge.exhaust.dags import dags
from support.history_merge_search import class_of

CLASSES = (1, 1, 2, 5, 16, 63, 318, 2045)
"""The known numbers of partial orders on 0 .. 7 elements, up to isomorphism."""

FORK = (0b1, 0b11, 0b11)


def test_there_are_as_many_classes_as_partial_orders_up_to_isomorphism() -> None:
    for nodes, number in enumerate(CLASSES):
        assert len(canonical_dags(nodes)) == number


@pytest.mark.parametrize("nodes", range(6))
def test_a_canonical_dag_is_the_least_of_its_class(nodes: int) -> None:
    found = {each.dag for each in canonical_dags(nodes)}
    assert found == {min(class_of(dag)) for dag in dags(nodes)}


def test_the_classes_have_every_dag_once() -> None:
    classes = [class_of(each.dag) for each in canonical_dags(6)]
    assert sum(map(len, classes)) == len(set().union(*classes)) == len(dags(6))


def test_a_dag_that_is_not_canonical_has_no_automorphisms_here() -> None:
    canonical = {each.dag for each in canonical_dags(5)}
    assert all((automorphisms(dag) > 0) == (dag in canonical) for dag in dags(5))


@pytest.mark.parametrize("nodes", range(1, 8))
def test_the_nodes_of_a_star_can_all_be_exchanged(nodes: int) -> None:
    assert canonical_dags(nodes)[0] == Canonical((1,) * nodes, factorial(nodes))


def test_a_chain_has_one_automorphism() -> None:
    assert automorphisms((0b1, 0b11, 0b111, 0b1111)) == 1


def test_chains_that_are_no_twins_can_be_exchanged_as_a_whole() -> None:
    """Two chains of two nodes, and the fork with its two twins."""
    assert automorphisms((0b1, 0b1, 0b11, 0b101)) == 2
    assert automorphisms(FORK) == 2
    assert class_of((0b1, 0b1, 0b11, 0b101)) == {
        (0b1, 0b1, 0b11, 0b101),
        (0b1, 0b1, 0b101, 0b11),
        (0b1, 0b11, 0b1, 0b1001),
    }
