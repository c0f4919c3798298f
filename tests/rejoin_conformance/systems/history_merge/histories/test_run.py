"""Events become messages with parents and states."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rejoin.history_merge import (
    DOCUMENT,
    LITERAL_NODES,
    Graph,
    lca_u,
    partial_orders,
)
from rejoin_conformance.contract.law import Examination
from rejoin_conformance.readings.overriding import override_of, overriding
from rejoin_conformance.systems.history_merge.histories import HISTORIES
from rejoin_conformance.systems.history_merge.histories.events import Hear, History, Post
from rejoin_conformance.systems.history_merge.histories.generate import generate_history
from rejoin_conformance.systems.history_merge.histories.profiles import PROFILES
from rejoin_conformance.systems.history_merge.histories.run import run_history
from rejoin_conformance.systems.history_merge.histories.views import Views

FORK = History(
    (
        Post("A", "r", "found", ("A", "B")),
        Hear("B", "A", 0),
        Post("A", "p", "join", ("C",)),
        Post("B", "q", "kick", ("A",)),
        Hear("A", "B", 0),
        Post("A", "m", "talk", ()),
        Post("A", "n", "join", ("A", "B")),
    ),
    probe=1,
)


def test_a_message_follows_the_heads_of_what_its_author_has_seen() -> None:
    parents = {each.post.id: each.parents for each in run_history(FORK, DOCUMENT).messages}
    assert parents == {"r": (), "p": ("r",), "q": ("r",), "m": ("p", "q"), "n": ("m",)}


def test_its_state_is_the_merge_of_its_parents_changed_by_its_author() -> None:
    states = {each.post.id: sorted(each.state) for each in run_history(FORK, DOCUMENT).messages}
    assert states == {
        "r": ["A", "B"],
        "p": ["A", "B", "C"],
        "q": ["B"],
        "m": ["B", "C"],
        "n": ["A", "B", "C"],
    }


def test_operations_are_what_was_really_changed() -> None:
    operations = run_history(FORK, DOCUMENT).operations
    assert operations["A"].additions == [0, 4]
    assert operations["A"].removals == [2]
    assert operations["B"].additions == [0]  # n adds B, who is there
    assert operations["C"].additions == [1]


def test_the_shape_of_a_history_is_counted() -> None:
    coverage = HISTORIES.examine(FORK, "document").coverage
    shapes = {key: count for key, count in coverage.items() if key.startswith("shape:")}
    assert shapes["shape:messages:5"] == 1
    assert shapes["shape:depth:4"] == 1  # r, p, m, n
    assert shapes["shape:heads:1"] == 1
    assert shapes["shape:parents:2"] == 1
    assert shapes["shape:parents:1"] == 3


def test_the_latest_messages_can_be_late() -> None:
    views = Views()
    for _ in range(3):
        views.post("A")
    assert views.hear("B", "A", 1)
    assert views.seen["B"] == 0b011
    assert views.hear("B", "A", 5) is False
    assert views.hear("B", "A", 0)
    assert views.seen["B"] == 0b111


def test_hearing_of_nothing_is_no_news() -> None:
    assert Views().hear("B", "A", 0) is False


SMALL = [generate_history(PROFILES["default"], seed) for seed in range(60)]


def _examined() -> list[Examination]:
    return [HISTORIES.examine(history, "document") for history in SMALL]


def _first_only(graph: Graph[Any], a: frozenset[str], b: str) -> frozenset[str]:
    return frozenset(sorted(lca_u(graph, a, b))[:1])


def test_the_fast_evaluation_runs_unless_a_rule_overrides_a_literal_function() -> None:
    assert not run_history(FORK, DOCUMENT).literal
    with overriding([override_of("rejoin.history_merge.lcau.lca_u", _first_only, globals())]):
        assert run_history(FORK, DOCUMENT).literal
    assert not run_history(FORK, DOCUMENT).literal


@pytest.mark.parametrize(
    "target",
    [
        "rejoin.history_merge.fast_partial_orders.fast_lca_u",
        "rejoin.config_merge.windows.within",
    ],
)
def test_a_rule_for_another_function_leaves_the_fast_evaluation(target: str) -> None:
    def anything(*_: Any) -> None: ...

    with overriding([override_of(target, anything)]):
        assert not run_history(FORK, DOCUMENT).literal


def test_under_a_rule_a_history_beyond_the_bound_is_merged_by_the_fast_evaluation() -> None:
    posts = [Post("A", f"{number:02d}", "talk", ()) for number in range(LITERAL_NODES + 1)]
    with overriding([override_of("rejoin.history_merge.lcau.lca_u", _first_only, globals())]):
        assert run_history(History(tuple(posts[1:]), probe=1), DOCUMENT).literal
        assert not run_history(History(tuple(posts), probe=1), DOCUMENT).literal


def test_a_rule_that_changes_nothing_changes_no_examination() -> None:
    """The literal and the fast evaluation agree in every history."""
    original: Callable[..., Any] = partial_orders.maximal
    expected = _examined()
    with overriding([override_of("rejoin.history_merge.partial_orders.maximal", original)]):
        assert _examined() == expected


def test_a_rule_for_a_literal_function_is_seen_in_histories() -> None:
    with overriding([override_of("rejoin.history_merge.lcau.lca_u", _first_only, globals())]):
        broken = {violation.law for each in _examined() for violation in each.violations}
    assert {"counters-count-once", "temporary-nodes-agree"} <= broken
