"""One worker: runs cases in one adapter process at a time.

The worker keeps as many requests in flight as the adapter allows. While the conversation is intact,
each reply decides its case. The conversation breaks if the process ends, hangs, floods, or writes a
line that is not a reply to a pending request. The worker then kills the process, and tries the
suspects again, each alone in a new process. The result there is their verdict. All other pending
cases return to the queue. Every break decides at least one case, so the work ends.

The suspects are:
- the oldest pending case, because most programs answer in order;
- if the process is silent for too long: each case that waits for too long;
- if a line is not a reply to a pending request: also the case answered last, and the case answered
  twice, whose first answer may belong to another case. A second outcome corrects their verdicts.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from attrs import define, evolve, field, frozen

from rejoin_conformance.adapters.conversation import Adapter, Conversation
from rejoin_conformance.adapters.process import NoLineError
from rejoin_conformance.adapters.protocol import Hello, ReplyError, read_reply
from rejoin_conformance.adapters.runner.batch import Batch
from rejoin_conformance.adapters.runner.cases import BREAKS, Case, Outcome, Verdict
from rejoin_conformance.adapters.runner.judge import judge
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.kit.text import shown, shown_bytes

Deliver = Callable[[Outcome], None]

STARTS: Final = 3
"""The number of consecutive processes without a hello after which the adapter is unusable."""
_REMEMBERED: Final = 256
"""The number of last answered cases to remember when the queue is filled again."""


@frozen
class _Pending:
    """A pending request: its case, the time when it was sent, and standard error's length then."""

    case: Case
    sent: float
    stderr_mark: int

    @property
    def microseconds(self) -> int:
        """Return the time since the request was sent."""
        return round((time.monotonic() - self.sent) * 1_000_000)


class _BrokenError(Exception):
    """The conversation is broken. suspects: the cases to try again alone.

    at_end: whether all cases were answered, and only the end of the process was bad.
    """

    def __init__(self, why: str, *suspects: Case | None, at_end: bool = False) -> None:
        super().__init__(why)
        self.at_end = at_end
        self.suspects = {case.key: case for case in suspects if case is not None}


