"""The kind of a difference between an adapter and the reference: one class of findings.

Differences with different causes should not be in one class. So a kind names the operation and the
fault, and:
- for a wrong output, the place of the first difference and the way in which it differs. In a
  scenario, this is the first step whose output differs, named by its action.
- for an accepted input, or a rejection for a wrong reason, the code with which the reference
  refuses it.
- for an error, the name of the exception, if the message begins with one.

Two wrong outputs can differ at one place for different reasons. If the adapter declares the
operation that lists the steps, it is asked for the steps of each wrong output, and the kind names
the first step of the reference that the adapter does not take. The answers to these questions are
never differences themselves.

A kind contains no text of the adapter but the name of an exception, so there are not many kinds.
"""

from __future__ import annotations

import re
from typing import Final

from attrs import evolve

from rejoin_conformance.adapters.runner.ask_steps import StepsAsked
from rejoin_conformance.adapters.runner.cases import Outcome
from rejoin_conformance.adapters.runner.known_failures import AT_STEP
from rejoin_conformance.contract.differences import first_difference
from rejoin_conformance.contract.operation import Rejected, code_in, output_in
from rejoin_conformance.contract.step import STEPS, texts_in

_EXCEPTION: Final = re.compile(r"[A-Z][A-Za-z]{2,30}(?:Error|Exception)\b")


def parting_kind(outcome: Outcome, asked: StepsAsked) -> str:
    """Return the kind of a difference, as `OPERATION FAULT MORE, at step TYPE CLAUSE`.

    The last part is missing if the adapter lists no steps. asked: the adapter.
    """
    kind = kind_of(outcome)
    told = asked.told(outcome.case) if outcome.fault == "wrong-output" else None
    parting = "" if told is None else told.parting_name
    return f"{kind}{AT_STEP}{parting}" if parting else kind


def kind_of(outcome: Outcome) -> str:
    """Return the operation and the kind of the difference, as `OPERATION FAULT MORE`."""
    case, more = outcome.case, ""
    match outcome.fault:
        case "wrong-output":
            more = _of_outputs(outcome)
        case "wrongly-accepted":
            answer = case.operation.answer(case.vector.input, case.reading)
            more = answer.code if isinstance(answer, Rejected) else ""
        case "wrong-reason":
            more = code_in(case.expected)
        case "error":
            said = (outcome.observed or {}).get("error")
            message = said.get("message") if isinstance(said, dict) else ""
            found = _EXCEPTION.match(message) if isinstance(message, str) else None
            more = found[0] if found else ""
    return f"{case.operation.name} {outcome.fault or outcome.verdict} {more}".rstrip()


def _of_outputs(outcome: Outcome) -> str:
    """Return the step, the place and the manner of the first difference of two outputs."""
    case = outcome.case
    expected, observed = output_in(case.expected), output_in(outcome.observed)
    if expected is None or observed is None:
        return "too long to compare"
    try:
        expected, observed = case.compared(expected), case.compared(observed)
    except Exception:  # noqa: BLE001 - the output is untrusted
        return "not in the schema"
    words = {*texts_in(case.operation.output_schema)}
    step_words = case.operation.step_words
    if step_words is not None:
        first = first_difference(expected.get(STEPS), observed.get(STEPS))
        if first is not None and first.path and not (len(first.path) == 1 and first.lengths):
            actions, (place, *path) = step_words(case.vector.input), first.path
            known = isinstance(place, int) and place < len(actions)
            action = actions[int(place)] if known else "the end"
            return f"at {action}: {evolve(first, path=tuple(path)).general(words)}"
    first = first_difference(expected, observed)
    return "differs" if first is None else first.general(words)
