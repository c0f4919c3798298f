"""Examine blocks in a child process, so that nothing that a history does ends the campaign.

The child holds the rule in force and the adapter's process, and notes the index of each history
before it begins. If a history ends the child, takes too long or takes too much memory, the parent
starts another child, which examines the block again without this history. The history is then
*quarantined*: the block counts it as a crash whose kind is the reason.

Linux forks the child. Other systems spawn it, because their libraries do not survive a fork.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from ctypes import Structure, c_bool, c_double, c_longlong
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Final, Self, TypeAlias

from attrs import define, field

from rejoin_conformance.adapters.limits import GIB
from rejoin_conformance.adapters.process import signal_name
from rejoin_conformance.campaigns.block import MEMORY, TIMEOUT, WORKER_DIED, Quarantined
from rejoin_conformance.campaigns.plan import Bounds
from rejoin_conformance.kit.errors import ExpectedError, IncompleteError
from rejoin_conformance.kit.guard import Guard
from rejoin_conformance.kit.text import counted
from rejoin_conformance.readings.rule_file import RuleError, RuleFaultError

_ON_LINUX: Final = sys.platform.startswith("linux")
START: Final = "fork" if _ON_LINUX else "spawn"
_TICK: Final = 0.2
"""Seconds between two looks at the child, if its progress is reported."""
_FAREWELL: Final = 5.0
"""Seconds that the child has to end its adapter."""
_ALLOCATED: Final = 20_000
"""The objects that are made between two collections. Histories hardly make any cycles."""
_NO_HISTORY: Final = -1


class Note(Structure):
    """Memory that the child shares with its parent.

    index: the history that it examines, or `_NO_HISTORY`. since: the time when that began.
    exhausted: whether the memory is exhausted. begun: the number of histories of the block that
    have begun.
    """

    _fields_ = (
        ("index", c_longlong),
        ("since", c_double),
        ("exhausted", c_bool),
        ("begun", c_longlong),
    )

    def begin(self, index: int) -> None:
        """Take note that the child begins a history."""
        self.go_on()
        self.index = index
        self.begun += 1

    def go_on(self) -> None:
        """Give the history the whole time again, because an adapter has answered."""
        self.since = time.monotonic()

    def rest(self) -> None:
        """Take note that the child examines no history."""
        self.index = _NO_HISTORY

    def give_up(self) -> None:
        """Take note that the memory is exhausted, and end this process."""
        self.exhausted = True
        os._exit(1)


Examine: TypeAlias = Callable[[int, Mapping[int, Quarantined]], Any]
"""(block, the histories to leave out) -> the result of the block."""

Work: TypeAlias = Callable[[Note], AbstractContextManager[Examine]]
"""Opens what the examination needs, in the child."""


@define(eq=False, slots=False)
class Child:
    """A process that examines blocks, and is replaced when a history ends it.

    A context manager that ends the process. The first block starts it. tick: called some times a
    second with the number of histories of the current block that have begun, and how many of them
    are quarantined. method: how to start the process.
    """

    work: Work
    bounds: Bounds
    tick: Callable[[int, int], object] | None = None
    method: str = START
    _process: Any = field(init=False, default=None)
    _guard: Guard | None = field(init=False, default=None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._process is not None and kind is None:
            with suppress(OSError):
                self._pipe.send(None)
            self._process.join(_FAREWELL)
        self.kill()

    def examine(self, block: int, left_out: dict[int, Quarantined] | None = None) -> Any:
        """Return the result of a block. Raises ExpectedError if the examination does.

        Raises IncompleteError if the child ends although it examines no history.

        left_out: the histories that are not examined. Histories that are quarantined are added.
        """
        left_out, self._begun = {} if left_out is None else left_out, 0
        while True:
            if self._process is None:
                self._start()
            self._note.begun = 0
            with suppress(BrokenPipeError):  # the answer then says that the child has ended
                self._pipe.send((block, left_out))
            said = self._answer(len(left_out))
            if not isinstance(said, Quarantined):
                return said
            index = self._note.index
            if index in {_NO_HISTORY, *left_out}:
                raise IncompleteError(f"the process that examines block {block}: {said.detail}")
            left_out[index] = said

    def kill(self) -> int:
        """End the child at once, and its adapter. Return its exit code, or less than 0."""
        process, self._process = self._process, None
        if process is None:
            return 0
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)  # not reaped yet, so the number is its own
        process.kill()
        process.join()
        if self._guard is not None:  # None: it was interrupted while it started
            self._guard.dismiss()
        self._pipe.close()
        return int(process.exitcode)

    def _start(self) -> None:
        context: Any = get_context(self.method)
        self._note = context.RawValue(Note, _NO_HISTORY)
        self._pipe, theirs = context.Pipe()
        what = (self.work, self._note, theirs, self._pipe, self.bounds.max_memory * GIB)
        process = context.Process(target=_serve, args=what, daemon=True)
        with warnings.catch_warnings():  # other threads hold no lock that the child takes
            warnings.simplefilter("ignore", DeprecationWarning)
            process.start()
        self._process, self._guard = process, None
        theirs.close()
        self._guard = Guard(self._process.pid)

    def _answer(self, left_out: int) -> Any:
        """Return the child's answer, or why the child ended. left_out: for the tick."""
        limit = self.bounds.history_timeout
        while True:
            examines = self._note.index != _NO_HISTORY
            pause = self._note.since + limit - time.monotonic() if examines else limit
            ready = wait(
                [self._pipe, self._process.sentinel],
                max(0.0, pause if self.tick is None else min(pause, _TICK)),
            )
            if self._pipe in ready:
                try:
                    said = self._pipe.recv()
                except (EOFError, ConnectionError):
                    return self._ended()
                if isinstance(said, Exception):
                    raise said
                return said
            if ready:
                return self._ended()
            if self._note.index != _NO_HISTORY and time.monotonic() >= self._note.since + limit:
                self.kill()
                return Quarantined(TIMEOUT, f"no result within {counted(limit, 'second')}")
            if self.tick is not None:
                self._begun = max(self._begun, self._note.begun)
                self.tick(self._begun, left_out)

    def _ended(self) -> Quarantined:
        """Return why the child has ended."""
        code = self.kill()
        if self._note.exhausted:
            return Quarantined(MEMORY, f"it needs more than {self.bounds.max_memory} GiB")
        how = f"with exit code {code}" if code >= 0 else f"by {signal_name(-code)}"
        return Quarantined(WORKER_DIED, f"its process was ended {how}")


