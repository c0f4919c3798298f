"""The lines of the adapter protocol: requests as bytes, replies as checked values.

`docs/adapter-protocol.md` documents the protocol.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Final, Literal, TypeAlias

from attrs import evolve, field, fields, frozen

import rejoin
from rejoin_conformance.contract.operation import code_in
from rejoin_conformance.kit.codec import read
from rejoin_conformance.kit.json_forms import NOT_EMPTY, OPTIONAL, within
from rejoin_conformance.kit.json_types import (
    Json,
    JsonObject,
    NotStrictJsonError,
    canonical_json,
    strict_json,
)
from rejoin_conformance.kit.text import shown_bytes, shown_line

PROTOCOL: Final = 1
SUITE: Final = f"rejoin {rejoin.__version__}"
MOST_VALUES: Final = 500_000
"""The maximum number of values in a line. It limits the time and the memory that a line costs."""
MOST_IN_FLIGHT: Final = 256
"""The maximum of max_in_flight. A larger value counts as this one."""

ReplyKind: TypeAlias = Literal["output", "rejected", "error"]

_TEXTS: Final[Mapping[ReplyKind, tuple[str, ...]]] = {
    "output": (),
    "rejected": ("reason", "code"),
    "error": ("message",),
}
"""The fields of a reply's body that must be strings."""

BYE_LINE: Final = b'{"type":"bye"}\n'


class HelloError(Exception):
    """An invalid hello. The message is one line with the reason."""


class ReplyError(Exception):
    """A line that is not a reply.

    number: the ID of the request that the line names. None if the line is not an object with an ID;
        then the lines after it cannot be trusted either.
    """

    def __init__(self, message: str, number: int | None = None) -> None:
        super().__init__(message)
        self.number = number


@frozen(kw_only=True)
class Hello:
    """The hello of an adapter: its name and the operations and readings that it supports.

    readings: system -> the readings that it follows, in its order. It follows the default reading
        of every other system.
    without: operation -> the features of it that the adapter leaves out.
    """

    name: Annotated[str, NOT_EMPTY]
    version: str
    language: str
    operations: tuple[str, ...]
    readings: Mapping[str, tuple[str, ...]]
    max_in_flight: Annotated[int, within(1)]
    without: Mapping[str, tuple[str, ...]] = field(factory=dict, metadata=OPTIONAL)


_UNSAID: Final[JsonObject] = {"version": "", "language": "", "readings": {}, "max_in_flight": 1}
"""The fields of a hello that may be missing, with their default values."""


@frozen
class Reply:
    """A well-formed reply to the request with this number.

    body: the output, or the object in `rejected` or `error`.
    """

    number: int
    kind: ReplyKind
    body: JsonObject

    @property
    def text(self) -> str:
        """Return the reason of a rejection or the message of an error; untrusted text."""
        said = self.body.get("reason" if self.kind == "rejected" else "message", "")
        return said if isinstance(said, str) else ""

    @property
    def code(self) -> str:
        """Return the code of a rejection; untrusted text, empty if it has none."""
        return code_in(self.to_json())

    def to_json(self) -> JsonObject:
        """Return the reply without its number."""
        return {self.kind: self.body}


def hello_line() -> bytes:
    """Return the suite's hello."""
    return _line({"type": "hello", "protocol": PROTOCOL, "suite": SUITE})


def run_line(number: int, operation: str, reading: str, value: JsonObject) -> bytes:
    """Return the request to run one operation on an input."""
    return numbered(number, unnumbered(operation, reading, canonical_json(value)))


def unnumbered(operation: str, reading: str, text: str) -> bytes:
    """Return a request after its ID. text: the canonical text of the input."""
    return b',"input":%b%b' % (text.encode("ascii"), _named(operation, reading))


def numbered(number: int, rest: bytes) -> bytes:
    """Return a request or a reply, whose part after the ID is given."""
    return b'{"id":%d%b' % (number, rest)


