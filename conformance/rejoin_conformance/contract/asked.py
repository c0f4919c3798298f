"""One question of an operation, the answer that is expected, and the answer that was observed."""

from __future__ import annotations

from typing import Final, TypeAlias

from attrs import frozen

from rejoin_conformance.kit.json_types import JsonObject

Labels: TypeAlias = tuple[str, str]
"""The names of the two sides."""

SIDES: Final[Labels] = ("expected", "observed")


@frozen(kw_only=True)
class Asked:
    """A question in a reading, with both answers as far as they are known.

    operation: its full name. expected: the right answer, as vectors write it: `{"output": ...}` or
        `{"rejected": {}}`, perhaps with a `code`. observed: the answer of an implementation, which
        can also be an error. It can come from an adapter: its output can then be anything.
    labels: the names of both answers in an explanation.
    """

    operation: str
    reading: str
    input: JsonObject
    expected: JsonObject | None = None
    observed: JsonObject | None = None
    labels: Labels = SIDES

    @property
    def system(self) -> str:
        """Return the name of the system that the operation belongs to."""
        return self.operation.partition("/")[0]

    @property
    def outputs(self) -> tuple[JsonObject, ...]:
        """Return the outputs of both answers, as far as they have one."""
        return tuple(
            output
            for output in map(output_in, (self.expected, self.observed))
            if output is not None
        )

    @property
    def expected_output(self) -> JsonObject:
        """Return the expected output; an empty object if there is none."""
        return output_in(self.expected) or {}

    @property
    def observed_output(self) -> JsonObject:
        """Return the observed output; an empty object if there is none."""
        return output_in(self.observed) or {}


def code_in(answer: JsonObject | None) -> str:
    """Return the code of a rejection; empty if the answer is none or has none."""
    rejected = None if answer is None else answer.get("rejected")
    code = rejected.get("code") if isinstance(rejected, dict) else None
    return code if isinstance(code, str) else ""


def output_in(answer: JsonObject | None) -> JsonObject | None:
    """Return the output of an answer, or None if it has none."""
    output = None if answer is None else answer.get("output")
    return output if isinstance(output, dict) else None
