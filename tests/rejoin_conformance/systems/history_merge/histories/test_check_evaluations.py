"""The literal evaluation is held against the fast one in random histories."""

from __future__ import annotations

from typing import Any

import pytest

from rejoin.history_merge import DOCUMENT, LITERAL_NODES, Graph, lca_u
from rejoin_conformance.contract.ledger import Ledger
from rejoin_conformance.readings.overriding import override_of, overriding
from rejoin_conformance.systems.history_merge.histories.check_evaluations import check_evaluations
from rejoin_conformance.systems.history_merge.histories.events import History, Post
from rejoin_conformance.systems.history_merge.histories.generate import generate_history
from rejoin_conformance.systems.history_merge.histories.profiles import PROFILES
from rejoin_conformance.systems.history_merge.histories.run import Run, run_history
from rejoin_conformance.systems.history_merge.laws import EVALUATIONS
from rejoin_conformance.systems.history_merge.operations import OPERATIONS


def _checked(run: Run, target: str = "", function: Any = None) -> Ledger:
    """The heads of a run merged by both, with a function of the reference replaced for the one."""
    ledger = Ledger()
    heads = run.views.heads((1 << len(run.messages)) - 1)
    merged = run.session.merge(run.ids(heads))
    with overriding([override_of(target, function, globals())] if target else []):
        check_evaluations(run, ledger, heads, merged)
    return ledger


def _runs(profile: str, count: int) -> list[Run]:
    return [
        run_history(generate_history(PROFILES[profile], seed), DOCUMENT) for seed in range(count)
    ]


@pytest.mark.parametrize("profile", PROFILES)
def test_the_evaluations_agree(profile: str) -> None:
    for run in _runs(profile, {"long": 5, "large": 1}.get(profile, 100)):
        ledger = _checked(run)
        assert ledger.violations == []
        within = len(run.messages) <= LITERAL_NODES
        assert (EVALUATIONS.name in ledger.checked) == within
        assert (EVALUATIONS.name in ledger.vacuous) == (not within)


def test_the_size_of_the_whole_history_does_not_count() -> None:
    posts = [Post("A", f"{number:03d}", "talk", ()) for number in range(100)]
    run = run_history(History((Post("B", "b", "join", ("C",)), *posts), probe=1), DOCUMENT)
    ledger = Ledger()
    check_evaluations(run, ledger, (0,), frozenset("C"))
    assert ledger.checked == {EVALUATIONS.name: 1}
    assert ledger.violations == []


def _first_only(graph: Graph[Any], a: frozenset[str], b: str) -> frozenset[str]:
    return frozenset(sorted(lca_u(graph, a, b))[:1])


def test_a_wrong_literal_evaluation_is_found_with_a_merge_that_shows_it() -> None:
    merging = next(each for each in OPERATIONS if each.name == "history-merge/merge")
    violations = [
        violation
        for run in _runs("partitioned", 100)
        for violation in _checked(run, "rejoin.history_merge.lcau.lca_u", _first_only).violations
    ]
    assert violations
    for violation in violations:
        assert (violation.law, violation.kind) == (EVALUATIONS.name, "another-state")
        evidence: Any = violation.evidence
        given = evidence["input"]
        with overriding([override_of("rejoin.history_merge.lcau.lca_u", _first_only, globals())]):
            assert merging.run(given, "document") != merging.run_second(given, "document")
