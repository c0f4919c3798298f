"""JSON Schema validation, in which a pattern means what it means in ECMAScript."""

from __future__ import annotations

from typing import Any, Final

from jsonschema_rs import Draft202012Validator, ValidationError, ValidationErrorKind

LONGEST_MESSAGE: Final = 200
_STAND_INS: Final = {half: half - 0xD800 + 0xE000 for half in range(0xD800, 0xE000)}
"""Unpaired surrogate -> the private character that stands for it: UTF-8 has no surrogates."""


validator: Final = Draft202012Validator
"""Makes the validator of a schema. Keep it: to create one costs more than to use it."""


def schema_fault(against: Draft202012Validator, value: Any) -> str | None:
    """Return one line on where and why a value does not match, or None if it matches."""
    try:
        fits = against.is_valid(value)
    except UnicodeEncodeError:
        value = _encodable(value)
        fits = against.is_valid(value)
    if fits:
        return None
    try:
        errors = [*against.iter_errors(value)]
    except (ValueError, RecursionError):
        return "$: does not match the schema, and is nested too deeply to say where"
    worst = min(map(_deepest, errors), key=_distance)
    message = worst.message
    cut = message[:LONGEST_MESSAGE] + "..." if len(message) > LONGEST_MESSAGE else message
    return f"{_place(worst)}: {cut}"


def _distance(error: ValidationError) -> int:
    """Return how near the root an error is: an error near the root says more about the value."""
    return len(error.instance_path)


def _deepest(error: ValidationError) -> ValidationError:
    """Return the error of the alternative that fits best, if a value fits none of several."""
    while isinstance(error.kind, ValidationErrorKind.AnyOf) and any(error.kind.context):
        error = min((min(each, key=_distance) for each in error.kind.context if each), key=_rank)
    return error


def _rank(error: ValidationError) -> tuple[bool, int]:
    """Return how badly an alternative fits. One with a wrong constant is another kind of value."""
    other = isinstance(error.kind, ValidationErrorKind.Constant | ValidationErrorKind.Enum)
    return other, -_distance(error)


def _place(error: ValidationError) -> str:
    return "$" + "".join(_written(each) for each in error.instance_path)


def _written(part: str | int) -> str:
    return f"[{part}]" if isinstance(part, int) else f".{part}"


def _encodable(value: Any) -> Any:
    """Return a value with private characters for its unpaired surrogates."""
    match value:
        case str():
            return value.translate(_STAND_INS)
        case list():
            return [_encodable(each) for each in value]
        case dict():
            return {_encodable(name): _encodable(each) for name, each in value.items()}
        case _:
            return value
