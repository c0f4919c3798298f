"""One worker: runs cases in one adapter process at a time.

The worker keeps as many requests in flight as the adapter allows. While the conversation is intact,
each reply decides its case. The conversation breaks if the process ends, hangs, floods, or writes a
line that is not a reply to a pending request. The worker then kills the process, and tries the
suspects again, each alone in a new process. The result there is their verdict. All other pending
cases return to the queue. Every break decides at least one case, so the work ends.

The suspects are:
- the oldest pending case, because most programs answer in order;
- if a line is not a reply to a pending request: also the case answered last, and the case answered
  twice, whose first answer may belong to another case. A second outcome corrects their verdicts.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Final

from attrs import evolve, frozen

from rejoin_conformance.adapters.conversation import Adapter, Conversation
from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.process import LineTooLongError, ProcessEndedError
from rejoin_conformance.adapters.protocol import Hello, ReplyError, read_reply, run_line
from rejoin_conformance.adapters.runner.cases import Case
from rejoin_conformance.adapters.runner.judge import judge
from rejoin_conformance.adapters.runner.verdict import BREAKS, Outcome, Verdict
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.kit.untrusted import shown, shown_bytes

Deliver = Callable[[Outcome], None]

_STARTS: Final = 3
"""The number of consecutive processes without a hello after which the adapter is unusable."""
_STDERR_SHOWN: Final = 2000
_REMEMBERED: Final = 256
"""The number of last answered cases to remember when the queue is filled again."""
_ALONE: Final = 1
"""The ID of a request that is alone in its process."""


@frozen
class _Asked:
    """A pending request: its case and the time when it was sent."""

    case: Case
    sent: float


class _BrokenError(Exception):
    """The conversation is broken. suspects: the cases to try again alone."""

    def __init__(self, why: str, suspects: tuple[Case, ...]) -> None:
        super().__init__(why)
        self.suspects = suspects


class Worker:
    """Runs cases from a queue, which other workers can share, until the queue is empty.

    A context manager that ends its process.

    hello: the hello that every process must send; None for the hello of the first process.
    deliver: called with each outcome. A later outcome of the same case replaces an earlier one.
    stop: when it is set, the worker raises StoppedError as soon as it waits.
    """

    def __init__(
        self,
        adapter: Adapter,
        hello: Hello | None,
        queue: deque[Case],
        deliver: Deliver,
        stop: threading.Event,
    ) -> None:
        self._adapter = adapter
        self._hello = hello
        self._queue = queue
        self._deliver = deliver
        self._stop = stop
        self._conversation: Conversation | None = None
        self._asked_before = 0
        self._answered: dict[int, Case] = {}

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.kill()

    @property
    def hello(self) -> Hello:
        """Return the adapter's hello. Start the adapter if it is not running."""
        return self._open().hello

    def work(self) -> None:
        """Run cases until none is left, and end the process.

        Raises AdapterUnusableError if processes no longer send a hello, and StoppedError.
        """
        with self:
            while self._queue:
                self.drain()
                self.end()

    def drain(self) -> None:
        """Run cases until none is left, and keep the process. Raises as `work` does."""
        while self._queue:
            try:
                self._run_pipelined()
            except _BrokenError as broken:
                self._try_again(broken)

    def end(self) -> None:
        """End the process, and try cases again that it answered more than once."""
        conversation, self._conversation = self._conversation, None
        if conversation is not None:
            with conversation:
                try:
                    _refuse_more(conversation.end(), self._answered)
                except _BrokenError as broken:
                    self._try_again(broken)

    def kill(self) -> None:
        """Kill the process and its children."""
        conversation, self._conversation = self._conversation, None
        if conversation is not None:
            conversation.kill()

    def _try_again(self, broken: _BrokenError) -> None:
        """Try the suspects alone. An answer is a restart, unless another suspect breaks again."""
        restarted: list[Outcome] = []
        explained = False
        for case in broken.suspects:
            outcome = evolve(self._try_alone(case), first_attempt=shown(str(broken)))
            explained = explained or outcome.verdict in BREAKS
            if not explained:
                outcome = evolve(outcome, restarted=True)
                restarted.append(outcome)
            self._deliver(outcome)
        if explained:
            for outcome in restarted:
                self._deliver(evolve(outcome, restarted=False))

    def _open(self) -> Conversation:
        """Return the current conversation, or a new one."""
        if self._conversation is None:
            self._conversation = self._start()
            self._asked_before, self._answered = 0, {}
        return self._conversation

    def _run_pipelined(self) -> None:
        """Run the queue in one process until it is empty. Raises _BrokenError if it breaks."""
        conversation = self._open()
        for number in [*self._answered][:-_REMEMBERED]:
            del self._answered[number]
        asked: dict[int, _Asked] = {}
        try:
            self._converse(conversation, asked, self._answered)
        except _BrokenError as broken:
            self.kill()
            suspects = {case.key for case in broken.suspects}
            left = [each.case for each in asked.values() if each.case.key not in suspects]
            self._queue.extendleft(reversed(left))
            raise
        except BaseException:
            self.kill()
            raise

    def _converse(
        self, conversation: Conversation, asked: dict[int, _Asked], answered: dict[int, Case]
    ) -> None:
        limits = self._adapter.limits
        while self._ask_more(conversation, asked):
            oldest = next(iter(asked.values()))
            try:
                lines = conversation.receive(oldest.sent + limits.timeout - time.monotonic())
            except ProcessEndedError as error:
                raise _BrokenError(str(error), (oldest.case,)) from None
            except LineTooLongError:
                raise _BrokenError(_flood(limits), _suspects(asked, answered)) from None
            for line in lines:
                self._take(conversation, line, asked, answered)
            since = time.monotonic() - limits.timeout
            late = tuple(each.case for each in asked.values() if each.sent <= since)
            if late:
                raise _BrokenError(_silence(limits), late)

    def _ask_more(self, conversation: Conversation, asked: dict[int, _Asked]) -> bool:
        """Send requests up to the limit. Return whether any request is pending."""
        lines: list[bytes] = []
        while len(asked) < conversation.hello.max_in_flight:
            try:
                case = self._queue.popleft()
            except IndexError:
                break
            self._asked_before += 1
            number = self._asked_before
            asked[number] = _Asked(case, time.monotonic())
            lines.append(_request(number, case))
        if lines:
            conversation.send(b"".join(lines))
        return bool(asked)

    def _take(
        self,
        conversation: Conversation,
        line: bytes,
        asked: dict[int, _Asked],
        answered: dict[int, Case],
    ) -> None:
        """Decide the case that a line answers. Raises _BrokenError if it answers none."""
        try:
            reply = read_reply(line)
            number, fault = reply.number, ""
        except ReplyError as error:
            if error.number is None:
                raise _BrokenError(str(error), _suspects(asked, answered)) from None
            number, fault = error.number, str(error)
        if number not in asked:
            twice = answered.get(number)
            state = "is already answered" if twice else "was not sent"
            why = f"answered request {number}, which {state}"
            raise _BrokenError(why, _suspects(asked, answered, twice))
        request = asked.pop(number)
        answered[number] = request.case
        outcome = (
            Outcome(case=request.case, verdict="protocol-error", explanation=shown(fault))
            if fault
            else judge(request.case, reply)
        )
        self._deliver(_finished(outcome, conversation, request.sent))

    def _try_alone(self, case: Case) -> Outcome:
        """Return the outcome of a case that is alone in a new process."""
        with self._start() as conversation:
            sent = time.monotonic()
            conversation.send(_request(_ALONE, case))
            outcome = self._await_alone(conversation, case, sent)
            return _finished(outcome, conversation, sent)

    def _await_alone(self, conversation: Conversation, case: Case, sent: float) -> Outcome:
        limits = self._adapter.limits

        def broken(verdict: Verdict, why: str) -> Outcome:
            return Outcome(case=case, verdict=verdict, explanation=shown(why))

        try:
            lines: list[bytes] = []
            while not lines:
                lines = conversation.receive(sent + limits.timeout - time.monotonic())
                if not lines and time.monotonic() >= sent + limits.timeout:
                    begun = conversation.unfinished
                    half = f", only an incomplete line: {begun}" if begun else ""
                    return broken("timeout", _silence(limits) + half)
        except ProcessEndedError as error:
            return broken("crash", f"no answer: {error}")
        except LineTooLongError:
            return broken("protocol-error", _flood(limits))
        try:
            reply = read_reply(lines[0])
        except ReplyError as error:
            return broken("protocol-error", str(error))
        if reply.number != _ALONE:
            return broken("protocol-error", f"answered request {reply.number} instead of {_ALONE}")
        more = [*lines[1:], *conversation.end()]
        if more:
            return broken("protocol-error", f"wrote more than one reply: {shown_bytes(more[0])}")
        return judge(case, reply)

    def _start(self) -> Conversation:
        """Return a new process that has sent the same hello as the first."""
        failures = 0
        while True:
            try:
                conversation = Conversation(self._adapter, self._stop)
            except AdapterUnusableError:
                failures += 1
                if failures == _STARTS:
                    raise
                continue
            if self._hello is None:
                self._hello = conversation.hello
            elif conversation.hello != self._hello:
                conversation.kill()
                raise AdapterUnusableError("a later process of the adapter sent a different hello")
            return conversation


