"""A wrong output comes with the first step at which the adapter goes another way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import evolve

from rejoin_conformance.adapters.process import NoLineError
from rejoin_conformance.adapters.protocol import Hello
from rejoin_conformance.adapters.results.failure_steps import FailureSteps, StepsTold, lines_of
from rejoin_conformance.adapters.runner.ask_steps import StepsAsked
from rejoin_conformance.adapters.runner.cases import Case
from rejoin_conformance.contract.operation import Output
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.kit.json_types import JsonObject
from support.memory_adapter import TOY_HELLO, answering
from support.plain_history_merge import messages_in
from support.toy_runs import HELLO

SYSTEM = system_named("history-merge")
OPERATIONS = ("history-merge/merge", "history-merge/merge-steps")
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

Said = Callable[[], object]
"""What the adapter says when it is asked for its steps, without the number; None for no JSON."""


def _steps(said: Said, times: int = 1, operations: tuple[str, ...] = OPERATIONS) -> FailureSteps:
    """Return the steps of a wrong output, {a b}, of an adapter."""
    hello: Hello = evolve(HELLO, operations=operations)
    operation = SYSTEM.operation("history-merge/merge")
    assert operation is not None

    def answer(message: Any) -> list[object]:
        if message["type"] == "hello":
            return [{**TOY_HELLO, "operations": [*operations]}]
        reply: Any = said() if message["type"] == "run" else {}
        if reply is None:
            return [b"oops"]
        return [{"id": message["id"], **reply}] if reply else []

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
    with StepsAsked(answering(answer), hello) as asked:
        found = [asked.of(case, {"state": ["a", "b"]}) for _ in range(times)]
    assert found[-1] is not None
    return found[-1]


def _tells(*steps: object) -> FailureSteps:
    return _steps(lambda: {"output": {"steps": [*steps]}})


def _ends() -> object:
    raise NoLineError("crash", "it ended with exit code 3")


def test_the_first_step_that_differs_is_shown_after_those_before_it() -> None:
    steps = _tells(*STEPS[:3], {**STEPS[3], "state": []}, STEPS[4])
    assert [*lines_of(steps)] == [
        "it goes another way at step 4 of 5:",
        *LEADING[1:5],
        "  expected  origin {a}  (HM-MERGE-ORIGIN)",
        "  observed  origin {}  (HM-MERGE-ORIGIN)",
    ]
    assert steps.parting == (STEPS[3], {**STEPS[3], "state": []})
    assert [*lines_of(_tells(*STEPS[:4]))] == [
        "it goes another way at step 5 of 5:",
        *LEADING[1:6],
        "  expected  fold q: {b}  (HM-MERGE-STEP)",
        "  observed  (no further step)",
    ]


def test_steps_that_show_no_parting_are_those_of_the_reference() -> None:
    assert [*lines_of(_steps(dict, operations=OPERATIONS[:1]))] == LEADING
    same = "its steps are those of the reference; only the output differs"
    assert [*lines_of(_tells(*STEPS))] == [same, *LEADING]


def test_the_merge_of_origins_is_shown_with_its_order_and_its_first_node() -> None:
    merge, lists = (SYSTEM.operation(name) for name in OPERATIONS)
    assert merge is not None
    assert lists is not None
    text = (
        "r: {};  p < r: {x};  q < r: {x};  t < p: {};  s < p: {x};  a < q s t: {x};  b < q s t: {}"
    )
    value: JsonObject = {"nodes": [*messages_in(text)], "merge": ["a", "b"]}
    vector = Vector(
        id="history-merge/found/x",
        operation=merge.name,
        clauses=("HM-FOLD-ASCENDING",),
        level="must",
        summary="",
        input=value,
        expected={"document": {"output": {"state": ["x"]}}},
        readings_differ=False,
    )
    steps = lists.run(value, "document")
    assert isinstance(steps, Output)
    case = Case(vector=vector, reading="document", system=SYSTEM, operation=merge)
    kept = StepsTold(case=case, lists=lists, expected=steps.value).kept({"state": []})
    assert [each.text for each in kept.leading if each.under == "merge of q s t"] == [
        "order q s t",
        "start q: {x}",
        "lca-u t = {p}",
        "origin {x}",
        "fold t: {}",
    ]


NOTES: list[tuple[Said, str]] = [
    (_ends, "broke: it ended with exit code 3"),
    (dict, "broke: no answer within 0.02 s"),
    (lambda: None, "broke: the line is not JSON"),
    (lambda: {"output": {"steps": [7]}}, "gave an answer that does not match the schema: "),
    (lambda: {"rejected": {"reason": "too\nmany"}}, "rejected the input: too\\nmany"),
    (lambda: {"error": {"message": "KeyError: 'p'"}}, "answered with an error: KeyError: 'p'"),
]


def test_an_adapter_that_fails_at_its_steps_is_one_line() -> None:
    for said, note in NOTES:
        first, *others = lines_of(_steps(said))
        assert first.startswith(f"asked for its steps, the adapter {note}")
        assert others == LEADING
    assert _steps(_ends, times=4).note == (
        "asked for its steps, the adapter broke 3 times, so it was not asked again"
    )
