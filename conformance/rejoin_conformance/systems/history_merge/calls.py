"""A history as calls of operations on its order, its states, its merges and its sessions.

The messages of the history are the nodes. Some calls list only a part of them, list them in another
order, add redundant parents, or offer a message that every session refuses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from attrs import define, field

from rejoin_conformance.contract.history import Ask, Call
from rejoin_conformance.kit.draw import Draw, seed_of
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.readings.expressions import reading_of
from rejoin_conformance.systems.history_merge import READINGS
from rejoin_conformance.systems.history_merge.actions import History
from rejoin_conformance.systems.history_merge.run import Message, Run, run_history

_NEAR = 16
_MOST = 5
_STRANGER = "?"
_NEW = "~"
_Asked: TypeAlias = Iterator[tuple[str, Any]]
"""Names of operations, each with its input."""


def calls_of(history: History, ask: Ask) -> Iterator[Call]:
    """Yield the calls of a history; none if nobody posts a message.

    The reference's run states the messages: to ask for each of them would cost more than all calls.
    """
    run = run_history(history, reading_of(READINGS, ask.reading))
    if run.messages:
        asked = _Questions(run, Draw(seed_of("calls", history.probe)))
        for part in (asked.of_order, asked.of_states, asked.of_merges, asked.of_sessions):
            yield from (Call(f"history-merge/{name}", value) for name, value in part())


@define
class _Questions:
    """A history that was run, and the draw that chooses the calls. nodes: its messages as nodes."""

    run: Run
    draw: Draw
    nodes: list[Json] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.nodes = [*map(_node, self.run.messages)]

    def of_order(self) -> _Asked:
        nodes = self._unstated()
        (one,), other = self._some(1), self._any_of(self.run.messages)
        yield "before", {"nodes": nodes, "earlier": one, "later": other}
        yield "ancestors", {"nodes": nodes, "of": self._some(2)}
        yield "maximal", {"nodes": nodes, "among": self._some(_MOST)}
        yield "is-anti-chain", {"nodes": nodes, "among": self._some(2)}
        yield "transitive-reduction", {"nodes": nodes}
        some = self._some(self.draw.between(1, 3))
        yield "common-ancestors", {"nodes": nodes, "of": some, "with": one}
        yield "common-to-all", {"nodes": nodes, "of": self._some(self.draw.between(2, 3))}

    def of_states(self) -> _Asked:
        picked = (self.draw.pick(self.run.messages) for _ in range(3))
        origin, left, right = (sorted(message.state) for message in picked)
        yield "three-way-merge", {"origin": origin, "left": left, "right": right}
        yield "diff", {"origin": origin, "changed": left}
        yield "apply-diff", {"state": origin, "inserted": left, "deleted": right}
        nodes = self._listed(self.run.messages)
        for name in ("union-of-events", "operational-edges", "members"):
            yield name, {"nodes": nodes}
        yield "members", self._of_another_type()

    def of_merges(self) -> _Asked:
        for name in ("merge", "merge", "merge-temporary-nodes", "merge-recurse-fold"):
            yield name, self._merge_of_an_anti_chain()
        some = self._some(_MOST)
        value = {"nodes": self._listed(self.run.messages), "merge": some}
        yield "merge-reduced", value
        if self.draw.chance(1, 4):
            yield "merge", value

    def of_sessions(self) -> _Asked:
        """Offer messages to sessions, and ask for what the document rejects or avoids."""
        run, draw = self.run, self.draw
        known = draw.pick(run.messages)
        others = [each for each in run.messages if not each.past >> known.number & 1]
        yield "accept", {"nodes": self._listed(others), "message": _node(known)}
        older = run.in_past(known.past)[:-1]
        wrong: list[tuple[str, list[str], list[str]]] = [
            (known.id, [], [_STRANGER]),
            (_NEW, [known.id, _STRANGER], []),
            (_NEW, [known.id, self._any_of(older)], []),
        ]
        name, parents, state = draw.pick(wrong)
        if len({*parents}) == len(parents):
            message = {"id": name, "parents": parents, "state": state}
            yield "accept", {"nodes": self._listed(run.messages), "message": message}
        if len(run.messages) > 1 and draw.chance(1, 4):
            gone = draw.shuffled(run.messages)[1:]
            yield "merge", {"nodes": self._listed(gone), "merge": [gone[0].id]}
        # as they were posted, some of them delayed behind others
        delayed = [
            (message.number + draw.weighted(((6, 0), (1, 1), (1, 4))), message)
            for message in run.messages
        ]
        delayed.sort(key=lambda pair: pair[0])
        yield "session", {"messages": [self.nodes[message.number] for _, message in delayed]}
        yield "merge-check-continues", self._merge_of_an_anti_chain()
        yield "merge-check-returns", self._merge_of_an_anti_chain()
        yield "without-merges", {"nodes": self._listed(run.messages)}
        yield "merge", {**self._merge_of_an_anti_chain(), "state_type": "lines"}

    def _merge_of_an_anti_chain(self) -> JsonObject:
        """Merge the heads of the history, or of a few messages posted close to each other."""
        run, draw = self.run, self.draw
        if draw.chance(1, 3):
            numbers = run.views.heads((1 << len(run.messages)) - 1)
        else:
            some = self._near(draw.between(2, _MOST))
            numbers = run.views.heads(run.past_of(tuple(some)))
        merged = draw.shuffled(run.ids(numbers))
        nodes = self._listed(run.in_past(run.past_of(numbers)))
        value: JsonObject = {"nodes": nodes, "merge": [*merged]}
        if draw.chance(1, 2):
            value["order"] = [*draw.sample(merged, 2)]
        return value

    def _some(self, count: int) -> list[str]:
        """Return the IDs of at most `count` messages that were posted close to each other."""
        return [self.run.messages[number].id for number in self._near(count)]

    def _near(self, count: int) -> list[int]:
        last = self.draw.between(1, len(self.run.messages))
        return self.draw.sample(range(max(0, last - _NEAR), last), count)

    def _any_of(self, messages: Sequence[Message]) -> str:
        return self.draw.pick(messages).id if messages else _STRANGER

    def _listed(self, messages: Sequence[Message]) -> list[Json]:
        return [self.nodes[message.number] for message in self.draw.shuffled(messages)]

    def _unstated(self) -> list[Json]:
        """Return the nodes without states, with a few redundant parents, in any order."""
        nodes: list[Json] = []
        for message in self.draw.shuffled(self.run.messages):
            parents = {*message.parents}
            if parents and self.draw.chance(1, 4):
                parents.add(self._any_of(self.run.in_past(message.past)[:-1]))
            nodes.append({"id": message.id, "parents": [*sorted(parents)]})
        return nodes

    def _of_another_type(self) -> JsonObject:
        """Return the same history with counters or registers as states."""
        counters = self.draw.chance(3, 4)
        nodes: list[Json] = []
        for message in self.run.messages:
            count, least = str(len(message.state) - 2), min(message.state, default="")
            nodes.append({**_node(message), "state": count if counters else least})
        return {"nodes": nodes, "state_type": "counter" if counters else "register"}


def _node(message: Message) -> JsonObject:
    return {"id": message.id, "parents": [*message.parents], "state": [*sorted(message.state)]}
