"""The cases of a run, and their outcomes: a verdict and its explanation.

The cases are the selected vectors, in the readings that the adapter follows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, Literal, Protocol, TypeAlias, get_args

from attrs import field, frozen

from rejoin_conformance.adapters.protocol import Hello, numbered, output_after_id, run_line
from rejoin_conformance.adapters.run_options import Selection, WrongUsageError
from rejoin_conformance.adapters.runner.declared import DeclarationError, OwnCodes, declared_by
from rejoin_conformance.contract.operation import (
    Asked,
    Feature,
    Operation,
    code_in,
    dropped,
    needed,
)
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.kit.json_types import JsonObject, canonical_json


class UndeclaredReadingError(DeclarationError):
    """The adapter declares a reading that the system does not have."""


class Question(Protocol):
    """What a worker asks: a case, or what becomes one if the reply is not as expected."""

    def request(self, number: int) -> bytes:
        """Return the line that asks it. number: the ID of the request."""

    def prepare(self) -> None:
        """Compute what a reply is compared with; called when the request has been sent."""

    def is_passed_by(self, number: int, line: bytes) -> bool:
        """Return whether a line is a reply as expected. number: the ID of the request."""

    def as_case(self) -> Case:
        """Return the question as a case."""


@frozen(kw_only=True)
class Case:
    """A vector in one reading. It is asked once and has one verdict.

    without: the features of the operation that the adapter leaves out. The outputs are compared
        without the parts that these features add.
    missing: the name of a feature that the input needs and the adapter leaves out; the case is then
        not asked. Empty if there is none.
    codes: the adapter's names for codes, if codes are compared.
    """

    vector: Vector
    reading: str
    system: System
    operation: Operation
    without: tuple[Feature, ...] = ()
    missing: str = ""
    codes: OwnCodes | None = field(default=None, repr=False)

    @property
    def key(self) -> tuple[str, str]:
        """Return the unique key of the case in a run: the vector's ID and the reading."""
        return (self.vector.id, self.reading)

    @property
    def expected(self) -> JsonObject:
        """Return the expected result: `{"output": ...}` or `{"rejected": {}}`."""
        return self.vector.expected[self.reading]

    @cached_property
    def expected_text(self) -> str:
        """Return the canonical text of the expected output; empty for a rejection."""
        output = self.expected.get("output")
        return "" if not isinstance(output, dict) else canonical_json(self.compared(output))

    def request(self, number: int) -> bytes:
        """Return the line that asks the case. number: the ID of the request."""
        return run_line(number, self.operation.name, self.reading, self.vector.input)

    def prepare(self) -> None:
        """Compute nothing: the expected text is computed once, for the first reply."""

    def as_case(self) -> Case:
        """Return this case."""
        return self

    def is_passed_by(self, number: int, line: bytes) -> bool:
        """Return whether a line is the expected output in canonical form.

        Such a line passes without parsing, because `judge` compares canonical texts. number: the ID
        of the request.
        """
        if self.without or "output" not in self.expected:
            return False
        return line == numbered(number, output_after_id(self.expected_text))

    def why_wrong_code(self, said: str) -> str:
        """Return why the code of a rejection is wrong; empty if it is right, or not compared."""
        code = code_in(self.expected)
        if self.codes is None or not code:
            return ""
        return self.codes.why_wrong(self.system.name, code, said)

    def compared(self, output: JsonObject) -> JsonObject:
        """Return the part of an output that is compared. An odd output can raise any exception."""
        return dropped(self.without, output)


def with_feature(operation: str, feature: str) -> str:
    """Return the name of what an adapter lacks. feature: of the operation; empty for all of it."""
    return f"{operation} with {feature}" if feature else operation


