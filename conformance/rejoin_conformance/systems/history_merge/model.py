"""The formal model of the history merge, checked against the reference in both directions.

The model is in `spec/history-merge/model/`. Behaviours are replayed on the reference, and histories
become traces.

Every replica has its own session. The model numbers messages in the order of posting, from 1 on,
and the reference identifies them by their IDs. Observations contain the numbers.

In a trace, every author is a replica. If an author hears of another one, the trace offers it one
message after the other, in a drawn order. A message that arrives before its parents is refused and
offered again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import define, field

from rejoin.history_merge import (
    SETS,
    HistoryMergeError,
    Node,
    Reading,
    Session,
    fast_merge,
    folding_by,
    ranked_in,
)
from rejoin_conformance.contract.model import (
    Behaviour,
    CannotTranslateError,
    Constants,
    Model,
    Step,
    configurations,
)
from rejoin_conformance.kit.draw import Draw, seed_of
from rejoin_conformance.kit.tla_values import Value, record
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.history_merge import READINGS
from rejoin_conformance.systems.history_merge.actions import (
    ADDING,
    REMOVING,
    Event,
    History,
    hear,
    post,
)
from rejoin_conformance.systems.history_merge.drawing import ID_LETTERS
from rejoin_conformance.systems.history_merge.merges import State
from rejoin_conformance.systems.history_merge.run import Views

_NOBODYS_ID: Final = "~"
"""The ID of messages that every session refuses. It sorts after all other IDs."""


@define
class _Replicas:
    """The sessions of all replicas, and the steps that they have taken, as steps of the model.

    nodes: the messages, in the order of posting. numbers: ID -> number.
    """

    reading: Reading
    sessions: dict[str, Session[State]] = field(factory=dict)
    nodes: list[Node[State]] = field(factory=list)
    numbers: dict[str, int] = field(factory=dict)
    steps: list[Step] = field(factory=list)

    def session(self, replica: str) -> Session[State]:
        """Return the session of a replica, empty if the replica is new."""
        return self.sessions.setdefault(replica, Session(SETS, self.reading))

    def post(self, replica: str, message: str, adds: State, removes: State) -> None:
        """Let a replica post a message with this ID, over the heads of its session."""
        session = self.session(replica)
        heads = session.graph.heads()
        node = Node(message, heads, (session.merge(heads) | adds) - removes)
        departed = session.accept(node)
        place = 1 + sum(other < message for other in self.numbers)
        self.nodes.append(node)
        self.numbers[message] = len(self.nodes)
        observed = {"departed": departed, "state": node.state}
        self._took("post", replica, observed, place=place, adds=adds, removes=removes)

    def offer(self, replica: str, number: int) -> bool:
        """Offer a message to a replica; return whether it accepts the message."""
        try:
            departed = self.session(replica).accept(self.nodes[number - 1])
        except HistoryMergeError as error:
            self._took("refuse", replica, {}, message=number, why=error.code)
            return False
        self._took("accept", replica, {"departed": departed}, message=number)
        return True

    def offer_redundant(self, replica: str, older: int, newer: int) -> None:
        """Offer a replica a message whose parents are a node and one before it."""
        over = frozenset(self.nodes[number - 1].id for number in (older, newer))
        refused = "not at all"
        try:
            self.session(replica).accept(Node(_NOBODYS_ID, over, frozenset()))
        except HistoryMergeError as error:
            refused = error.code
        observed = {} if refused == "not-an-anti-chain" else {"refused": refused}
        self._took("refuse-redundant", replica, observed, older=older, newer=newer)

    def merge(self, replica: str, listed: Iterable[int]) -> None:
        """Let a replica merge its heads, the listed ones first."""
        first, session = tuple(listed), self.session(replica)
        if first:
            order = ranked_in(session.graph, [self.nodes[number - 1].id for number in first])
            reading = folding_by(order, self.reading)
            state = fast_merge(session.graph, session.graph.heads(), SETS, reading)
        else:
            state = session.members()
        self._took("merge", replica, {"state": state}, list=first)

    def heads(self, replica: str) -> tuple[int, ...]:
        """Return the heads of a replica's session, ascending by number."""
        heads = self.session(replica).graph.heads()
        return tuple(sorted(self.numbers.get(each, 0) for each in heads))

    def _took(
        self, action: str, replica: str, observed: Mapping[str, Value], **label: Value
    ) -> None:
        heads: Value = frozenset(self.heads(replica))
        taken = record(action=action, replica=replica, **label)
        self.steps.append(Step(taken, record(heads=heads, **observed)))


# Behaviours.


def replay(behaviour: Behaviour, reading: Reading) -> Iterator[Value]:
    """Carry out the steps on sessions of the reference; yield the observation after each step."""
    replicas = _Replicas(reading)
    ids = iter(ids_of(behaviour))
    for step in behaviour.steps:
        told: Any = step.label
        replica = str(told["replica"])
        match step.action:
            case "post":
                replicas.post(replica, next(ids), told["adds"], told["removes"])
            case "accept" | "refuse":
                replicas.offer(replica, told["message"])
            case "refuse-redundant":
                replicas.offer_redundant(replica, told["older"], told["newer"])
            case _:
                replicas.merge(replica, told["list"])
        done = replicas.steps[-1]
        yield done.after if done.label == step.label else done.label


