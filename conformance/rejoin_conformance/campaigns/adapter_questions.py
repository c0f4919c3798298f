"""Ask an adapter what a history comes to, and hold its answers against the reference's.

Each call of a history becomes a case with a vector of its own, so that runner and judge deal with
it as with any vector of the corpus.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from types import TracebackType
from typing import Any, Final

from attrs import evolve

from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.protocol import Hello
from rejoin_conformance.adapters.runner.cases import Case
from rejoin_conformance.adapters.runner.run_plan import make_adapter
from rejoin_conformance.adapters.runner.verdict import Outcome
from rejoin_conformance.adapters.runner.worker import Worker
from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.operation import Operation, Output
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.kit.json_types import JsonObject, canonical_json

PATIENCE: Final = 3
"""How many calls of one asking may break the adapter before the rest of them is left out."""

BREAKS: Final = frozenset({"crash", "timeout", "protocol-error"})
"""The verdicts that cost a process, and time."""


class Questions:
    """One adapter that is asked call after call; a context manager that leaves nothing behind.

    Its process is started with the first call, and kept. Whatever asks it raises
    AdapterUnusableError where the program says no hello.
    """

    def __init__(self, system: System, command: str, timeout: float) -> None:
        """Raises WrongUsageError where the command is none."""
        self.system = system
        self._operations = {operation.name: operation for operation in system.operations}
        self._queue: deque[Case] = deque()
        self._outcomes: dict[tuple[str, str], Outcome] = {}
        adapter = evolve(make_adapter(command, Limits(timeout=timeout)), guarded=True)
        self._worker = Worker(adapter, None, self._queue, self._take, threading.Event())
        self._declared: frozenset[str] | None = None

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

    @property
    def hello(self) -> Hello:
        """What the adapter says of itself."""
        return self._worker.hello

    def declares(self, operation: str) -> bool:
        """Whether the adapter says that it has an operation."""
        if self._declared is None:
            self._declared = frozenset(self.hello.operations)
        return operation in self._declared

    def calls(self, history: Any, reading: str) -> list[Call]:
        """The calls of a history, each once, whether the adapter declares them or not."""
        seen: dict[tuple[str, str], Call] = {}
        for call in self.system.histories.calls(history, reading):
            seen.setdefault((call.operation, canonical_json(call.input)), call)
        return [*seen.values()]

    def ask(self, calls: Iterable[Call], reading: str) -> list[Outcome]:
        """The outcomes of calls that the adapter declares, in their order.

        Where the adapter breaks too often, they are fewer than the calls.
        """
        return self.ask_cases(
            [
                case_of(self.system, self._operations[call.operation], call, reading, str(number))
                for number, call in enumerate(calls)
            ]
        )

    def ask_cases(self, cases: Sequence[Case]) -> list[Outcome]:
        """The same of cases that are there already."""
        self._outcomes.clear()
        self._queue.clear()
        self._queue.extend(cases)
        self._worker.drain()
        return [*self._up_to_patience(cases)]

    def _up_to_patience(self, cases: Iterable[Case]) -> Iterator[Outcome]:
        """The outcomes up to the one at which patience ends, whatever else was answered by then."""
        broken = 0
        for case in cases:
            outcome = self._outcomes.get(case.key)
            if outcome is None or broken == PATIENCE:
                return
            broken += outcome.verdict in BREAKS
            yield outcome

    def _take(self, outcome: Outcome) -> None:
        self._outcomes[outcome.case.key] = outcome
        if outcome.verdict in BREAKS:
            broken = sum(each.verdict in BREAKS for each in self._outcomes.values())
            if broken >= PATIENCE:
                self._queue.clear()


def case_of(
    system: System, operation: Operation, call: Call, reading: str, name: str = "call"
) -> Case:
    """A call as a case: its expected result is the reference's."""
    vector = Vector(
        id=f"{system.name}/found/{name}",
        operation=operation.name,
        clauses=(),
        level="must",
        summary="",
        input=call.input,
        expected={reading: answer_of(operation, call.input, reading)},
        readings_differ=False,
    )
    return Case(vector=vector, reading=reading, system=system, operation=operation)


def answer_of(operation: Operation, value: JsonObject, reading: str) -> JsonObject:
    """The reference's answer as vectors have it, to input that matches the schema."""
    result = operation.answer(value, reading)
    return result.to_json() if isinstance(result, Output) else {"rejected": {}}
