"""The text of a session: a line for each message, with the answer of the session.

    session
    r: {a}          accepted  {a}
    p < z: {a b}    refused   {a}

`conflict` is the answer instead of a state if the heads have no merge.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.kit.phrases import Scanner
from rejoin_conformance.systems.history_merge.states import (
    NOTHING,
    Form,
    read_node,
    read_repetition,
    read_state,
    write_node,
    write_state,
)

_STATED: Final = {True: "accepted", False: "refused"}


def read_group(text: Scanner, read: Callable[[Scanner], Json]) -> list[Json]:
    """Take an item, or several with commas between that are repeated together."""
    items = [read(text)]
    while text.takes(","):
        items.append(read(text))
    if len(items) > 1 and text.next.text != "for":
        text.fail("`for i` and numbers")
    return read_repetition(text, items)


def read_session(text: Scanner) -> tuple[list[Json], list[Json] | None]:
    """Return the messages of a session, and the answers if they are stated."""
    if text.takes("="):
        text.need(NOTHING)
        return [], []
    offered: list[Any] = []
    while not text.at_end:
        if text.ends_statement():
            continue
        offered += read_group(text, _read_offer)
        unanswered = offered[0]["answer"] is None
        mixed = any((each["answer"] is None) != unanswered for each in offered)
        if mixed or not text.ends_statement():
            text.fail("`accepted` or `refused` and the state of the session")
    answers = [each["answer"] for each in offered if each["answer"] is not None]
    return [each["message"] for each in offered], answers or None


def _read_offer(text: Scanner) -> Json:
    """Take a message and the answer of the session, if it is stated."""
    message, answer = read_node(text), None
    shown = [*text.seen]
    for accepted, stated in _STATED.items():
        if text.takes(stated):
            state = None if text.takes("conflict") else read_state(text)
            answer = {"accepted": accepted, "state": state}
    text.seen = shown  # the states of the answers do not show the type
    return {"message": message, "answer": answer}


def written_session(messages: Any, answers: Any, form: Form | None) -> list[str]:
    """Return a line for each message, with its answer if there is one."""
    lines = [write_node(message, form) for message in messages]
    width = max(map(len, lines), default=0)
    for place, answer in enumerate(answers or ()):
        state = "conflict" if answer["state"] is None else write_state(answer["state"], form)
        lines[place] = f"{lines[place]:<{width}}    {_STATED[answer['accepted']]:<8}  {state}"
    return lines
