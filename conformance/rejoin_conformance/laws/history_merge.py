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
from hypothesis.stateful import rule

from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.laws.machine import LawMachine, Question

Names: TypeAlias = frozenset[str]
NAMES = st.sampled_from([frozenset(text) for text in ("", "x", "y", "z", "xy", "xz", "yz", "xyz")])
CHANGES = st.lists(st.tuples(NAMES, NAMES), min_size=1, max_size=5)
"""What is added and what is removed by each of some posts."""
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
    found, waiting = set[str](), [*of]
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
    pasts = {name: past(history, [name]) for name in events}
    before = {name: state_of(history, pasts[name] - {name}) for name in events}
    return not any(
        (history[one].state - before[one]) & (before[two] - history[two].state)
        for one in events
        for two in events
        if one not in pasts[two] and two not in pasts[one]
    )


def history_of(value: Any, output: Any) -> dict[str, Message]:
    """Return the messages of a vector; none if it is refused, large, or not about sets."""
    nodes = value.get("nodes", ())
    if "state" not in output or {"state_type", "order"} & {*value} or len(nodes) >= MOST:
        return {}
    return {
        each["id"]: Message(frozenset(each["parents"]), frozenset(each["state"])) for each in nodes
    }


class HistoryMerge(LawMachine):
    """A session that grows, and the questions that its laws answer."""

    operations = ("merge", "members", "merge-temporary-nodes", "three-way-merge")

    def begun_with(self, value: Any, output: Any) -> bool:
        """Begin with the messages of a vector."""
        self.history = history_of(value, output)
        return bool(self.history)

    @rule()
    def users_work(self) -> None:
        """Members post over what they have seen."""
        for added, removed in self.draw(CHANGES)[: MOST - len(self.history)]:
            over = self._anti_chain(0, 2)
            before = state_of(self.history, past(self.history, over))
            name = self.one(sorted({*IDS} - {*self.history}))
            self.history[name] = Message(over, (before | added) - removed)

    @rule(operation=st.sampled_from(["merge", "merge-temporary-nodes"]), ordered=st.booleans())
    def commutativity(self, operation: str, ordered: bool) -> None:  # noqa: FBT001 - drawn
        """Fold the same messages in a drawn order, and list them in another one."""
        chain = self._anti_chain()
        events = past(self.history, chain)
        more = {"order": self.shuffled(sorted(self.history))} if ordered else {}
        value = self._asked(self.history, merge=self.shuffled(sorted(chain)), **more)
        law = "temporary-nodes-agree" if operation != "merge" else "last-operations-count"
        self.asking.saw(f"{len(chain)} messages to merge")
        self._expect(law, operation, value, state_of(self.history, events, **more))
        if without_opposites(self.history, events):
            self._expect("order-independence", operation, value, state_of(self.history, events))

    @rule(origin=NAMES, left=NAMES, right=NAMES)
    def commutativity_of_the_sides(self, origin: Names, left: Names, right: Names) -> None:
        """Merge two states that come from a third one, both ways round."""
        state = three_way(origin, left, right)
        for one, two in ((left, right), (right, left)):
            value = {"origin": sorted(origin), "left": sorted(one), "right": sorted(two)}
            self._expect("three-way-merge", "three-way-merge", value, state)

    @rule(same=NAMES)
    def idempotence(self, same: Names) -> None:
        """Merge messages that all have the same state, and refuse one with its own past."""
        if chain := sorted(self._anti_chain()):
            alike = {name: Message(self.history[name].parents, same) for name in chain}
            value = self._asked({**self.history, **alike}, merge=chain)
            self._expect("unanimity", "merge", value, same)
            name = self.one(chain)
            older = self.one(sorted(past(self.history, [name])))
            value = self._asked(self.history, merge=[name, older])
            self.expect("reduced-sets", "merge", value, {"rejected": {}})

    @rule()
    def convergence(self) -> None:
        """Two members receive the same messages in different orders."""
        state = state_of(self.history, frozenset(self.history))
        for _ in range(2):
            value = self._asked(self.history)
            self._expect("delivery-order-means-nothing", "members", value, state)

    @rule()
    def associativity(self) -> None:
        """Merge a part first, and put a new message over it, if no changes are opposites."""
        events = frozenset(self.history)
        if value := self._in_parts(self.history, last(self.history, events)):
            self._expect("associativity", "merge", value, state_of(self.history, events))

    def turned(self, vector: Vector) -> Question:
        """List messages in another order, exchange sides, merge by new nodes, or in parts."""
        value: Any = {**vector.input}
        law, operation = "only-the-past-counts", vector.operation.partition("/")[2]
        if "left" in value and value.get("state_type") != "lines":
            law, value["left"], value["right"] = "three-way-merge", value["right"], value["left"]
        for name in ("nodes", "merge"):
            value |= {name: self.shuffled(value[name])} if name in value else {}
        answer, way = self.expected(vector), self.one(range(3))
        if operation == "merge" and way == 1:
            law, operation = "temporary-nodes-agree", "merge-temporary-nodes"
        elif operation == "merge" and way == 2:
            parts = self._in_parts(
                history_of(vector.input, answer.get("output", {})), frozenset(value["merge"])
            )
            law, value = ("associativity", parts) if parts else (law, value)
        return law, operation, value, answer

    def _expect(self, law: str, operation: str, value: Any, state: Names) -> None:
        self.expect(law, operation, value, {"output": {"state": sorted(state)}})

    def _anti_chain(self, least: int = 2, most: int = 3) -> Names:
        return last(self.history, past(self.history, self.some([*self.history], least, most)))

    def _asked(self, history: History, **more: list[str]) -> dict[str, Any]:
        """Return messages as an operation takes them, in a drawn order."""
        listed = [
            {"id": name, "parents": sorted(each.parents), "state": sorted(each.state)}
            for name, each in history.items()
        ]
        return {"nodes": self.shuffled(listed), **more}

    def _in_parts(self, history: History, chain: Names) -> dict[str, Any]:
        """Return the question that merges a part first; an empty one outside the law's premise."""
        if len(chain & {*history}) < 2 or not without_opposites(history, past(history, chain)):
            return {}
        part = frozenset(sorted(chain)[:-1])
        name, over = self.one(sorted({*IDS} - {*history})), state_of(history, past(history, part))
        more = {**history, name: Message(part, over)}
        return self._asked(more, merge=[name, *(chain - part)])
