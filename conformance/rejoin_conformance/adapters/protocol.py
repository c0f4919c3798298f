"""The lines of the adapter protocol: requests as bytes, and replies as checked values.

`docs/adapter-protocol.md` is the protocol's reference.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from attrs import frozen

import rejoin
from rejoin_conformance.kit.json_types import (
    Json,
    JsonObject,
    NotStrictJsonError,
    canonical_json,
    strict_json,
)
from rejoin_conformance.kit.untrusted import shown_bytes, shown_line

PROTOCOL: Final = 1
SUITE: Final = f"rejoin {rejoin.__version__}"
MOST_IN_FLIGHT: Final = 256
"""A larger max_in_flight is taken as this one."""

ReplyKind: TypeAlias = Literal["output", "rejected", "error"]

BYE_LINE: Final = b'{"type":"bye"}\n'


class HelloError(Exception):
    """A hello that is not one: one line on what is wrong with it."""


class ReplyError(Exception):
    """A line that is not a reply.

    number: the request that it claims to answer, where it says so; None where the line is not even
        an object with an ID, so that nothing that follows it can be trusted.
    """

    def __init__(self, message: str, number: int | None = None) -> None:
        super().__init__(message)
        self.number = number


@frozen(kw_only=True)
class Hello:
    """Who an adapter is and what it can do.

    readings: system -> the readings that it follows, in its order; a system that is not named
        follows its default reading.
    """

    name: str
    version: str
    language: str
    operations: tuple[str, ...]
    readings: Mapping[str, tuple[str, ...]]
    max_in_flight: int

    def to_json(self) -> JsonObject:
        """The form that results carry."""
        operations: list[Json] = [*self.operations]
        readings: JsonObject = {name: [*names] for name, names in sorted(self.readings.items())}
        return {
            "name": self.name,
            "version": self.version,
            "language": self.language,
            "operations": operations,
            "readings": readings,
            "max_in_flight": self.max_in_flight,
        }


@frozen
class Reply:
    """A well-formed answer to the request of that number.

    body: the output, or the object beside `rejected` or `error`.
    """

    number: int
    kind: ReplyKind
    body: JsonObject

    @property
    def text(self) -> str:
        """The reason of a refusal or the message of an error, as the adapter wrote it."""
        said = self.body.get("reason" if self.kind == "rejected" else "message", "")
        return said if isinstance(said, str) else ""

    def to_json(self) -> JsonObject:
        """The reply without its number."""
        return {self.kind: self.body}


def hello_line() -> bytes:
    """The suite's hello."""
    return _line({"type": "hello", "protocol": PROTOCOL, "suite": SUITE})


def run_line(number: int, operation: str, reading: str, value: JsonObject) -> bytes:
    """The request to run one operation."""
    return _line(
        {"type": "run", "id": number, "operation": operation, "reading": reading, "input": value}
    )


def read_hello(line: bytes) -> Hello:
    """The hello in a line; HelloError with one sentence on the first thing that is wrong."""
    try:
        message = strict_json(line)
    except NotStrictJsonError as error:
        raise HelloError(f"the line is not JSON ({error}): {shown_bytes(line)}") from None
    if not isinstance(message, dict):
        raise HelloError(f"a hello is a JSON object, not {shown_bytes(line)}")
    if message.get("type") != "hello":
        raise HelloError(f'the first line has "type":"hello", not {shown_bytes(line)}')
    if message.get("protocol") != PROTOCOL or isinstance(message.get("protocol"), bool):
        raise HelloError(f"protocol is {PROTOCOL}, not {_short(message.get('protocol'))}")
    name = _text(message, "name")
    if not name:
        raise HelloError("name is a text that is not empty")
    in_flight = message.get("max_in_flight", 1)
    if not isinstance(in_flight, int) or isinstance(in_flight, bool) or in_flight < 1:
        raise HelloError(f"max_in_flight is an integer from 1 on, not {_short(in_flight)}")
    return Hello(
        name=name,
        version=_text(message, "version"),
        language=_text(message, "language"),
        operations=_texts(message.get("operations"), "operations"),
        readings=_readings(message.get("readings", {})),
        max_in_flight=min(in_flight, MOST_IN_FLIGHT),
    )


def read_reply(line: bytes) -> Reply:
    """The reply in a line; ReplyError for anything else."""
    try:
        message = strict_json(line)
    except NotStrictJsonError as error:
        raise ReplyError(f"the line is not JSON ({error}): {shown_bytes(line)}") from None
    if not isinstance(message, dict):
        raise ReplyError(f"a reply is a JSON object, not {shown_bytes(line)}")
    number = message.get("id")
    if not isinstance(number, int) or isinstance(number, bool):
        raise ReplyError(f"a reply has the id of its request, an integer: {shown_bytes(line)}")
    kinds: list[ReplyKind] = [kind for kind in ("output", "rejected", "error") if kind in message]
    if len(kinds) != 1 or len(message) != 2:
        raise ReplyError(
            "beside its id, a reply has one of output, rejected and error and no more; it has "
            f"{shown_line(', '.join(sorted(set(message) - {'id'})), 80) or 'nothing'}",
            number,
        )
    body = message[kinds[0]]
    if not isinstance(body, dict):
        raise ReplyError(f"{kinds[0]} is an object, not {_short(body)}", number)
    said = {"output": None, "rejected": "reason", "error": "message"}[kinds[0]]
    if said is not None and not isinstance(body.get(said, ""), str):
        raise ReplyError(f"{said} is a text, not {_short(body.get(said))}", number)
    return Reply(number, kinds[0], body)


def is_bye(line: bytes) -> bool:
    """Whether a line says bye in its turn, which is allowed and not asked for."""
    try:
        return strict_json(line) == {"type": "bye"}
    except NotStrictJsonError:
        return False


def _readings(value: Json) -> Mapping[str, tuple[str, ...]]:
    if not isinstance(value, dict):
        raise HelloError(f"readings is an object system -> reading, not {_short(value)}")
    return {
        system: (named,) if isinstance(named, str) else _texts(named, f"readings of {system!r}")
        for system, named in value.items()
    }


def _text(message: JsonObject, field: str) -> str:
    value = message.get(field, "")
    if not isinstance(value, str):
        raise HelloError(f"{field} is a text, not {_short(value)}")
    return value


def _texts(value: Json, field: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise HelloError(f"{field} is a list of texts, not {_short(value)}")
    texts = tuple(each for each in value if isinstance(each, str))
    if len(texts) != len(value):
        raise HelloError(f"{field} is a list of texts, not {_short(value)}")
    return texts


def _line(message: JsonObject) -> bytes:
    return canonical_json(message).encode("ascii") + b"\n"


def _short(value: Json) -> str:
    return shown_line(canonical_json(value), 80)
