"""Model to code and code to model: behaviours on the reference, and histories as traces.

In a trace, every author is a replica with its own session. If an author hears of another one, the
trace offers it one message after the other, in a drawn order. A message that arrives before its
parents is refused and offered again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, cast

from rejoin.history_merge import Reading
from rejoin_conformance.contract.model import Behaviour, CannotTranslateError, Constants, Step
from rejoin_conformance.kit.draw import Draw, seed_of
from rejoin_conformance.kit.tla_values import Value
from rejoin_conformance.systems.history_merge.actions import (
    ADDING,
    REMOVING,
    Event,
    History,
    hear,
    post,
)
from rejoin_conformance.systems.history_merge.drawing import ID_LETTERS
from rejoin_conformance.systems.history_merge.model.replicas import NOBODYS_ID, Replicas, State
from rejoin_conformance.systems.history_merge.run import Views

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


def trace_of(history: History, reading: Reading) -> Behaviour:
    """Return the steps of a history that sessions of the reference carry out.

    Raises CannotTranslateError if an ID cannot be the ID of a message in the model.
    """
    replicas, views = Replicas(reading), Views()
    draw = Draw(seed_of("trace", history.probe))
    for event in history.events:
        if "post" in event:
            _trace_post(replicas, event)
            views.post(event["author"])
        else:
            _hear(replicas, views, event, draw)
    return Behaviour(tuple(replicas.steps))


def _trace_post(replicas: Replicas, post: Event) -> None:
    message, who = post["post"], frozenset[str](post["who"])
    if message in replicas.numbers or message >= NOBODYS_ID:
        raise CannotTranslateError(
            f"a message that is posted twice, or whose ID sorts after {NOBODYS_ID!r}: {message!r}"
        )
    adds = who if post["kind"] in ADDING else frozenset[str]()
    removes = who if post["kind"] in REMOVING else frozenset[str]()
    replicas.post(post["author"], message, adds, removes)


def _hear(replicas: Replicas, views: Views, event: Event, draw: Draw) -> None:
    replica = event["hear"]
    before = views.seen.get(replica, 0)
    if not views.hear(replica, event["from"], event["behind"]):
        return
    new = views.seen[replica] & ~before
    missing = [number + 1 for number in range(new.bit_length()) if new >> number & 1]
    if draw.chance(1, 4):
        missing = draw.shuffled(missing)
    waiting = len(missing) + 1
    while len(missing) < waiting:  # in a drawn order, a message can come before its parents
        waiting = len(missing)
        missing = [number for number in missing if not replicas.offer(replica, number)]
    if draw.chance(1, 8):
        replicas.offer(replica, draw.between(1, len(replicas.nodes)))
    heads = replicas.heads(replica)
    _redundant(replicas, replica, draw.pick(heads), draw)
    ranking = draw.sample(heads, draw.below(len(heads) + 1)) if draw.chance(1, 2) else []
    replicas.merge(replica, ranking)


def _redundant(replicas: Replicas, replica: str, head: int, draw: Draw) -> None:
    parents = sorted(replicas.nodes[head - 1].parents)
    if parents and draw.chance(1, 8):
        replicas.offer_redundant(replica, replicas.numbers[draw.pick(parents)], head)


def trace_constants(traces: Sequence[Behaviour], reading: Reading) -> Constants:
    """Return the model's constants for traces: their replicas and elements, any fold order."""
    replicas: set[Value] = set()
    elements: set[Value] = set()
    most = 0
    for trace in traces:
        posts = [step.label for step in trace.steps if step.action == "post"]
        most = max(most, len(posts))
        replicas.update(step.label["replica"] for step in trace.steps)
        for label in posts:
            for changed in (label["adds"], label["removes"]):
                elements.update(changed if isinstance(changed, frozenset) else ())
    return {
        "Replicas": frozenset(replicas),
        "Elements": frozenset(elements),
        "MostMessages": most,
        "FoldOrders": "any",
        "SetMerge": reading.set_merge,
    }
