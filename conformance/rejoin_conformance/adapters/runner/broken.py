"""A broken conversation, and the cases that may have broken it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from attrs import frozen

from rejoin_conformance.adapters.protocol import ReplyError, read_reply
from rejoin_conformance.adapters.runner.cases import Case
from rejoin_conformance.kit.untrusted import shown_bytes


@frozen
class Asked:
    """A pending request: its case, the time when it was sent, and standard error's length then."""

    case: Case
    sent: float
    stderr_mark: int


class BrokenError(Exception):
    """The conversation is broken. suspects: the cases to try again alone."""

    def __init__(self, why: str, suspects: tuple[Case, ...]) -> None:
        super().__init__(why)
        self.suspects = suspects


def suspects(
    asked: dict[int, Asked], answered: dict[int, Case], twice: Case | None = None
) -> tuple[Case, ...]:
    """Return the case answered twice, the one answered last, and the oldest pending one."""
    last = next(reversed(answered.values()), None)
    oldest = next((each.case for each in asked.values()), None)
    return _distinct(case for case in (twice, last, oldest) if case is not None)


def refuse_more(lines: list[bytes], answered: dict[int, Case]) -> None:
    """Raise BrokenError if a process wrote a line after its last reply."""
    for line in lines:
        twice = None
        with contextlib.suppress(ReplyError):
            twice = answered.get(read_reply(line).number)
        why = f"wrote a line after its last reply: {shown_bytes(line)}"
        raise BrokenError(why, suspects({}, answered, twice))


def _distinct(cases: Iterator[Case]) -> tuple[Case, ...]:
    return tuple({case.key: case for case in cases}.values())