def ids_of(behaviour: Behaviour) -> tuple[str, ...]:
    """Return IDs for the messages, in the order of posting. They sort as the model placed them."""
    ascending: list[int] = []
    for step in behaviour.steps:
        if step.action == "post":
            place: Any = step.label["place"]
            ascending.insert(place - 1, len(ascending))
    ids = [""] * len(ascending)
    for place, number in enumerate(ascending):
        ids[number] = "".join(ID_LETTERS[place // 20**power % 20] for power in (2, 1, 0))
    return tuple(ids)


def history_of(behaviour: Behaviour, reading: Reading) -> History:  # noqa: ARG001 - one for all readings
    """Return a history with the same messages in the same order, seen by the same replicas.

    In a history, an author hears of all messages that another author has seen. So each message has
    its own author, who has seen exactly the messages before it. Replicas hear of these authors one
    by one.
    """
    events: list[Event] = []
    ids = ids_of(behaviour)
    posted = 0
    for step in behaviour.steps:
        told: Any = step.label
        replica = str(told["replica"])
        if step.action == "post":
            adds, removes = told["adds"], told["removes"]
            kind = "join" if adds else "kick" if removes else "talk"
            author = f"author-{posted + 1}"
            events.append(hear(author, replica))
            events.append(post(author, ids[posted], kind, sorted(adds or removes)))
            events.append(hear(replica, author))
            posted += 1
        elif step.action == "accept":
            events.append(hear(replica, f"author-{told['message']}"))
    text = "\n".join(step.text() for step in behaviour.steps)
    return History(tuple(events), seed_of("probe", text))


# Histories.


def trace_of(history: History, reading: Reading) -> Behaviour:
    """Return the steps of a history that sessions of the reference carry out.

    Raises CannotTranslateError if an ID cannot be the ID of a message in the model.
    """
    replicas, views = _Replicas(reading), Views()
    draw = Draw(seed_of("trace", history.probe))
    for event in history.events:
        if "post" in event:
            _trace_post(replicas, event)
            views.post(event["author"])
        else:
            _hear(replicas, views, event, draw)
    return Behaviour(tuple(replicas.steps))


def _trace_post(replicas: _Replicas, event: Event) -> None:
    message, who = event["post"], frozenset[str](event["who"])
    if message in replicas.numbers or message >= _NOBODYS_ID:
        raise CannotTranslateError(
            f"a message that is posted twice, or whose ID sorts after {_NOBODYS_ID!r}: {message!r}"
        )
    adds, removes = (who if event["kind"] in kinds else State() for kinds in (ADDING, REMOVING))
    replicas.post(event["author"], message, adds, removes)


def _hear(replicas: _Replicas, views: Views, event: Event, draw: Draw) -> None:
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
    newer = draw.pick(heads)
    parents = sorted(replicas.nodes[newer - 1].parents)
    if parents and draw.chance(1, 8):
        replicas.offer_redundant(replica, replicas.numbers[draw.pick(parents)], newer)
    ranking = draw.sample(heads, draw.below(len(heads) + 1)) if draw.chance(1, 2) else []
    replicas.merge(replica, ranking)


def trace_constants(traces: Sequence[Behaviour], reading: Reading) -> Constants:
    """Return the model's constants for traces: their replicas and elements, any fold order."""
    labels: list[Any] = [step.label for trace in traces for step in trace.steps]
    posts = [label for label in labels if label["action"] == "post"]
    changed = [label[each] for label in posts for each in ("adds", "removes")]
    most = max((sum(step.action == "post" for step in trace.steps) for trace in traces), default=0)
    replicas = frozenset(label["replica"] for label in labels)
    return _constants(reading, replicas, State().union(*changed), most)


def _constants(
    reading: Reading, replicas: Iterable[str], elements: Iterable[str], most: int
) -> Constants:
    """Return the model's constants. most: the largest number of messages."""
    return {
        "Replicas": frozenset(replicas),
        "Elements": frozenset(elements),
        "MostMessages": most,
        "FoldOrders": "any",
        "SetMerge": reading.set_merge,
    }


MODEL: Final[Model[History]] = Model(
    module="HistoryMerge",
    configurations=configurations("history-merge"),
    simulation_constants=under(READINGS, lambda reading: _constants(reading, "ABCD", "xy", 10)),
    exhaustive_constants=under(READINGS, lambda reading: _constants(reading, "AB", "x", 3)),
    trace_constants=under(READINGS, trace_constants),
    replay=under(READINGS, replay),
    history_of=under(READINGS, history_of),
    trace_of=under(READINGS, trace_of),
    weights={"post": 5, "accept": 8, "merge": 4},
)
"""The model of replicas that post, accept and merge. It specifies every reading: their
merges of sets are a constant."""
