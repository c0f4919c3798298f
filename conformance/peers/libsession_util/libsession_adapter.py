"""An adapter that lets the deployed library libsession-util answer the operations of config merge.

    python3 conformance/peers/libsession_util/libsession_adapter.py PROGRAM

PROGRAM is made by `build_program.py`. It answers one question per line, and this adapter writes a
request as such a question. If the program ends, the request that ended it gets an error, and the
program is started again.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any, Final

JsonObject = dict[str, Any]

_LARGEST_WINDOW: Final = 2**31 - 1
"""The library takes its N as a C++ int."""


class RejectedError(Exception):
    """The protocol refuses the input."""


class Library:
    """The program, started when it is first asked and after each time that it ends."""

    def __init__(self, program: str) -> None:
        self._program = program
        self._process: subprocess.Popen[str] | None = None

    def answer(self, question: str) -> tuple[str, str]:
        """Return the kind of an answer (output, rejected or error) and the rest of it."""
        if self._process is None:
            self._process = subprocess.Popen(
                [self._program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(question + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if line:
            kind, _, rest = line.rstrip("\n").partition(" ")
            return kind, rest
        ended, self._process = self._process.wait(), None
        return "error", f"the program ended with {ended}"

    def end(self) -> None:
        """End the program, which then says how many messages were kept from the library."""
        if self._process is not None:
            self._process.communicate()


def _keys(value: JsonObject) -> Iterator[str]:
    """Yield the window, and the keys that sign and verify."""
    yield _window(value)
    yield _given(value, "signing_key")
    yield _given(value, "verify_key")


def _window(value: JsonObject) -> str:
    window = value.get("window", 5)
    if not 1 <= window <= _LARGEST_WINDOW:
        raise RejectedError("the library takes N as an int, and has no rule for 0")
    return str(window)


def _given(value: JsonObject, field: str) -> str:
    return f"x{value[field]}" if field in value else "-"


def _bytes(value: JsonObject, *fields: str) -> list[str]:
    return [f"x{value[field]}" for field in fields]


_ARGUMENTS: Final[dict[str, Callable[[JsonObject], list[str]]]] = {
    "parse": lambda value: [
        *_bytes(value, "message"),
        _window(value),
        _given(value, "verify_key"),
    ],
    "diff": lambda value: _bytes(value, "old", "new"),
    "apply-diff": lambda value: _bytes(value, "data", "diff", "source"),
    "resolve": lambda value: [*_keys(value), *(f"x{each}" for each in value["messages"])],
    "update": lambda value: [
        *_keys(value),
        *_bytes(value, "data"),
        *(f"x{each}" for each in value["messages"]),
    ],
    "sign": lambda value: [
        *_bytes(value, "message"),
        _window(value),
        _given(value, "signing_key"),
    ],
    "verify": lambda value: [
        *_bytes(value, "message"),
        _window(value),
        _given(value, "verify_key"),
    ],
    "encrypt": lambda value: [*_bytes(value, "plaintext", "key"), _given(value, "domain")],
    "decrypt": lambda value: [*_bytes(value, "ciphertext", "key"), _given(value, "domain")],
}
"""Operation -> the arguments of its question."""


def question(operation: str, value: JsonObject) -> str:
    """Return the question that the program is asked for an operation and its input."""
    return " ".join([operation, *_ARGUMENTS[operation](value)])


def answer(library: Library, request: JsonObject) -> JsonObject:
    """Return the reply to a request to run an operation."""
    number = request["id"]
    operation = request["operation"].removeprefix("config-merge/")
    if operation not in _ARGUMENTS:
        return {"id": number, "error": {"message": "unsupported operation"}}
    try:
        kind, rest = library.answer(question(operation, request["input"]))
    except RejectedError as error:
        kind, rest = "rejected", str(error)
    if kind == "output":
        return {"id": number, "output": json.loads(rest)}
    field = "reason" if kind == "rejected" else "message"
    return {"id": number, kind: {field: rest}}


def main() -> None:
    """Answer each line. End at bye or at the end of the input."""
    library = Library(sys.argv[1])
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if request["type"] == "bye":
            break
        if request["type"] == "hello":
            reply = {
                "type": "hello",
                "protocol": 1,
                "name": "libsession-util",
                "version": library.answer("version")[1],
                "language": "C++",
                "operations": [f"config-merge/{name}" for name in _ARGUMENTS],
                "without": {"config-merge/resolve": ["ignored-why"]},
                "readings": {"config-merge": "libsession"},
                "max_in_flight": 1,
            }
        else:
            reply = answer(library, request)
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()
    library.end()


if __name__ == "__main__":
    main()
