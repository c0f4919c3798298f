"""The machine of history merge: sessions that fork, and vectors that are turned round.

The oracle reads a history as sets of events. A set of events that holds the past of each of its
events stands for a state: the fold of its last events, where the origin of each step is the state
of the events that both sides share. It knows no graph algorithm, no cache and no lcaU.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from attrs import frozen
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.laws.asking import LawMachine, chosen, shuffled

Names: TypeAlias = frozenset[str]
Changes: TypeAlias = list[tuple[Names, Names]]
"""What is added and what is removed by each of some posts."""
NAMES = st.sampled_from([frozenset(text) for text in ("", "x", "y", "z", "xy", "xz", "yz", "xyz")])
CHANGES = st.lists(st.tuples(NAMES, NAMES), min_size=1, max_size=5)
MOST = 9
"""The number of messages of a session: the oracle is naive."""
IDS = ["10", "9", "B", "a", "aa", "b", "k", "z", "~", "~~"]
"""IDs whose order is that of code points; they are given to messages in any order."""


@frozen
class Message:
    """A message: its parents, and its state."""

    parents: Names
    state: Names


History: TypeAlias = Mapping[str, Message]


def past(history: History, of: Iterable[str]) -> Names:
    """Return the events of a set and everything before them."""
    found: set[str] = set()
    waiting = [*of]
    while waiting:
        found.add(name := waiting.pop())
        waiting += history[name].parents - found
    return frozenset(found)


def last(history: History, events: Names) -> Names:
    """Return the events of a past that no other event of it follows."""
    return events - {parent for each in events for parent in history[each].parents}


def three_way(origin: Names, left: Names, right: Names) -> Names:
    """Keep what both sides kept, and add what either side added."""
    return (origin & left & right) | ((left | right) - origin)


def state_of(history: History, events: Names, order: Sequence[str] = ()) -> Names:
    """Return the state for which a past stands. order: names to fold before all others."""
    ranked = {name: place for place, name in enumerate(order)}
    state, folded = frozenset[str](), frozenset[str]()
    for name in sorted(last(history, events), key=lambda each: (ranked.get(each, len(IDS)), each)):
        mine = past(history, [name])
        origin = state_of(history, folded & mine, order)
        state = three_way(origin, state, history[name].state) if folded else history[name].state
        folded |= mine
    return state


def without_opposites(history: History, events: Names) -> bool:
    """Return whether no addition of an element is concurrent with a removal of it."""
    changes = {
        each: (history[each].state, state_of(history, past(history, history[each].parents)))
        for each in events
    }
    return not any(
        (changes[one][0] - changes[one][1]) & (changes[two][1] - changes[two][0])
        for one in events
        for two in events
        if one not in past(history, [two]) and two not in past(history, [one])
    )


def listed(history: History) -> list[Any]:
    """Return messages as an operation takes them."""
    return [
        {"id": name, "parents": sorted(each.parents), "state": sorted(each.state)}
        for name, each in history.items()
    ]


def history_of(value: Any, answer: Any) -> dict[str, Message]:
    """Return the messages of a vector; none if it is refused, large, or not about sets."""
    nodes = value.get("nodes", ())
    if "output" not in answer or {"state_type", "order"} & {*value} or len(nodes) >= MOST:
        return {}
    return {
        each["id"]: Message(frozenset(each["parents"]), frozenset(each["state"])) for each in nodes
    }


def answered(state: Names) -> Any:
    """Return a state as an operation answers it."""
    return {"output": {"state": sorted(state)}}


class HistoryMerge(LawMachine):
    """A session that grows, and the questions that its laws answer."""

    operations = ("merge", "members", "merge-temporary-nodes", "three-way-merge")

    @initialize(data=st.data(), changes=CHANGES, fresh=st.booleans())
    def begin(self, data: st.DataObject, changes: Changes, fresh: bool) -> None:  # noqa: FBT001 - drawn
        """Begin with some messages, or with those of a vector."""
        (vector,) = self.drawn(data, 1)
        self.history = {} if fresh else history_of(vector.input, self.expected(vector))
        if not self.history:
            self.post(data, changes)

    @rule(data=st.data(), changes=CHANGES)
    def post(self, data: st.DataObject, changes: Changes) -> None:
        """Members post over what they have seen."""
        for added, removed in changes[: MOST - len(self.history)]:
            over = self._anti_chain(data)
            before = state_of(self.history, past(self.history, over))
            self.history[self._new_name(data)] = Message(over, (before | added) - removed)

    @rule(data=st.data(), operation=st.sampled_from(["merge", "merge-temporary-nodes"]))
    def commutativity(self, data: st.DataObject, operation: str) -> None:
        """Fold the same messages in a drawn order, and list them in another one."""
        chain = self._anti_chain(data)
        events = past(self.history, chain)
        order = shuffled(data, sorted(self.history)) if data.draw(st.booleans()) else []
        value = {**self._listed(data), "merge": shuffled(data, sorted(chain))}
        value |= {"order": order} if order else {}
        law = "temporary-nodes-agree" if operation != "merge" else "last-operations-count"
        self.asking.saw(f"{len(chain)} messages to merge")
        self.expect(law, operation, value, answered(state_of(self.history, events, order)))
        if without_opposites(self.history, events):
            free = answered(state_of(self.history, events))
            self.expect("order-independence", operation, value, free)

    @rule(origin=NAMES, left=NAMES, right=NAMES)
    def commutativity_of_the_sides(self, origin: Names, left: Names, right: Names) -> None:
        """Merge two states that come from a third one, both ways round."""
        for one, two in ((left, right), (right, left)):
            value = {"origin": sorted(origin), "left": sorted(one), "right": sorted(two)}
            expected = answered(three_way(origin, left, right))
            self.expect("three-way-merge", "three-way-merge", value, expected)

    @rule(data=st.data(), same=NAMES)
    def idempotence(self, data: st.DataObject, same: Names) -> None:
        """Merge messages that all have the same state, and refuse one with its own past."""
        if chain := self._anti_chain(data):
            alike = {name: Message(self.history[name].parents, same) for name in chain}
            value = {"nodes": listed({**self.history, **alike}), "merge": sorted(chain)}
            self.expect("unanimity", "merge", value, answered(same))
            name = data.draw(st.sampled_from(sorted(chain)))
            older = data.draw(st.sampled_from(sorted(past(self.history, [name]))))
            value = {**self._listed(data), "merge": [name, older]}
            self.expect("reduced-sets", "merge", value, {"rejected": {}})

    @rule(data=st.data())
    def convergence(self, data: st.DataObject) -> None:
        """Two members receive the same messages in different orders."""
        expected = answered(state_of(self.history, frozenset(self.history)))
        for _ in range(2):
            value = self._listed(data)
            self.expect("delivery-order-means-nothing", "members", value, expected)

    @rule(data=st.data())
    def associativity(self, data: st.DataObject) -> None:
        """Merge a part first, and put a new message over it, if no changes are opposites."""
        chain = last(self.history, frozenset(self.history))
        if value := self._in_parts(data, self.history, chain):
            expected = answered(state_of(self.history, frozenset(self.history)))
            self.expect("associativity", "merge", value, expected)

    def turned(self, data: st.DataObject, vector: Vector) -> tuple[str, str, Any, Any]:
        """List messages in another order, exchange sides, merge by new nodes, or in parts."""
        value: Any = {**vector.input}
        law, operation = "only-the-past-counts", vector.operation.partition("/")[2]
        if "left" in value and value.get("state_type") != "lines":
            law, value["left"], value["right"] = "three-way-merge", value["right"], value["left"]
        for name in ("nodes", "merge"):
            value |= {name: shuffled(data, value[name])} if name in value else {}
        answer, way = self.expected(vector), data.draw(st.integers(0, 2))
        if operation == "merge" and way == 1:
            law, operation = "temporary-nodes-agree", "merge-temporary-nodes"
        elif operation == "merge" and way == 2:
            history = history_of(vector.input, answer)
            if parts := self._in_parts(data, history, frozenset(value["merge"])):
                law, value = "associativity", parts
        self.asking.saw(f"a vector by the law {law}")
        return law, operation, value, answer

    def _anti_chain(self, data: st.DataObject) -> Names:
        return last(self.history, past(self.history, chosen(data, [*self.history])))

    def _listed(self, data: st.DataObject) -> dict[str, Any]:
        return {"nodes": shuffled(data, listed(self.history))}

    def _new_name(self, data: st.DataObject) -> str:
        return data.draw(st.sampled_from([each for each in IDS if each not in self.history]))

    def _in_parts(self, data: st.DataObject, history: History, chain: Names) -> dict[str, Any]:
        """Return the question that merges a part first; an empty one outside the law's premise."""
        chain = chain if chain <= history.keys() else frozenset()
        if len(chain) < 2 or not without_opposites(history, past(history, chain)):
            return {}
        part = frozenset(sorted(chain)[:-1])
        name = data.draw(st.sampled_from([each for each in IDS if each not in history]))
        over = Message(part, state_of(history, past(history, part)))
        nodes = shuffled(data, listed({**history, name: over}))
        return {"nodes": nodes, "merge": [name, *(chain - part)]}
