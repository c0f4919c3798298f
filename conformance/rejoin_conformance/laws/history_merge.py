"""The machine of history merge: sessions that fork, and vectors that are turned round.

The oracle reads a history as sets of events. A set of events that holds the past of each of its
events stands for a state: the fold of its last events, where the origin of each step is the state
of the events that both sides share. It knows no graph algorithm, no cache and no lcaU.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from hypothesis import strategies as st
from hypothesis.stateful import rule

from rejoin_conformance.laws.machine import LawMachine, Question

Names: TypeAlias = frozenset[str]
NAMES = st.sampled_from([frozenset(text) for text in ("", "x", "y", "z", "xy", "xz", "yz", "xyz")])
CHANGES = st.lists(st.tuples(NAMES, NAMES), min_size=1, max_size=5)
"""What is added and what is removed by each of some posts."""
MOST = 9
"""The number of messages of a session: the oracle is naive."""
IDS = ["10", "9", "B", "a", "aa", "b", "k", "z", "~", "~~"]
"""IDs whose order is that of code points; they are given to messages in any order."""


class Message(NamedTuple):
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
    names = [*order, *sorted(history)]
    state = folded = frozenset[str]()
    for name in sorted(last(history, events), key=names.index):
        mine = past(history, [name])
        origin = state_of(history, folded & mine, order)
        state, folded = three_way(origin, state, history[name].state), folded | mine
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
    return {n["id"]: Message(frozenset(n["parents"]), frozenset(n["state"])) for n in nodes}


class HistoryMerge(LawMachine):
    """A session that grows, and the questions that its laws answer."""

    operations = ("merge", "members", "merge-temporary-nodes", "three-way-merge")

    def begin_with(self, value: Any, output: Any) -> None:
        """Begin with the messages of a vector, or with those of some members."""
        self.history = history_of(value, output)
        if not self.history:
            self.users_work()

    @rule()
    def users_work(self) -> None:
        """Members post over what they have seen."""
        for added, removed in self.draw(CHANGES)[: MOST - len(self.history)]:
            over = self._anti_chain(0, 2)
            before = state_of(self.history, past(self.history, over))
            self.history[self._new(self.history)] = Message(over, (before | added) - removed)

    @rule(operation=st.sampled_from(["merge", "merge-temporary-nodes"]), ordered=st.booleans())
    def commutativity(self, operation: str, ordered: bool) -> None:  # noqa: FBT001 - drawn
        """Fold the same messages in a drawn order, and list them in another one."""
        chain = self._anti_chain()
        events = past(self.history, chain)
        more = {"order": self.shuffled(sorted(self.history))} if ordered else {}
        value = self._asked(self.history, merge=self.shuffled(sorted(chain)), **more)
        law = "temporary-nodes-agree" if operation != "merge" else "last-operations-count"
        self.asking.saw(f"{len(chain)} messages to merge")
        self.expect(law, operation, value, state=sorted(state_of(self.history, events, **more)))
        if without_opposites(self.history, events):
            state = sorted(state_of(self.history, events))
            self.expect("order-independence", operation, value, state=state)

    @rule(origin=NAMES, left=NAMES, right=NAMES)
    def commutativity_of_the_sides(self, origin: Names, left: Names, right: Names) -> None:
        """Merge two states that come from a third one, both ways round."""
        state = sorted(three_way(origin, left, right))
        for one, two in ((left, right), (right, left)):
            value = {"origin": sorted(origin), "left": sorted(one), "right": sorted(two)}
            self.expect("three-way-merge", "three-way-merge", value, state=state)

    @rule(same=NAMES)
    def idempotence(self, same: Names) -> None:
        """Merge messages that all have the same state, and refuse one with its own past."""
        if chain := sorted(self._anti_chain()):
            alike = {name: Message(self.history[name].parents, same) for name in chain}
            value = self._asked({**self.history, **alike}, merge=chain)
            self.expect("unanimity", "merge", value, state=sorted(same))
            older = self.one(sorted(past(self.history, chain[:1])))
            value = self._asked(self.history, merge=[chain[0], older])
            self.expect("reduced-sets", "merge", value)

    @rule()
    def convergence(self) -> None:
        """Two members receive the same messages in different orders."""
        state = sorted(state_of(self.history, frozenset(self.history)))
        for _ in range(2):
            value = self._asked(self.history)
            self.expect("delivery-order-means-nothing", "members", value, state=state)

    @rule()
    def associativity(self) -> None:
        """Merge a part first, and put a new message over it, if no changes are opposites."""
        events = frozenset(self.history)
        if value := self._in_parts(self.history, last(self.history, events)):
            state = sorted(state_of(self.history, events))
            self.expect("associativity", "merge", value, state=state)

    def turned(self, operation: str, value: Any, answer: Any) -> Question:
        """List messages in another order, exchange sides, merge by new nodes, or in parts."""
        law, value, way = "only-the-past-counts", {**value}, self.one(range(3))
        for name in ("nodes", "merge"):
            value |= {name: self.shuffled(value[name])} if name in value else {}
        if operation == "three-way-merge" and value.get("state_type") != "lines":
            law, value["left"], value["right"] = operation, value["right"], value["left"]
        elif operation == "merge" and way == 1:
            law, operation = "temporary-nodes-agree", "merge-temporary-nodes"
        elif operation == "merge" and way == 2:
            history = history_of(value, answer.get("output", {}))
            if parts := self._in_parts(history, frozenset(value["merge"])):
                law, value = "associativity", parts
        return law, operation, value, answer

    def _anti_chain(self, least: int = 2, most: int = 3) -> Names:
        return last(self.history, past(self.history, self.some([*self.history], least, most)))

    def _new(self, history: History) -> str:
        return self.one(sorted({*IDS} - {*history}))

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
        part, new = frozenset(sorted(chain)[:-1]), self._new(history)
        more = {**history, new: Message(part, state_of(history, past(history, part)))}
        return self._asked(more, merge=[new, *(chain - part)])
