"""The machine of history merge: sessions that fork, and vectors that are turned round.

The oracle reads a history as sets of events. A set of events that holds the past of each of its
events stands for a state: the fold of its last events, where the origin of each step is the state
of the events that both sides share. It knows no graph algorithm, no cache and no lcaU.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from attrs import frozen
from hypothesis import event
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from rejoin_conformance.laws.asking import LawMachine, shuffled

Names: TypeAlias = frozenset[str]
NAMES = st.frozensets(st.sampled_from("xyz"))
IDS = ["10", "9", "B", "a", "aa", "b", "k", "z", "~"]
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


def listed(history: History, names: Iterable[str]) -> Any:
    """Return messages as an operation takes them."""
    return [
        {
            "id": name,
            "parents": sorted(history[name].parents),
            "state": sorted(history[name].state),
        }
        for name in names
    ]


def answered(state: Names) -> Any:
    """Return a state as an operation answers it."""
    return {"output": {"state": sorted(state)}}


class HistoryMerge(LawMachine):
    """A session that grows, and the questions that its laws answer."""

    @initialize()
    def begin(self) -> None:
        """Begin with an empty session."""
        self.history: dict[str, Message] = {}

    @precondition(lambda self: len(self.history) < len(IDS))
    @rule(data=st.data(), added=NAMES, removed=NAMES)
    def post(self, data: st.DataObject, added: Names, removed: Names) -> None:
        """A member posts over what it has seen."""
        over = self._anti_chain(data)
        name = data.draw(st.sampled_from([each for each in IDS if each not in self.history]))
        before = state_of(self.history, past(self.history, over))
        self.history[name] = Message(over, (before | added) - removed)

    @precondition(lambda self: self.history)
    @rule(data=st.data(), operation=st.sampled_from(["merge", "merge-temporary-nodes"]))
    def commutativity_of_the_fold(self, data: st.DataObject, operation: str) -> None:
        """Fold the same messages in a drawn order, and list them in another one."""
        chain = self._anti_chain(data)
        order = shuffled(data, sorted(self.history)) if data.draw(st.booleans()) else []
        expected = state_of(self.history, past(self.history, chain), order)
        value = self._merging(data, chain, order)
        law = "temporary-nodes-agree" if operation != "merge" else "last-operations-count"
        self.asking.expect(law, operation, value, answered(expected))
        if without_opposites(self.history, past(self.history, chain)):
            event(f"{len(chain)} messages to merge in a free order")
            free = answered(state_of(self.history, past(self.history, chain)))
            self.asking.expect("order-independence", operation, value, free)

    @rule(sides=st.tuples(NAMES, NAMES, NAMES))
    def commutativity_of_the_sides(self, sides: tuple[Names, Names, Names]) -> None:
        """Merge two states that come from a third one, both ways round."""
        origin, left, right = (sorted(each) for each in sides)
        expected = answered(three_way(*sides))
        for one, two in ((left, right), (right, left)):
            value: Any = {"origin": origin, "left": one, "right": two}
            self.asking.expect("order-independence", "three-way-merge", value, expected)

    @precondition(lambda self: self.history)
    @rule(data=st.data())
    def idempotence(self, data: st.DataObject) -> None:
        """Merge messages that all have the same state, and a state with itself."""
        chain = self._anti_chain(data)
        alike = dict(self.history)
        same = data.draw(NAMES)
        alike |= {name: Message(alike[name].parents, same) for name in chain}
        nodes = listed(alike, shuffled(data, sorted(alike)))
        expected = answered(same if chain else frozenset())
        self.asking.expect("unanimity", "merge", {"nodes": nodes, "merge": [*chain]}, expected)

    @precondition(lambda self: self.history)
    @rule(data=st.data())
    def convergence(self, data: st.DataObject) -> None:
        """Two members receive the same messages in different orders."""
        expected = answered(state_of(self.history, frozenset(self.history)))
        for _ in range(2):
            nodes = listed(self.history, shuffled(data, sorted(self.history)))
            law = "delivery-order-means-nothing"
            self.asking.expect(law, "members", {"nodes": nodes}, expected)

    @precondition(lambda self: len(self.history) < len(IDS))
    @rule(data=st.data())
    def associativity(self, data: st.DataObject) -> None:
        """Merge a part first, and put a new message over it, if no changes are opposites."""
        chain = sorted(last(self.history, frozenset(self.history)))
        events = frozenset(self.history)
        if len(chain) < 2 or not without_opposites(self.history, events):
            return
        part, rest = chain[:-1], chain[-1:]
        name = data.draw(st.sampled_from([each for each in IDS if each not in self.history]))
        over = Message(frozenset(part), state_of(self.history, past(self.history, part)))
        nodes = listed({**self.history, name: over}, [name, *self.history])
        value: Any = {"nodes": nodes, "merge": [name, *rest]}
        expected = answered(state_of(self.history, events))
        self.asking.expect("associativity", "merge", value, expected)

    @precondition(lambda self: self.history)
    @rule(data=st.data())
    def redundancy_is_refused(self, data: st.DataObject) -> None:
        """A set with a message and one before it is no anti-chain."""
        name = data.draw(st.sampled_from(sorted(self.history)))
        older = sorted(past(self.history, [name]))
        names = [name, data.draw(st.sampled_from(older))]
        value: Any = {"nodes": listed(self.history, self.history), "merge": names}
        self.asking.expect("reduced-sets", "merge", value, {"rejected": {}})

    @precondition(lambda self: self.history)
    @rule(data=st.data())
    def determinism(self, data: st.DataObject) -> None:
        """Ask two processes the same question."""
        value = self._merging(data, self._anti_chain(data), [])
        self.asking.expect("determinism", "merge", value)

    @rule(data=st.data())
    def commutativity_of_vectors(self, data: st.DataObject) -> None:
        """List the messages of a vector in another order, and exchange the sides of a merge."""
        operations = ("merge", "members", "merge-temporary-nodes", "three-way-merge")
        for vector in self.drawn(data, *operations):
            value: dict[str, Any] = {**vector.input}
            if "left" in value and value.get("state_type") != "lines":
                value |= {"left": value["right"], "right": value["left"]}
            for name in [each for each in ("nodes", "merge") if each in value]:
                value[name] = shuffled(data, value[name])
            self.ask_turned("only-the-past-counts", vector, value)

    def _anti_chain(self, data: st.DataObject) -> Names:
        if not self.history:
            return frozenset()
        some = data.draw(st.sets(st.sampled_from(sorted(self.history)), max_size=4))
        return last(self.history, past(self.history, some))

    def _merging(self, data: st.DataObject, chain: Names, order: Sequence[str]) -> Any:
        nodes = listed(self.history, shuffled(data, sorted(self.history)))
        value: dict[str, Any] = {"nodes": nodes, "merge": shuffled(data, sorted(chain))}
        return {**value, "order": [*order]} if order else value
