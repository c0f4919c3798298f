"""Promises of this system's drafts that the generator does not check."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, Final

import pytest
from attrs import evolve

from rejoin.history_merge import Node, ascending, complete_algorithm, graph_of
from rejoin_conformance.contract.operation import Output
from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.locations import spec_directory
from rejoin_conformance.laws.history_merge import past, state_of
from rejoin_conformance.systems.history_merge.operations import OPERATIONS
from support.plain_history_merge import SetNode, history_of, messages_in
from support.topics import topics_of

BY_NAME = {operation.name: operation for operation in OPERATIONS}
PLAIN_NODES = 20  # the plain merge is exponential, and its searches are cubic in the nodes


def nodes_of(draft: Draft) -> list[Json]:
    nodes = draft.input["nodes"]
    assert isinstance(nodes, list)
    return nodes


@cache
def merges() -> list[Draft]:
    """Return the merges of sets that a plain merge can do."""
    return [
        draft
        for topic in topics_of("history-merge")
        for draft in topic.drafts
        if draft.operation in ("history-merge/merge", "history-merge/merge-temporary-nodes")
        and "state_type" not in draft.input
        and draft.output is not None
        and not draft.recipe
        and len(nodes_of(draft)) <= PLAIN_NODES
    ]


ORDERS_OF_ORIGINS: Final[dict[str, Callable[[str, list[str]], Any]]] = {
    "as listed": lambda node, listed: listed.index(node),
    "as listed, in reverse": lambda node, listed: -listed.index(node),
    "descending": lambda node, listed: -sorted(listed).index(node),
    "by length": lambda node, listed: (len(node), node),
    "capitals like small letters": lambda node, listed: node.lower(),
    "numbers by value": lambda node, listed: [
        int(part) if part.isdigit() else part for part in re.split(r"(\d+)", node)
    ],
}
"""Wrong orders of origins: (node, all nodes as the history lists them) -> its place."""


@pytest.mark.parametrize("wrong", ORDERS_OF_ORIGINS)
def test_a_vector_fails_if_origins_that_are_not_ranked_merge_in_another_order(
    wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    right: Any = complete_algorithm.merge_u

    def merge_u(graph: Any, *arguments: Any) -> Any:
        def order(nodes: frozenset[str]) -> tuple[str, ...]:
            listed = [node.id for node in graph]
            return tuple(sorted(nodes, key=lambda node: ORDERS_OF_ORIGINS[wrong](node, listed)))

        *others, reading = arguments
        ranked = reading.fold_order is not ascending
        return right(graph, *others, reading if ranked else evolve(reading, fold_order=order))

    monkeypatch.setattr(complete_algorithm, "merge_u", merge_u)
    operation = BY_NAME["history-merge/merge"]
    of_merge = [draft for draft in merges() if draft.operation == operation.name]
    failed = {
        draft.name
        for draft in of_merge
        if operation.run(draft.input, "document") != Output(draft.output or {})
    }
    assert failed, f"no vector of {operation.name} shows this order"


def test_the_plain_merge_agrees_with_the_author_too() -> None:
    assert len(merges()) > 150
    for draft in merges():
        of, order = (draft.input.get(field, []) for field in ("merge", "order"))
        assert isinstance(of, list)
        assert isinstance(order, list)
        history = history_of(graph_of(_node(node) for node in nodes_of(draft)))
        state = state_of(history, past(history, map(str, of)), [*map(str, order)])
        assert draft.output == {"state": sorted(state)}, draft.name


def test_the_page_on_sizes_names_every_vector_of_a_size() -> None:
    page = (spec_directory() / "history-merge" / "sizes.md").read_text(encoding="utf-8")
    topics = [each for each in topics_of("history-merge") if each.name in ("large", "sizes")]
    sized = [f"{topic.name}/{draft.name}" for topic in topics for draft in topic.drafts]
    smaller = re.compile(r"large/alternating-ladder-\d+-rows")
    missing = {name for name in sized if f"`{name}`" not in page and not smaller.fullmatch(name)}
    assert missing == {"sizes/every-shape-has-a-result"}


def test_states_are_not_looked_at_if_only_the_order_counts() -> None:
    value: JsonObject = {
        "nodes": [*messages_in("r: {a}"), *messages_in("p < r: 7")],
        "among": ["p", "r"],
    }
    result = BY_NAME["history-merge/maximal"].run(value, "document")
    assert result == Output({"nodes": ["p"]})


def _node(value: object) -> SetNode:
    assert isinstance(value, dict)
    return Node(value["id"], frozenset(value["parents"]), frozenset(value["state"]))
