"""Behaviours that decide clauses together which the corpus decides apart only."""

from __future__ import annotations

import pytest

from rejoin_conformance.contract.model import Behaviour, Step
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.kit.tla_values import record
from rejoin_conformance.model_checking.new_to_corpus import (
    combinations_of,
    known_combinations,
    new_to_corpus,
)

SYSTEM = system_named("history-merge")


def _post(replica: str, *adds: str) -> Step:
    label = record(
        action="post", replica=replica, place=1, adds=frozenset(adds), removes=frozenset()
    )
    return Step(label, record(heads=frozenset({1})))


def _accept(replica: str, message: int) -> Step:
    label = record(action="accept", replica=replica, message=message)
    return Step(label, record(heads=frozenset({1})))


ONE_MESSAGE = Behaviour((_post("A", "x"),))
A_FORK = Behaviour((_post("A", "x"), _accept("B", 1), _post("A", "y"), _post("B"), _accept("A", 3)))
BEHAVIOURS = [ONE_MESSAGE, A_FORK, ONE_MESSAGE]


def _found(known: frozenset[str]) -> tuple[str, ...]:
    assert SYSTEM.model is not None
    kept = new_to_corpus(
        SYSTEM, SYSTEM.model, BEHAVIOURS, known, profile="model-30", seed=1, code="1", tries=200
    )
    return tuple(each.name for each in kept)


def test_a_combination_is_two_clauses_under_a_reading() -> None:
    assert SYSTEM.model is not None
    found = combinations_of(SYSTEM, SYSTEM.model.history_of(A_FORK, "document"))
    assert "document HM-ACCEPT-DUPLICATE HM-ACCEPT-STATE" in found
    assert all(len(each.split()) == 3 for each in found)


def test_a_behaviour_is_kept_for_what_no_other_reaches() -> None:
    assert SYSTEM.model is not None
    one, fork = (
        combinations_of(SYSTEM, SYSTEM.model.history_of(each, "document"))
        for each in (ONE_MESSAGE, A_FORK)
    )
    assert one < fork
    assert _found(frozenset()) == ("model-30-1",)
    assert _found(one) == ("model-30-1",)
    assert _found(fork) == ()


def test_what_is_kept_is_small_and_reaches_what_it_is_kept_for() -> None:
    assert SYSTEM.model is not None
    (kept,) = new_to_corpus(
        SYSTEM,
        SYSTEM.model,
        BEHAVIOURS,
        frozenset(),
        profile="model-30",
        seed=1,
        code="1",
        tries=200,
    )
    history = SYSTEM.histories.from_json(kept.history)
    assert set(kept.reaches) <= combinations_of(SYSTEM, history)
    assert set(kept.reaches) <= known_combinations(SYSTEM, [kept])
    whole = SYSTEM.histories.to_json(SYSTEM.model.history_of(A_FORK, "document"))
    assert len(str(kept.history)) < len(str(whole))
    assert kept.lineage.profile == "model-30"


@pytest.mark.parametrize("behaviours", [[], [Behaviour(())]])
def test_nothing_reaches_nothing(behaviours: list[Behaviour]) -> None:
    assert SYSTEM.model is not None
    assert (
        new_to_corpus(
            SYSTEM,
            SYSTEM.model,
            behaviours,
            frozenset(),
            profile="model-30",
            seed=1,
            code="1",
            tries=10,
        )
        == ()
    )
