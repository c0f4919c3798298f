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
from collections.abc import Callable
from typing import Any, Final

from attrs import define, evolve, field, frozen

from rejoin_conformance.adapters.conversation import Adapter, Conversation
from rejoin_conformance.adapters.process import NoLineError
from rejoin_conformance.adapters.protocol import Hello, ReplyError, read_reply
from rejoin_conformance.adapters.runner.cases import BREAKS, Case, Outcome, Question, Verdict
from rejoin_conformance.adapters.runner.judge import judge
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.kit.text import shown, shown_bytes

Deliver = Callable[[Outcome], None]

STARTS: Final = 3
"""The number of consecutive processes without a hello after which the adapter is unusable."""
_REMEMBERED: Final = 256
"""The number of last answered questions to remember."""


@frozen
class _Pending:
    """A pending request: its question, when it was sent, and standard error's length then."""

    question: Question
    sent: float
    stderr_mark: int

    @property
    def microseconds(self) -> int:
        """Return the time since the request was sent."""
        return round((time.monotonic() - self.sent) * 1_000_000)


class _BrokenError(Exception):
    """The conversation is broken. suspects: the questions to try again alone.

    at_end: whether all cases were answered, and only the end of the process was bad.
    """

    def __init__(self, why: str, *suspects: Question | None, at_end: bool = False) -> None:
        super().__init__(why)
        self.at_end = at_end
        self.suspects = {id(each): each for each in suspects if each is not None}


@define(eq=False)
class Worker:
    """Runs cases from a queue, which other workers can share, until the queue is empty.

    A context manager that ends its process.

    hello: the hello that every process must send; None for the hello of the first process.
    deliver: called with each outcome. A later outcome of the same case replaces an earlier one.
    stop: when it is set, the worker raises StoppedError as soon as it waits.
    passes: called with a question whose reply is as expected. Returns whether that is all there is
        to say; otherwise there is an outcome, for which the question becomes a case.
    """

    _adapter: Adapter
    _hello: Hello | None
    _queue: deque[Any]
    _deliver: Deliver
    _stop: threading.Event
    _passes: Callable[[Any], bool] = lambda _: False
    _conversation: Conversation | None = field(init=False, default=None)
    _numbers: int = field(init=False, default=0)
    _pending: dict[int, _Pending] = field(init=False, factory=dict)
    _answered: dict[int, Question] = field(init=False, factory=dict)
    _no_hello: str = field(init=False, default="")

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

    def drain(self) -> None:
        """Run cases until none is left, and keep the process. Raises as `work` does."""
        while self._queue:
            conversation = self._open()
            try:
                self._converse(conversation)
            except _BrokenError as broken:
                self.kill()
                left = [each.question for each in self._pending.values()]
                again = (each for each in left if id(each) not in broken.suspects)
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
            self._numbers, self._pending, self._answered = 0, {}, {}
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
    def _last(self) -> Question | None:
        """Return the question that was answered last."""
        return next(reversed(self._answered.values()), None)

    @property
    def _oldest(self) -> Question | None:
        """Return the question that waits longest for its reply."""
        return next((each.question for each in self._pending.values()), None)

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
        late = (each.question for each in self._pending.values() if each.sent <= since)
        return _BrokenError(str(error), *late)

    def _ask_more(self, conversation: Conversation) -> bool:
        """Send requests up to the limit. Return whether any request is pending.

        Raises _BrokenError if the adapter has written something that nobody asked for.
        """
        if self._queue and not self._pending:
            for line in conversation.early():
                self._take(conversation, line)
        asked: list[Question] = []
        lines: list[bytes] = []
        mark = conversation.stderr_mark()
        while len(self._pending) < self.hello.max_in_flight:
            try:
                asked.append(self._queue.popleft())
            except IndexError:
                break
            self._numbers += 1
            self._pending[self._numbers] = _Pending(asked[-1], time.monotonic(), mark)
            lines.append(asked[-1].request(self._numbers))
        if lines:
            conversation.send(b"".join(lines))
        for each in asked:
            each.prepare()  # while the adapter works
        return bool(self._pending)

    def _take(self, conversation: Conversation, line: bytes) -> None:
        """Decide the case that a line answers. Raises _BrokenError if it answers none."""
        first = next(iter(self._pending), None)
        if first is not None and self._pending[first].question.is_passed_by(first, line):
            passed = self._answer(first)
            if self._no_hello or not self._passes(passed.question):
                case, time_taken = passed.question.as_case(), passed.microseconds
                self._decide(Outcome(case=case, verdict="pass", microseconds=time_taken))
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
            state = "is already answered" if 0 < number <= self._numbers else "was not sent"
            why = f"answered request {number}, which {state}"
            raise _BrokenError(why, twice, self._last, self._oldest)
        pending = self._answer(number)
        case = pending.question.as_case()
        outcome = _broken(case, "protocol-error", fault) if reply is None else judge(case, reply)
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
        self._answered[number] = pending.question
        if len(self._answered) > _REMEMBERED:
            del self._answered[next(iter(self._answered))]
        return pending

    def _try_again(self, broken: _BrokenError) -> None:
        """Try the suspects alone. An answer is a restart, unless another suspect breaks again.

        A bad end is always one: it says little about the case, which may be known to fail.
        """
        restarted: list[Outcome] = []
        explained = False
        for each in broken.suspects.values():
            alone = self._try_alone(each.as_case())
            outcome = evolve(alone, first_attempt=shown(str(broken)))
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
