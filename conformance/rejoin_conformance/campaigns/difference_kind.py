"""The kind of a difference between an adapter and the reference: one class of findings.

Differences with different causes should not be in one class. So a kind names the operation and the
fault, and:
- for a wrong output, the place of the first difference and the way in which it differs. In a
  scenario, this is the first step whose output differs, named by its action.
- for an accepted input, the code with which the reference refuses it.
- for an error, the name of the exception, if the message begins with one.

A kind contains no text of the adapter but that name, so there are not many kinds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from rejoin_conformance.adapters.runner.verdict import Outcome
from rejoin_conformance.contract.operation import Rejected
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json

_EXCEPTION: Final = re.compile(r"[A-Z][A-Za-z]{2,30}(?:Error|Exception)\b")
_DEEP: Final = 40
"""The depth after which a place is not followed further."""


def kind_of(outcome: Outcome) -> str:
    """Return the operation and the kind of the difference, as `OPERATION FAULT MORE`."""
    kind = f"{outcome.case.operation.name} {outcome.fault or outcome.verdict}"
    match outcome.fault:
        case "wrong-output":
            more = _of_outputs(outcome)
        case "wrongly-accepted":
            case = outcome.case
            answer = case.operation.answer(case.vector.input, case.reading)
            more = answer.code if isinstance(answer, Rejected) else ""
        case "error":
            said = (outcome.observed or {}).get("error")
            message = said.get("message") if isinstance(said, dict) else ""
            found = _EXCEPTION.match(message) if isinstance(message, str) else None
            more = found[0] if found else ""
        case _:
            more = ""
    return f"{kind} {more}".rstrip()


def _of_outputs(outcome: Outcome) -> str:
    """Return the step, the place and the manner of the first difference of two outputs."""
    case = outcome.case
    expected, observed = case.expected.get("output"), (outcome.observed or {}).get("output")
    if not isinstance(expected, dict) or not isinstance(observed, dict):
        return "too long to compare"
    try:
        expected, observed = case.compared(expected), case.compared(observed)
    except Exception:  # noqa: BLE001 - the output is untrusted
        return "not in the schema"
    words = {*_words_of(case.operation.output_schema)}
    if case.operation.step_words is not None:
        step = _first_step(expected.get("steps"), observed.get("steps"))
        if step is not None:
            number, one, other = step
            actions = case.operation.step_words(case.vector.input)
            action = actions[number] if number < len(actions) else "the end"
            return f"at {action}: {_difference(one, other, words)}"
    return _difference(expected, observed, words)


def _first_step(expected: Json, observed: Json) -> tuple[int, Json, Json] | None:
    """Return the first step that differs: its number, and both sides. None if all are equal."""
    if not isinstance(expected, list) or not isinstance(observed, list):
        return None
    for number, (one, other) in enumerate(zip(expected, observed, strict=False)):
        if canonical_json(one) != canonical_json(other):
            return number, one, other
    return None


def _difference(expected: Json, observed: Json, words: set[str]) -> str:
    """Return the place and the manner of the first difference of two values.

    words: the fields and the constants of the schema. Other fields are names, such as those of
    clients, and become `*`.
    """
    place: list[str] = []
    for _ in range(_DEEP):
        if isinstance(expected, dict) and isinstance(observed, dict):
            name = _first_field(expected, observed)
            place.append(name if name in words else "*")
            if name not in observed or name not in expected:
                return _at(place, "missing" if name in expected else "unexpected")
            expected, observed = expected[name], observed[name]
        elif isinstance(expected, list) and isinstance(observed, list):
            step = _first_step(expected, observed)
            if step is None:
                return _at(place, "too short" if len(expected) > len(observed) else "too long")
            place.append("[]")
            _, expected, observed = step
        else:
            break
    return _at(place, _manner(expected, observed, words))


def _at(place: list[str], manner: str) -> str:
    path = ".".join(place).replace(".[]", "[]")
    return f"{path} {manner}" if path else manner


def _first_field(expected: JsonObject, observed: JsonObject) -> str:
    """Return the first field that differs: fields that both have come first."""
    shared = sorted({*expected} & {*observed})
    differing = (
        name for name in shared if canonical_json(expected[name]) != canonical_json(observed[name])
    )
    return next(differing, None) or min({*expected} ^ {*observed})


def _manner(expected: Json, observed: Json, words: set[str]) -> str:
    sides = [_word(observed, words), _word(expected, words)]
    if all(sides):
        return f"{sides[0]} instead of {sides[1]}"
    if isinstance(expected, int) and isinstance(observed, int):
        return "too small" if observed < expected else "too large"
    return "differs" if type(expected) is type(observed) else "is of another type"


def _word(value: Json, words: set[str]) -> str:
    if value is None or isinstance(value, bool):
        return canonical_json(value)
    return value if isinstance(value, str) and value in words else ""


def _words_of(schema: Any) -> Iterator[str]:
    """Yield the names of fields and the constant texts of a schema."""
    if isinstance(schema, list):
        for each in schema:
            yield from _words_of(each)
    elif isinstance(schema, dict):
        yield from (each for each in schema.get("enum", ()) if isinstance(each, str))
        for name, each in schema.items():
            if name == "properties":
                yield from each
                yield from _words_of([*each.values()])
            elif name not in {"enum", "const", "required", "default", "description"}:
                yield from _words_of(each)
