"""JSON Schema validation with ECMAScript patterns.

In a pattern of JSON Schema, `$` matches only the end of the text. In Python it also matches before
a final newline, so a schema for hex would accept one.

The quick test accepts nearly every value, so the full validator is imported for the others.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from attrs import frozen

from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.quick_schemas import Test, quick_test

if TYPE_CHECKING:
    from rejoin_conformance.kit.full_validation import FullValidator

LONGEST_MESSAGE: Final = 200
_CONSTANTS: Final = {"None": "null", "True": "true", "False": "false"}


@frozen(eq=False)
class SchemaValidator:
    """A schema that is ready for use.

    quick: see `quick_schemas`. The full validation decides if it says no.
    """

    schema: JsonObject
    quick: Test

    @cached_property
    def full(self) -> FullValidator:
        """Return the full validator."""
        from rejoin_conformance.kit import full_validation  # noqa: PLC0415 - slow, rarely needed

        return full_validation.FullValidator(self.schema)


def validator(schema: JsonObject) -> SchemaValidator:
    """Return a validator for one schema. Keep it: to create one costs more than to use it."""
    return SchemaValidator(schema, quick_test(schema))


def schema_fault(against: SchemaValidator, value: Any) -> str | None:
    """Return one line on where and why a value does not match, or None if it matches."""
    if against.quick(value):
        return None
    found = against.full.best_fault(value)
    if found is None:
        return None
    path, said = found
    message = _in_json(said)
    if len(message) > LONGEST_MESSAGE:
        message = message[:LONGEST_MESSAGE] + "..."
    return f"{path}: {message}"


def _in_json(message: str) -> str:
    """Return a message about a value of Python with the value as JSON writes it."""
    value, space, rest = message.partition(" ")
    return f"{_CONSTANTS.get(value, value)}{space}{rest}"
