from __future__ import annotations

import pytest
from attrs import evolve

from rejoin_conformance.kit.tla_values import record
from rejoin_conformance.model_checking.behaviours import every, parse_behaviour, simulated
from rejoin_conformance.model_checking.tlc import TlcFailedError
from support.toy_model import FOLDER, TOY_MODEL


@pytest.mark.full_run("model checker")
def test_random_behaviours_are_those_of_the_seed() -> None:
    def made(seed: int) -> list[str]:
        behaviours = simulated(TOY_MODEL, FOLDER, "document", number=5, depth=6, seed=seed)
        return [" ".join(step.text() for step in each.steps) for each in behaviours]

    one = made(3)
    assert one == made(3) != made(4)
    assert len(set(one)) > 2


@pytest.mark.full_run("model checker")
def test_a_step_comes_with_what_is_observed_after_it() -> None:
    (behaviour,) = simulated(TOY_MODEL, FOLDER, "document", number=1, depth=1, seed=1)
    (step,) = behaviour.steps
    who = step.label["who"]
    assert who in {"A", "B"}
    assert step.label == record(action="post", who=who)
    assert step.after == record(seen=frozenset({1}), posted=1)
    assert step.text() == f'post(who: "{who}")'


@pytest.mark.full_run("model checker")
def test_a_behaviour_that_can_go_no_further_is_complete() -> None:
    # 3 numbers are posted, and heard once by whoever did not post them
    behaviours = list(simulated(TOY_MODEL, FOLDER, "document", number=10, depth=50, seed=1))
    assert [len(each.steps) for each in behaviours] == [6] * 10


def test_every_behaviour_of_a_depth_is_made_once() -> None:
    # A or B posts; then A or B posts, or the other one hears of it
    behaviours = every(TOY_MODEL, FOLDER, "document", depth=2)
    assert sorted(" ".join(step.text() for step in each.steps) for each in behaviours) == [
        'post(who: "A") hear(number: 1, who: "B")',
        'post(who: "A") post(who: "A")',
        'post(who: "A") post(who: "B")',
        'post(who: "B") hear(number: 1, who: "A")',
        'post(who: "B") post(who: "A")',
        'post(who: "B") post(who: "B")',
    ]


def test_a_fault_of_the_model_is_one_line() -> None:
    broken = evolve(
        TOY_MODEL, simulation_constants=lambda _: {"Who": frozenset({"A"}), "Most": "x"}
    )
    with pytest.raises(TlcFailedError) as caught:
        list(simulated(broken, FOLDER, "document", number=1, depth=1, seed=1))
    assert "\n" not in str(caught.value)
    assert "integer" in str(caught.value)


@pytest.mark.parametrize(
    "line", ["1", '<<"behaviour", 1>>', '<<"behaviour", "<<1>>">>', "<<", "{}"]
)
def test_an_invalid_behaviour_is_refused(line: str) -> None:
    with pytest.raises(TlcFailedError):
        parse_behaviour(line)
