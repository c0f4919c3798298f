"""Real git merges every history as the reference does, in the same fold order."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from itertools import permutations
from typing import Final

import pytest

from git_oracle import (
    Contents,
    Expected,
    NoGitError,
    State,
    expected_merges,
    git_merges,
    require_git,
)
from rejoin.history_merge import DOCUMENT, Node
from rejoin_conformance.systems.history_merge.exhaust.literal import anti_chains, every_history
from rejoin_conformance.systems.history_merge.histories import HISTORIES
from rejoin_conformance.systems.history_merge.run import run_history
from support.plain_history_merge import SetNode, nodes_in

ORDER_DEPENDENT: Final = nodes_in("r; p < r: {x}; q < r: {x}; s < p; t < p: {x}")


@pytest.fixture(autouse=True)
def _git() -> None:
    """Git 2.38 or newer, or the test is skipped, saying why."""
    try:
        require_git()
    except NoGitError as error:
        pytest.skip(str(error))


def _agree(all_expected: Iterable[Expected], contents: Contents) -> int:
    """Let git do all the merges, compare, and say how many there were."""
    listed = list(all_expected)
    found = git_merges((expected.task for expected in listed), contents)
    for expected, states in zip(listed, found, strict=True):
        assert tuple(states) == expected.states, expected.task
    return sum(len(expected.states) for expected in listed)


def _in_every_order(nodes: tuple[SetNode, ...], chains: Iterable[tuple[str, ...]]) -> Expected:
    return expected_merges(nodes, [order for chain in chains for order in permutations(chain)])


@pytest.mark.parametrize("contents", ["empty", "distinct"])
def test_git_agrees_on_every_anti_chain_of_every_history_of_four_nodes_in_every_order(
    contents: Contents,
) -> None:
    histories = (graph for nodes in range(1, 5) for graph in every_history(nodes))
    merges = _agree(
        (_in_every_order(tuple(graph), anti_chains(graph)) for graph in histories), contents
    )
    assert merges == 7_272


@pytest.mark.long
def test_git_agrees_on_every_15th_history_of_five_nodes_in_every_order() -> None:
    histories = [graph for place, graph in enumerate(every_history(5)) if place % 15 == 7]
    merges = _agree(
        (_in_every_order(tuple(graph), anti_chains(graph)) for graph in histories), "empty"
    )
    assert merges == 19_730


def _random_merges(profile: str, count: int) -> Iterable[Expected]:
    """The heads of random histories, and of what each author has seen, in three orders."""
    for seed in range(count):
        run = run_history(HISTORIES.generate(profile, seed), DOCUMENT)
        views = [(1 << len(run.messages)) - 1, *run.views.seen.values()]
        sets = {run.ids(run.views.heads(view)) for view in views if view}
        orders = [
            order
            for chosen in sorted(sets)
            for order in (tuple(sorted(chosen)), chosen, tuple(sorted(chosen, reverse=True)))
        ]
        yield expected_merges(tuple(message.node for message in run.messages), orders)


@pytest.mark.parametrize(
    ("profile", "count"), [("default", 300), ("racing", 200), ("partitioned", 200), ("long", 3)]
)
def test_git_agrees_on_random_histories(profile: str, count: int) -> None:
    assert _agree(_random_merges(profile, count), "distinct") > count


def test_the_result_of_git_depends_on_the_order_as_ours_does() -> None:
    expected = _in_every_order(ORDER_DEPENDENT, [("q", "s", "t")])
    (found,) = git_merges([expected.task], "empty")
    results = {
        (*step.merged, step.further): state
        for step, state in zip(expected.task.steps, found, strict=True)
        if len(step.merged) == 2
    }
    nothing, x = frozenset[str](), frozenset(["x"])
    assert results == {
        ("q", "t", "s"): nothing,
        ("t", "q", "s"): nothing,
        ("q", "s", "t"): x,
        ("s", "q", "t"): x,
        ("s", "t", "q"): x,
        ("t", "s", "q"): x,
    }


def test_git_folds_origins_by_ascending_commit_date() -> None:
    """m and n share q, s and t, so the order in which these are dated decides what m and n make.

    m has x and n has not: the merge has x where the origin has not.
    """
    by_id = {node.id: node for node in ORDER_DEPENDENT}
    parents = frozenset(["q", "s", "t"])
    tops = (Node("m", parents, frozenset(["x"])), Node("n", parents, frozenset[str]()))
    found: dict[str, State] = {}
    for dated in permutations("qst"):
        nodes = (by_id["r"], by_id["p"], *(by_id[name] for name in dated), *tops)
        expected = expected_merges(nodes, [("m", "n")])
        ((state,),) = git_merges([expected.task], "empty")
        assert (state,) == expected.states
        found["".join(dated)] = state
    x = frozenset(["x"])
    assert found == {name: x if name in ("qts", "tqs") else frozenset() for name in found}


def test_histories_without_a_common_root_merge_too() -> None:
    nodes = nodes_in("r: {a}; s: {b}; p < r: {a c}; q < s")
    assert _agree([_in_every_order(nodes, [("p", "q"), ("p", "s")])], "empty") == 4


def test_a_conflict_is_an_error() -> None:
    """A file and a folder of the same name cannot be elements of a set."""
    nodes = nodes_in('r; p < r: {a}; q < r: {"a/b"}')
    expected = expected_merges(nodes, [("p", "q")])
    with pytest.raises(ValueError, match="conflict"):
        git_merges([expected.task], "empty")


def test_a_missing_git_is_an_error_that_names_the_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(NoGitError, match=r"git not found. Install git 2\.38 or newer"):
        require_git()
