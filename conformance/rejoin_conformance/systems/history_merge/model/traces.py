"""Code to model: a history as a trace. Every author is a replica with its own session.

If an author hears of another one, the trace offers it one message after the other, in a drawn
order. A message that arrives before its parents is refused and offered again.
"""

from __future__ import annotations

from collections.abc import Sequence

from rejoin.history_merge import Reading
from rejoin_conformance.contract.model import Behaviour, CannotTranslateError, Constants
from rejoin_conformance.kit.draw import Draw, seed_of
from rejoin_conformance.kit.tla_values import Value
from rejoin_conformance.systems.history_merge.actions import ADDING, REMOVING, Event, History
from rejoin_conformance.systems.history_merge.model.replicas import NOBODYS_ID, Replicas
from rejoin_conformance.systems.history_merge.run import Views


def trace_of(history: History, reading: Reading) -> Behaviour:
    """Return the steps of a history that sessions of the reference carry out.

    Raises CannotTranslateError if an ID cannot be the ID of a message in the model.
    """
    replicas, views = Replicas(reading), Views()
    draw = Draw(seed_of("trace", history.probe))
    for event in history.events:
        if "post" in event:
            _post(replicas, event)
            views.post(event["author"])
        else:
            _hear(replicas, views, event, draw)
    return Behaviour(tuple(replicas.steps))


def _post(replicas: Replicas, post: Event) -> None:
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
