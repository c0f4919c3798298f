"""A wrong output comes with the first step at which the adapter goes another way."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from rejoin_conformance.adapters.conversation import Adapter
from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.results.failure_steps import FailureSteps, lines_of
from rejoin_conformance.adapters.runner.ask_steps import StepsAsked
from rejoin_conformance.adapters.runner.cases import Case
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.kit.json_types import JsonObject

ADAPTER = Path(__file__).parents[3] / "support" / "steps_adapter.py"
SYSTEM = system_named("history-merge")
INPUT: JsonObject = {
    "nodes": [
        {"id": "r", "parents": [], "state": ["a"]},
        {"id": "p", "parents": ["r"], "state": ["a", "b"]},
        {"id": "q", "parents": ["r"], "state": []},
    ],
    "merge": ["p", "q"],
}
"""Both sides change what r has: p adds b, and q removes a."""

STEPS: list[dict[str, Any]] = [
    {"step": "order", "clause": "HM-FOLD-ASCENDING", "nodes": ["p", "q"]},
    {"step": "start", "clause": "HM-MERGE-FOLD", "node": "p", "state": ["a", "b"]},
    {"step": "lca-u", "clause": "HM-LCAU-LOWEST", "node": "q", "nodes": ["r"]},
    {"step": "origin", "clause": "HM-MERGE-ORIGIN", "state": ["a"]},
    {"step": "fold", "clause": "HM-MERGE-STEP", "node": "q", "state": ["b"]},
]
LEADING = [
    "steps of the reference that lead there, of 5:",
    "  merge of p q",
    "            order p q  (HM-FOLD-ASCENDING)",
    "            start p: {a b}  (HM-MERGE-FOLD)",
    "            lca-u q = {r}  (HM-LCAU-LOWEST)",
    "            origin {a}  (HM-MERGE-ORIGIN)",
    "            fold q: {b}  (HM-MERGE-STEP)",
]
"""The steps up to the fold that removes the element a, which the wrong output has."""


def _steps(mode: str, *steps: object, times: int = 1) -> FailureSteps:
    """Return the steps of a wrong output, {a b}, of an adapter of this mode."""
    command = (sys.executable, "-IS", str(ADAPTER), mode, json.dumps(steps))
    adapter = Adapter(command=command, limits=Limits(timeout=0.5 if mode == "hangs" else 30))
    operation = SYSTEM.operation("history-merge/merge")
    assert operation is not None
    vector = Vector(
        id="history-merge/found/x",
        operation=operation.name,
        clauses=("HM-MERGE-STEP",),
        level="must",
        summary="",
        input=INPUT,
        expected={"document": {"output": {"state": ["b"]}}},
        readings_differ=False,
    )
    case = Case(vector=vector, reading="document", system=SYSTEM, operation=operation)
    with StepsAsked(adapter, adapter.greet()) as asked:
        found = [asked.of(case, {"state": ["a", "b"]}) for _ in range(times)]
    assert found[-1] is not None
    return found[-1]


def test_the_first_step_that_differs_is_shown_after_those_before_it() -> None:
    steps = _steps("tells", *STEPS[:3], {**STEPS[3], "state": []}, STEPS[4])
    assert [*lines_of(steps)] == [
        "it goes another way at step 4 of 5:",
        "  merge of p q",
        "            order p q  (HM-FOLD-ASCENDING)",
        "            start p: {a b}  (HM-MERGE-FOLD)",
        "            lca-u q = {r}  (HM-LCAU-LOWEST)",
        "  expected  origin {a}  (HM-MERGE-ORIGIN)",
        "  observed  origin {}  (HM-MERGE-ORIGIN)",
    ]
    assert steps.parting == (STEPS[3], {**STEPS[3], "state": []})


def test_a_list_that_ends_early_goes_another_way() -> None:
    steps = _steps("tells", *STEPS[:4])
    assert [*lines_of(steps)][-2:] == [
        "  expected  fold q: {b}  (HM-MERGE-STEP)",
        "  observed  (no further step)",
    ]


def test_without_the_operation_the_steps_of_the_reference_lead_to_the_place() -> None:
    assert [*lines_of(_steps("says-nothing"))] == LEADING


def test_right_steps_leave_the_difference_to_the_output() -> None:
    lines = [*lines_of(_steps("tells", *STEPS))]
    assert lines[0] == "its steps are those of the reference; only the output differs"
    assert lines[1:] == LEADING


@pytest.mark.parametrize(
    ("mode", "note"),
    [
        ("crashes", "broke: it ended with exit code 3"),
        ("hangs", "broke: no answer within 0.5 seconds"),
        ("writes-no-json", "broke: the line is not JSON"),
        ("lies", "gave an answer that does not match the schema: "),
        ("refuses", "rejected the input: too many steps\\nfor me"),
        ("errs", "answered with an error: KeyError: 'p'"),
    ],
)
def test_an_adapter_that_fails_at_its_steps_is_one_line(mode: str, note: str) -> None:
    first, *others = lines_of(_steps(mode))
    assert first.startswith(f"asked for its steps, the adapter {note}")
    assert others == LEADING


def test_an_adapter_that_breaks_three_times_is_not_asked_again() -> None:
    assert _steps("crashes", times=4).note == (
        "asked for its steps, the adapter broke 3 times, so it was not asked again"
    )