def _serve(work: Work, note: Note, pipe: Connection, parents: Connection, memory: int) -> None:
    """Examine blocks until the parent says that there are no more. Runs in the child."""
    parents.close()  # so that the pipe ends if the parent does
    os.setsid()
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_DFL)
    os.dup2(2, 1)  # a rule may print; the output of the command is a result
    gc.freeze()  # a collection would copy the pages that a fork shares
    gc.set_threshold(_ALLOCATED)
    _limit_memory(memory, note)
    with suppress(EOFError), work(note) as examine:
        while (asked := pipe.recv()) is not None:
            try:
                said = examine(*asked)
            except MemoryError:
                note.give_up()
            except ExpectedError as error:
                said = error
            except RuleFaultError as fault:
                said = RuleError(str(fault))
            except Exception:  # noqa: BLE001 - the parent raises it; not every one can be pickled
                said = RuntimeError(traceback.format_exc())
            note.rest()
            pipe.send(said)


def _limit_memory(limit: int, note: Note) -> None:
    """Limit the memory of this process, but not of the programs that it starts."""
    if not limit:
        return
    if _ON_LINUX:
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        # A parent that has written tables hands on more than a gigabyte of addresses that PyArrow
        # has reserved, most of them never used.
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[5])
        limit += pages * resource.getpagesize()
        with suppress(OSError, ValueError):  # a lower limit is in force
            resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))
        return

    def watch() -> None:  # macOS does not hold a process to its limits
        while resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < limit:
            time.sleep(_TICK)
        note.give_up()

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def child_of_slot(key: object, work: Work, bounds: Bounds) -> Iterator[Child]:
    """Yield the child of this process, which is a slot of Spark. It stays for the next task.

    key: what the work depends on. A child of other work ends first. A guard ends the child if this
    process is killed.
    """
    child = _SLOT.pop(key, None)
    while _SLOT:
        _SLOT.popitem()[1].__exit__(None)
    if child is None:
        gc.freeze()  # a worker of Spark collects after each task, and would visit every module
        child = Child(work, bounds)
    try:
        yield child
    except BaseException:
        child.kill()
        raise
    _SLOT[key] = child


_SLOT: Final[dict[object, Child]] = {}
