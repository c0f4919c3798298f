"""Look at a history again as its campaign did: at its laws, or at what an adapter answers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from attrs import frozen

from rejoin_conformance.campaign.adapter_block import violation_of
from rejoin_conformance.campaign.block import NO_CRASH
from rejoin_conformance.campaign.plan import Plan
from rejoin_conformance.campaign.questions import Questions
from rejoin_conformance.histories import Call
from rejoin_conformance.laws import Violation
from rejoin_conformance.registry import system_named
from rejoin_conformance.system import System


class Look(Protocol):
    """A way to look at histories."""

    def violations(self, history: Any, reading: str) -> tuple[Violation, ...]:
        """What is broken in a history."""

    def calls(self, history: Any, reading: str, violation: Violation) -> tuple[Call, ...]:
        """The operations that show a violation."""


@contextmanager
def looking(plan: Plan) -> Iterator[Look]:
    """The way in which a campaign looks at its histories; an adapter is ended with the block."""
    system = system_named(plan.system)
    if plan.adapter is None:
        yield _AtLaws(system)
    else:
        with Questions(system, plan.adapter, plan.timeout) as questions:
            yield _AtAnswers(questions)


@frozen
class _AtLaws:
    system: System

    def violations(self, history: Any, reading: str) -> tuple[Violation, ...]:
        """The laws that break; an unforeseen exception breaks one too."""
        try:
            return self.system.histories.examine(history, reading).violations
        except Exception as error:  # noqa: BLE001 - it is what is looked for
            return (Violation(law=NO_CRASH.name, kind=type(error).__name__, detail=str(error)),)

    def calls(self, history: Any, reading: str, violation: Violation) -> tuple[Call, ...]:
        """The operation that the evidence states; else all that the history comes to."""
        stated: Any = violation.evidence
        if "input" in stated:
            operation = self.system.operation(stated["operation"])
            if operation is not None and operation.input_fault(stated["input"]) is None:
                return (Call(operation.name, stated["input"]),)
        if violation.law == NO_CRASH.name:
            return ()
        return tuple(self.system.histories.calls(history, reading))


@frozen
class _AtAnswers:
    questions: Questions

    def violations(self, history: Any, reading: str) -> tuple[Violation, ...]:
        """The calls that the adapter answers otherwise than the reference."""
        outcomes = self.questions.ask(self._declared(history, reading), reading)
        return tuple(violation_of(each) for each in outcomes if each.verdict != "pass")

    def calls(self, history: Any, reading: str, violation: Violation) -> tuple[Call, ...]:
        """The one call that was answered otherwise."""
        number: Any = violation.evidence["call"]
        return (self._declared(history, reading)[number],)

    def _declared(self, history: Any, reading: str) -> list[Call]:
        calls = self.questions.calls(history, reading)
        return [call for call in calls if self.questions.declares(call.operation)]
