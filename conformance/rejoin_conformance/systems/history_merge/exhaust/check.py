"""`rejoin exhaust history-merge`: count the failures, and collect the smallest counterexamples.

Each size is split into units of classes. The counts of all units show which sizes have the smallest
counterexamples, and their units are searched once more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from rejoin.history_merge import SET_MERGES, SetMerge
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.contract.system import Bound, ExhaustiveCheck
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.history_merge.exhaust.counterexamples import Case
from rejoin_conformance.systems.history_merge.exhaust.counts import (
    QUESTIONS,
    Answers,
    examined,
    units_of,
)
from rejoin_conformance.systems.history_merge.exhaust.further import (
    LARGEST,
    counts_of_merge,
    register_counts,
)
from rejoin_conformance.systems.history_merge.exhaust.report import render, report


def run(bounds: Mapping[str, int], spread: Spread) -> JsonObject:
    """Return the report for all histories of up to `nodes` nodes besides the root."""
    sizes = range(1, bounds["nodes"] + 1)
    # the largest histories first: the time left is then estimated from most of the work
    units = [(nodes, unit) for nodes in reversed(sizes) for unit in range(units_of(nodes))]
    counted: Any = spread.pieces(partial(_examine, units, {}), len(units), "counting")
    by_size: dict[int, Counter[str]] = {nodes: Counter() for nodes in sizes}
    for (nodes, _), (counts, _) in zip(units, counted, strict=True):
        by_size[nodes].update(counts)
    wanted = {nodes: _first_answered(nodes, by_size) for nodes in sizes}
    again = [unit for unit in units if wanted[unit[0]]]
    collected: Any = spread.pieces(partial(_examine, again, wanted), len(again), "drawing")
    answers: Answers = {}
    for name, parents, changes in (each for _, cases in collected for each in cases):
        case = Case(tuple(map(tuple, parents)), tuple(changes))
        answers.setdefault(name, set()).add(case)
    merges = [(merge, nodes) for nodes in sizes if nodes <= LARGEST for merge in SET_MERGES]
    by_merge = spread.pieces(partial(_count_merge, merges), len(merges), "comparing set merges")
    registers = bounds.get("registers", 0)
    by_registers = spread.pieces(_count_registers, registers, "comparing registers")
    return report(by_size, answers, by_merge, by_registers)


def _first_answered(nodes: int, by_size: Mapping[int, Counter[str]]) -> list[str]:
    """Return the questions whose smallest answers have so many nodes."""
    return [
        name
        for name, (_, count) in QUESTIONS.items()
        if nodes == next((n for n, counts in by_size.items() if counts[count]), None)
    ]


def _examine(
    units: Sequence[tuple[int, int]], questions: Mapping[int, Sequence[str]], place: int
) -> Json:
    """Return the counts of a unit, and the answers to the questions about its size."""
    nodes, unit = units[place]
    counts, answers = examined(nodes, unit, questions.get(nodes, ()))
    cases: list[Json] = [
        [name, [[*each] for each in case.parents], [*case.changes]]
        for name, found in answers.items()
        for case in sorted(found)
    ]
    return [{**counts}, cases]


def _count_merge(merges: Sequence[tuple[SetMerge, int]], place: int) -> Json:
    return counts_of_merge(*merges[place])


def _count_registers(place: int) -> Json:
    return register_counts(place + 1)


EXHAUSTIVE: Final = ExhaustiveCheck(
    summary="Check every merge in all fold orders and groupings.",
    description="The command counts every history of a root and up to K further nodes. Of DAGs that"
    " differ only in the order of creation, it examines one and counts all. For any set of nodes,"
    " it checks whether the merge depends on the fold order, and whether merging some of the nodes"
    " first changes the result. It also checks under which premises neither happens. For up to 6"
    " nodes, it counts how often the fold order matters under each of the four merges of sets that"
    " the document's laws allow. For registers, it counts how often the fold order decides whether"
    " the heads of a history conflict.",
    bounds=(
        Bound(
            name="nodes",
            summary="K, the number of nodes besides the root. 8 takes seconds, 9 takes minutes, 10"
            " takes hours.",
            default=6,
            minimum=1,
            maximum=10,
        ),
        Bound(
            name="registers",
            summary="The same number for registers. 5 takes seconds, 6 takes minutes. 0 leaves"
            " them out.",
            default=4,
            minimum=0,
            maximum=6,
        ),
    ),
    run=run,
    render=render,
    in_pieces=True,
)
"""The exhaustive check of this system."""
