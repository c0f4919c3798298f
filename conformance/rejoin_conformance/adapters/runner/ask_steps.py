"""Ask an adapter for the steps of the outputs that it gets wrong.

The answers explain failures and distinguish their kinds, and are never verdicts. Whatever the
adapter does when it is asked for steps (a crash, a hang, another error, a lie) is one line beside
the failure.
"""

from __future__ import annotations

from typing import Final

from rejoin_conformance.adapters.conversation import Adapter, Conversation
from rejoin_conformance.adapters.process import NoLineError
from rejoin_conformance.adapters.protocol import Hello, Reply, ReplyError, run_line
from rejoin_conformance.adapters.results.failure_steps import FailureSteps, StepsTold
from rejoin_conformance.adapters.runner.cases import Case
from rejoin_conformance.adapters.runner.declared import declared_by
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.contract.operation import Operation, Output
from rejoin_conformance.kit.json_types import JsonObject, canonical_json
from rejoin_conformance.kit.text import shown_line

_PATIENCE: Final = 3
"""The number of questions for steps that break the adapter after which it is asked no more."""
_LONGEST: Final = 64 * 1024
"""The maximum number of characters of an input whose steps are listed."""


class _UntoldError(Exception):
    """The adapter tells no steps: one line on what it did."""


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

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """End the process."""
        conversation, self._conversation = self._conversation, None
        if conversation is not None:
            with conversation:
                conversation.end()

    def of(self, case: Case, output: JsonObject | None) -> FailureSteps | None:
        """Return the steps of a wrong output; None if its operation has no list of steps.

        case: the case that failed. output: the wrong output, which can be anything; None if it was
            too long to keep.
        """
        short = len(canonical_json(case.vector.input)) <= _LONGEST
        told = self.told(case) if short else None
        return None if told is None else told.kept(output)

    def told(self, case: Case) -> StepsTold | None:
        """Return the steps of a case; None if nothing lists them, or the reference refuses it."""
        key = (case.operation.name, case.reading, case.vector.input)
        if self._last is not None and self._last[0] == key:
            return self._last[1]
        lists = case.system.steps_operation(case.operation.name)
        result = None if lists is None else lists.run(case.vector.input, case.reading)
        if lists is None or not isinstance(result, Output):
            return None
        try:
            observed = self.steps(lists, case)
        except _UntoldError as error:
            why = f"asked for its steps, the adapter {error}"
            return StepsTold(case=case, lists=lists, expected=result.value, note=why)
        told = StepsTold(case=case, lists=lists, expected=result.value, observed=observed)
        self._last = (key, told)
        return told

    def steps(self, lists: Operation, case: Case) -> JsonObject | None:
        """Return the adapter's answer, or None if it does not declare the operation.

        Raises an error that `told` describes if it gives no answer that lists steps.
        """
        value = case.vector.input
        declared = declared_by(self._hello, [case.system])
        if lists.name not in declared.operations or declared.missing(lists.name, value):
            return None
        reply = self.ask(lists, case)
        said = shown_line(reply.text, 300)
        if reply.kind == "error":
            raise _UntoldError(f"answered with an error: {said or '(no message)'}")
        if reply.kind == "rejected":
            raise _UntoldError(f"rejected the input: {said or '(no reason given)'}")
        try:
            fault = lists.output_fault(reply.body)
        except RecursionError:
            fault = "it is nested too deeply"
        if fault is not None:
            raise _UntoldError(f"gave an answer that does not match the schema: {fault}")
        return reply.body

    def ask(self, lists: Operation, case: Case) -> Reply:
        """Return the adapter's reply. Raises as `steps` does if there is none."""
        if self._broken == _PATIENCE:
            raise _UntoldError(f"broke {_PATIENCE} times, so it was not asked again")
        self._number += 1
        try:
            if self._conversation is None:
                self._conversation = self._adapter.start()
                self._conversation.greet()
            request = run_line(self._number, lists.name, case.reading, case.vector.input)
            return self._conversation.ask(self._number, request)
        except (NoLineError, ReplyError, AdapterUnusableError) as error:
            self._broken += 1
            conversation, self._conversation = self._conversation, None
            if conversation is not None:
                conversation.kill()
            why = shown_line(str(error))
            says_what = why.startswith(("gave", "answered", "wrote"))
            raise _UntoldError(why if says_what else f"broke: {why}") from None
