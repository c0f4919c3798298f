"""The kind of a difference, with the first step at which an adapter goes another way.

Two wrong outputs can differ at one place for different reasons. If the adapter declares the
operation that lists the steps, it is asked for the steps of each wrong output, and the kind names
the first step of the reference that the adapter does not take. The answers to these questions are
never differences themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import define, evolve, field

from rejoin_conformance.adapters.runner.declared import Declared, declared_by
from rejoin_conformance.adapters.runner.known_failures import AT_STEP
from rejoin_conformance.adapters.runner.verdict import BREAKS, Outcome
from rejoin_conformance.campaigns.adapter_questions import Questions, case_of
from rejoin_conformance.campaigns.difference_kind import kind_of
from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.contract.step import STEPS, first_parting, steps_in
from rejoin_conformance.kit.json_types import JsonObject

_PATIENCE: Final = 3
"""The number of questions for steps that break the adapter after which it is asked no more."""


@define(eq=False)
class PartingKinds:
    """Returns the kinds of differences of one adapter, and asks it for its steps."""

    questions: Questions
    _declared: Declared | None = field(default=None, init=False)
    _broken: int = field(default=0, init=False)

    def of(self, outcome: Outcome) -> str:
        """Return the kind, as `OPERATION FAULT MORE, at step TYPE CLAUSE`.

        The last part is missing if the adapter lists no steps. Raises AdapterUnusableError.
        """
        kind = kind_of(outcome)
        lists = self.questions.system.steps_operation(outcome.case.operation.name)
        if outcome.fault != "wrong-output" or lists is None or not self._lists(lists, outcome):
            return kind
        parting = self._parting(lists, outcome)
        return f"{kind}{AT_STEP}{parting}" if parting else kind

    def _lists(self, lists: Operation, outcome: Outcome) -> bool:
        """Return whether the adapter declares the operation, with what the input needs."""
        if self._declared is None:
            self._declared = declared_by(self.questions.hello, [self.questions.system])
        value = outcome.case.vector.input
        listed = lists.name in self._declared.operations
        return listed and not self._declared.missing(lists.name, value) and self._broken < _PATIENCE

    def _parting(self, lists: Operation, outcome: Outcome) -> str:
        """Return the first step that differs, as `TYPE CLAUSE`; empty if the adapter tells none."""
        case, questions = outcome.case, self.questions
        asked = case_of(
            questions.system, lists, Call(lists.name, case.vector.input), case.reading, "steps"
        )
        assert self._declared is not None
        asked = evolve(asked, without=self._declared.left_out(lists.name))
        (told,) = questions.ask_cases([asked])
        if told.verdict == "pass":
            return "none (its steps are those of the reference)"
        self._broken += told.verdict in BREAKS
        expected, observed = _output(asked.expected), _output(told.observed)
        if told.fault != "wrong-output" or expected is None or observed is None:
            return ""
        place = first_parting(expected, observed)
        steps = steps_in(expected)
        if place is None or place >= len(steps):
            return "beyond the last one"
        return f"{steps[place]['step']} {steps[place]['clause']}"


def _output(said: Mapping[str, object] | None) -> JsonObject | None:
    output = (said or {}).get("output")
    return output if isinstance(output, dict) and STEPS in output else None
