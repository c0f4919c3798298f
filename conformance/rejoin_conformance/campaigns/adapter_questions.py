"""Ask an adapter the calls of a history, and compare its answers with the reference's.

Each call becomes a case with its own vector, so that the runner and the judge treat it like any
vector of the corpus.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import TracebackType
from typing import Any, Final

from attrs import frozen

from rejoin_conformance.adapters.conversation import Adapter
from rejoin_conformance.adapters.kinds import kind_of
from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.protocol import Hello
from rejoin_conformance.adapters.runner.ask_steps import StepsAsked
from rejoin_conformance.adapters.runner.cases import Case
from rejoin_conformance.adapters.runner.declared import Declared, declared_by
from rejoin_conformance.adapters.runner.run_plan import make_adapter
from rejoin_conformance.adapters.runner.verdict import BREAKS, Outcome
from rejoin_conformance.adapters.runner.worker import Worker
from rejoin_conformance.contract.feature import Feature
from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.operation import Operation, Output
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Vector
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
    ) -> None:
        """Raises WrongUsageError if the command is empty or cannot be split into words.

        operations: the only operations to ask; empty for all. leave_out: features to leave out
        besides those that the adapter leaves out. heard: called with each answer. knows: whether a
        kind of difference is expected, so that it uses up no patience.
        """
        self.system = system
        self._chosen = frozenset(operations) if operations else None
        self._leave_out = leave_out
        self._operations = {operation.name: operation for operation in system.operations}
        self._queue: deque[Case] = deque()
        self._outcomes: dict[tuple[str, str], Outcome] = {}
        self._adapter = make_adapter(command, limits)
        self._worker = Worker(self._adapter, None, self._queue, self._take, threading.Event())
        self._ends = True
        self._declared: Declared | None = None
        self._steps: StepsAsked | None = None
        self._heard = heard
        self._knows = knows

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
        for said in self.system.calls(history, reading):
            value = self.declared.reduced(said.operation, said.input)
            call = said if value is said.input else Call(said.operation, value)
            seen.setdefault((call.operation, call.text), call)
        return [*seen.values()]

    def ask(self, calls: Iterable[Call], reading: str) -> list[Outcome]:
        """Return the outcomes of calls that the adapter declares, in their order.

        There are fewer outcomes than calls if the adapter breaks too often.
        """
        return self.ask_cases(
            [
                case_of(
                    self.system,
                    self._operations[call.operation],
                    call,
                    reading,
                    str(n),
                    self.declared.left_out(call.operation),
                )
                for n, call in enumerate(calls)
            ]
        )

    def ask_cases(self, cases: Sequence[Case]) -> list[Outcome]:
        """Return the outcomes of cases, like `ask`."""
        self._outcomes.clear()
        self._queue.clear()
        self._queue.extend(cases)
        self._worker.drain()
        return [*self._up_to_patience(cases)]

    def _up_to_patience(self, cases: Iterable[Case]) -> Iterator[Outcome]:
        """Yield the outcomes until PATIENCE is reached, in the order of the cases."""
        broken = 0
        for case in cases:
            outcome = self._outcomes.get(case.key)
            if outcome is None or broken == PATIENCE:
                return
            broken += self.breaks(outcome)
            yield outcome

    def breaks(self, outcome: Outcome) -> bool:
        """Return whether a call broke the adapter, and not in a way that is expected."""
        return outcome.verdict in BREAKS and not self._knows(kind_of(outcome))

    def _take(self, outcome: Outcome) -> None:
        self._heard()
        self._outcomes[outcome.case.key] = outcome
        if self.breaks(outcome) and sum(map(self.breaks, self._outcomes.values())) >= PATIENCE:
            self._queue.clear()


def case_of(
    system: System,
    operation: Operation,
    call: Call,
    reading: str,
    name: str = "call",
    without: tuple[Feature, ...] = (),
) -> Case:
    """Return a call as a case. Its expected result is the reference's, computed when it is needed.

    without: the features of the operation that the adapter leaves out.
    """
    vector = Vector(
        id=f"{system.name}/found/{name}",
        operation=operation.name,
        clauses=(),
        level="must",
        summary="",
        input=call.input,
        expected=_Answer(operation, call, reading),
        readings_differ=False,
    )
    return Case(
        vector=vector,
        reading=reading,
        system=system,
        operation=operation,
        without=without,
        asked_text=call.text,
    )


@frozen(eq=False)
class _Answer(Mapping[str, JsonObject]):
    """The expected results of a call: the reference's answer under one reading.

    The reference computes it at the first look-up, so an adapter can already work on the call.
    """

    operation: Operation
    call: Call
    reading: str

    @cached_property
    def _answer(self) -> JsonObject:
        return answer_of(self.operation, self.call, self.reading)

    def __getitem__(self, reading: str) -> JsonObject:
        if reading != self.reading:
            raise KeyError(reading)
        return self._answer

    def __iter__(self) -> Iterator[str]:
        yield self.reading

    def __len__(self) -> int:
        return 1


def answer_of(operation: Operation, call: Call, reading: str) -> JsonObject:
    """Return the reference's answer in the form of vectors. The input must match the schema."""
    result = operation.answer(call.input, reading)
    return result.to_json() if isinstance(result, Output) else {"rejected": {}}
