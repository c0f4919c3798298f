"""Checks of the laws on a whole history: its edges, its reduction, its past, its states."""

from __future__ import annotations

from collections.abc import Container

from rejoin.history_merge import (
    SETS,
    Node,
    element_three_way_merge,
    graph_of,
    maximal,
    operational_edges,
    set_apply,
    set_diff,
    symmetric_set_three_way_merge,
    transitive_reduction,
)
from rejoin_conformance.contract.ledger import Ledger
from rejoin_conformance.kit.draw import Draw
from rejoin_conformance.systems.history_merge import laws
from rejoin_conformance.systems.history_merge.outcome import shown
from rejoin_conformance.systems.history_merge.run import Message, Run, State


def check_operational_edges(run: Run, ledger: Ledger) -> None:
    """Compare the operational edges with the changes that the events made."""
    edges = operational_edges(run.session.graph, SETS, run.reading, run.session.cache)
    found = {edge.node: (edge.virtual, edge.before, edge.after) for edge in edges}
    expected = {
        message.id: (len(message.parents) > 1, message.departed, message.state)
        for message in run.messages
        if message.parents and message.state != message.departed
    }
    ledger.expect(
        laws.OPERATIONAL_EDGES,
        "other-edges",
        holds=found == expected,
        detail=lambda: f"edges at {' '.join(sorted(found))}, not {' '.join(sorted(expected))}",
    )
    ledger.decide(*(_edge_clause(message, expected) for message in run.messages))


def _edge_clause(message: Message, edges: Container[str]) -> str:
    if not message.parents:
        return "HM-EDGE-ROOT"
    if len(message.parents) == 1:
        return "HM-EDGE-SINGLE"
    return "HM-EDGE-VIRTUAL" if message.id in edges else "HM-EDGE-MERGE"


def check_redundant_parents(run: Run, ledger: Ledger, draw: Draw) -> None:
    """Add redundant parents to the history, and compare its heads, merge and reduction."""
    nodes = []
    for message in run.messages:
        parents = message.node.parents
        if parents:
            parents |= {draw.pick(run.in_past(message.past)[:-1]).id}
        nodes.append(Node(message.id, parents, message.state))
    graph = graph_of(draw.shuffled(nodes))
    heads = graph.heads()
    reduced = {node.id: node.parents for node in transitive_reduction(graph)}
    ledger.expect(
        laws.REDUNDANT_PARENTS,
        "other-reduction",
        holds=reduced == {each.id: each.node.parents for each in run.messages},
        detail=lambda: "the transitive reduction does not restore the original parents",
    )
    ours, theirs = run.session.members(), run.merge(graph, heads, SETS, run.reading)
    ledger.expect(
        laws.REDUNDANT_PARENTS,
        "other-merge",
        holds=(run.session.graph.heads(), ours) == (heads, theirs),
        detail=lambda: f"the members are {shown(ours)}, with redundant parents {shown(theirs)}",
    )
    every = [message.id for message in run.messages]
    ledger.expect(
        laws.REDUNDANT_PARENTS,
        "other-heads",
        holds=maximal(graph, every) == heads == run.session.graph.heads(),
        detail=lambda: f"the heads are {' '.join(sorted(heads))}",
    )
    ledger.decide("HM-ORDER-REDUCTION", "HM-ORDER-MAXIMAL", "HM-MERGE-REDUNDANT-PARENTS")


def check_only_the_past(
    run: Run, ledger: Ledger, draw: Draw, numbers: tuple[int, ...], merged: State
) -> None:
    """Merge a set in a history of only the set and the messages before it, listed in any order."""
    nodes = [message.node for message in run.in_past(run.past_of(numbers))]
    small = run.merge(graph_of(draw.shuffled(nodes)), run.ids(numbers), SETS, run.reading)
    ledger.expect(
        laws.ONLY_THE_PAST,
        "another-state",
        holds=small == merged,
        detail=lambda: (
            f"merging {' '.join(run.ids(numbers))}: {shown(merged)}, in the history up to them"
            f" {shown(small)}"
        ),
    )
    ledger.decide("HM-ORDER-LISTING")
    if len(nodes) < len(run.messages):
        ledger.decide("HM-MERGE-HISTORY")


def check_three_way_merge(run: Run, ledger: Ledger, draw: Draw) -> None:
    """Check the 3-way merge of three states of the history."""
    o, a, b = (draw.pick(run.messages).state for _ in range(3))
    three_way_merge = SETS.merging_by(run.reading.set_merge)
    merged = three_way_merge(o, a, b)
    if o != a != b != o:
        ledger.decide("HM-3WAY-SET", "HM-3WAY-ELEMENT", "HM-3WAY-COMMUTATIVE")
        ledger.decide("HM-3WAY-DIFF-FORM", "HM-3WAY-SYMMETRIC-FORM")
    facts = {
        "not-identity": three_way_merge(o, a, o) == three_way_merge(o, o, a) == a,
        "not-commutative": merged == three_way_merge(o, b, a),
        "not-idempotent": three_way_merge(o, a, a) == a,
        "not-by-diff": merged == set_apply(b, set_diff(o, a)) == set_apply(a, set_diff(o, b)),
        "not-by-element": merged
        == frozenset(x for x in o | a | b if element_three_way_merge(x in o, x in a, x in b)),
        "not-the-symmetric-form": merged == symmetric_set_three_way_merge(o, a, b),
    }
    for kind, holds in facts.items():
        ledger.expect(
            laws.THREE_WAY,
            kind,
            holds=holds,
            detail=lambda: f"o {shown(o)}, a {shown(a)}, b {shown(b)}",
            evidence=lambda: {
                "operation": "history-merge/three-way-merge",
                "input": {
                    "origin": [*sorted(o)],
                    "left": [*sorted(a)],
                    "right": [*sorted(b)],
                },
            },
        )
