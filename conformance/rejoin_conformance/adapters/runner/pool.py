"""Run cases against an adapter with several workers, each with its own process.

A run ends early after too many failures, or if the adapter hangs or never gives a valid reply. An
adapter that hangs costs two timeouts for each vector, and one that crashes or prints something else
costs two processes. Without an end, a run of the whole corpus against it would take hours.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable
from typing import Final, Literal, TypeAlias

from attrs import define, field

from rejoin_conformance.adapters.conversation import Adapter
from rejoin_conformance.adapters.process import StoppedError
from rejoin_conformance.adapters.protocol import Hello
from rejoin_conformance.adapters.runner.cases import BREAKS, FAILURES, Case, Outcome
from rejoin_conformance.adapters.runner.known_failures import KnownFailures
from rejoin_conformance.adapters.runner.worker import Deliver, Worker
from rejoin_conformance.kit.text import counted

MAX_TIMEOUTS: Final = 5
"""The default number of requests in a row without a valid reply after which a run ends."""

Limit: TypeAlias = Literal["failures", "breaks"]


class GaveUpError(Exception):
    """The run ends early. The message is one line with the reason. limit: the limit reached."""

    def __init__(self, limit: Limit, message: str) -> None:
        super().__init__(message)
        self.limit = limit


@define(kw_only=True)
class Patience:
    """The limits of a run, and the outcomes that count against them.

    max_failures, max_timeouts: 0 for no limit. A known failure does not count. After the first
    valid reply, only timeouts make a row: one operation that always crashes must not hide the rest.
    """

    known: KnownFailures = field(factory=KnownFailures)
    max_failures: int = 0
    max_timeouts: int = MAX_TIMEOUTS
    _failed: set[tuple[str, str]] = field(factory=set)
    _in_a_row: int = 0
    _has_replied: bool = False

    def take(self, outcome: Outcome) -> None:
        """Count an outcome. Raises GaveUpError if a limit is reached."""
        key, verdict = outcome.case.key, outcome.verdict
        if self.known.of(*key) is not None:
            return
        if verdict == "timeout" or (verdict in BREAKS and not self._has_replied):
            self._in_a_row += 1
            if self._in_a_row == self.max_timeouts:
                number = counted(self._in_a_row, "request")
                raise GaveUpError("breaks", f"{number} in a row had no valid reply in time")
        elif verdict != "not-declared":
            self._in_a_row = 0
            self._has_replied = self._has_replied or verdict not in BREAKS
        if verdict in FAILURES:
            self._failed.add(key)
            if len(self._failed) == self.max_failures:
                raise GaveUpError("failures", counted(self.max_failures, "vector") + " failed")
        else:
            self._failed.discard(key)


def run_cases(
    adapter: Adapter, hello: Hello, cases: Iterable[Case], deliver: Deliver, jobs: int = 1
) -> None:
    """Run every case and deliver its outcome. A later outcome of a case replaces an earlier one.

    deliver: called by one worker at a time, from the worker's thread.
    jobs: the number of adapter processes at the same time.

    Raises AdapterUnusableError, KeyboardInterrupt, and the exceptions of `deliver`. All processes
    have then ended, and all delivered outcomes stay valid.
    """
    declared = frozenset(hello.operations)
    queue: deque[Case] = deque()
    for case in cases:
        if case.operation.name not in declared:
            deliver(Outcome(case=case, verdict="not-declared"))
        elif case.missing:
            deliver(Outcome(case=case, verdict="not-declared", missing=case.missing))
        else:
            queue.append(case)
    stop = threading.Event()
    turn = threading.Lock()
    faults: list[BaseException] = []

    def deliver_in_turn(outcome: Outcome) -> None:
        with turn:
            deliver(outcome)

    def work(ended: threading.Event) -> None:
        try:
            Worker(adapter, hello, queue, deliver_in_turn, stop).work()
        except StoppedError:
            pass
        except BaseException as error:  # noqa: BLE001 - passed to the main thread
            faults.append(error)
            stop.set()
        finally:
            ended.set()

    # In Python 3.11, Thread.join treats a thread as ended if a signal interrupts the wait.
    under_way: list[threading.Event] = []
    try:
        for _ in range(min(jobs, len(queue))):
            ended = threading.Event()
            threading.Thread(target=work, args=(ended,)).start()
            under_way.append(ended)
        for ended in under_way:
            ended.wait()
    finally:
        stop.set()
        for ended in under_way:
            ended.wait()
    if faults:
        raise faults[0]
