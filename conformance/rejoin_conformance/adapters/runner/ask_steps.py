"""Ask an adapter for the steps of the outputs that it gets wrong.

The answers explain failures and distinguish their kinds, and are never verdicts. Whatever the
adapter does when it is asked for steps (a crash, a hang, another error, a lie) is one line beside
the failure.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import TracebackType
from typing import Final

from attrs import evolve, frozen

from rejoin_conformance.adapters.conversation import Adapter, Conversation
from rejoin_conformance.adapters.pipes import LineTooLongError
from rejoin_conformance.adapters.process import ProcessEndedError
from rejoin_conformance.adapters.protocol import Hello, Reply, ReplyError, read_reply, run_line
from rejoin_conformance.adapters.results.failure_steps import FailureSteps, StepLine
from rejoin_conformance.adapters.runner.alone import flood, silence
from rejoin_conformance.adapters.runner.cases import Case
from rejoin_conformance.adapters.runner.declared import declared_by
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.contract.asked import output_in
from rejoin_conformance.contract.operation import Operation, Output
from rejoin_conformance.contract.step import STEPS, first_parting, leading, steps_in
from rejoin_conformance.contract.step_text import step_texts
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json
from rejoin_conformance.kit.untrusted import shown_line

_PATIENCE: Final = 3
"""The number of questions for steps that break the adapter after which it is asked no more."""
_LONGEST: Final = 64 * 1024
"""The maximum number of characters of an input whose steps are listed."""
_KEPT: Final = 4 * 1024
"""The maximum number of characters of a step that is kept beside its text."""
_LEADING: Final = 8
_BEFORE: Final = 3
"""The number of steps to show on the way to a place, and before a parting."""


class _BrokenError(Exception):
    """The adapter gave no answer: one line on what it did."""


@frozen(kw_only=True)
class StepsTold:
    """The steps of one question: those of the reference, and those of the adapter.

    lists: the operation that lists them. observed: None if the adapter does not tell its steps.
    note: one line on why it does not; empty if it does not declare the operation.
    """

    lists: Operation
    expected: JsonObject
    observed: JsonObject | None = None
    note: str = ""

    @property
    def parting(self) -> int | None:
        """Return the index of the first step that differs, or None if none is known to differ."""
        return None if self.observed is None else first_parting(self.expected, self.observed)


class StepsAsked:
    """An adapter that is asked for steps. A context manager that ends its process.

    The process starts with the first question, and a new one after a question that breaks it. A
    case that is asked twice in a row is one question.
    """

    def __init__(self, adapter: Adapter, hello: Hello) -> None:
        self._adapter = adapter
        self._hello = hello
        self._conversation: Conversation | None = None
        self._number = 0
        self._broken = 0
        self._last: tuple[tuple[str, str, JsonObject], StepsTold] | None = None

    def __enter__(self) -> StepsAsked:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.end()

    def of(self, case: Case, output: JsonObject | None) -> FailureSteps | None:
        """Return the steps of a wrong output; None if its operation has no list of steps.

        case: the case that failed. output: the wrong output, which can be anything; None if it was
            too long to keep.
        """
        if len(canonical_json(case.vector.input)) > _LONGEST:
            return None
        told = self.told(case)
        if told is None:
            return None
        lists, expected, parting = told.lists, told.expected, told.parting
        if told.observed is not None and parting is not None:
            return _parted(case, lists, expected, told.observed, parting)
        same = "its steps are those of the reference; only the output differs"
        return FailureSteps(
            operation=lists.name,
            count=len(steps_in(expected)),
            leading=_leading(case, lists, expected, output),
            note=told.note if told.observed is None else same,
        )

    def told(self, case: Case) -> StepsTold | None:
        """Return the steps of a case; None if nothing lists them, or the reference refuses it."""
        key = (case.operation.name, case.reading, case.vector.input)
        if self._last is not None and self._last[0] == key:
            return self._last[1]
        lists = case.system.steps_operation(case.operation.name)
        if lists is None:
            return None
        result = lists.run(case.vector.input, case.reading)
        if not isinstance(result, Output):
            return None
        try:
            observed = self._steps(case, lists)
        except _BrokenError as error:
            why = f"asked for its steps, the adapter {error}"
            return StepsTold(lists=lists, expected=result.value, note=why)
        told = StepsTold(lists=lists, expected=result.value, observed=observed)
        self._last = (key, told)
        return told

    def ask(self, lists: Operation, case: Case) -> Reply:
        """Return the adapter's reply to the question for the steps of a case.

        Raises an error that `told` describes if there is none.
        """
        if self._conversation is None:
            self._conversation = Conversation(self._adapter)
        conversation, limits = self._conversation, self._adapter.limits
        self._number += 1
        conversation.send(run_line(self._number, lists.name, case.reading, case.vector.input))
        sent = time.monotonic()
        lines: list[bytes] = []
        while not lines:
            lines = conversation.receive(sent + limits.timeout - time.monotonic())
            if not lines and time.monotonic() >= sent + limits.timeout:
                raise _BrokenError(silence(limits))
        reply = read_reply(lines[0])
        if reply.number != self._number:
            raise _BrokenError(f"answered request {reply.number} instead of {self._number}")
        return reply

    def _steps(self, case: Case, lists: Operation) -> JsonObject | None:
        """Return the adapter's answer, or None if it does not declare the operation.

        Raises _BrokenError if it gives no answer that lists steps.
        """
        declared = declared_by(self._hello, [case.system])
        value = case.vector.input
        if lists.name not in declared.operations or declared.missing(lists.name, value):
            return None
        if self._broken == _PATIENCE:
            raise _BrokenError(f"broke {_PATIENCE} times, so it was not asked again")
        try:
            reply = self.ask(lists, case)
        except (ProcessEndedError, ReplyError, AdapterUnusableError, _BrokenError) as error:
            raise self._breaks(shown_line(str(error))) from None
        except LineTooLongError:
            raise self._breaks(flood(self._adapter.limits)) from None
        said = shown_line(reply.text, 300)
        if reply.kind == "error":
            raise _BrokenError(f"answered with an error: {said or '(no message)'}")
        if reply.kind == "rejected":
            raise _BrokenError(f"rejected the input: {said or '(no reason given)'}")
        try:
            fault = lists.output_fault(reply.body)
        except RecursionError:
            fault = "it is nested too deeply"
        if fault is not None:
            raise _BrokenError(f"gave an answer that does not match the schema: {fault}")
        return reply.body

    def _breaks(self, why: str) -> _BrokenError:
        """End the process, and return the error."""
        self._broken += 1
        if self._conversation is not None:
            self._conversation.kill()
            self._conversation = None
        return _BrokenError(
            why if why.startswith(("gave", "answered", "wrote")) else f"broke: {why}"
        )

    def end(self) -> None:
        """End the process."""
        conversation, self._conversation = self._conversation, None
        if conversation is not None:
            with conversation:
                conversation.end()


def _parted(
    case: Case, lists: Operation, expected: JsonObject, observed: JsonObject, parting: int
) -> FailureSteps:
    steps = steps_in(expected)
    before = range(max(0, parting - _BEFORE), parting)
    return FailureSteps(
        operation=lists.name,
        count=len(steps),
        leading=_lines(case, lists, expected, before),
        expected=_line(case, lists, expected, parting),
        observed=_line(case, lists, observed, parting),
    )


def _line(case: Case, lists: Operation, output: JsonObject, place: int) -> StepLine | None:
    """Return a step with its JSON, if that is short; None if the output has no such step."""
    steps = steps_in(output)
    if place >= len(steps):
        return None
    (line,) = _lines(case, lists, output, [place])
    kept = len(canonical_json(steps[place])) <= _KEPT
    return evolve(line, step=steps[place] if kept else None)


def _lines(
    case: Case, lists: Operation, output: JsonObject, places: Sequence[int]
) -> tuple[StepLine, ...]:
    """Return some steps of an output as text."""
    if not places:
        return ()
    steps: list[Json] = [*steps_in(output)[: max(places) + 1]]
    texts = step_texts(case.system.notation, lists.name, case.vector.input, {STEPS: steps})
    return tuple(StepLine.of(place + 1, texts[place]) for place in places)


def _leading(
    case: Case, lists: Operation, expected: JsonObject, output: JsonObject | None
) -> tuple[StepLine, ...]:
    """Return the reference's last steps on the way to the place where the output differs."""
    wanted = output_in(case.expected)
    if output is None or wanted is None:
        return ()
    places = leading(case.compared(wanted), output, steps_in(expected))
    return _lines(case, lists, expected, places[-_LEADING:])
