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

import threading
import time
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Final

from attrs import evolve

from rejoin_conformance.adapters.conversation import Adapter, Conversation
from rejoin_conformance.adapters.pipes import LineTooLongError
from rejoin_conformance.adapters.process import ProcessEndedError
from rejoin_conformance.adapters.protocol import Hello, ReplyError, read_reply
from rejoin_conformance.adapters.runner.alone import (
    ask_alone,
    finished,
    flood,
    passed_as_written,
    request,
    silence,
)
from rejoin_conformance.adapters.runner.broken import Asked, BrokenError, refuse_more, suspects
from rejoin_conformance.adapters.runner.cases import Case
from rejoin_conformance.adapters.runner.judge import judge
from rejoin_conformance.adapters.runner.verdict import BREAKS, Outcome
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.kit.untrusted import shown

Deliver = Callable[[Outcome], None]

_STARTS: Final = 3
"""The number of consecutive processes without a hello after which the adapter is unusable."""
_REMEMBERED: Final = 256
"""The number of last answered cases to remember when the queue is filled again."""


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
            except BrokenError as broken:
                self._try_again(broken)

    def end(self) -> None:
        """End the process, and try cases again that it answered more than once."""
        conversation, self._conversation = self._conversation, None
        if conversation is not None:
            with conversation:
                try:
                    refuse_more(conversation.end(), self._answered)
                except BrokenError as broken:
                    self._try_again(broken)

    def kill(self) -> None:
        """Kill the process and its children."""
        conversation, self._conversation = self._conversation, None
        if conversation is not None:
            conversation.kill()

    def _try_again(self, broken: BrokenError) -> None:
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
        """Run the queue in one process until it is empty. Raises BrokenError if it breaks."""
        conversation = self._open()
        for number in [*self._answered][:-_REMEMBERED]:
            del self._answered[number]
        asked: dict[int, Asked] = {}
        try:
            self._converse(conversation, asked, self._answered)
        except BrokenError as broken:
            self.kill()
            again = {case.key for case in broken.suspects}
            left = [each.case for each in asked.values() if each.case.key not in again]
            self._queue.extendleft(reversed(left))
            raise
        except BaseException:
            self.kill()
            raise

    def _converse(
        self, conversation: Conversation, asked: dict[int, Asked], answered: dict[int, Case]
    ) -> None:
        limits = self._adapter.limits
        while self._ask_more(conversation, asked):
            oldest = next(iter(asked.values()))
            try:
                lines = conversation.receive(oldest.sent + limits.timeout - time.monotonic())
            except ProcessEndedError as error:
                raise BrokenError(str(error), (oldest.case,)) from None
            except LineTooLongError:
                raise BrokenError(flood(limits), suspects(asked, answered)) from None
            for line in lines:
                self._take(conversation, line, asked, answered)
            if lines:
                continue  # more answers may wait, because the suite took time to judge these
            since = time.monotonic() - limits.timeout
            late = tuple(each.case for each in asked.values() if each.sent <= since)
            if late:
                raise BrokenError(silence(limits), late)

    def _ask_more(self, conversation: Conversation, asked: dict[int, Asked]) -> bool:
        """Send requests up to the limit. Return whether any request is pending."""
        lines: list[bytes] = []
        new: list[Asked] = []
        mark = conversation.stderr_mark()
        while len(asked) < conversation.hello.max_in_flight:
            try:
                case = self._queue.popleft()
            except IndexError:
                break
            self._asked_before += 1
            number = self._asked_before
            new.append(Asked(case, time.monotonic(), mark))
            asked[number] = new[-1]
            lines.append(request(number, case))
        if lines:
            conversation.send(b"".join(lines))
        for each in new:
            each.case.prepare()  # while the adapter works
        return bool(asked)

    def _take(
        self,
        conversation: Conversation,
        line: bytes,
        asked: dict[int, Asked],
        answered: dict[int, Case],
    ) -> None:
        """Decide the case that a line answers. Raises BrokenError if it answers none."""
        first = next(iter(asked), None)
        if first is not None:
            passed = passed_as_written(asked[first], first, line)
            if passed is not None:
                answered[first] = asked.pop(first).case
                self._deliver(passed)
                return
        try:
            reply = read_reply(line)
            number, fault = reply.number, ""
        except ReplyError as error:
            if error.number is None:
                raise BrokenError(str(error), suspects(asked, answered)) from None
            number, fault = error.number, str(error)
        if number not in asked:
            twice = answered.get(number)
            state = "is already answered" if twice else "was not sent"
            why = f"answered request {number}, which {state}"
            raise BrokenError(why, suspects(asked, answered, twice))
        pending = asked.pop(number)
        answered[number] = pending.case
        outcome = (
            Outcome(case=pending.case, verdict="protocol-error", explanation=shown(fault))
            if fault
            else judge(pending.case, reply)
        )
        self._deliver(finished(outcome, conversation, pending))

    def _try_alone(self, case: Case) -> Outcome:
        """Return the outcome of a case that is alone in a new process."""
        with self._start() as conversation:
            return ask_alone(conversation, case)

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
