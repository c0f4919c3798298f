"""Ask one case alone in a process, and turn what happens into its outcome."""

from __future__ import annotations

import time
from typing import Final

from attrs import evolve

from rejoin_conformance.adapters.conversation import Conversation
from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.pipes import LineTooLongError
from rejoin_conformance.adapters.process import ProcessEndedError
from rejoin_conformance.adapters.protocol import (
    ReplyError,
    output_line,
    read_reply,
    run_line,
)
from rejoin_conformance.adapters.runner.broken import Asked
from rejoin_conformance.adapters.runner.cases import Case
from rejoin_conformance.adapters.runner.judge import judge
from rejoin_conformance.adapters.runner.verdict import Outcome, Verdict
from rejoin_conformance.kit.untrusted import shown, shown_bytes

_STDERR_SHOWN: Final = 2000
_ALONE: Final = 1
"""The ID of a request that is alone in its process."""


def ask_alone(conversation: Conversation, case: Case) -> Outcome:
    """Return the outcome of a case that is the only one of a new process."""
    asked = Asked(case, time.monotonic(), 0)
    conversation.send(request(_ALONE, case))
    return finished(_outcome(conversation, asked), conversation, asked)


def _outcome(conversation: Conversation, asked: Asked) -> Outcome:
    limits, case, sent = conversation.limits, asked.case, asked.sent

    def broken(verdict: Verdict, why: str) -> Outcome:
        return Outcome(case=case, verdict=verdict, explanation=shown(why))

    try:
        lines: list[bytes] = []
        while not lines:
            lines = conversation.receive(sent + limits.timeout - time.monotonic())
            if not lines and time.monotonic() >= sent + limits.timeout:
                begun = conversation.unfinished
                half = f", only an incomplete line: {begun}" if begun else ""
                return broken("timeout", silence(limits) + half)
    except ProcessEndedError as error:
        return broken("crash", f"no answer: {error}")
    except LineTooLongError:
        return broken("protocol-error", flood(limits))
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


def request(number: int, case: Case) -> bytes:
    """Return the line that asks a case."""
    asked = case.vector.input if case.asked_text is None else case.asked_text
    return run_line(number, case.operation.name, case.reading, asked)


def finished(outcome: Outcome, conversation: Conversation, asked: Asked) -> Outcome:
    """Return the outcome with its time, and with the standard error since its request."""
    elapsed = _since(asked)
    if outcome.verdict == "pass":
        return evolve(outcome, microseconds=elapsed)
    stderr = conversation.stderr_since(asked.stderr_mark)[-_STDERR_SHOWN:]
    return evolve(outcome, microseconds=elapsed, stderr=stderr)


def passed_as_written(asked: Asked, number: int, line: bytes) -> Outcome | None:
    """Return a pass if a line is the expected output in canonical form, and None for other lines.

    Such a line needs no parsing, because `judge` compares canonical texts. number: the ID of the
    request.
    """
    case = asked.case
    if case.without or "output" not in case.expected:
        return None
    if line != output_line(number, case.expected_text):
        return None
    return Outcome(case=case, verdict="pass", microseconds=_since(asked))


def _since(asked: Asked) -> int:
    """Return the microseconds since a request was sent."""
    return round((time.monotonic() - asked.sent) * 1_000_000)


def silence(limits: Limits) -> str:
    """Return the reason of a timeout."""
    return f"no answer within {limits.timeout:g} seconds"


def flood(limits: Limits) -> str:
    """Return the reason for a line that is too long."""
    return f"wrote a line longer than {limits.longest_line:,} bytes"
