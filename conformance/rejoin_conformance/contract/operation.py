"""An operation: the unit in which any implementation is tested.

It is a pure function from a JSON object to a JSON object. Its result is either an `Output`, or
`Rejected` with a reason and a code. Reasons are shown to people and never compared.

A feature is a part of an operation that an implementation can leave out. It names the features that
it leaves out. It is then asked nothing that needs them, and the parts of an output that it leaves
out are not compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Final, TypeAlias

from attrs import define, field, frozen
from jsonschema_rs import Draft202012Validator

from rejoin.errors import RejoinError
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.validation import schema_fault, validator

Change: TypeAlias = Callable[[JsonObject], JsonObject]
"""A function that returns a changed copy of an input or an output."""


def _never(_: JsonObject) -> bool:
    return False


@frozen(kw_only=True)
class Feature:
    """A part of an operation.

    name: unique in its operation. summary: what an implementation without it cannot do, as the
        documentation says it.
    needed_by: whether an input that matches the schema needs the feature.
    reduced: an input that needs the feature -> a similar input that does not need it. Random
        histories ask the similar input instead. None if there is no such input.
    dropped: an output of the reference -> the output without the part that this feature adds. The
        function also takes an output of an adapter that matches no schema; it can then raise any
        exception. None if the feature concerns inputs only.
    """

    name: str
    summary: str
    needed_by: Callable[[JsonObject], bool] = _never
    reduced: Change | None = None
    dropped: Change | None = None


def needed(features: Iterable[Feature], value: JsonObject) -> str:
    """Return the name of the first feature that an input needs, or an empty text."""
    return next((each.name for each in features if each.needed_by(value)), "")


def reduced(features: Iterable[Feature], value: JsonObject) -> JsonObject:
    """Return an input without the given features, as far as they can be taken out of it."""
    for each in features:
        if each.reduced is not None and each.needed_by(value):
            value = each.reduced(value)
    return value


def dropped(features: Iterable[Feature], output: JsonObject) -> JsonObject:
    """Return an output without the parts that the given features add."""
    for each in features:
        if each.dropped is not None:
            output = each.dropped(output)
    return output


@frozen
class Output:
    """An operation's answer to input that it accepts."""

    value: JsonObject

    def to_json(self) -> JsonObject:
        """Return the output as vectors and adapters write it."""
        return {"output": self.value}


@frozen
class Rejected:
    """An operation's refusal of its input."""

    reason: str
    code: str = ""

    def to_json(self) -> JsonObject:
        """Return the refusal as adapters write it. The reason is never compared."""
        code: JsonObject = {"code": self.code} if self.code else {}
        return {"rejected": {**code, "reason": self.reason}}


Result: TypeAlias = Output | Rejected

Perform: TypeAlias = Callable[[JsonObject, str], JsonObject]
"""(input, name of the reading) -> output. Raises RejoinError to refuse the input."""


@define(frozen=True, slots=False)
class Operation:
    """A named operation with the schemas of its input and output.

    name: `system/operation`, as in the adapter protocol.
    perform: the reference's function. It raises `RejoinError` for input that the protocol refuses.
    second: a second evaluation of the reference, or None if it has only one. For every input, both
        return the same output or raise errors with the same code and message.
    features: the parts of the operation that an implementation can leave out.
    step_words: for an operation whose output has a list `steps`: an input -> a word for each step,
        such as `poll`. It keeps differences at different kinds of steps apart.
    steps_of: for an optional operation that lists the steps of another one, the name of the other
        operation; see `contract/step.py`. Both take the same input.
    """

    name: str
    summary: str
    input_schema: JsonObject = field(repr=False)
    output_schema: JsonObject = field(repr=False)
    perform: Perform = field(repr=False)
    second: Perform | None = field(default=None, repr=False)
    features: tuple[Feature, ...] = field(default=(), repr=False)
    step_words: Callable[[JsonObject], Sequence[str]] | None = field(default=None, repr=False)
    steps_of: str = ""

    @property
    def system(self) -> str:
        """Return the name of the operation's system."""
        return self.name.partition("/")[0]

    @cached_property
    def _input_validator(self) -> Draft202012Validator:
        return validator(self.input_schema)

    @cached_property
    def _output_validator(self) -> Draft202012Validator:
        return validator(self.output_schema)

    def input_fault(self, value: object) -> str | None:
        """Return one line on why `value` does not match the input schema, or None."""
        return schema_fault(self._input_validator, value)

    def output_fault(self, value: object) -> str | None:
        """Return one line on why `value` does not match the output schema, or None."""
        return schema_fault(self._output_validator, value)

    def run(self, value: JsonObject, reading: str) -> Result:
        """Return the reference's result under a reading. Reject input that breaks the schema."""
        return self.misfit(value) or self.answer(value, reading)

    def answer(self, value: JsonObject, reading: str) -> Result:
        """Return the reference's result for input that is known to match the schema."""
        return _result(self.perform, value, reading)

    def answer_second(self, value: JsonObject, reading: str) -> Result | None:
        """Return the second evaluation's result for input that is known to match the schema."""
        return None if self.second is None else _result(self.second, value, reading)

    def misfit(self, value: JsonObject) -> Rejected | None:
        """Return the refusal of input that breaks the schema, or None."""
        fault = self.input_fault(value)
        if fault is None:
            return None
        return Rejected(f"the input does not match the schema of {self.name}: {fault}", "input")


def _result(perform: Perform, value: JsonObject, reading: str) -> Result:
    try:
        return Output(perform(value, reading))
    except RejoinError as error:
        return Rejected(str(error), error.code)


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
