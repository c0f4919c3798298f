"""Compare the literal evaluation of the reference with the fast one, in one history.

Random histories run the fast evaluation. The literal one has a bound on the number of nodes, so in
a larger history it merges a set in the part that consists of the set and the messages before it.
"""

from __future__ import annotations

from rejoin.history_merge import LITERAL_NODES, SETS, complete_algorithm, graph_of, is_literal
from rejoin_conformance.contract.ledger import Ledger
from rejoin_conformance.systems.history_merge import laws
from rejoin_conformance.systems.history_merge.histories.evidence import merge_evidence, shown
from rejoin_conformance.systems.history_merge.histories.run import Run, State


def check_evaluations(run: Run, ledger: Ledger, numbers: tuple[int, ...], merged: State) -> None:
    """Check that the literal merge of one set of messages equals the merge of the run.

    numbers: the numbers of the messages of the set. merged: their merge by ascending ID.
    """
    past = run.past_of(numbers)
    if past.bit_count() > LITERAL_NODES:
        ledger.not_met(laws.EVALUATIONS)
        return
    graph, ids = run.session.graph, run.ids(numbers)
    if not is_literal(graph):
        graph = graph_of(message.node for message in run.in_past(past))
    literal = complete_algorithm.merge(graph, ids, SETS, run.reading)
    ledger.expect(
        laws.EVALUATIONS,
        "another-state",
        holds=literal == merged,
        detail=lambda: f"merging {' '.join(ids)}: {shown(merged)}, literally {shown(literal)}",
        evidence=lambda: merge_evidence(run, numbers, merged ^ literal),
    )
