"""The forms of JSON: annotations that restrict it, and the error for JSON of another form.

An annotation can be more specific than a type: `BigInt` is a decimal string, and
`Annotated[int, within(0, 7)]` has a range. The metadata of an attribute can give it another name in
JSON (`named`), or omit it if it has its default value (`OPTIONAL`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, TypeAlias

import attrs
from attrs import frozen

from rejoin_conformance.kit.text import shown_line

_LONGEST_SHOWN: Final = 60
_NAME: Final = "json name"
_OPTIONAL: Final = "json optional"

OPTIONAL: Final[Mapping[str, object]] = {_OPTIONAL: True}
"""Metadata of an attribute that JSON omits if it has its default value."""


def named(name: str) -> Mapping[str, object]:
    """Return the metadata of an attribute that has another name in JSON."""
    return {_NAME: name}


class MalformedError(ValueError):
    """JSON does not have the expected form; the message is one line with the place and the form."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
        self.place = ""

    def inside(self, step: str) -> MalformedError:
        """Return the same error with a path that starts at the containing value."""
        self.place = step + self.place
        return self

    def __str__(self) -> str:
        return f"${self.place}: {self.message}"


def unexpected(expected: str, found: object) -> MalformedError:
    """Return the error for a value that does not have the expected form."""
    return MalformedError(f"expected {expected}, found {shown_value(found)}")


def shown_value(value: object) -> str:
    """Return a JSON value in a few words; a long or deep value is abbreviated."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() if -(10**_LONGEST_SHOWN) < value < 10**_LONGEST_SHOWN:
            return str(value)
        case int():
            return "a longer integer"
        case str():
            return f'"{shown_line(value, _LONGEST_SHOWN)}"'
        case list():
            return f"a list of length {len(value)}"
        case dict():
            return "an object"
        case _:
            return f"a value of the type {type(value).__name__}"


@frozen
class Where:
    """`Annotated[T, Where(...)]` is a T that passes a test. expected: a description of such a T."""

    test: Callable[[Any], bool]
    expected: str


def within(low: int, high: int | None = None) -> Where:
    """Return the test for integers from `low` to `high`, both included."""
    if high is None:
        return Where(lambda value: value >= low, f"an integer of at least {low}")
    return Where(lambda value: low <= value <= high, f"an integer from {low} to {high}")


NOT_EMPTY: Final = Where(bool, "a value that is not empty")

DECIMAL: Final = re.compile(r"0|-?[1-9][0-9]{0,99}")
"""The text of an integer of at most 100 digits."""

IS_DECIMAL: Final = Where(lambda _value: True, "a decimal number as a string")
BigInt: TypeAlias = Annotated[int, IS_DECIMAL]
"""An integer of at most 100 digits; a decimal string in JSON, because it may exceed 2^53."""


def json_name(attribute: attrs.Attribute[Any]) -> str:
    """Return the name of an attribute in JSON."""
    name: str = attribute.metadata.get(_NAME, attribute.name)
    return name


def is_optional(attribute: attrs.Attribute[Any]) -> bool:
    """Return whether JSON can omit an attribute."""
    return _OPTIONAL in attribute.metadata
