"""The calls that `rejoin replay` makes: the vectors of a file, or the calls of a history."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from attrs import evolve, frozen

from rejoin_conformance.adapters.kinds import kind_of, parting_kind
from rejoin_conformance.adapters.protocol import Reply
from rejoin_conformance.adapters.results.failure_steps import FailureSteps, lines_of
from rejoin_conformance.adapters.runner.cases import Case, Selection, readings_of
from rejoin_conformance.adapters.runner.judge import judge
from rejoin_conformance.adapters.runner.known_failures import AT_STEP
from rejoin_conformance.adapters.runner.verdict import Outcome
from rejoin_conformance.campaigns.adapter_questions import Questions
from rejoin_conformance.command_line.console import WRONG_USAGE, stop
from rejoin_conformance.contract.asked import output_in
from rejoin_conformance.contract.notation import answer_text, question_text
from rejoin_conformance.contract.operation import Output
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.system import System
from rejoin_conformance.corpus.load import load_topic_file
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json
from rejoin_conformance.kit.untrusted import shown

_SHOWN: Final = 4000
"""Maximum number of characters of an input or an answer to print."""

_WITH_STEPS: Final = 10
"""The number of wrong outputs of an adapter that are shown with their steps."""


@frozen
class Told:
    """An outcome, and the kind of the difference; the kind is empty if there is none.

    steps: the steps of one of the first wrong outputs of an adapter.
    """

    outcome: Outcome
    kind: str = ""
    steps: FailureSteps | None = None


def outcomes_of_file(
    path: Path, reading: str | None, command: str | None, timeout: int
) -> list[Told]:
    """Return the outcome of each vector of a file in each of its readings, or in one reading.

    command: the adapter to ask; None for the reference. An adapter is asked only in the readings
    that it declares, unless `reading` names one. Raises CorpusError, AdapterUnusableError and
    DeclarationError.
    """
    cases = _cases_of(path, reading)
    if command is None or not cases:
        return [_told(_by_the_reference(case)) for case in cases]
    system = cases[0].system
    with Questions(system, command, timeout) as questions:
        followed = readings_of(system, Selection(), questions.hello)
        if reading is None:
            cases = [case for case in cases if case.reading in followed]
            if not cases:
                names = ", ".join(followed)
                stop(
                    WRONG_USAGE,
                    f"{path}: no vector has a result for the adapter's readings: {names}",
                )
        for case in cases:
            missing = questions.why_not(case.operation.name, case.vector.input)
            if missing:
                stop(WRONG_USAGE, f"{case.vector.id}: the adapter does not declare {missing}")
        outcomes = questions.ask_cases(
            [
                evolve(case, without=questions.declared.left_out(case.operation.name))
                for case in cases
            ]
        )
        return _all_told(outcomes, questions)


def _all_told(outcomes: Sequence[Outcome], questions: Questions) -> list[Told]:
    """Return the outcomes with their kinds, and the first wrong outputs with their steps."""
    told: list[Told] = []
    wrong = 0
    for outcome in outcomes:
        kind, steps = "", None
        if outcome.verdict != "pass":
            kind = parting_kind(outcome, questions.steps)
        if outcome.fault == "wrong-output":
            wrong += 1
            if wrong <= _WITH_STEPS:
                steps = questions.steps.of(outcome.case, output_in(outcome.observed))
        told.append(Told(outcome, kind, steps))
    return told


def _told(outcome: Outcome) -> Told:
    return Told(outcome, "" if outcome.verdict == "pass" else kind_of(outcome))


def outcomes_of_history(
    system: System, history: Any, reading: str, command: str, timeout: int
) -> tuple[list[Told], int]:
    """Return the outcomes of a history's calls, and the number of calls that are not declared.

    Raises AdapterUnusableError.
    """
    with Questions(system, command, timeout) as questions:
        calls = questions.calls(history, reading)
        declared = questions.askable(calls)
        told = _all_told(questions.ask(declared, reading), questions)
        return told, len(calls) - len(declared)


def outcomes_to_json(told: Sequence[Told]) -> list[Json]:
    """Return outcomes as data, for `--json`."""
    return [
        {
            "vector": each.case.vector.id,
            "operation": each.case.operation.name,
            "reading": each.case.reading,
            "verdict": each.verdict,
            "fault": each.fault,
            "input": each.case.vector.input,
            "expected": each.case.expected,
            "observed": each.observed,
            "explanation": each.explanation,
            "kind": kind,
        }
        for each, kind in ((one.outcome, one.kind) for one in told)
    ]


def text_of_outcomes(told: Sequence[Told]) -> str:
    """Return as text each answer that is not as expected, their kinds, and the number of others.

    Differences at different steps are of different kinds.
    """
    lines: list[str] = []
    for one in told:
        each, kind = one.outcome, one.kind
        if each.verdict != "pass":
            lines += [
                f"{each.verdict.upper()} {each.case.operation.name} [{each.case.reading}]",
                *_field("input", _question(each.case)),
                *_field("expected", _answer(each.case, each.case.expected)),
                *_field("observed", _answer(each.case, each.observed)),
                *(_field("at step", kind.partition(AT_STEP)[2]) if AT_STEP in kind else ()),
                *(f"  {line}" for line in each.explanation.splitlines()),
                *(f"  {line}" for line in (() if one.steps is None else lines_of(one.steps))),
                "",
            ]
    kinds = Counter(each.kind for each in told if each.kind)
    if len(kinds) > 1:
        lines += [f"kinds of difference: {len(kinds)}"]
        lines += [f"  {counted(times, 'time')}  {kind}" for kind, times in kinds.most_common()]
    good = sum(each.outcome.verdict == "pass" for each in told)
    lines.append(f"{good:,} of {counted(len(told), 'answer')} as expected")
    return "\n".join(lines)


def _cases_of(path: Path, reading: str | None) -> list[Case]:
    vectors = load_topic_file(path)
    cases: list[Case] = []
    for vector in vectors:
        system = system_named(vector.system)
        operation = system.operation(vector.operation)
        if operation is None:
            stop(WRONG_USAGE, f"{path}: {vector.id}: there is no operation {vector.operation}")
        cases += [
            Case(vector=vector, reading=each, system=system, operation=operation)
            for each in vector.expected
            if reading in (None, each)
        ]
    if vectors and not cases:
        stop(WRONG_USAGE, f"{path}: no vector has a result for the reading {reading}")
    return cases


def _by_the_reference(case: Case) -> Outcome:
    result = case.operation.run(case.vector.input, case.reading)
    if isinstance(result, Output):
        return judge(case, Reply(0, "output", result.value))
    return judge(case, Reply(0, "rejected", {"reason": result.reason}))


def _question(case: Case) -> str:
    text = question_text(case.system.notation, case.operation.name, case.vector.input)
    return _json(case.vector.input) if text is None else shown(text, _SHOWN)


def _answer(case: Case, said: JsonObject | None) -> str:
    """Return an answer in the system's notation, or as JSON if the notation cannot express it."""
    if said is None:
        return "(none)"
    output = said.get("output")
    if len(said) == 1 and isinstance(output, dict):
        text = answer_text(case.system.notation, case.operation.name, case.vector.input, output)
        if text is not None:
            return shown(text, _SHOWN)
    return _json(said)


def _field(name: str, text: str) -> list[str]:
    """Return a field on one line, or its name with its lines below."""
    lines = text.split("\n")
    return (
        [f"  {name:<8}  {text}"]
        if len(lines) == 1
        else [f"  {name}", *(f"    {line}" for line in lines)]
    )


def _json(value: Any) -> str:
    return shown(canonical_json(value), _SHOWN)
