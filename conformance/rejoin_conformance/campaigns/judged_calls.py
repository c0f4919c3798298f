"""A batch of calls, with their expected answers by the oracle or the reference.

The oracle answers the operations that it knows, and the reference the other ones. The reference
also answers a call if the adapter disagrees with the oracle, and a sample of the other calls. If
both answered, the reference's answer counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from attrs import define, field

from rejoin_conformance.adapters.oracle import (
    Oracle,
    answer_of,
    codes_agree,
    expected_answer,
    forms_agree,
    is_rejection,
    output_in_answer,
)
from rejoin_conformance.adapters.protocol import unnumbered
from rejoin_conformance.adapters.runner.batch import Batch
from rejoin_conformance.adapters.runner.cases import Case
from rejoin_conformance.adapters.runner.declared import Declared
from rejoin_conformance.adapters.runner.own_codes import OwnCodes
from rejoin_conformance.adapters.runner.verdict import Outcome
from rejoin_conformance.contract.feature import Feature
from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.operation import Operation, Output, Rejected, Result
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.json_types import JsonObject


@define(eq=False)
class Answers:
    """The expected answers of a history's calls under one reading.

    codes: the adapter's names for codes, if codes are compared.
    known: request -> the answer, and whether the oracle gave it, for the calls whose answers the
    generator of calls needed.
    """

    system: System
    reading: str
    declared: Declared
    oracle: Oracle | None
    codes: OwnCodes | None = None
    known: dict[bytes, tuple[bytes, bool]] = field(factory=dict)

    def output(self, call: Call) -> JsonObject | None:
        """Return the output of a call, or None if it is rejected. Keep the answer."""
        request = self.request(call)
        said = self._by_oracle(call, request)
        if said is not None:
            self.known[request] = said, True
            return output_in_answer(said)
        result = self.operation(call).answer(call.input, self.reading)
        self.known[request] = self._said(result, call), False
        return result.value if isinstance(result, Output) else None

    def of(self, call: Call, request: bytes) -> tuple[bytes, bool]:
        """Return the answer to a call, and whether it is the oracle's."""
        if request in self.known:
            return self.known[request]
        said = self._by_oracle(call, request)
        if said is not None:
            return said, True
        result = self.operation(call).answer(call.input, self.reading)
        return self._said(result, call), False

    def request(self, call: Call) -> bytes:
        """Return the request of a call after its ID."""
        return unnumbered(call.operation, self.reading, call.text)

    def operation(self, call: Call) -> Operation:
        """Return the operation of a call."""
        found = self.system.operation(call.operation)
        assert found is not None, "the calls of a system are of its operations"
        return found

    def left_out(self, call: Call) -> tuple[Feature, ...]:
        """Return the features of a call's operation that the adapter leaves out."""
        return self.declared.left_out(call.operation)

    def _said(self, result: Result, call: Call) -> bytes:
        return answer_of(result, self.left_out(call), with_code=self.codes is not None)

    def _by_oracle(self, call: Call, request: bytes) -> bytes | None:
        oracle = self.oracle
        if oracle is None or not oracle.answers(call.operation, self.reading):
            return None
        return None if self.left_out(call) else oracle.answer(request)


class CallBatch(Batch):
    """The batch of some calls. It makes each case once.

    cases: place -> the call as a case, if it needed one. After the calls were asked, outcomes:
    place -> the outcome, unless the adapter agreed at once; answers: the expected answers of the
    calls that were asked, which are the first ones; wrong: place -> the oracle's answer, if the
    reference's answer is different.
    """

    def __init__(self, calls: Sequence[Call], expected: Answers, heard: Callable[[], None]) -> None:
        super().__init__([*map(expected.request, calls)], heard)
        self.cases: dict[int, Case] = {}
        self.outcomes: dict[int, Outcome] = {}
        self.answers: list[bytes] = []
        self.wrong: dict[int, bytes] = {}
        self._calls = calls
        self._expected = expected
        self._by_oracle: set[int] = set()

    @property
    def by_oracle(self) -> int:
        """Return the number of answers by the oracle, to calls that were asked."""
        return sum(each < len(self.answers) for each in self._by_oracle)

    @property
    def compared(self) -> int:
        """Return the number of these answers that the reference computed too."""
        return sum(each < len(self.answers) and each in self.cases for each in self._by_oracle)

    def answer(self, place: int) -> bytes:
        """Return an answer. They are computed in the order of the calls."""
        while len(self.answers) <= place:
            at = len(self.answers)
            answer, by_oracle = self._expected.of(self._calls[at], self.requests[at])
            self.answers.append(answer)
            if by_oracle:
                self._by_oracle.add(at)
        return self.answers[place]

    def agrees(self, place: int, number: int, reply: bytes) -> bool:
        """Return whether a reply agrees, if its bytes are not those of the answer."""
        oracle, without = self._expected.oracle, self._expected.left_out(self._calls[place])
        if self._expected.codes is not None and is_rejection(self.answer(place)):
            return codes_agree(number, self.answer(place), reply)
        if oracle is None or without:
            return forms_agree(number, self.answer(place), reply, without)
        return oracle.agree(number, self.answer(place), reply)

    def case(self, place: int) -> Case:
        """Return a call as a case: the reference answers it."""
        if place not in self.cases:
            call, expected = self._calls[place], self._expected
            self.cases[place] = case = case_of(
                expected.system,
                expected.operation(call),
                call,
                expected.reading,
                str(place),
                expected.left_out(call),
                expected.codes,
            )
            said, answer = self.answer(place), expected_answer(case)
            if said != answer and not (is_rejection(said) and is_rejection(answer)):
                self.wrong[place], self.answers[place] = said, answer
        return self.cases[place]

    def wrongly_agreed(self, checked: Iterable[int]) -> list[Case]:
        """Let the reference check some answers. Return the cases in which the oracle is wrong."""
        places = [each for each in checked if each < self.agreed and each in self._by_oracle]
        cases = [(each, self.case(each)) for each in places]
        return [case for place, case in cases if place in self.wrong]

    def end(self, asked: int) -> None:
        """Take note that only the first calls were asked."""
        self.answers = [*map(self.answer, range(asked))]


def case_of(
    system: System,
    operation: Operation,
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
