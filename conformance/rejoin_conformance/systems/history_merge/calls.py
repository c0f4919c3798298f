"""A history as calls of operations on its order, its states, its merges and its sessions.

The messages of the history are the nodes. Some calls list only a part of them, list them in another
order, add redundant parents, or offer a message that every session refuses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import define

from rejoin.history_merge import Reading
from rejoin_conformance.contract.history import Call
from rejoin_conformance.kit.draw import Draw, seed_of
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.history_merge.actions import History
from rejoin_conformance.systems.history_merge.run import Message, Run, State, run_history

_NEAR = 16
_MOST = 5
_STRANGER = "?"
_NEW = "~"


def calls_of(history: History, reading: Reading) -> Iterator[Call]:
    """Yield the calls of a history under a reading; none if nobody posts a message."""
    run = run_history(history, reading)
    if run.messages:
        yield from _Questions(run, Draw(seed_of("calls", history.probe))).calls()


@define
class _Questions:
    """A history that was run, and the draw that chooses the calls."""

    run: Run
    draw: Draw

    def calls(self) -> Iterator[Call]:
        """Yield the calls, from the order of the nodes to whole sessions."""
        yield from self._order()
        yield from self._states()
        yield from self._history()
        yield from self._merges()
        yield from self._acceptance()
        yield from self._sessions()
        yield from self._rejected_variants()

    def _order(self) -> Iterator[Call]:
        nodes = self._unstated()
        (one,), other = self._some(1), self._any_of(self.run.messages)
        asked: dict[str, JsonObject] = {
            "before": {"earlier": one, "later": other},
            "ancestors": {"of": [*self._some(2)]},
            "maximal": {"among": [*self._some(_MOST)]},
            "is-anti-chain": {"among": [*self._some(2)]},
            "transitive-reduction": {},
            "common-ancestors": {"of": [*self._some(self.draw.between(1, 3))], "with": one},
            "common-to-all": {"of": [*self._some(self.draw.between(2, 3))]},
        }
        for name, fields in asked.items():
            yield Call(f"history-merge/{name}", {"nodes": nodes, **fields})

    def _states(self) -> Iterator[Call]:
        origin, left, right = (_listed(self.draw.pick(self.run.messages).state) for _ in range(3))
        states: JsonObject = {"origin": origin, "left": left, "right": right}
        yield Call("history-merge/three-way-merge", states)
        yield Call("history-merge/diff", {"origin": origin, "changed": left})
        changes: JsonObject = {"inserted": left, "deleted": right}
        yield Call("history-merge/apply-diff", {"state": origin, **changes})

    def _history(self) -> Iterator[Call]:
        nodes = self._listed_nodes(self.run.messages)
        yield Call("history-merge/union-of-events", {"nodes": nodes})
        yield Call("history-merge/operational-edges", {"nodes": nodes})
        yield Call("history-merge/members", {"nodes": nodes})
        yield Call("history-merge/members", self._of_another_type(self.run.messages))

    def _merges(self) -> Iterator[Call]:
        for name in ("merge", "merge", "merge-temporary-nodes", "merge-recurse-fold"):
            yield Call(f"history-merge/{name}", self._merge_of_an_anti_chain())
        any_nodes: list[Json] = [*self._some(_MOST)]
        value: JsonObject = {"nodes": self._listed_nodes(self.run.messages), "merge": any_nodes}
        yield Call("history-merge/merge-reduced", value)
        if self.draw.chance(1, 4):
            yield Call("history-merge/merge", value)

    def _merge_of_an_anti_chain(self) -> JsonObject:
        numbers = self._anti_chain()
        merged = self.draw.shuffled(self.run.ids(numbers))
        value: JsonObject = {
            "nodes": self._listed_nodes(self.run.in_past(self.run.past_of(numbers))),
            "merge": [*merged],
        }
        if self.draw.chance(1, 2):
            value["order"] = [*self.draw.sample(merged, 2)]
        return value

    def _rejected_variants(self) -> Iterator[Call]:
        """Ask for what the document rejects or avoids, and for a merge of lists of lines."""
        yield Call("history-merge/merge-check-continues", self._merge_of_an_anti_chain())
        yield Call("history-merge/merge-check-returns", self._merge_of_an_anti_chain())
        nodes = self._listed_nodes(self.run.messages)
        yield Call("history-merge/without-merges", {"nodes": nodes})
        lines: JsonObject = {**self._merge_of_an_anti_chain(), "state_type": "lines"}
        yield Call("history-merge/merge", lines)

    def _acceptance(self) -> Iterator[Call]:
        known = self.draw.pick(self.run.messages)
        others = [each for each in self.run.messages if not each.past >> known.number & 1]
        nodes = self._listed_nodes(others)
        yield Call("history-merge/accept", {"nodes": nodes, "message": _node(known)})
        older = [*self.run.in_past(known.past)][:-1]
        wrong: list[JsonObject] = [
            {"id": known.id, "parents": [], "state": [_STRANGER]},
            {"id": _NEW, "parents": [known.id, _STRANGER], "state": []},
            {"id": _NEW, "parents": [known.id, self._any_of(older)], "state": []},
        ]
        message: JsonObject = self.draw.pick(wrong)
        if len(set(_texts(message["parents"]))) == len(_texts(message["parents"])):
            every = self._listed_nodes(self.run.messages)
            yield Call("history-merge/accept", {"nodes": every, "message": message})
        if len(self.run.messages) > 1 and self.draw.chance(1, 4):
            gone = self.draw.shuffled(self.run.messages)[1:]
            heads: list[Json] = [gone[0].id]
            value: JsonObject = {"nodes": self._listed_nodes(gone), "merge": heads}
            yield Call("history-merge/merge", value)

    def _sessions(self) -> Iterator[Call]:
        """Offer the messages as they were posted, some of them delayed behind others."""
        delayed = [
            (message.number + self.draw.weighted(((6, 0), (1, 1), (1, 4))), message)
            for message in self.run.messages
        ]
        delayed.sort(key=lambda pair: pair[0])
        messages: list[Json] = [_node(message) for _, message in delayed]
        yield Call("history-merge/session", {"messages": messages})

    def _some(self, count: int) -> list[str]:
        """Return the IDs of at most `count` messages that were posted close to each other."""
        return [self.run.messages[number].id for number in self._near(count)]

    def _near(self, count: int) -> list[int]:
        last = self.draw.between(1, len(self.run.messages))
        return self.draw.sample(range(max(0, last - _NEAR), last), count)

    def _anti_chain(self) -> tuple[int, ...]:
        """Return the heads of the history, or of a few messages posted close to each other."""
        if self.draw.chance(1, 3):
            return self.run.views.heads((1 << len(self.run.messages)) - 1)
        some = self._near(self.draw.between(2, _MOST))
        return self.run.views.heads(self.run.past_of(tuple(some)))

    def _any_of(self, messages: Sequence[Message]) -> str:
        return self.draw.pick(messages).id if messages else _STRANGER

    def _unstated(self) -> list[Json]:
        """Return the nodes without states, with a few redundant parents, in any order."""
        nodes: list[Json] = []
        for message in self.draw.shuffled(self.run.messages):
            parents = set(message.parents)
            if parents and self.draw.chance(1, 4):
                parents.add(self._any_of(self.run.in_past(message.past)[:-1]))
            nodes.append({"id": message.id, "parents": [*sorted(parents)]})
        return nodes

    def _listed_nodes(self, messages: Sequence[Message]) -> list[Json]:
        return [_node(message) for message in self.draw.shuffled(messages)]

    def _of_another_type(self, messages: Sequence[Message]) -> JsonObject:
        """Return the same history with counters or registers as states."""
        counters = self.draw.chance(3, 4)
        nodes: list[Json] = [
            {
                "id": message.id,
                "parents": [*message.parents],
                "state": str(len(message.state) - 2)
                if counters
                else min(message.state, default=""),
            }
            for message in messages
        ]
        return {"nodes": nodes, "state_type": "counter" if counters else "register"}


def _node(message: Message) -> JsonObject:
    return {
        "id": message.id,
        "parents": [*message.parents],
        "state": _listed(message.state),
    }


def _listed(state: State) -> list[Json]:
    return [*sorted(state)]


def _texts(value: Json) -> list[str]:
    assert isinstance(value, list)
    return [str(each) for each in value]
