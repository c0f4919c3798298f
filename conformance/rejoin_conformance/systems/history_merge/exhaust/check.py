"""`rejoin exhaust history-merge`: count the failures, then collect the smallest counterexamples.

Both jobs are split into units. The first job counts in every unit. Its counts show which units have
the smallest counterexamples, and the second job searches only these units.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from rejoin.history_merge import SET_MERGES, SetMerge
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.contract.system import Bound, ExhaustiveCheck
from rejoin_conformance.kit.codec import plain
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.history_merge.exhaust.counts import (
    QUESTIONS,
    Unit,
    counterexamples,
    units_of,
)
from rejoin_conformance.systems.history_merge.exhaust.plain import Case
from rejoin_conformance.systems.history_merge.exhaust.registers import register_counts
from rejoin_conformance.systems.history_merge.exhaust.report import Answers, render, report
from rejoin_conformance.systems.history_merge.exhaust.set_merges import LARGEST, counts_of_merge


def run(bounds: Mapping[str, int], spread: Spread) -> JsonObject:
    """Return the report for all histories of up to `nodes` nodes besides the root."""
    sizes = range(1, bounds["nodes"] + 1)
    # the largest histories first: the time left is then estimated from most of the work
    units = [unit for nodes in reversed(sizes) for unit in units_of(nodes)]
    results: Any = spread.pieces(partial(_count, units), len(units), "counting")
    counted: list[Counter[str]] = [*map(Counter, results)]
    by_size: dict[int, Counter[str]] = {nodes: Counter() for nodes in sizes}
    for unit, counts in zip(units, counted, strict=True):
        by_size[unit.nodes] += counts
    wanted = _wanted(units, counted, by_size)
    collected = spread.pieces(partial(_collect, wanted), len(wanted), "drawing")
    merges = [(merge, nodes) for nodes in sizes if nodes <= LARGEST for merge in SET_MERGES]
    by_merge = spread.pieces(partial(_count_merge, merges), len(merges), "comparing set merges")
    registers = range(1, bounds.get("registers", 0) + 1)
    counted_registers = spread.pieces(_count_registers, len(registers), "comparing registers")
    return report(by_size, _by_question(collected), by_merge, counted_registers)


def _count_merge(merges: Sequence[tuple[SetMerge, int]], place: int) -> Json:
    return counts_of_merge(*merges[place])


def _count_registers(place: int) -> Json:
    return plain(register_counts(place + 1))


def _count(units: Sequence[Unit], place: int) -> Json:
    return dict(units[place].counts())


def _wanted(
    units: Sequence[Unit],
    counted: Sequence[Counter[str]],
    by_size: Mapping[int, Counter[str]],
) -> list[tuple[Unit, list[int]]]:
    """Return the units with smallest answers to a question, and the numbers of these questions."""
    smallest = {
        number: next((n for n in sorted(by_size) if question.answered_by(by_size[n])), None)
        for number, question in enumerate(QUESTIONS)
    }
    wanted = []
    for unit, counts in zip(units, counted, strict=True):
        numbers = [
            number
            for number, question in enumerate(QUESTIONS)
            if smallest[number] == unit.nodes and question.answered_by(counts)
        ]
        if numbers:
            wanted.append((unit, numbers))
    return wanted


def _collect(wanted: Sequence[tuple[Unit, list[int]]], place: int) -> Json:
    unit, questions = wanted[place]
    return [
        [number, [[list(map(list, case.parents)), list(case.changes)] for case in sorted(cases)]]
        for number, cases in counterexamples(unit, questions).items()
    ]


def _by_question(collected: Iterable[Any]) -> Answers:
    answers: Answers = {}
    for unit in collected:
        for number, cases in unit:
            answers.setdefault(number, set()).update(
                Case(tuple(map(tuple, parents)), tuple(changes)) for parents, changes in cases
            )
    return answers


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
            " about an hour.",
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
