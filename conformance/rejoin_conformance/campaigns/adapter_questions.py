"""Ask an adapter the calls of a history, and compare its answers with the expected ones.

The oracle answers the operations that it knows, and the reference the other ones. The reference
also answers a call if the adapter disagrees with the oracle, and a sample of the other calls. If
both answered, the reference's answer counts.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property
from typing import Any, Final

from attrs import define, field

from rejoin_conformance.adapters.kinds import kind_of
from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.oracle import Oracle
from rejoin_conformance.adapters.protocol import unnumbered
from rejoin_conformance.adapters.runner.ask_steps import StepsAsked
from rejoin_conformance.adapters.runner.cases import BREAKS, Outcome, Question
from rejoin_conformance.adapters.runner.declared import Declared, OwnCodes, declared_by
from rejoin_conformance.adapters.runner.run_plan import make_adapter
from rejoin_conformance.adapters.runner.worker import Worker
from rejoin_conformance.campaigns.adapter_calls import Asked
from rejoin_conformance.contract.history import Ask, Call
from rejoin_conformance.contract.system import System

PATIENCE: Final = 3
"""The number of calls that break the adapter after which `ask` omits the rest."""


@define(eq=False, slots=False)
class Questions:
    """An adapter to ask calls one after the other. A context manager that ends its process.

    The process starts with the first call and continues. Every method that asks raises
    AdapterUnusableError if the program sends no hello. The constructor raises WrongUsageError if
    the command is empty or cannot be split into words.

    operations: the only operations to ask; empty for all. leave_out: features to leave out besides
    those that the adapter leaves out. heard: called with each answer. knows: whether a kind of
    difference is expected in a reading, so that it uses up no patience. oracle: what answers the
    calls of a history first, if there is one. codes: the adapter's names for codes, if codes are
    compared.
    """

    system: System
    command: str
    limits: Limits
    operations: tuple[str, ...] = ()
    leave_out: tuple[str, ...] = ()
    heard: Callable[[], None] = lambda: None
    knows: Callable[[str, str], bool] = lambda _kind, _reading: False
    oracle: Oracle | None = None
    codes: OwnCodes | None = None
    _queue: deque[Question] = field(init=False, factory=deque)
    _outcomes: dict[tuple[str, str], Outcome] = field(init=False, factory=dict)
    _ends: bool = field(init=False, default=True)

    def __attrs_post_init__(self) -> None:
        self._adapter = make_adapter(self.command, self.limits)
        stop = threading.Event()
        self._worker = Worker(self._adapter, None, self._queue, self._take, stop, self._agreed)

    def __enter__(self) -> Questions:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._queue.clear()
            self._worker.end()
        self._worker.kill()
        if "steps" in vars(self):
            self.steps.end()

    def judge_end(self) -> str:
        """End the process, the first time; the next call starts another one.

        Returns what was wrong with its end; empty if it was clean or is not the first time.
        """
        first, self._ends = self._ends, False
        return self._worker.end() if first else ""

    @cached_property
    def steps(self) -> StepsAsked:
        """The same program in a process of its own, to ask it for steps."""
        return StepsAsked(self._adapter, self._worker.hello)

    @cached_property
    def declared(self) -> Declared:
        """What the adapter declares. Raises DeclarationError for unknown features."""
        chosen = frozenset(self.operations) or None
        return declared_by(self._worker.hello, [self.system], chosen, self.leave_out)

    def why_not(self, call: Call) -> str:
        """Return why the adapter is not asked a call, or an empty text if it is asked."""
        if call.operation not in self.declared.operations:
            return call.operation
        missing = self.declared.missing(call.operation, call.input)
        return f"{call.operation} with {missing}" if missing else ""

    def askable(self, calls: Iterable[Call]) -> list[Call]:
        """Return the calls that the adapter is asked."""
        return [call for call in calls if not self.why_not(call)]

    def calls(self, history: Any, reading: str) -> list[Call]:
        """Return the calls of a history, each once, declared or not."""
        return [each.call for each in self.asked(history, reading)]

    def asked(self, history: Any, reading: str) -> list[Asked]:
        """Return the calls of a history with their requests, each once, declared or not.

        Features that the adapter leaves out are taken out of the inputs as far as possible.
        """
        by_request: dict[bytes, Asked] = {}
        seen: dict[int, tuple[Call, Asked]] = {}  # with the call, to keep its ID

        def once(call: Call) -> Asked:
            if id(call) not in seen:
                asked = self._asked(call, reading, self.oracle)
                seen[id(call)] = call, by_request.setdefault(asked.rest, asked)
            return seen[id(call)][1]

        ask = Ask(reading, lambda call: once(call).output(), lambda call: once(call).is_refused())
        found: dict[Asked, None] = {}
        for said in self.system.histories.calls(history, ask):
            value = self.declared.reduced(said.operation, said.input)
            found[once(said if value is said.input else Call(said.operation, value))] = None
        return [*found]

    def _asked(self, call: Call, reading: str, oracle: Oracle | None) -> Asked:
        """Return a call with its request.

        It has the oracle's answer, if the oracle answers the operation with every feature.
        """
        name = call.operation
        if oracle is None or self.declared.left_out(name) or not oracle.answers(name, reading):
            return Asked(self, call, reading, unnumbered(name, reading, call.text))
        request, answer = oracle.ask(name, reading, call.input)
        return Asked(self, call, reading, request, answer or b"", answer is not None)

    def ask(self, calls: Sequence[Call], reading: str) -> list[Outcome]:
        """Return the outcomes of calls that the adapter declares, in their order.

        The reference answers all of them. There are fewer outcomes than calls if the adapter breaks
        too often.
        """
        asked = self.judge([self._asked(call, reading, None) for call in calls])
        return [each.outcome or Outcome(case=each.as_case(), verdict="pass") for each in asked]

    def judge(self, calls: Sequence[Asked], checked: Collection[int] = ()) -> Sequence[Asked]:
        """Ask declared calls, in order. Return those that were asked, each with its outcome.

        checked: the places of the calls at which the reference checks the oracle. Fewer calls are
        asked if the adapter breaks too often.
        """
        self._outcomes.clear()
        self._queue.clear()
        for place, each in enumerate(calls):
            each.place, each.agreed = place, False
        self._queue.extend(calls)
        self._worker.drain()
        for each in (each for each in calls if each.place in checked and each.agreed):
            if each.by_oracle and each.as_case() and each.wrong:
                each.agreed = False
                self._queue.append(each)
        self._worker.drain()
        broken = 0
        for place, each in enumerate(calls):
            each.outcome = None if each.case is None else self._outcomes.get(each.case.key)
            if broken == PATIENCE or not (each.outcome or each.agreed):
                return calls[:place]
            broken += each.outcome is not None and self.breaks(each.outcome)
            each.prepare()
        return calls

    def breaks(self, outcome: Outcome) -> bool:
        """Return whether a call broke the adapter, and not in a way that is expected."""
        known = self.knows(kind_of(outcome), outcome.case.reading)
        return outcome.verdict in BREAKS and not known

    def _agreed(self, call: Asked) -> bool:
        """Note that the adapter agreed at once with a call."""
        self.heard()
        call.agreed = True
        return True

    def _take(self, outcome: Outcome) -> None:
        self.heard()
        self._outcomes[outcome.case.key] = outcome
        if self.breaks(outcome) and sum(map(self.breaks, self._outcomes.values())) >= PATIENCE:
            self._queue.clear()
