"""The reference as an adapter: one reply to each request.

An invalid line gets an error reply and has no other effect. The conversation ends at `bye` or at
the end of the input.
"""

from __future__ import annotations

from typing import Any, BinaryIO, Final

import rejoin
from rejoin_conformance.adapters.protocol import PROTOCOL
from rejoin_conformance.contract.registry import all_systems, system_named, system_names
from rejoin_conformance.kit.json_types import (
    Json,
    JsonObject,
    NotStrictJsonError,
    canonical_json,
    strict_json,
)

MAX_IN_FLIGHT: Final = 8
LONGEST_LINE: Final = 64 * 1024 * 1024


def serve(requests: BinaryIO, replies: BinaryIO) -> None:
    """Answer every line of `requests` until `bye` or the end of the input."""
    while line := requests.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            _skip_rest_of_line(requests, line)
            reply: JsonObject | None = _error(
                None, f"the line is longer than {LONGEST_LINE:,} bytes"
            )
        elif not line.strip():
            continue
        else:
            reply = answer(line)
        if reply is None:
            return
        replies.write(canonical_json(reply).encode("ascii") + b"\n")
        replies.flush()


def answer(line: bytes) -> JsonObject | None:
    """Return the reply to one line; None for `bye`."""
    try:
        message: Any = strict_json(line)
    except NotStrictJsonError as error:
        return _error(None, f"the line is not JSON: {error}")
    if not isinstance(message, dict):
        return _error(None, "a message must be a JSON object")
    match message.get("type"):
        case "hello":
            return hello(message)
        case "run":
            return run(message)
        case "bye":
            return None
        case other:
            return _error(
                message.get("id"), f"the type must be hello, run or bye, not {_short(other)}"
            )


def hello(message: JsonObject) -> JsonObject:
    """Return the hello of the reference, or an error for another protocol."""
    if message.get("protocol") != PROTOCOL:
        return _error(
            None, f"the protocol must be {PROTOCOL}, not {_short(message.get('protocol'))}"
        )
    operations: list[Json] = [each.name for system in all_systems() for each in system.operations]
    readings: JsonObject = {system.name: system.default_reading for system in all_systems()}
    return {
        "type": "hello",
        "protocol": PROTOCOL,
        "name": "rejoin",
        "version": rejoin.__version__,
        "language": "Python",
        "operations": operations,
        "readings": readings,
        "max_in_flight": MAX_IN_FLIGHT,
        "without": {},
    }


def run(message: JsonObject) -> JsonObject:
    """Run one operation and return the reply."""
    number = message.get("id")
    if not isinstance(number, int) or isinstance(number, bool):
        return _error(None, f"the id must be an integer, not {_short(number)}")
    unknown = sorted(set(message) - {"type", "id", "operation", "reading", "input"})
    if unknown:
        return _error(number, f"unknown field {_short(unknown[0])}")
    name, value = message.get("operation"), message.get("input")
    if not isinstance(name, str) or not isinstance(value, dict):
        return _error(number, "a run must have an operation (string) and an input (object)")
    system_name = name.partition("/")[0]
    if system_name not in system_names():
        return _error(number, f"unsupported operation {_short(name)}")
    system = system_named(system_name)
    operation = system.operation(name)
    if operation is None:
        return _error(number, f"unsupported operation {_short(name)}")
    reading = message.get("reading", system.default_reading)
    if not isinstance(reading, str) or reading not in system.every_reading:
        known = ", ".join(system.every_reading)
        return _error(number, f"the reading must be one of {known}, not {_short(reading)}")
    return {"id": number, **operation.run(value, reading).to_json()}


def _error(number: Json, message: str) -> JsonObject:
    return {"id": number, "error": {"message": message}}


def _short(value: Json) -> str:
    text = canonical_json(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _skip_rest_of_line(requests: BinaryIO, line: bytes) -> None:
    while line and not line.endswith(b"\n"):
        line = requests.readline(LONGEST_LINE)
