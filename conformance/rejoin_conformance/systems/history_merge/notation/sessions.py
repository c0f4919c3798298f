"""Sessions as text: a line for each message, with the answer of the session.

session
r: {a}          accepted  {a}
p < z: {a b}    refused   {a}

`conflict` is the answer instead of a state if the heads have no merge.
"""

from __future__ import annotations

from typing import Any, Final

from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.systems.history_merge.notation.scanner import NOTHING, Scanner
from rejoin_conformance.systems.history_merge.notation.states import (
    read_node,
    read_state,
    write_node,
    write_state,
)

SESSION: Final = "session"
_CONFLICT: Final = "conflict"
_ACCEPTED: Final = {True: "accepted", False: "refused"}


def read_steps(scanner: Scanner) -> tuple[list[Json], list[Json] | None]:
    """Return the messages of a session, and the steps of the answer, if they are stated."""
    if scanner.takes("="):
        scanner.expect(NOTHING)
        return [], []
    messages: list[Json] = []
    steps: list[Json] = []
    while not scanner.at_end:
        if scanner.ends_statement():
            continue
        messages.append(read_node(scanner))
        types = [*scanner.state_types]
        steps += _read_step(scanner)
        scanner.state_types = types
        if 0 < len(steps) < len(messages) or not scanner.ends_statement():
            raise scanner.fault("`accepted` or `refused` and the state of the session")
    return messages, steps or None


def _read_step(scanner: Scanner) -> list[Json]:
    for accepted, word in _ACCEPTED.items():
        if scanner.takes(word):
            state = None if scanner.takes(_CONFLICT) else read_state(scanner)
            return [{"accepted": accepted, "state": state}]
    return []


def write_steps(messages: Any, steps: Any | None, state_type: str = "") -> list[str]:
    """Return the lines of a session, with the answers below each other."""
    lines = [write_node(message, state_type) for message in messages]
    if steps is None:
        return lines
    width = max(map(len, lines), default=0)
    return [
        f"{line:<{width}}    {_ACCEPTED[step['accepted']]:<8}  "
        f"{_write_state(step['state'], state_type)}"
        for line, step in zip(lines, steps, strict=True)
    ]


def _write_state(state: Json, state_type: str) -> str:
    return _CONFLICT if state is None else write_state(state, state_type)