def cases_of(
    systems: Sequence[System],
    vectors: Mapping[str, Sequence[Vector]],
    selection: Selection,
    hello: Hello,
    codes: OwnCodes | None = None,
) -> Iterator[Case]:
    """Yield the cases of a run in the order of the corpus, declared by the adapter or not.

    vectors: system -> its corpus. codes: the adapter's names for codes, if codes are compared.
    Raises DeclarationError if the adapter declares a reading that the system does not have, or
    leaves out a feature that an operation does not have.
    """
    declared = declared_by(hello, systems)
    for system in systems:
        readings = readings_of(system, selection, hello)
        operations = {operation.name: operation for operation in system.operations}
        for vector in vectors[system.name]:
            if vector.operation in operations and selection.chooses(vector):
                without = declared.left_out(vector.operation)
                missing = needed(without, vector.input) if without else ""
                for reading in readings:
                    if reading in vector.readings:
                        yield Case(
                            vector=vector,
                            reading=reading,
                            system=system,
                            operation=operations[vector.operation],
                            without=without,
                            missing=missing,
                            codes=codes,
                        )


def refuse_unknown_readings(readings: Sequence[str], systems: Sequence[System]) -> None:
    """Raise WrongUsageError for a reading that no one of some systems has."""
    known = sorted({name for system in systems for name in system.every_reading})
    for reading in readings:
        if reading not in known:
            others = [each.name for each in all_systems() if reading in each.every_reading]
            of = ", ".join(system.name for system in systems)
            where = f" of {of}, but of {', '.join(others)}" if others else ""
            choose = f"choose one of {', '.join(known)}"
            raise WrongUsageError(f"there is no reading {reading!r}{where}; {choose}")


def readings_of(system: System, selection: Selection, hello: Hello) -> tuple[str, ...]:
    """Return the readings of a system's cases: selected, else declared, else its default."""
    chosen = tuple(name for name in selection.readings if name in system.every_reading)
    if chosen:
        return chosen
    declared = hello.readings.get(system.name) or (system.default_reading,)
    for name in declared:
        if name not in system.every_reading:
            known = ", ".join(system.every_reading)
            raise UndeclaredReadingError(
                f"the adapter declares the reading {name[:80]!r} of {system.name}; "
                f"the readings are {known}"
            )
    return tuple(dict.fromkeys(declared))


Verdict: TypeAlias = Literal["pass", "fail", "crash", "timeout", "protocol-error", "not-declared"]
VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
FAILURES: Final = frozenset({"fail", "crash", "timeout", "protocol-error"})
"""The verdicts that make an adapter not conformant."""
BREAKS: Final = FAILURES - {"fail"}
"""The verdicts without an answer. They end a process and take time."""

WRONG_REASON: Final = "wrong-reason"
Fault: TypeAlias = Literal[
    "", "wrong-output", "wrongly-accepted", "wrongly-rejected", "wrong-reason", "error"
]
"""The kind of a `fail`. `error` means that a declared operation answered with an error, and
`wrong-reason` that input was rejected, as it must be, but with another code."""


@frozen(kw_only=True)
class Outcome:
    """The verdict on a case.

    observed: the reply without its number; None if there was no reply.
    explanation: text for people, with the fault in the first line. Empty for `pass`.
    stderr: the end of standard error, for a failure. It varies from run to run.
    microseconds: the time from the request to the reply, including waiting. It varies.
    missing: the feature that the input needs and a declared operation leaves out, for
        `not-declared`.
    first_attempt: if the case was asked twice, how the first conversation broke. It can vary.
    restarted: whether the answer needed another process: the first one broke, and no case that
        breaks a process alone explains that. It can vary.
    """

    case: Case
    verdict: Verdict
    fault: Fault = ""
    observed: JsonObject | None = None
    explanation: str = ""
    missing: str = ""
    stderr: str = ""
    microseconds: int = 0
    first_attempt: str = ""
    restarted: bool = False

    @property
    def asked(self) -> Asked:
        """Return the question with both answers."""
        return Asked(
            operation=self.case.operation.name,
            reading=self.case.reading,
            input=self.case.vector.input,
            expected=self.case.expected,
            observed=self.observed,
        )
