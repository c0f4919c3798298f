"""Model to code: a behaviour of the model carried out on the reference, and as a history."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, cast

from rejoin.history_merge import Reading
from rejoin_conformance.contract.model import Behaviour, Step
from rejoin_conformance.kit.draw import seed_of
from rejoin_conformance.kit.tla_values import Value
from rejoin_conformance.systems.history_merge.actions import Event, History, hear, post
from rejoin_conformance.systems.history_merge.drawing import ID_LETTERS
from rejoin_conformance.systems.history_merge.model.replicas import Replicas, State

_ID_LENGTH: Final = 3


def replay(behaviour: Behaviour, reading: Reading) -> Iterator[Value]:
    """Carry out the steps on sessions of the reference; yield the observation after each step."""
    replicas = Replicas(reading)
    ids = iter(ids_of(behaviour))
    for step in behaviour.steps:
        replica = str(step.label["replica"])
        match step.action:
            case "post":
                replicas.post(replica, next(ids), _names(step, "adds"), _names(step, "removes"))
            case "accept" | "refuse":
                replicas.offer(replica, _number(step, "message"))
            case "refuse-redundant":
                replicas.offer_redundant(replica, _number(step, "older"), _number(step, "newer"))
            case _:
                replicas.merge(replica, cast("tuple[int, ...]", step.label["list"]))
        done = replicas.steps[-1]
        yield done.after if done.label == step.label else done.label


def ids_of(behaviour: Behaviour) -> tuple[str, ...]:
    """Return IDs for the messages, in the order of posting. They sort as the model placed them."""
    ascending: list[int] = []
    for step in behaviour.steps:
        if step.action == "post":
            ascending.insert(_number(step, "place") - 1, len(ascending))
    ids = [""] * len(ascending)
    for place, number in enumerate(ascending):
        letters = (ID_LETTERS[place // 20**power % 20] for power in reversed(range(_ID_LENGTH)))
        ids[number] = "".join(letters)
    return tuple(ids)


def history_of(behaviour: Behaviour, reading: Reading) -> History:  # noqa: ARG001 - one for all readings
    """Return a history with the same messages in the same order, seen by the same replicas.

    In a history, an author hears of all messages that another author has seen. So each message has
    its own author, who has seen exactly the messages before it. Replicas hear of these authors one
    by one.
    """
    events: list[Event] = []
    ids = iter(ids_of(behaviour))
    posted = 0
    for step in behaviour.steps:
        replica = str(step.label["replica"])
        if step.action == "post":
            posted += 1
            author = _author(posted)
            events.append(hear(author, replica))
            events.append(_post(step, author, next(ids)))
            events.append(hear(replica, author))
        elif step.action == "accept":
            events.append(hear(replica, _author(_number(step, "message"))))
    text = "\n".join(step.text() for step in behaviour.steps)
    return History(tuple(events), seed_of("probe", text))


def _author(number: int) -> str:
    return f"author-{number}"


def _post(step: Step, author: str, message: str) -> Event:
    adds, removes = _names(step, "adds"), _names(step, "removes")
    kind = "join" if adds else "kick" if removes else "talk"
    return post(author, message, kind, sorted(adds or removes))


def _number(step: Step, name: str) -> int:
    return cast("int", step.label[name])


def _names(step: Step, name: str) -> State:
    return cast("State", step.label[name])
