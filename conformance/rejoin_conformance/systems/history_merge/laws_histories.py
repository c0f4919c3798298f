"""Checks of the laws on a whole history and on sessions: edges, reduction, states, refusals."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from rejoin.history_merge import (
    SETS,
    HistoryMergeError,
    element_three_way_merge,
    set_apply,
    set_diff,
    symmetric_set_three_way_merge,
)
from rejoin_conformance.contract.law import Ledger
from rejoin_conformance.kit.draw import Draw
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.history_merge.merges import Merges, Posted, State
from rejoin_conformance.systems.history_merge.outcome import shown
from rejoin_conformance.systems.history_merge.run import Message, Run


@frozen
class HistoryCheck:
    """A history that was run, and the draw that chooses what is checked."""

    run: Run
    ledger: Ledger
    draw: Draw

    def check_all(self, numbers: tuple[int, ...], merged: State) -> None:
        """Check every law about a whole history. merged: the merge of some of its messages."""
        self._only_the_past(numbers, merged)
        self._operational_edges()
        self._three_way_merge()
        if self.draw.chance(1, 2):
            self._redundant_parents()
        other = self.run.merges.fresh(2 if self.draw.chance(1, 2) else None)
        departed = deliver(other, self.draw.shuffled(self.run.messages))
        self._same_outcome(other, departed)
        self._refusals(other)
        self._views()

    def _only_the_past(self, numbers: tuple[int, ...], merged: State) -> None:
        """Merge a set in a history of only the set and the messages before it, in any order."""
        run, ids = self.run, self.run.ids(numbers)
        nodes = [message.node for message in run.in_past(run.past_of(numbers))]
        small = run.merges.of(self.draw.shuffled(nodes)).merge_anew(ids)
        self.ledger.check("only-the-past-counts")
        if small != merged:
            detail = f"{shown(merged)}, in the history up to them {shown(small)}"
            detail = f"merging {' '.join(ids)}: {detail}"
            self.ledger.broken("only-the-past-counts", "another-state", detail)
        self.ledger.decide("HM-ORDER-LISTING")
        if len(nodes) < len(run.messages):
            self.ledger.decide("HM-MERGE-HISTORY")

    def _operational_edges(self) -> None:
        """Compare the operational edges with the changes that the events made."""
        run = self.run
        found = run.merges.edges()
        expected = {
            message.id: (len(message.parents) > 1, message.departed, message.state)
            for message in run.messages
            if message.parents and message.state != message.departed
        }
        self.ledger.check("operational-edges")
        if found != expected:
            detail = f"edges at {' '.join(sorted(found))}, not {' '.join(sorted(expected))}"
            self.ledger.broken("operational-edges", "other-edges", detail)
        for message in run.messages:
            at_merge = "HM-EDGE-VIRTUAL" if message.id in expected else "HM-EDGE-MERGE"
            clauses = ("HM-EDGE-ROOT", "HM-EDGE-SINGLE", at_merge)
            self.ledger.decide(clauses[min(len(message.parents), 2)])

    def _three_way_merge(self) -> None:
        """Check the 3-way merge of three states of the history."""
        o, a, b = (self.draw.pick(self.run.messages).state for _ in range(3))
        merge = SETS.merging_by(self.run.reading.set_merge)
        merged = merge(o, a, b)
        if o != a != b != o:
            self.ledger.decide("HM-3WAY-SET", "HM-3WAY-ELEMENT", "HM-3WAY-COMMUTATIVE")
            self.ledger.decide("HM-3WAY-DIFF-FORM", "HM-3WAY-SYMMETRIC-FORM")
        facts = {
            "not-identity": merge(o, a, o) == merge(o, o, a) == a,
            "not-commutative": merged == merge(o, b, a),
            "not-idempotent": merge(o, a, a) == a,
            "not-by-diff": merged == set_apply(b, set_diff(o, a)) == set_apply(a, set_diff(o, b)),
            "not-by-element": merged
            == frozenset(x for x in o | a | b if element_three_way_merge(x in o, x in a, x in b)),
            "not-the-symmetric-form": merged == symmetric_set_three_way_merge(o, a, b),
        }

        def evidence() -> JsonObject:
            sides = {"origin": o, "left": a, "right": b}
            given: JsonObject = {side: [*sorted(state)] for side, state in sides.items()}
            return {"operation": "history-merge/three-way-merge", "input": given}

        self.ledger.check("three-way-merge", times=len(facts))
        for kind in [kind for kind, holds in facts.items() if not holds]:
            detail = f"o {shown(o)}, a {shown(a)}, b {shown(b)}"
            self.ledger.broken("three-way-merge", kind, detail, evidence)

    def _redundant_parents(self) -> None:
        """Add redundant parents to the history, and compare its heads, merge and reduction."""
        run, law, nodes = self.run, "redundant-parents-mean-nothing", []
        for message in run.messages:
            parents = message.node.parents
            if parents:
                parents |= {self.draw.pick(run.in_past(message.past)[:-1]).id}
            nodes.append(Posted(message.id, parents, message.state))
        other = run.merges.of(self.draw.shuffled(nodes))
        heads = other.heads()
        self.ledger.check(law, times=3)
        if other.reduction() != {each.id: each.node.parents for each in run.messages}:
            detail = "the transitive reduction does not restore the original parents"
            self.ledger.broken(law, "other-reduction", detail)
        ours, theirs = run.merges.members(), other.merge_anew(heads)
        if (run.merges.heads(), ours) != (heads, theirs):
            detail = f"the members are {shown(ours)}, with redundant parents {shown(theirs)}"
            self.ledger.broken(law, "other-merge", detail)
        every = [message.id for message in run.messages]
        if not other.maximal(every) == heads == run.merges.heads():
            self.ledger.broken(law, "other-heads", f"the heads are {' '.join(sorted(heads))}")
        self.ledger.decide("HM-ORDER-REDUCTION", "HM-ORDER-MAXIMAL", "HM-MERGE-REDUNDANT-PARENTS")

    # Sessions.

    def _same_outcome(self, other: Merges, departed: dict[str, State]) -> None:
        """Compare a session that got the messages in another order, with the merges of parents."""
        run, law = self.run, "delivery-order-means-nothing"
        wrong = sorted(m.id for m in run.messages if departed.get(m.id) != m.departed)
        self.ledger.check(law, times=2)
        if wrong:
            detail = "in another order, these messages have another merge of parents: "
            self.ledger.broken(law, "departed-elsewhere", detail + " ".join(wrong))
        ours, theirs = run.merges.members(), other.members()
        self.ledger.observe(shown(ours))
        if ours != theirs:
            detail = f"the members are {shown(ours)}, in another order {shown(theirs)}"
            self.ledger.broken(law, "other-members", detail)
        if len(other.heads()) > 1:
            self.ledger.decide("HM-ACCEPT-ANY-ORDER", "HM-MEMBERS-HEADS")

    def _refusals(self, session: Merges) -> None:
        """Offer messages that a session must refuse with a code and nodes, and not change."""
        known, law = self.draw.pick(self.run.messages), "refusals-change-nothing"
        size, members = len(session), session.members()
        twice = ("duplicate-node", (known.id,))
        orphan = Posted("~", frozenset([known.id, "?"]), known.state)
        offers = [
            (known.node, *twice),
            (Posted(known.id, State(), State("?")), *twice),
            (orphan, "unknown-parent", ("~", "?")),
        ]
        older = [each for each in self.run.in_past(known.past) if each is not known]
        if older:
            old = self.draw.pick(older).id
            redundant = Posted("~", frozenset([known.id, old]), known.state)
            offers.append((redundant, "not-an-anti-chain", (old, known.id)))
            self.ledger.decide("HM-ACCEPT-ANTI-CHAIN")
        self.ledger.check(law, times=2 * len(offers))
        for message, code, nodes in offers:
            try:
                session.accept(message)
            except HistoryMergeError as error:
                found, named = error.code, error.nodes
            else:
                found, named = "accepted", ()
            if (found, named) != (code, nodes):
                detail = f"{message.id}: {found} {named}, expected {code} {nodes}"
                self.ledger.broken(law, code, detail)
            if (size, members) != (len(session), session.members()):
                detail = f"{message.id} was refused, and the session changed"
                self.ledger.broken(law, "changed", detail)
        self.ledger.decide("HM-ACCEPT-DUPLICATE", "HM-ACCEPT-PARENTS", "HM-ACCEPT-UNCHANGED")

    def _views(self) -> None:
        """Compare the view of a drawn author with a session of only the messages in it."""
        run, law = self.run, "members-of-a-view"
        author = self.draw.pick(sorted(run.views.seen))
        view = run.views.seen[author]
        heads = run.ids(run.views.heads(view))
        session = run.merges.fresh()
        for message in run.in_past(view):
            session.accept(message.node)
        merged, members = run.merges.merge(heads), session.members()
        self.ledger.check(law, times=2)
        if merged != members:
            detail = (
                f"{author} has seen the heads {' '.join(heads)}, which merge to {shown(merged)};"
                f" a session of these messages has the members {shown(members)}"
            )
            self.ledger.broken(law, "other-members", detail)
        departed = session.accept(Posted("~", frozenset(heads), members))
        if not departed == members == session.members():
            detail = f"a message over {' '.join(heads)} changes the members {shown(members)}"
            self.ledger.broken(law, "merge-node-changes", detail)
        several = len(heads) > 1
        self.ledger.decide("HM-MEMBERS-NO-MERGE-NODE" if several else "HM-MEMBERS-ONE-HEAD")


def deliver(session: Merges, messages: Sequence[Message]) -> dict[str, State]:
    """Accept messages as they arrive; a message waits until all its parents are accepted.

    Returns message ID -> the merge of its parents.
    """
    departed: dict[str, State] = {}
    waiting: dict[str, list[Message]] = {}  # missing parent -> messages that wait for it
    for arriving in messages:
        ready = [arriving]
        while ready:
            message = ready.pop()
            missing = next((each for each in message.parents if each not in departed), None)
            if missing is not None:
                waiting.setdefault(missing, []).append(message)
            else:
                departed[message.id] = session.accept(message.node)
                ready += waiting.pop(message.id, ())
    return departed
