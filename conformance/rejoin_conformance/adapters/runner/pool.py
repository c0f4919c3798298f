"""Run cases against an adapter with several workers, each with its own process."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable

from rejoin_conformance.adapters.conversation import Adapter
from rejoin_conformance.adapters.process import StoppedError
from rejoin_conformance.adapters.protocol import Hello
from rejoin_conformance.adapters.runner.cases import Case, Outcome
from rejoin_conformance.adapters.runner.worker import Deliver, Worker


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
