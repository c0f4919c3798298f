"""A call as a question to an adapter: its request, its expected answer, and its outcome.

Calls on which the adapter does not agree at once become cases with vectors of their own, so that
the runner and the judge treat them like any vector.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define, field

from rejoin_conformance.adapters.oracle import (
    answer_of,
    expected_answer,
    forms_agree,
    is_rejection,
    output_in_answer,
)
from rejoin_conformance.adapters.protocol import numbered
from rejoin_conformance.adapters.runner.cases import Case, Outcome
from rejoin_conformance.adapters.runner.declared import OwnCodes
from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.operation import Feature, Operation, Output, Rejected, Result
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.json_types import JsonObject

if TYPE_CHECKING:
    from rejoin_conformance.campaigns.adapter_questions import Questions


@define(eq=False)
class Asked:
    """A call under a reading, its request, the expected answer, and the outcome.

    It is a question for a worker, which becomes a case only if the adapter does not agree at once.

    rest: the request after its ID. answer: empty if it is not known yet. by_oracle: whether the
    oracle gave it. place: that of the call in the history, which names its case. agreed: whether
    the adapter agreed at once. case: the call as a case, if it needed one. outcome: that of the
    case. wrong: the oracle's answer, if the reference's is different.
    """

    questions: Questions = field(repr=False)
    call: Call
    reading: str
    rest: bytes
    answer: bytes = b""
    by_oracle: bool = False
    place: int = 0
    agreed: bool = False
    case: Case | None = None
    outcome: Outcome | None = None
    wrong: bytes = b""

    @property
    def _without(self) -> tuple[Feature, ...]:
        """Return the features of the operation that the adapter leaves out."""
        return self.questions.declared.left_out(self.call.operation)

    def output(self) -> JsonObject | None:
        """Return the expected output, or None if the call is rejected. Keep the answer."""
        if self.by_oracle:
            return output_in_answer(self.answer)
        result = self._by_reference()
        return result.value if isinstance(result, Output) else None

    def is_refused(self) -> bool:
        """Return whether the call is rejected. Keep the answer."""
        self.prepare()
        return is_rejection(self.answer)

    def request(self, number: int) -> bytes:
        """Return the line that asks it."""
        return numbered(number, self.rest)

    def prepare(self) -> None:
        """Compute the expected answer, unless it is known."""
        if not self.answer:
            self._by_reference()

    def _by_reference(self) -> Result:
        """Let the reference answer. Keep the answer."""
        operation = _operation(self.questions.system, self.call)
        result = operation.answer(self.call.input, self.reading)
        with_code = self.questions.codes is not None
        self.answer = answer_of(result, self._without, with_code=with_code)
        return result

    def is_passed_by(self, number: int, line: bytes) -> bool:
        """Return whether a line agrees with the expected answer, in any form of its text."""
        self.prepare()
        if line == numbered(number, self.answer):
            return True
        oracle, with_code = self.questions.oracle, self.questions.codes is not None
        if oracle is None or self._without or (with_code and is_rejection(self.answer)):
            return forms_agree(number, self.answer, line, self._without, with_code=with_code)
        return oracle.agree(number, self.answer, line)

    def as_case(self) -> Case:
        """Return the call as a case: the reference answers it."""
        if self.case is None:
            system, name, codes = self.questions.system, f"{self.place}", self.questions.codes
            self.case = case_of(system, self.call, self.reading, name, self._without, codes)
            self.prepare()
            said, answer = self.answer, expected_answer(self.case)
            if said != answer and not (is_rejection(said) and is_rejection(answer)):
                self.wrong, self.answer = said, answer
        return self.case


def case_of(
    system: System,
    call: Call,
    reading: str,
    name: str = "call",
    without: tuple[Feature, ...] = (),
    codes: OwnCodes | None = None,
) -> Case:
    """Return a call as a case. Its expected result is the reference's.

    without: the features of the operation that the adapter leaves out. codes: the adapter's names
    for codes, if codes are compared.
    """
    operation = _operation(system, call)
    result = operation.answer(call.input, reading)
    refused: JsonObject = (
        {"code": result.code} if codes is not None and isinstance(result, Rejected) else {}
    )
    expected: JsonObject = result.to_json() if isinstance(result, Output) else {"rejected": refused}
    return Case(
        vector=call.as_vector({reading: expected}, id=f"{system.name}/found/{name}"),
        reading=reading,
        system=system,
        operation=operation,
        without=without,
        codes=codes,
    )


def _operation(system: System, call: Call) -> Operation:
    found = system.operation(call.operation)
    assert found is not None, "the calls of a system are of its operations"
    return found
