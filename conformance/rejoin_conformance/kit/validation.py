"""JSON Schema validation with ECMAScript patterns.

In a pattern of JSON Schema, `$` matches only the end of the text. In Python it also matches before
a final newline, so a schema for hex would accept one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final

from attrs import frozen
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from jsonschema.protocols import Validator
from jsonschema.validators import extend

from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.quick_schemas import Test, quick_test

LONGEST_MESSAGE: Final = 200
_CONSTANTS: Final = {"None": "null", "True": "true", "False": "false"}


@frozen(eq=False)
class SchemaValidator:
    """A schema that is ready for use. quick: see `quick_schemas`. full: decides if it says no."""

    quick: Test
    full: Validator


def validator(schema: JsonObject) -> SchemaValidator:
    """Return a validator for one schema. Keep it: to create one costs more than to use it."""
    return SchemaValidator(quick_test(schema), _EcmaPatterns(schema))


def schema_fault(against: SchemaValidator, value: Any) -> str | None:
    """Return one line on where and why a value does not match, or None if it matches."""
    if against.quick(value):
        return None
    error = best_match(against.full.iter_errors(value))
    if error is None:
        return None
    message = _in_json(error.message)
    if len(message) > LONGEST_MESSAGE:
        message = message[:LONGEST_MESSAGE] + "..."
    return f"{error.json_path}: {message}"


def _in_json(message: str) -> str:
    """Return a message about a value of Python with the value as JSON writes it."""
    value, space, rest = message.partition(" ")
    return f"{_CONSTANTS.get(value, value)}{space}{rest}"


def _pattern(
    _validator: Validator, pattern: str, instance: object, _schema: Any
) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not _compiled(pattern).search(instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Return the pattern for Python. The suite's schemas use `$` only at the end."""
    return re.compile(pattern.removesuffix("$") + r"\Z" if pattern.endswith("$") else pattern)


_extend: Callable[..., Any] = extend  # the function is not typed in full
_EcmaPatterns: Final = _extend(Draft202012Validator, {"pattern": _pattern})
