"""A reduction drops a node in the middle of a history and gives its children its parents."""

from __future__ import annotations

from graphlib import TopologicalSorter
from typing import Any

from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.shrinking.reduce import reduce_json, spliced
from rejoin_conformance.shrinking.simpler import complexity


def graph(**parents: str) -> list[Json]:
    return [{"id": name, "parents": [*said]} for name, said in parents.items()]


CHAIN = graph(r="", a="r", b="a", c="b", d="c", x="r", y="x")


def test_the_children_of_a_dropped_node_get_its_parents() -> None:
    assert graph(r="", b="r", c="b", d="c", x="r", y="x") in [*spliced(CHAIN)]
    assert [*spliced(graph(r="", s="", a="rs", b="a"))][1] == graph(r="", s="", b="rs")


def test_a_parent_is_not_listed_twice() -> None:
    assert graph(r="", b="r") in [*spliced(graph(r="", a="r", b="ra"))]


def test_each_step_is_simpler() -> None:
    value: Json = {"nodes": graph(a="", b="", c="ab", d="c", e="c", f="c", g="def"), "merge": ["g"]}
    assert all(complexity(each) < complexity(value) for each in spliced(value))


def test_a_list_of_anything_else_is_no_graph() -> None:
    assert [*spliced([{"id": "a", "parents": ["b", 1]}])] == []
    assert [*spliced([{"id": "a"}, "b"])] == []


def test_a_fault_of_a_common_ancestor_shows_in_four_nodes() -> None:
    """The fault needs a join of two nodes with a common ancestor. A cycle is not a history."""

    def needs_two_branches(value: Any) -> bool:
        parents = {each["id"]: each["parents"] for each in value}

        def ancestors_of(node: str) -> set[str]:
            return {*parents[node]}.union(*map(ancestors_of, parents[node]))

        in_order = [*TopologicalSorter(parents).static_order()]
        joins = [each for each in parents.values() if len({*each}) == 2]
        return len(in_order) == len(parents) == len(value) and any(
            ancestors_of(one) & ancestors_of(two) for one, two in joins
        )

    long = graph(r="", a="r", b="a", c="b", d="c", x="r", y="x", z="y", m="dz", n="m", o="n")
    reduced = reduce_json(long, needs_two_branches).value
    assert isinstance(reduced, list)
    assert len(reduced) == 4
