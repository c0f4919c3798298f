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

from rejoin_conformance.laws.machine import LawMachine

Names: TypeAlias = frozenset[str]
NAMES = st.sampled_from([frozenset(text) for text in ("", "x", "y", "z", "xy", "xz", "yz", "xyz")])
CHANGES = st.lists(st.tuples(NAMES, NAMES), min_size=1, max_size=5)
"""What is added and what is removed by each of some posts."""
MOST = 9
"""The number of messages of a session: the oracle is naive."""
IDS = ["10", "9", "B", "a", "aa", "b", "k", "z", "~", "~~"]
"""IDs whose order is that of code points; they are given to messages in any order."""


class Message(NamedTuple):
    """A message: itself with all that came before, and its state."""

    past: Names
    state: Names


History: TypeAlias = Mapping[str, Message]


def past(history: History, of: Iterable[str]) -> Names:
    """Return some messages and all that came before them."""
    return frozenset().union(*(history[name].past for name in of))


def last(history: History, events: Names) -> Names:
    """Return the events of a past that no other event of it follows."""
    return events - frozenset().union(*(history[name].past - {name} for name in events))


def three_way(origin: Names, left: Names, right: Names) -> Names:
    """Keep what both sides kept, and add what either side added."""
    return (origin & left & right) | ((left | right) - origin)


def state_of(history: History, events: Names, order: Sequence[str] = ()) -> Names:
    """Return the state for which a past stands. order: names to fold before all others."""
    names = [*order, *sorted(history)]
    state = folded = frozenset[str]()
    for name in sorted(last(history, events), key=names.index):
        message = history[name]
        origin = state_of(history, folded & message.past, order)
        state, folded = three_way(origin, state, message.state), folded | message.past
    return state


def without_opposites(history: History, events: Names) -> bool:
    """Return whether no addition of an element is concurrent with a removal of it."""
    before = {name: state_of(history, history[name].past - {name}) for name in events}
    return not any(
        (history[one].state - before[one]) & (before[two] - history[two].state)
        for one in events
        for two in events
        if one not in history[two].past and two not in history[one].past
    )


def history_of(value: Any, output: Any) -> dict[str, Message]:
    """Return the messages of a vector; none if it is refused, large, or not about sets."""
    nodes = value.get("nodes", ())
    if not output or "state_type" in value or len(nodes) >= MOST:
        return {}
    parents = {node["id"]: node["parents"] for node in nodes}

    def past_of(name: str) -> Names:
        return frozenset([name]).union(*map(past_of, parents[name]))

    return {n["id"]: Message(past_of(n["id"]), frozenset(n["state"])) for n in nodes}


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
            name, seen = self._new(self.history), self._seen(0, 2)
            state = (state_of(self.history, seen) | added) - removed
            self.history[name] = Message(seen | {name}, state)

    @rule()
    def commutativity_and_associativity(self) -> None:
        """Fold the same messages in a drawn order, list them in another one, merge in parts."""
        seen, order = self._seen(), self.shuffled(sorted(self.history))
        chain = last(self.history, seen)
        self.asking.saw(f"{len(chain)} messages to merge")
        independent = without_opposites(self.history, seen)
        law = "order-independence" if independent else "last-operations-count"
        for more in ({}, {"order": order}):
            value = self._asked(self.history, merge=self.shuffled(sorted(chain)), **more)
            state = sorted(state_of(self.history, seen, **more))
            self._merge(law, value, {"state": state}, self.history)

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
        chain = sorted(last(self.history, self._seen()))
        alike = {name: Message(self.history[name].past, same) for name in chain}
        value = self._asked({**self.history, **alike}, merge=chain)
        self.expect("unanimity", "merge", value, state=sorted(same))
        older = self.one(sorted(self.history[chain[0]].past))
        self.expect("reduced-sets", "merge", self._asked(self.history, merge=[chain[0], older]))

    @rule()
    def convergence(self) -> None:
        """Two members receive the same messages in different orders."""
        state = sorted(state_of(self.history, frozenset(self.history)))
        for _ in range(2):
            value = self._asked(self.history)
            self.expect("delivery-order-means-nothing", "members", value, state=state)

    def turn_round(self, operation: str, value: Any, output: Any) -> None:
        """List messages in another order, exchange sides, merge by new nodes, and in parts."""
        law, value = "only-the-past-counts", {**value}
        for name in ("nodes", "merge"):
            value |= {name: self.shuffled(value[name])} if name in value else {}
        if operation == "three-way-merge" and value.get("state_type") != "lines":
            law, value["left"], value["right"] = operation, value["right"], value["left"]
        if operation == "merge":
            self._merge(law, value, output, history_of(value, output))
        else:
            self.expect(law, operation, value, **output)

    def _merge(self, law: str, value: Any, output: Any, history: History) -> None:
        """Merge at once and by new nodes; if no changes are opposites, also a part first."""
        self.expect(law, "merge", value, **output)
        self.expect("temporary-nodes-agree", "merge-temporary-nodes", value, **output)
        chain = frozenset(value["merge"])
        if len(chain & {*history}) > 1 and without_opposites(history, past(history, chain)):
            first, new = past(history, sorted(chain)[:-1]), self._new(history)
            parts = {**history, new: Message(first | {new}, state_of(history, first))}
            value = self._asked(parts, merge=[new, *(chain - first)])
            self.expect("associativity", "merge", value, **output)

    def _seen(self, least: int = 2, most: int = 3) -> Names:
        """Return all that came before some messages, with themselves."""
        return past(self.history, self.some([*self.history], least, most))

    def _new(self, history: History) -> str:
        return self.one(sorted({*IDS} - {*history}))

    def _asked(self, history: History, **more: list[str]) -> dict[str, Any]:
        """Return messages as an operation takes them, in a drawn order."""
        parents = {name: last(history, each.past - {name}) for name, each in history.items()}
        listed = [
            {"id": name, "parents": sorted(parents[name]), "state": sorted(each.state)}
            for name, each in history.items()
        ]
        return {"nodes": self.shuffled(listed), **more}
