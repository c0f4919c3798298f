"""The premise per element, and the state that follows from it."""

from __future__ import annotations

from itertools import permutations

from rejoin.history_merge import DOCUMENT, SETS, folding_by, merge, ranked
from rejoin_conformance.systems.history_merge.histories import HISTORIES
from rejoin_conformance.systems.history_merge.histories.events import Hear, History, Post
from rejoin_conformance.systems.history_merge.histories.premises import expected_by_premise
from rejoin_conformance.systems.history_merge.histories.run import Run, run_history


def _run(*events: Post | Hear) -> Run:
    return run_history(History(events, probe=1), DOCUMENT)


def _all(run: Run) -> int:
    return (1 << len(run.messages)) - 1


def test_an_element_that_was_removed_last_is_out() -> None:
    run = _run(Post("A", "r", "found", ("A", "X")), Post("A", "p", "kick", ("X",)))
    assert expected_by_premise(run, _all(run)) == ({"A": True, "X": False}, [])
    assert expected_by_premise(run, 0b1) == ({"A": True, "X": True}, [])


def test_an_addition_concurrent_with_a_removal_breaks_the_premise() -> None:
    run = _run(
        Post("A", "r", "found", ("A", "B")),
        Hear("B", "A", 0),
        Post("A", "p", "join", ("X",)),
        Post("B", "q", "join", ("X",)),
        Post("A", "s", "kick", ("X",)),
    )
    assert expected_by_premise(run, _all(run)) == ({"A": True, "B": True}, ["X"])
    assert expected_by_premise(run, 0b0111) == ({"A": True, "B": True, "X": True}, [])


def test_elements_that_nothing_was_done_to_are_left_out() -> None:
    run = _run(Post("A", "r", "found", ("A",)), Post("A", "p", "join", ("X",)))
    assert expected_by_premise(run, 0b1) == ({"A": True}, [])


def test_with_the_premise_every_order_of_every_set_gives_the_expected_state() -> None:
    for seed in range(60):
        run = run_history(HISTORIES.generate("tiny", seed), DOCUMENT)
        heads = run.ids(run.views.heads(_all(run)))
        expected, _ = expected_by_premise(run, _all(run))
        for order in permutations(heads):
            state = merge(run.session.graph, heads, SETS, folding_by(ranked(order)))
            assert {x: x in state for x in expected} == expected
