"""Refusals have stable codes that the spec documents, and name nodes without flooding."""

from __future__ import annotations

import re

import pytest

from rejoin.errors import RejoinError
from rejoin.history_merge import CODES, HistoryMergeError, graph_of, merge
from rejoin.history_merge.errors import named, repeated
from rejoin.history_merge.three_way_merge import SETS
from rejoin_conformance.kit.locations import spec_directory
from support.plain_history_merge import nodes_in


def test_the_spec_documents_exactly_these_codes() -> None:
    page = (spec_directory() / "history-merge" / "errors.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([a-z-]+)` \|", page, re.MULTILINE)) == set(CODES)


def test_an_error_says_its_code_its_message_and_its_nodes() -> None:
    error = HistoryMergeError("cycle", "these go round: 'a'", ["a"])
    assert isinstance(error, RejoinError)
    assert str(error) == "cycle: these go round: 'a'"
    assert error.nodes == ("a",)


def test_many_nodes_are_named_in_part() -> None:
    assert named(["b", "a"]) == "'b', 'a'"
    assert named(str(n) for n in range(10)) == "'0', '1', '2', '3', '4', '5', '6', '7' and 2 more"


def test_repeated_nodes_are_found_once_each_in_order() -> None:
    assert repeated("cabcbc") == ["b", "c"]


def test_the_message_names_the_older_node_before_the_newer_one() -> None:
    graph = graph_of(nodes_in("r: {}; p < r: {}"))
    with pytest.raises(HistoryMergeError, match="'r' is an ancestor of 'p'"):
        merge(graph, "pr", SETS)
