"""Differences of one place have different kinds if the adapter goes another way at other steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rejoin_conformance.adapters.conversation import Adapter
from rejoin_conformance.adapters.kinds import parting_kind
from rejoin_conformance.adapters.protocol import Hello, Reply
from rejoin_conformance.adapters.runner.ask_steps import StepsAsked
from rejoin_conformance.adapters.runner.cases import Case, Outcome
from rejoin_conformance.adapters.runner.judge import judge
from rejoin_conformance.adapters.runner.known_failures import KnownDifference, KnownFailures
from rejoin_conformance.campaigns.adapter_calls import case_of
from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.operation import Operation, Output
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.json_types import JsonObject

SYSTEM = system_named("history-merge")
MERGE: JsonObject = {
    "nodes": [
        {"id": "r", "parents": [], "state": ["a"]},
        {"id": "p", "parents": ["r"], "state": ["a", "b"]},
        {"id": "q", "parents": ["r"], "state": []},
    ],
    "merge": ["p", "q"],
}
PLACE = "history-merge/merge wrong-output state[] differs"


class Asked(StepsAsked):
    """An adapter in this process, which changes the reference's steps before it answers."""

    def __init__(self, change: Callable[[list[Any]], None], *operations: str) -> None:
        hello = Hello(
            name="changed",
            version="1",
            language="Python",
            operations=operations,
            readings={},
            max_in_flight=1,
        )
        super().__init__(Adapter(command=("changed",)), hello)
        self.change = change
        self.times = 0

    def ask(self, lists: Operation, case: Case) -> Reply:
        self.times += 1
        answer = lists.answer(case.vector.input, case.reading)
        assert isinstance(answer, Output)
        output: Any = answer.value
        steps: list[Any] = [{**each} for each in output["steps"]]
        self.change(steps)
        if steps == ["error"]:
            return Reply(1, "error", {"message": "no steps today"})
        return Reply(1, "output", {"steps": [*steps]})


def _wrong(system: System = SYSTEM) -> Outcome:
    case = case_of(system, Call("history-merge/merge", MERGE), "document")
    return judge(case, Reply(1, "output", {"state": ["z"]}))


def _kind(change: Callable[[list[Any]], None]) -> str:
    asked = Asked(change, "history-merge/merge", "history-merge/merge-steps")
    return parting_kind(_wrong(), asked)


def _other_origin(steps: list[Any]) -> None:
    steps[3]["state"] = ["z"]


@pytest.mark.parametrize(
    ("change", "step"),
    [
        (_other_origin, "origin HM-MERGE-ORIGIN"),
        (lambda steps: steps[0].update(nodes=["q", "p"]), "order HM-FOLD-ASCENDING"),
        (lambda steps: steps.append(steps[-1]), "beyond the last one"),
        (lambda _steps: None, "none (its steps are those of the reference)"),
    ],
)
def test_a_kind_names_the_first_step_of_the_reference_that_the_adapter_does_not_take(
    change: Callable[[list[Any]], None], step: str
) -> None:
    assert _kind(change) == f"{PLACE}, at step {step}"


def test_without_steps_a_kind_is_the_place_of_the_difference() -> None:
    assert _kind(lambda steps: steps.__setitem__(slice(None), ["error"])) == PLACE
    asked = Asked(_other_origin, "history-merge/merge")
    assert parting_kind(_wrong(), asked) == PLACE
    assert asked.times == 0


def test_only_a_wrong_output_has_steps() -> None:
    case = case_of(SYSTEM, Call("history-merge/merge", MERGE), "document")
    asked = Asked(_other_origin, "history-merge/merge", "history-merge/merge-steps")
    kind = parting_kind(judge(case, Reply(1, "rejected", {"reason": "no"})), asked)
    assert kind == "history-merge/merge wrongly-rejected"
    assert asked.times == 0


def test_the_steps_of_a_difference_are_asked_once_for_its_kind_and_to_show_it() -> None:
    asked = Asked(_other_origin, "history-merge/merge", "history-merge/merge-steps")
    outcome = _wrong()
    assert parting_kind(outcome, asked) == f"{PLACE}, at step origin HM-MERGE-ORIGIN"
    steps = asked.of(outcome.case, {"state": ["z"]})
    assert steps is not None
    assert steps.parts
    assert asked.times == 1


def test_a_known_difference_without_a_step_is_known_at_every_step() -> None:
    kind = f"{PLACE}, at step origin HM-MERGE-ORIGIN"

    def is_known(pattern: str) -> bool:
        known = KnownDifference(kind=pattern, reason="r", link="l")
        return KnownFailures(differences=(known,)).of_kind(kind, "document") is not None

    assert is_known(PLACE)
    assert is_known("history-merge/merge wrong-output *")
    assert is_known("*, at step origin *")
    assert is_known(f"{kind} [document]")  # as the commands print it
    assert not is_known(f"{kind} [literal]")
    assert not is_known("*, at step order *")
