"""The reference as an adapter: one reply to each request.

An invalid line gets an error reply and has no other effect. So does a request that needs more
memory, time or a deeper stack than there is, or whose answer is longer than a line may be. The
conversation ends at `bye` or at the end of the input.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from typing import Any, BinaryIO, Final

import rejoin
from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.protocol import PROTOCOL
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.kit.json_types import (
    Json,
    JsonObject,
    NotStrictJsonError,
    canonical_json,
    strict_json,
)
from rejoin_conformance.kit.limited_time import TooLongError, limited_time

MAX_IN_FLIGHT: Final = 64
LONGEST_LINE: Final = 64 * 1024 * 1024
SECONDS: Final = 60
"""The CPU time that a request may take by default."""


class _NoAnswerError(Exception):
    """A line that has no answer. number: the ID of its request, or another value if it has none."""

    def __init__(self, why: str, number: Json = None) -> None:
        super().__init__(why)
        self.number = number


def serve(requests: BinaryIO, replies: BinaryIO, seconds: float = SECONDS) -> None:
    """Answer every line of `requests` until `bye` or the end of the input.

    seconds: the CPU time that a request may take; 0 for no limit.
    """
    while line := requests.readline(LONGEST_LINE + 1):
        if not line.strip():
            continue
        try:
            reply = _answer(line, requests, seconds)
        except _NoAnswerError as error:
            reply = canonical_json({"id": error.number, "error": {"message": str(error)}})
        if reply is None:
            return
        replies.write(reply.encode("ascii") + b"\n")
        replies.flush()


def _answer(line: bytes, requests: BinaryIO, seconds: float) -> str | None:
    """Return the reply to one line; None for `bye`. Skip the rest of a line that is too long."""
    if len(line) > LONGEST_LINE:
        while line and not line.endswith(b"\n"):
            line = requests.readline(LONGEST_LINE)
        raise _NoAnswerError(f"the line is longer than {LONGEST_LINE:,} bytes")
    if line.startswith(BOM_UTF8):
        raise _NoAnswerError("the line begins with a byte order mark")
    try:
        message: Any = strict_json(line)
    except NotStrictJsonError as error:
        raise _NoAnswerError(f"the line is not JSON: {error}") from None
    if not isinstance(message, dict):
        raise _NoAnswerError("a message must be a JSON object")
    match message.get("type"):
        case "hello":
            return canonical_json(_hello(message))
        case "run":
            try:
                with limited_time(seconds):
                    reply = _written(_run(message))
            except TooLongError:
                why = f"the request needs more than {seconds:g} seconds of CPU time (--seconds)"
                raise _NoAnswerError(why, message.get("id")) from None
            except (MemoryError, RecursionError) as error:
                what = "memory" if isinstance(error, MemoryError) else "stack"
                why = f"the request needs more {what} than there is"
                raise _NoAnswerError(why, message.get("id")) from None
            if len(reply) >= Limits().longest_line:
                why = f"the answer is longer than {Limits().longest_line:,} bytes"
                raise _NoAnswerError(why, message.get("id"))
            return reply
        case "bye":
            return None
        case other:
            why = f"the type must be hello, run or bye, not {_short(other)}"
            raise _NoAnswerError(why, message.get("id"))


def _written(reply: JsonObject) -> str:
    try:
        return canonical_json(reply)
    except ValueError:  # what Python raises when it writes an integer
        why = "the answer has an integer of more than 4,300 digits"
        raise _NoAnswerError(why, reply["id"]) from None


def _hello(message: JsonObject) -> JsonObject:
    """Return the hello of the reference. Another protocol has no answer."""
    if message.get("protocol") != PROTOCOL or message["protocol"] is True:
        said = _short(message.get("protocol"))
        raise _NoAnswerError(f"the protocol must be {PROTOCOL}, not {said}")
    return {
        "type": "hello",
        "protocol": PROTOCOL,
        "name": "rejoin",
        "version": rejoin.__version__,
        "language": "Python",
        "operations": [each.name for system in all_systems() for each in system.operations],
        "readings": {system.name: system.default_reading for system in all_systems()},
        "max_in_flight": MAX_IN_FLIGHT,
        "without": {},
    }


def _run(message: JsonObject) -> JsonObject:
    """Run one operation and return the reply."""
    number = message.get("id")
    if not isinstance(number, int) or isinstance(number, bool):
        raise _NoAnswerError(f"the id must be an integer, not {_short(number)}")
    unknown = sorted(set(message) - {"type", "id", "operation", "reading", "input"})
    if unknown:
        raise _NoAnswerError(f"unknown field {_short(unknown[0])}", number)
    name, value = message.get("operation"), message.get("input")
    if not isinstance(name, str) or not isinstance(value, dict):
        why = "a run must have an operation (string) and an input (object)"
        raise _NoAnswerError(why, number)
    system = next((each for each in all_systems() if each.operation(name) is not None), None)
    operation = None if system is None else system.operation(name)
    if system is None or operation is None:
        raise _NoAnswerError(f"unsupported operation {_short(name)}", number)
    reading = message.get("reading", system.default_reading)
    if not isinstance(reading, str) or reading not in system.every_reading:
        known = ", ".join(system.every_reading)
        raise _NoAnswerError(f"the reading must be one of {known}, not {_short(reading)}", number)
    return {"id": number, **operation.run(value, reading).to_json()}


def _short(value: Json) -> str:
    text = canonical_json(value)
    return text if len(text) <= 60 else text[:57] + "..."
