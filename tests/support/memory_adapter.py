"""An adapter in this process: a function that answers requests, without a program or pipes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias

from attrs import frozen

from rejoin_conformance.adapters.conversation import Adapter, Conversation
from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.process import CLEAN, AdapterProcess, NoLineError
from rejoin_conformance.kit.json_types import canonical_json, strict_json

Answer: TypeAlias = Callable[[Any], Iterable[object]]
"""A message of the suite -> what the adapter writes: messages, or lines as bytes. A NoLineError is
raised when the suite waits for an answer: with the text `NEVER`, the process is silent from now
on."""

NEVER: Final = ""
"""How a process ends that has to be killed."""

QUICK: Final = Limits(timeout=0.02, hello=0.02)

TOY_HELLO: dict[str, object] = {
    "type": "hello",
    "protocol": 1,
    "name": "toy",
    "version": "1",
    "language": "Python",
    "operations": ["toy/halve"],
    "readings": {"toy": "strict"},
    "max_in_flight": 4,
}


@frozen(kw_only=True)
class MemoryAdapter(Adapter):
    """An adapter whose processes are in this one. begin: returns what a new process answers."""

    command: tuple[str, ...] = ("memory",)
    limits: Limits = QUICK
    begin: Callable[[], Answer]
    how_ended: str | None = CLEAN

    def start(
        self, stop: threading.Event | None = None, record: list[str] | None = None
    ) -> Conversation:
        """Return a process that has not been asked anything."""
        return _Conversation(self.begin(), self.how_ended, record)


def answering(answer: Answer) -> MemoryAdapter:
    """Return an adapter of which every process answers with one function."""
    return MemoryAdapter(begin=lambda: answer)


def toy(trouble: Answer | None = None, at: int = 14, **hello: object) -> MemoryAdapter:
    """Return an adapter of the toy system that is right but for one number.

    trouble: (the right reply) -> what it writes instead if it is asked for the half of `at`.
    hello: other fields of its hello.
    """

    def answer(message: Any) -> Iterable[object]:
        if message["type"] == "hello":
            return [{**TOY_HELLO, **hello}]
        if message["type"] == "bye":
            return []
        number = message["input"].get("number")
        reply = {"id": message["id"], **halved(message["operation"], number)}
        return [reply] if trouble is None or number != at else trouble(reply)

    return answering(answer)


def halved(operation: str, number: Any) -> dict[str, object]:
    """Return the right answer of an adapter that can only halve."""
    if operation != "toy/halve":
        return {"error": {"message": "unsupported operation"}}
    if number % 2:
        return {"rejected": {"reason": f"{number} is odd"}}
    return {"output": {"half": number // 2}}


class _Memory(AdapterProcess):
    """A process that is a function."""

    def __init__(self, answer: Answer, how_ended: str | None) -> None:
        self.limits = QUICK
        self._answer = answer
        self._lines: list[bytes] = []
        self._fault: Exception | None = None
        self.how_ended = how_ended

    def send(self, data: bytes) -> None:
        for line in data.splitlines():
            if self._fault is not None:
                return
            try:
                for each in self._answer(strict_json(line)):
                    text: Any = each
                    raw = each if isinstance(each, bytes) else canonical_json(text).encode()
                    self._lines.append(raw)
            except NoLineError as error:
                self._fault = error

    def lines(self, seconds: float) -> list[bytes]:
        lines, self._lines = self._lines, []
        if lines:
            return lines
        if self._fault is None or str(self._fault) == NEVER:
            time.sleep(max(0.0, seconds))
            raise NoLineError("timeout", f"no answer within {self.limits.timeout:g} s")
        raise self._fault

    def early(self) -> list[bytes]:
        lines, self._lines = self._lines, []
        return lines

    def end(self, last_line: bytes = b"") -> list[bytes]:
        self.send(last_line)
        if self._fault is not None:
            self.how_ended = f"{self._fault} before it read bye" if str(self._fault) else None
        return self.early()

    def kill(self) -> None:
        self._lines = []

    def stderr_mark(self) -> int:
        return 0

    def stderr(self, since: int = 0) -> str:
        return ""


class _Conversation(Conversation, _Memory):
    def __init__(self, answer: Answer, how_ended: str | None, record: list[str] | None) -> None:
        _Memory.__init__(self, answer, how_ended)
        self.unread = []
        self.record = record
