"""The full validation of a value against a JSON Schema."""

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


class FullValidator:
    """A schema that is ready for use."""

    def __init__(self, schema: JsonObject) -> None:
        self._validator = _EcmaPatterns(schema)

    def best_fault(self, value: Any) -> tuple[str, str] | None:
        """Return the place of the most relevant fault and its message, or None."""
        error = best_match(self._validator.iter_errors(value))
        return None if error is None else (error.json_path, error.message)


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
