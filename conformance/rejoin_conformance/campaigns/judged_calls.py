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
    known: request -> the answer, and whether the oracle gave it.
    """

    system: System
    reading: str
    declared: Declared
    oracle: Oracle | None
    codes: OwnCodes | None = None
    known: dict[bytes, tuple[bytes, bool]] = field(factory=dict)
    _oracles: dict[str, Oracle | None] = field(factory=dict)
    _requests: dict[int, tuple[Call, bytes]] = field(factory=dict)  # with the call, to keep its ID

    def forget(self) -> None:
        """Forget the calls of the last history."""
        self.known.clear()
        self._requests.clear()

    def output(self, call: Call) -> JsonObject | None:
        """Return the output of a call, or None if it is rejected. Keep the answer."""
        said, by_oracle = self.known.get(self._ask(call), (b"", False))
        if by_oracle:
            return output_in_answer(said)
        result = self.operation(call).answer(call.input, self.reading)
        self._keep(call, result)
        return result.value if isinstance(result, Output) else None

    def refuses(self, call: Call) -> bool:
        """Return whether a call is rejected. Keep the answer."""
        return is_rejection(self.of(call)[0])

    def of(self, call: Call) -> tuple[bytes, bool]:
        """Return the answer to a call, and whether it is the oracle's. Keep the answer."""
        request = self._ask(call)
        if request not in self.known:
            self._keep(call, self.operation(call).answer(call.input, self.reading))
        return self.known[request]

    def request(self, call: Call) -> bytes:
        """Return the request of a call after its ID."""
        if call.operation in self.declared.operations:
            return self._ask(call)
        return unnumbered(call.operation, self.reading, call.text)

    def operation(self, call: Call) -> Operation:
        """Return the operation of a call."""
        found = self.system.operation(call.operation)
        assert found is not None, "the calls of a system are of its operations"
        return found

    def left_out(self, call: Call) -> tuple[Feature, ...]:
        """Return the features of a call's operation that the adapter leaves out."""
        return self.declared.left_out(call.operation)

    def _keep(self, call: Call, result: Result) -> None:
        answer = answer_of(result, self.left_out(call), with_code=self.codes is not None)
        self.known[self._ask(call)] = answer, False

    def _ask(self, call: Call) -> bytes:
        """Return the request of a call, and let the oracle answer it, the first time."""
        if id(call) in self._requests:
            return self._requests[id(call)][1]
        oracle = self._oracle_for(call.operation)
        if oracle is None:
            request = unnumbered(call.operation, self.reading, call.text)
        else:
            request, answer = oracle.ask(call.operation, self.reading, call.input)
            if answer is not None:
                self.known[request] = answer, True
        self._requests[id(call)] = call, request
        return request

    def _oracle_for(self, operation: str) -> Oracle | None:
        """Return the oracle if it answers an operation, with every feature."""
        if operation not in self._oracles:
            oracle = self.oracle
            answers = oracle is not None and oracle.answers(operation, self.reading)
            whole = not self.declared.left_out(operation)
            self._oracles[operation] = oracle if answers and whole else None
        return self._oracles[operation]


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
        self.wrong: dict[int, bytes] = {}
        self._calls = calls
        self._expected = expected
        self._by_oracle: set[int] = set()

    @property
    def by_oracle(self) -> int:
        """Return the number of answers by the oracle, to calls that were asked."""
        return len(self._by_oracle)

    @property
    def compared(self) -> int:
        """Return the number of these answers that the reference computed too."""
        return len(self._by_oracle & self.cases.keys())

    def prepare(self, end: int) -> None:
        """Compute the answers to the first requests, up to `end`."""
        for at in range(len(self.answers), end):
            answer, by_oracle = self._expected.of(self._calls[at])
            self.answers.append(answer)
            if by_oracle:
                self._by_oracle.add(at)

    def agrees(self, place: int, number: int, reply: bytes) -> bool:
        """Return whether a reply agrees, if its bytes are not those of the answer."""
        oracle, without = self._expected.oracle, self._expected.left_out(self._calls[place])
        answer = self.answers[place]
        if self._expected.codes is not None and is_rejection(answer):
            return codes_agree(number, answer, reply)
        if oracle is None or without:
            return forms_agree(number, answer, reply, without)
        return oracle.agree(number, answer, reply)

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
            self.prepare(place + 1)
            said, answer = self.answers[place], expected_answer(case)
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
        self.prepare(asked)
        del self.answers[asked:]
        self._by_oracle &= {*range(asked)}


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