def _request(number: int, case: Case) -> bytes:
    return run_line(number, case.operation.name, case.reading, case.vector.input)


def _finished(outcome: Outcome, conversation: Conversation, sent: float) -> Outcome:
    """Return the outcome with its time and standard error."""
    elapsed = round((time.monotonic() - sent) * 1_000_000)
    stderr = "" if outcome.verdict == "pass" else conversation.stderr[-_STDERR_SHOWN:]
    return evolve(outcome, microseconds=elapsed, stderr=stderr)


def _suspects(
    asked: dict[int, _Asked], answered: dict[int, Case], twice: Case | None = None
) -> tuple[Case, ...]:
    """Return the case answered twice, the one answered last, and the oldest pending one."""
    last = next(reversed(answered.values()), None)
    oldest = next((each.case for each in asked.values()), None)
    return _distinct(case for case in (twice, last, oldest) if case is not None)


def _refuse_more(lines: list[bytes], answered: dict[int, Case]) -> None:
    """Raise _BrokenError if a process wrote a line after its last reply."""
    for line in lines:
        twice = None
        with contextlib.suppress(ReplyError):
            twice = answered.get(read_reply(line).number)
        why = f"wrote a line after its last reply: {shown_bytes(line)}"
        raise _BrokenError(why, _suspects({}, answered, twice))


def _silence(limits: Limits) -> str:
    return f"no answer within {limits.timeout:g} seconds"


def _flood(limits: Limits) -> str:
    return f"wrote a line longer than {limits.longest_line:,} bytes"


def _distinct(cases: Iterator[Case]) -> tuple[Case, ...]:
    return tuple({case.key: case for case in cases}.values())