@cache
def _named(operation: str, reading: str) -> bytes:
    names = canonical_json({"operation": operation, "reading": reading, "type": "run"})
    return f",{names[1:]}\n".encode("ascii")


def output_after_id(text: str) -> bytes:
    """Return the reply with an output in canonical form, after its ID and without its line feed.

    text: the canonical text of the output. A reply can also be written in other ways.
    """
    return f',"output":{text}}}'.encode("ascii")


def read_hello(line: bytes) -> Hello:
    """Return the hello in a line. Raises HelloError with the first fault."""
    try:
        message = _message(line)
    except NotStrictJsonError as error:
        raise HelloError(f"the line is not JSON ({error}): {shown_bytes(line)}") from None
    if not isinstance(message, dict):
        raise HelloError(f"a hello must be a JSON object, not {shown_bytes(line)}")
    if message.get("type") != "hello":
        raise HelloError(f'the first line must have "type":"hello", but is {shown_bytes(line)}')
    if message.get("protocol") != PROTOCOL or isinstance(message.get("protocol"), bool):
        raise HelloError(f"protocol must be {PROTOCOL}, not {_short(message.get('protocol'))}")
    said = {each.name: message[each.name] for each in fields(Hello) if each.name in message}
    readings = said.get("readings")
    if isinstance(readings, dict):
        said["readings"] = {
            system: [named] if isinstance(named, str) else named
            for system, named in readings.items()
        }
    hello = read({**_UNSAID, **said}, Hello, error=HelloError)
    for operation in hello.without:
        if operation not in hello.operations:
            raise HelloError(
                f"without names the operation '{shown_line(operation, 80)}', which operations does "
                "not list"
            )
    return evolve(hello, max_in_flight=min(hello.max_in_flight, MOST_IN_FLIGHT))


def read_reply(line: bytes) -> Reply:
    """Return the reply in a line. Raises ReplyError for anything else."""
    try:
        message = _message(line)
    except NotStrictJsonError as error:
        raise ReplyError(f"the line is not JSON ({error}): {shown_bytes(line)}") from None
    if not isinstance(message, dict):
        raise ReplyError(f"a reply must be a JSON object, not {shown_bytes(line)}")
    number = message.get("id")
    if not isinstance(number, int) or isinstance(number, bool):
        raise ReplyError(f"a reply must have the integer id of its request: {shown_bytes(line)}")
    kinds: list[ReplyKind] = [kind for kind in ("output", "rejected", "error") if kind in message]
    if len(kinds) != 1 or len(message) != 2:
        raise ReplyError(
            "besides its id, a reply must have exactly one of output, rejected and error; it has "
            f"{shown_line(', '.join(sorted(set(message) - {'id'})), 80) or 'nothing'}",
            number,
        )
    body = message[kinds[0]]
    if not isinstance(body, dict):
        raise ReplyError(f"{kinds[0]} must be an object, not {_short(body)}", number)
    for said in _TEXTS[kinds[0]]:
        if not isinstance(body.get(said, ""), str):
            raise ReplyError(f"{said} must be a string, not {_short(body[said])}", number)
    return Reply(number, kinds[0], body)


def is_bye(line: bytes) -> bool:
    """Return whether a line is a bye. The protocol allows it but does not require it."""
    try:
        return _message(line) == {"type": "bye"}
    except NotStrictJsonError:
        return False


def _message(line: bytes) -> Json:
    """Return the JSON in a line. Raises NotStrictJsonError."""
    if line.startswith(BOM_UTF8):  # a file may begin with one, a line of the protocol may not
        raise NotStrictJsonError("a byte order mark stands before it")
    return strict_json(line, MOST_VALUES)


def _line(message: JsonObject) -> bytes:
    return canonical_json(message).encode("ascii") + b"\n"


def _short(value: Json) -> str:
    return shown_line(canonical_json(value), 80)
