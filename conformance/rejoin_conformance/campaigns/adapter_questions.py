"""Ask an adapter the calls of a history, and compare its answers with the reference's.

The calls are asked in one batch. Those on which the adapter does not agree at once become cases
with vectors of their own, so that the runner and the judge treat them like any vector.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import Any, Final

from rejoin_conformance.adapters.conversation import Adapter
from rejoin_conformance.adapters.kinds import kind_of
from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.oracle import Oracle
from rejoin_conformance.adapters.protocol import Hello
from rejoin_conformance.adapters.runner.ask_steps import StepsAsked
from rejoin_conformance.adapters.runner.cases import Case
from rejoin_conformance.adapters.runner.declared import Declared, declared_by
from rejoin_conformance.adapters.runner.own_codes import OwnCodes
from rejoin_conformance.adapters.runner.run_plan import make_adapter
from rejoin_conformance.adapters.runner.verdict import BREAKS, Outcome
from rejoin_conformance.adapters.runner.worker import Worker
from rejoin_conformance.campaigns.judged_calls import Answers, CallBatch, Judged
from rejoin_conformance.contract.history import Ask, Call
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.json_types import JsonObject

PATIENCE: Final = 3
"""The number of calls that break the adapter after which `ask` omits the rest."""


class Questions:
    """An adapter to ask calls one after the other. A context manager that ends its process.

    The process starts with the first call and continues. Every method that asks raises
    AdapterUnusableError if the program sends no hello.
    """

    def __init__(
        self,
        system: System,
        command: str,
        limits: Limits,
        operations: tuple[str, ...] = (),
        leave_out: tuple[str, ...] = (),
        heard: Callable[[], None] = lambda: None,
        knows: Callable[[str], bool] = lambda _kind: False,
        oracle: Oracle | None = None,
        codes: OwnCodes | None = None,
    ) -> None:
        """Raises WrongUsageError if the command is empty or cannot be split into words.

        operations: the only operations to ask; empty for all. leave_out: features to leave out
        besides those that the adapter leaves out. heard: called with each answer. knows: whether a
        kind of difference is expected, so that it uses up no patience. oracle: what answers `calls`
        and `judge` first, if there is one. codes: the adapter's names for codes, if codes are
        compared.
        """
        self.system = system
        self._chosen = frozenset(operations) if operations else None
        self._leave_out = leave_out
        self._queue: deque[Case] = deque()
        self._outcomes: dict[tuple[str, str], Outcome] = {}
        self._adapter = make_adapter(command, limits)
        self._worker = Worker(self._adapter, None, self._queue, self._take, threading.Event())
        self._ends = True
        self._declared: Declared | None = None
        self._steps: StepsAsked | None = None
        self._expected: Answers | None = None
        self._heard = heard
        self._knows = knows
        self._oracle = oracle
        self._codes = codes

    def __enter__(self) -> Questions:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if kind is None:
            self._queue.clear()
            self._worker.end()
        self._worker.kill()
        if self._steps is not None:
            self._steps.end()

    def judge_end(self) -> str:
        """End the process, the first time; the next call starts another one.

        Returns what was wrong with its end; empty if it was clean or is not the first time.
        """
        first, self._ends = self._ends, False
        return self._worker.end() if first else ""

    @property
    def adapter(self) -> Adapter:
        """Return the program that is asked."""
        return self._adapter

    @property
    def hello(self) -> Hello:
        """Return the adapter's hello."""
        return self._worker.hello

    @property
    def steps(self) -> StepsAsked:
        """Return the same program in a process of its own, to ask it for steps."""
        if self._steps is None:
            self._steps = StepsAsked(self._adapter, self.hello)
        return self._steps

    @property
    def declared(self) -> Declared:
        """Return what the adapter declares. Raises DeclarationError for unknown features."""
        if self._declared is None:
            self._declared = declared_by(self.hello, [self.system], self._chosen, self._leave_out)
        return self._declared

    def why_not(self, operation: str, value: JsonObject) -> str:
        """Return why the adapter is not asked an input, or an empty text if it is asked."""
        if operation not in self.declared.operations:
            return operation
        missing = self.declared.missing(operation, value)
        return f"{operation} with {missing}" if missing else ""

    def askable(self, calls: Iterable[Call]) -> list[Call]:
        """Return the calls that the adapter is asked."""
        return [call for call in calls if not self.why_not(call.operation, call.input)]

    def calls(self, history: Any, reading: str) -> list[Call]:
        """Return the calls of a history, each once, declared or not.

        Features that the adapter leaves out are taken out of the inputs as far as possible.
        """
        seen: dict[tuple[str, str], Call] = {}
        self._expected = self._answers(reading, self._oracle)
        for said in self.system.histories.calls(history, Ask(reading, self._expected.output)):
            value = self.declared.reduced(said.operation, said.input)
            call = said if value is said.input else Call(said.operation, value)
            seen.setdefault((call.operation, call.text), call)
        return [*seen.values()]

    def ask(self, calls: Sequence[Call], reading: str) -> list[Outcome]:
        """Return the outcomes of calls that the adapter declares, in their order.

        The reference answers all of them. There are fewer outcomes than calls if the adapter breaks
        too often.
        """
        judged, batch = self._judge(calls, self._answers(reading, None), ())
        return [
            judged.outcomes.get(place) or Outcome(case=batch.case(place), verdict="pass")
            for place in range(len(judged.answers))
        ]

    def judge(self, calls: Sequence[Call], reading: str, checked: Iterable[int]) -> Judged:
        """Ask calls that the adapter declares, and return the results.

        checked: the places of the calls at which the reference checks the oracle. Fewer calls are
        asked if the adapter breaks too often.
        """
        expected, self._expected = self._expected, None
        if expected is None or expected.reading != reading:
            expected = self._answers(reading, self._oracle)
        return self._judge(calls, expected, checked)[0]

    def _answers(self, reading: str, oracle: Oracle | None) -> Answers:
        return Answers(self.system, reading, self.declared, oracle, self._codes)

    def _judge(
        self, calls: Sequence[Call], expected: Answers, checked: Iterable[int]
    ) -> tuple[Judged, CallBatch]:
        self._outcomes.clear()
        self._queue.clear()
        batch = CallBatch(calls, expected, self._heard)
        self._worker.drain(batch)
        self._queue.extend(batch.wrongly_agreed(checked))
        self._worker.drain()
        outcomes: dict[int, Outcome] = {}
        asked = broken = 0
        while asked < len(calls) and broken < PATIENCE:
            case = batch.cases.get(asked)
            outcome = None if case is None else self._outcomes.get(case.key)
            if outcome is not None:
                outcomes[asked] = outcome
                broken += self.breaks(outcome)
            elif asked >= batch.agreed:
                break
            asked += 1
        return batch.judged(asked, outcomes), batch

    def breaks(self, outcome: Outcome) -> bool:
        """Return whether a call broke the adapter, and not in a way that is expected."""
        return outcome.verdict in BREAKS and not self._knows(kind_of(outcome))

    def _take(self, outcome: Outcome) -> None:
        self._heard()
        self._outcomes[outcome.case.key] = outcome
        if self.breaks(outcome) and sum(map(self.breaks, self._outcomes.values())) >= PATIENCE:
            self._queue.clear()
