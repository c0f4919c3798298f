"""Compare a reply with the expected result of a vector, and explain the difference.

Replies are untrusted: an output can have any shape, size and depth, and must not stop the run. Two
outputs are equal if their canonical texts are equal, so 1 does not equal true.
"""

from __future__ import annotations

from typing import Final

from rejoin_conformance.adapters.protocol import Reply
from rejoin_conformance.adapters.runner.cases import Case, Fault, Outcome
from rejoin_conformance.contract.explanation import (
    explain_difference,
    explain_json,
    first_different_line,
)
from rejoin_conformance.contract.notation import question_text
from rejoin_conformance.contract.operation import Asked
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json
from rejoin_conformance.kit.text import shown, shown_line

_KEPT: Final = 16 * 1024
"""Maximum number of characters to keep of an observed reply."""
_EXPLAINED: Final = 64 * 1024
"""Maximum number of characters of an output to search for its difference, unless the expected
output has a quarter of its length. The search is not linear."""
_EXPLANATION: Final = 8 * 1024


def judge(case: Case, reply: Reply) -> Outcome:
    """Return the outcome of a case with a reply."""
    fault, why = _find_fault(case, reply)
    if fault == "":
        return Outcome(case=case, verdict="pass")
    return Outcome(
        case=case,
        verdict="fail",
        fault=fault,
        observed=_kept(reply),
        explanation=shown(why, _EXPLANATION),
    )


def _find_fault(case: Case, reply: Reply) -> tuple[Fault, str]:
    """Return the fault of a reply and its explanation; an empty fault if it is correct."""
    expected = case.expected
    match reply.kind:
        case "error":
            said = shown_line(reply.text, 500) or "(no message)"
            return "error", f"declared {case.operation.name}, then answered with an error: {said}"
        case "rejected" if "rejected" in expected:
            why = case.why_wrong_code(reply.code)
            return ("wrong-reason", f"rejected for a wrong reason: {why}") if why else ("", "")
        case "rejected":
            said = shown_line(reply.text, 500) or "(no reason given)"
            return "wrongly-rejected", f"rejected input that must be accepted: {said}"
        case "output" if "rejected" in expected:
            return "wrongly-accepted", _why_to_reject(case)
    text = _canonical(_compared(case, reply.body))
    if text == case.expected_text:
        return "", ""
    return "wrong-output", _explain_output(case, reply.body, text)


def _why_to_reject(case: Case) -> str:
    """Return the fault of the input, shown beside the same input without this fault."""
    wrong, mended = "accepted input that must be rejected", case.vector.mended
    if mended is None:
        return wrong
    notation, operation, asked = case.system.notation, case.operation.name, case.vector.input
    good, bad = (question_text(notation, operation, each) for each in (mended, asked))
    labels = ("valid", "input")
    fault = first_different_line(good, bad, "input", labels) or explain_json(mended, asked, labels)
    return f"{wrong}; its one fault is {fault}"


def _explain_output(case: Case, observed: JsonObject, text: str | None) -> str:
    """Return the first difference between the expected and the observed output as text."""
    if text is None:
        return "wrong output: nested too deeply to compare"
    if len(text) > max(_EXPLAINED, 4 * len(case.expected_text)):
        return f"wrong output: {len(text):,} characters are too long to compare"
    expected = case.expected["output"]
    assert isinstance(expected, dict), "the corpus has been checked"
    try:
        if any(each.dropped is not None for each in case.without):
            return (
                f"wrong output: {explain_json(case.compared(expected), _compared(case, observed))}"
            )
        fault = case.operation.output_fault(observed)
        if fault is not None:
            explained = f"the output does not match the schema of {case.operation.name}: {fault}"
            return f"wrong output: {explained}\n{explain_json(expected, observed)}"
        asked = Asked(
            operation=case.operation.name,
            reading=case.reading,
            input=case.vector.input,
            expected=case.expected,
            observed={"output": observed},
        )
        text = explain_difference(asked, case.system.explain, case.system.notation)
    except RecursionError:
        return "wrong output: nested too deeply to compare"
    return f"wrong output: {text}"


def _compared(case: Case, observed: JsonObject) -> JsonObject:
    """Return the part of an output that is compared; the whole output if its shape is odd."""
    try:
        return case.compared(observed)
    except Exception:  # noqa: BLE001 - the output is untrusted
        return observed


def _kept(reply: Reply) -> JsonObject:
    """Return the reply as results write it: the whole reply, or only the start if it is long."""
    text = _canonical(reply.to_json())
    if text is None:
        return {"truncated": {"kind": reply.kind, "why": "nested too deeply"}}
    if len(text) > _KEPT:
        start: Json = text[:_KEPT]
        return {"truncated": {"kind": reply.kind, "characters": len(text), "start": start}}
    return reply.to_json()


def _canonical(value: JsonObject) -> str | None:
    """Return the canonical text, or None if the value is nested too deeply."""
    try:
        return canonical_json(value)
    except RecursionError:
        return None
