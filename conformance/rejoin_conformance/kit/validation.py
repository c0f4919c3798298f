"""JSON Schema validation as its authors mean it, where Python's would differ.

Patterns of JSON Schema are ECMAScript's: `$` is the end of the text. In Python it also matches in
front of a final newline, so a schema for hex would let one through.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from jsonschema.protocols import Validator
from jsonschema.validators import extend

from rejoin_conformance.kit.json_types import JsonObject

LONGEST_MESSAGE: Final = 200


def validator(schema: JsonObject) -> Validator:
    """A validator for one schema, to be kept: making one costs more than using it."""
    made: Validator = _EcmaPatterns(schema)
    return made


def schema_fault(against: Validator, value: Any) -> str | None:
    """Where and why a value does not match, in one line; None where it does."""
    error = best_match(against.iter_errors(value))
    if error is None:
        return None
    message = error.message
    if len(message) > LONGEST_MESSAGE:
        message = message[:LONGEST_MESSAGE] + "..."
    return f"{error.json_path}: {message}"


def _pattern(
    _validator: Validator, pattern: str, instance: object, _schema: Any
) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not _compiled(pattern).search(instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """The pattern for Python: the suite's own schemas use `$` at their end only."""
    return re.compile(pattern.removesuffix("$") + r"\Z" if pattern.endswith("$") else pattern)


_extend: Callable[..., Any] = extend  # the function is not typed in full
_EcmaPatterns: Final = _extend(Draft202012Validator, {"pattern": _pattern})
