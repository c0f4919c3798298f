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
    expected_answer,
    forms_agree,
    is_rejection,
    output_in_answer,
)
from rejoin_conformance.adapters.protocol import unnumbered
from rejoin_conformance.adapters.runner.batch import Batch
from rejoin_conformance.adapters.runner.cases import Case, Outcome
from rejoin_conformance.adapters.runner.declared import Declared, OwnCodes
from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.operation import Feature, Operation, Output, Rejected, Result
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.json_types import JsonObject


@define(eq=False)
class Asked:
    """A call, its request after its ID, and the expected answer; empty if it is not known yet.

    by_oracle: whether the oracle gave the answer.
    """

    call: Call
    request: bytes
    answer: bytes
    by_oracle: bool


@define(eq=False)
class Answers:
    """The expected answers of a history's calls under one reading.

    codes: the adapter's names for codes, if codes are compared.
    """

    system: System
    reading: str
    declared: Declared
    oracle: Oracle | None
    codes: OwnCodes | None = None
    _asked: dict[bytes, Asked] = field(factory=dict)
    _seen: dict[int, tuple[Call, Asked]] = field(factory=dict)  # with the call, to keep its ID

    def forget(self) -> None:
        """Forget the calls of the last history."""
        self._asked.clear()
        self._seen.clear()

    def output(self, call: Call) -> JsonObject | None:
        """Return the output of a call, or None if it is rejected. Keep the answer."""
        asked = self.ask(call)
        if asked.by_oracle:
            return output_in_answer(asked.answer)
        result = self._answer(asked)
        return result.value if isinstance(result, Output) else None

    def refuses(self, call: Call) -> bool:
        """Return whether a call is rejected. Keep the answer."""
        return is_rejection(self.answer(self.ask(call)))

    def ask(self, call: Call) -> Asked:
        """Return a call with its request, which is the same for equal calls.

        It has the oracle's answer, if the oracle answers the operation with every feature.
        """
        if id(call) not in self._seen:
            operation, oracle = call.operation, self.oracle
            if oracle is None or not oracle.answers(operation, self.reading) or self.left_out(call):
                request, answer = unnumbered(operation, self.reading, call.text), None
            else:
                request, answer = oracle.ask(operation, self.reading, call.input)
            asked = Asked(call, request, answer or b"", answer is not None)
            self._seen[id(call)] = call, self._asked.setdefault(request, asked)
        return self._seen[id(call)][1]

    def answer(self, asked: Asked) -> bytes:
        """Return the expected answer to a call. Keep the answer."""
        if not asked.answer:
            self._answer(asked)
        return asked.answer

    def operation(self, call: Call) -> Operation:
        """Return the operation of a call."""
        found = self.system.operation(call.operation)
        assert found is not None, "the calls of a system are of its operations"
        return found

    def left_out(self, call: Call) -> tuple[Feature, ...]:
        """Return the features of a call's operation that the adapter leaves out."""
        return self.declared.left_out(call.operation)

    def _answer(self, asked: Asked) -> Result:
        """Let the reference answer."""
        call, with_code = asked.call, self.codes is not None
        result = self.operation(call).answer(call.input, self.reading)
        asked.answer = answer_of(result, self.left_out(call), with_code=with_code)
        return result


class CallBatch(Batch):
    """The batch of some calls. It makes each case once.

    cases: place -> the call as a case, if it needed one. After the calls were asked, outcomes:
    place -> the outcome, unless the adapter agreed at once; answers: the expected answers of the
    calls that were asked, which are the first ones; wrong: place -> the oracle's answer, if the
    reference's answer is different.
    """

    def __init__(
        self, calls: Sequence[Asked], expected: Answers, heard: Callable[[], None]
    ) -> None:
        super().__init__([each.request for each in calls], heard)
        self.cases: dict[int, Case] = {}
        self.outcomes: dict[int, Outcome] = {}
        self.wrong: dict[int, bytes] = {}
        self._calls = calls
        self._expected = expected

    @property
    def by_oracle(self) -> int:
        """Return the number of answers by the oracle, to calls that were asked."""
        return sum([each.by_oracle for each in self._calls[: len(self.answers)]])

    @property
    def compared(self) -> int:
        """Return the number of these answers that the reference computed too."""
        asked = range(len(self.answers))
        return sum(self._calls[each].by_oracle for each in self.cases if each in asked)

    def prepare(self, end: int) -> None:
        """Compute the answers to the first requests, up to `end`."""
        answer = self._expected.answer
        self.answers += [
            each.answer or answer(each) for each in self._calls[len(self.answers) : end]
        ]

    def agrees(self, place: int, number: int, reply: bytes) -> bool:
        """Return whether a reply agrees, if its bytes are not those of the answer."""
        oracle, without = self._expected.oracle, self._expected.left_out(self._calls[place].call)
        answer, with_code = self.answers[place], self._expected.codes is not None
        if oracle is None or without or (with_code and is_rejection(answer)):
            return forms_agree(number, answer, reply, without, with_code=with_code)
        return oracle.agree(number, answer, reply)

    def case(self, place: int) -> Case:
        """Return a call as a case: the reference answers it."""
        if place not in self.cases:
            call, expected = self._calls[place].call, self._expected
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
        places = [each for each in checked if each < self.agreed and self._calls[each].by_oracle]
        cases = [*map(self.case, places)]
        return [case for place, case in zip(places, cases, strict=True) if place in self.wrong]

    def end(self, asked: int) -> None:
        """Take note that only the first calls were asked."""
        self.prepare(asked)
        del self.answers[asked:]


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
