"""The calls of a history, with their expected answers by the oracle or the reference.

The oracle answers the operations that it knows, and the reference the other ones. The reference
also answers a call if the adapter disagrees with the oracle, and a sample of the other calls. If
both answered, the reference's answer counts.
"""

from __future__ import annotations

from attrs import define, field

from rejoin_conformance.adapters.oracle import (
    Oracle,
    answer_of,
    expected_answer,
    forms_agree,
    is_rejection,
    output_in_answer,
)
from rejoin_conformance.adapters.protocol import numbered, unnumbered
from rejoin_conformance.adapters.runner.cases import Case, Outcome
from rejoin_conformance.adapters.runner.declared import Declared, OwnCodes
from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.operation import Feature, Operation, Output, Rejected, Result
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.json_types import JsonObject


@define(eq=False)
class Asked:
    """A call, its request without the ID, the expected answer, and the outcome.

    It is a question for a worker, which becomes a case only if the adapter does not agree at once.

    answers: where it belongs. answer: empty if it is not known yet. by_oracle: whether the oracle
    gave it. without: the features of the operation that the adapter leaves out. place: that of the
    call in the history, which names its case. agreed: whether the adapter agreed at once. case: the
    call as a case, if it needed one. outcome: that of the case. wrong: the oracle's answer, if the
    reference's is different.
    """

    answers: Answers = field(repr=False)
    call: Call
    without: tuple[Feature, ...]
    rest: bytes
    answer: bytes
    by_oracle: bool
    place: int = 0
    agreed: bool = False
    case: Case | None = None
    outcome: Outcome | None = None
    wrong: bytes = b""

    def request(self, number: int) -> bytes:
        """Return the line that asks it."""
        return numbered(number, self.rest)

    def prepare(self) -> None:
        """Compute the expected answer, unless the oracle gave it."""
        self.answers.answer(self)

    def is_passed_by(self, number: int, line: bytes) -> bool:
        """Return whether a line agrees with the expected answer."""
        expected = numbered(number, self.answers.answer(self))
        return line == expected or self.answers.agrees(self, number, line)

    def as_case(self) -> Case:
        """Return the call as a case: the reference answers it."""
        return self.answers.case(self)


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
            without = self.declared.left_out(operation)
            if oracle is None or without or not oracle.answers(operation, self.reading):
                request, answer = unnumbered(operation, self.reading, call.text), None
            else:
                request, answer = oracle.ask(operation, self.reading, call.input)
            asked = Asked(self, call, without, request, answer or b"", answer is not None)
            self._seen[id(call)] = call, self._asked.setdefault(request, asked)
        return self._seen[id(call)][1]

    def answer(self, asked: Asked) -> bytes:
        """Return the expected answer to a call. Keep the answer."""
        if not asked.answer:
            self._answer(asked)
        return asked.answer

    def agrees(self, asked: Asked, number: int, reply: bytes) -> bool:
        """Return whether a reply agrees with the answer, in any form of its text."""
        answer, with_code = asked.answer, self.codes is not None
        if self.oracle is None or asked.without or (with_code and is_rejection(answer)):
            return forms_agree(number, answer, reply, asked.without, with_code=with_code)
        return self.oracle.agree(number, answer, reply)

    def case(self, asked: Asked) -> Case:
        """Return a call as a case: the reference answers it."""
        if asked.case is None:
            operation, call, name = self._operation(asked.call), asked.call, str(asked.place)
            asked.case = case_of(
                self.system, operation, call, self.reading, name, asked.without, self.codes
            )
            said, answer = self.answer(asked), expected_answer(asked.case)
            if said != answer and not (is_rejection(said) and is_rejection(answer)):
                asked.wrong, asked.answer = said, answer
        return asked.case

    def _operation(self, call: Call) -> Operation:
        found = self.system.operation(call.operation)
        assert found is not None, "the calls of a system are of its operations"
        return found

    def _answer(self, asked: Asked) -> Result:
        """Let the reference answer."""
        call, with_code = asked.call, self.codes is not None
        result = self._operation(call).answer(call.input, self.reading)
        asked.answer = answer_of(result, asked.without, with_code=with_code)
        return result


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