@define(eq=False)
class Worker:
    """Runs cases from a queue, which other workers can share, until the queue is empty.

    A context manager that ends its process.

    hello: the hello that every process must send; None for the hello of the first process.
    deliver: called with each outcome. A later outcome of the same case replaces an earlier one.
    stop: when it is set, the worker raises StoppedError as soon as it waits.
    """

    _adapter: Adapter
    _hello: Hello | None
    _queue: deque[Case]
    _deliver: Deliver
    _stop: threading.Event
    _conversation: Conversation | None = field(init=False, default=None)
    _numbers: int = field(init=False, default=0)
    _pending: dict[int, _Pending] = field(init=False, factory=dict)
    _answered: dict[int, Case] = field(init=False, factory=dict)
    _no_hello: str = field(init=False, default="")
    _batch: Batch | None = field(init=False, default=None)

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def hello(self) -> Hello:
        """Return the adapter's hello. Start the adapter if it has not said any."""
        self._open()
        assert self._hello is not None, "a process has been started"
        return self._hello

    def work(self) -> None:
        """Run cases until none is left, and end the process.

        Raises AdapterUnusableError if processes no longer send a hello, and StoppedError.
        """
        with self:
            while self._queue:
                self.drain()
                self.end()

    def drain(self, batch: Batch | None = None) -> None:
        """Run cases until none is left, and keep the process. Raises as `work` does.

        batch: requests to ask first. Those that do not simply agree are run as cases.
        """
        while batch is not None or self._queue:
            conversation = self._open()
            try:
                if batch is not None:
                    asked, batch = batch, None
                    if self._agrees(conversation, asked):
                        return
                self._make_cases()
                self._converse(conversation)
            except _BrokenError as broken:
                self.kill()
                left = [each.case for each in self._pending.values()]
                again = (case for case in left if case.key not in broken.suspects)
                self._queue.extendleft(reversed([*again]))
                self._try_again(broken)
            except BaseException:
                self.kill()
                raise

    def end(self) -> str:
        """End the process. Return what was wrong with its end; empty if it was clean.

        Then the case that was answered last is tried again, and counts as a restart, and so does a
        case that was answered more than once.
        """
        conversation, self._conversation = self._conversation, None
        if conversation is None:
            return ""
        with conversation:
            more = conversation.end()
            bad = conversation.bad_end
        if self._stop.is_set() or not (more or bad):
            return ""
        self._make_cases()
        twice = None
        if more:
            with contextlib.suppress(ReplyError):
                twice = self._answered.get(read_reply(more[0]).number)
        line = f"wrote a line after its last reply: {shown_bytes(more[0])}" if more else ""
        why = line or f"after its last reply, {bad}"
        self._try_again(_BrokenError(why, twice, self._last, at_end=not more))
        return why

    def kill(self) -> None:
        """Kill the process and its children."""
        conversation, self._conversation = self._conversation, None
        if conversation is not None:
            conversation.kill()

    def _open(self) -> Conversation:
        """Return the current conversation, or a new one."""
        if self._conversation is None:
            self._conversation = self._start()
            self._numbers, self._pending, self._answered, self._batch = 0, {}, {}, None
        return self._conversation

    def _start(self) -> Conversation:
        """Return a new process that has sent the same hello as the first."""
        for start in range(STARTS):
            try:
                conversation = self._adapter.start(self._stop)
                hello = conversation.greet()
                break
            except AdapterUnusableError as error:
                self._no_hello = str(error)
                if start == STARTS - 1:
                    raise
        self._hello = self._hello or hello
        if hello != self._hello:
            conversation.kill()
            raise AdapterUnusableError("a later process of the adapter sent a different hello")
        return conversation

    @property
    def _last(self) -> Case | None:
        """Return the case that was answered last."""
        return next(reversed(self._answered.values()), None)

    @property
    def _oldest(self) -> Case | None:
        """Return the case that waits longest for its reply."""
        return next((each.case for each in self._pending.values()), None)

    def _agrees(self, conversation: Conversation, batch: Batch) -> bool:
        """Ask a batch, and return whether all replies agree. If not, the rest becomes cases.

        Raises _BrokenError if the conversation breaks.
        """
        batch.first, size, sent = self._numbers + 1, len(batch.requests), 0
        if self._no_hello:  # the first outcome says so, and needs a case
            self._queue.extend(map(batch.case, range(size)))
            return False
        pending: list[tuple[float, int]] = []
        left: Sequence[bytes] = ()
        error: NoLineError | None = None
        while not left and error is None and batch.agreed < size:
            if sent == batch.agreed and (left := conversation.early()):
                break
            end = min(size, batch.agreed + self.hello.max_in_flight)
            if sent < end:
                pending += [(time.monotonic(), conversation.stderr_mark())] * (end - sent)
                conversation.send(batch.lines(sent, end))
                for place in range(sent, end):
                    batch.answer(place)  # while the adapter works
                sent = end
            timeout = self._adapter.limits.timeout
            try:
                lines = conversation.lines(pending[batch.agreed][0] + timeout - time.monotonic())
                left = batch.take(lines, sent)
            except NoLineError as none:
                error = none
        self._numbers += sent
        if batch.agreed == size and not left:
            self._batch = batch
            return True
        self._make_cases(batch)
        for place in range(batch.agreed, sent):
            case = batch.case(place)
            self._pending[batch.first + place] = _Pending(case, *pending[place])
        self._queue.extend(map(batch.case, range(sent, size)))
        if error is not None:
            raise self._broken_by(error)
        for line in left:
            self._take(conversation, line)
        return False

    def _make_cases(self, *more: Batch) -> None:
        """Remember the answered cases of the last batch, and of more of them, to suspect them."""
        for batch in (*filter(None, (self._batch,)), *more):
            for place in range(batch.agreed):
                self._answered[batch.first + place] = batch.case(place)
        self._batch = None
        for number in [*self._answered][:-_REMEMBERED]:
            del self._answered[number]

    def _converse(self, conversation: Conversation) -> None:
        """Run the queue in one process until it is empty. Raises _BrokenError if it breaks."""
        timeout = self._adapter.limits.timeout
        while self._ask_more(conversation):
            oldest = next(iter(self._pending.values()))
            try:
                lines = conversation.lines(oldest.sent + timeout - time.monotonic())
            except NoLineError as error:
                raise self._broken_by(error) from None
            for line in lines:
                self._take(conversation, line)

    def _broken_by(self, error: NoLineError) -> _BrokenError:
        """Return the error of a conversation in which no line comes, with its suspects."""
        if error.verdict == "crash":
            return _BrokenError(str(error), self._oldest)
        if error.verdict == "protocol-error":
            return _BrokenError(str(error), self._last, self._oldest)
        since = time.monotonic() - self._adapter.limits.timeout
        late = (each.case for each in self._pending.values() if each.sent <= since)
        return _BrokenError(str(error), *late)

    def _ask_more(self, conversation: Conversation) -> bool:
        """Send requests up to the limit. Return whether any request is pending.

        Raises _BrokenError if the adapter has written something that nobody asked for.
        """
        if self._queue and not self._pending:
            for line in conversation.early():
                self._take(conversation, line)
        lines: list[bytes] = []
        mark = conversation.stderr_mark()
        while len(self._pending) < self.hello.max_in_flight:
            try:
                case = self._queue.popleft()
            except IndexError:
                break
            self._numbers += 1
            self._pending[self._numbers] = _Pending(case, time.monotonic(), mark)
            lines.append(case.request(self._numbers))
        if lines:
            conversation.send(b"".join(lines))
        return bool(self._pending)

    def _take(self, conversation: Conversation, line: bytes) -> None:
        """Decide the case that a line answers. Raises _BrokenError if it answers none."""
        first = next(iter(self._pending), None)
        if first is not None and self._pending[first].case.is_passed_by(first, line):
            passed = self._answer(first)
            time_taken = passed.microseconds
            self._decide(Outcome(case=passed.case, verdict="pass", microseconds=time_taken))
            return
        fault, reply = "", None
        try:
            reply = read_reply(line)
            number = reply.number
        except ReplyError as error:
            if error.number is None:
                raise _BrokenError(str(error), self._last, self._oldest) from None
            number, fault = error.number, str(error)
        if number not in self._pending:
            twice = self._answered.get(number)
            state = "is already answered" if twice else "was not sent"
            why = f"answered request {number}, which {state}"
            raise _BrokenError(why, twice, self._last, self._oldest)
        pending = self._answer(number)
        outcome = (
            _broken(pending.case, "protocol-error", fault)
            if reply is None
            else judge(pending.case, reply)
        )
        self._decide(_finished(outcome, conversation, pending))

    def _decide(self, outcome: Outcome) -> None:
        """Deliver an outcome. The first one after a process without a hello is a restart."""
        if self._no_hello:
            outcome = evolve(outcome, first_attempt=shown(self._no_hello), restarted=True)
            self._no_hello = ""
        self._deliver(outcome)

    def _answer(self, number: int) -> _Pending:
        """Return the request of this number, which is no longer pending."""
        pending = self._pending.pop(number)
        self._answered[number] = pending.case
        return pending

    def _try_again(self, broken: _BrokenError) -> None:
        """Try the suspects alone. An answer is a restart, unless another suspect breaks again.

        A bad end is always one: it says little about the case, which may be known to fail.
        """
        restarted: list[Outcome] = []
        explained = False
        for case in broken.suspects.values():
            outcome = evolve(self._try_alone(case), first_attempt=shown(str(broken)))
            explained = explained or (outcome.verdict in BREAKS and not broken.at_end)
            if not explained:
                outcome = evolve(outcome, restarted=True)
                restarted.append(outcome)
            self._decide(outcome)
        if explained:
            for outcome in restarted:
                self._deliver(evolve(outcome, restarted=False))

    def _try_alone(self, case: Case) -> Outcome:
        """Return the outcome of a case that is alone in a new process."""
        with self._start() as conversation:
            pending = _Pending(case, time.monotonic(), 0)
            return _finished(_alone(conversation, case), conversation, pending)


def _alone(conversation: Conversation, case: Case) -> Outcome:
    try:
        reply = conversation.ask(1, case.request(1))
    except NoLineError as error:
        why = f"no answer: {error}" if error.verdict == "crash" else f"{error}{error.half}"
        return _broken(case, error.verdict, why)
    except ReplyError as error:
        return _broken(case, "protocol-error", str(error))
    more = conversation.end()
    if more:
        why = f"wrote more than one reply: {shown_bytes(more[0])}"
        return _broken(case, "protocol-error", why)
    if conversation.bad_end is not None:
        bad = conversation.bad_end
        return _broken(case, bad.verdict, f"answered, but after its last reply, {bad}")
    return judge(case, reply)


def _broken(case: Case, verdict: Verdict, why: str) -> Outcome:
    return Outcome(case=case, verdict=verdict, explanation=shown(why))


def _finished(outcome: Outcome, conversation: Conversation, pending: _Pending) -> Outcome:
    """Return the outcome with its time, and with the standard error since its request."""
    if outcome.verdict == "pass":
        return evolve(outcome, microseconds=pending.microseconds)
    stderr = conversation.errors(pending.stderr_mark)
    return evolve(outcome, microseconds=pending.microseconds, stderr=stderr)
