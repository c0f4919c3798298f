"""`rejoin exhaust history-merge`: count the failures, and collect the smallest counterexamples.

Each size is split into units of classes. A question that no smaller size answers is asked of all
units of a size.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from rejoin.history_merge import SET_MERGES, SetMerge
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.contract.system import Bound, ExhaustiveCheck
from rejoin_conformance.kit.document import Block, Code, Heading, Items, Table, Text
from rejoin_conformance.kit.document_text import document_text
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.locations import text_beside
from rejoin_conformance.kit.text import counted
from rejoin_conformance.readings.reach import overridden
from rejoin_conformance.systems.history_merge.exhaust.counts import (
    COUNTS,
    OF_PREMISE,
    QUESTIONS,
    Answers,
    examined,
    units_of,
)
from rejoin_conformance.systems.history_merge.exhaust.dags import dags
from rejoin_conformance.systems.history_merge.exhaust.further import (
    LARGEST,
    counts_of_merge,
    register_counts,
)
from rejoin_conformance.systems.history_merge.exhaust.literal import (
    Case,
    canonical,
    described,
    examined_dag,
    is_literal,
)
from rejoin_conformance.systems.history_merge.exhaust.premises import (
    ORDER_INDEPENDENT,
    PREMISES,
    Premise,
)
from rejoin_conformance.systems.history_merge.outcome import shown


def report(
    by_size: Mapping[int, Counter[str]],
    answers: Answers,
    by_merge: Sequence[Json],
    by_registers: Sequence[Json],
    premises: Sequence[Premise] = PREMISES,
) -> JsonObject:
    """Return the report: the counts of each size, the premises, the smallest counterexamples.

    by_merge: the counts of the merges of sets, as data. by_registers: those of registers.
    """
    cases = sorted(set().union(*answers.values()), key=lambda case: (len(case.parents), case))
    found: list[Json] = [
        {
            "answers": [name for name in QUESTIONS if case in answers.get(name, ())],
            **described(case),
        }
        for case in cases
    ]
    return {
        "nodes": max(by_size),
        "sizes": [_size(nodes, counts, premises) for nodes, counts in by_size.items()],
        "premises": [_premise(premise, by_size) for premise in premises],
        "counterexamples": found,
        "set_merges": [*by_merge],
        "registers": [*by_registers],
    }


def _size(nodes: int, counts: Counter[str], premises: Sequence[Premise]) -> JsonObject:
    """Return the counts of a size, with those of each premise in a list."""
    by_premise: list[Json] = [
        {"name": each.name, **{what: counts[f"premise:{each.name}:{what}"] for what in OF_PREMISE}}
        for each in premises
    ]
    return {"nodes": nodes, **{name: counts[name] for name in COUNTS}, "premises": by_premise}


def _premise(premise: Premise, by_size: Mapping[int, Counter[str]]) -> JsonObject:
    """Return whether a premise suffices, and otherwise the smallest size in which it fails."""
    failing = [
        nodes
        for nodes, counts in by_size.items()
        if any(counts[f"premise:{premise.name}:{what}"] for what in OF_PREMISE[1:])
    ]
    return {
        "name": premise.name,
        "statement": premise.statement,
        "sufficient": not failing,
        "smallest": min(failing, default=None),
    }


# Text.

_TABLES: Final = dict(re.findall(r"^\[(\w+)\]\n((?:.+\n)+)", text_beside(__name__), re.MULTILINE))
"""The tables: on each line the field of a column, its title, and what it counts."""


def render(report: JsonObject) -> str:
    """Return the report as text: tables of counts and premises, then counterexamples."""
    value: Any = report
    return document_text([*_blocks(value, value["sizes"][-1])])


def _blocks(value: Any, last: Any) -> Iterator[Block]:
    yield Heading(
        f"Every history of a root and up to {value['nodes']} further nodes, for one element: any "
        "anti-chain of its nodes, merged in every fold order"
    )
    yield from _table("sizes", value["sizes"])
    for each, words in (
        ("not_associative_pinned", "if every fold order is ascending"),
        ("only_not_associative", "though no fold order matters"),
    ):
        found = counted(last[each], "history", "histories")
        yield Text(f"not associative even {words}: {found}")
    if value["premises"]:
        yield from _premises(value, last)
    else:
        yield Text(
            "The reference merged each history by itself. The only premise is none: any history."
        )
    merges = value["set_merges"]
    if merges:
        most = merges[-1]["nodes"]
        yield Heading(
            "Histories in which the fold order matters, under the four merges of sets that satisfy "
            f"the document's laws, for {most} nodes"
        )
        yield from _table("merges", [each for each in merges if each["nodes"] == most])
    if value["registers"]:
        yield Heading(
            "Registers: histories in which the parents of each node merge to one state in every "
            "order"
        )
        yield from _table("registers", value["registers"])
    cases = value["counterexamples"]
    yield Heading(
        "The smallest counterexamples, up to isomorphism" if cases else "No counterexample."
    )
    for number, case in enumerate(cases, start=1):
        yield Text(f"{number}. smallest for: {', '.join(case['answers'])}")
        yield Code("\n".join([case["drawing"], *_failures(case)]))


def _premises(value: Any, last: Any) -> Iterator[Block]:
    yield Heading(f"Premises, for {last['nodes']} nodes (sufficient: no failure up to this size)")
    yield Table(
        ["premise", "histories", "order matters", "not associative", "", ""],
        [
            [
                each["name"],
                *(f"{count[what]:,}" for what in OF_PREMISE),
                "sufficient" if each["sufficient"] else f"fails from {each['smallest']} nodes on",
                each["statement"],
            ]
            for each, count in zip(value["premises"], last["premises"], strict=True)
        ],
        frozenset({1, 2, 3}),
    )


def _table(name: str, counts: Sequence[Any]) -> Iterator[Block]:
    """Yield a table of counts, and the words that say what its columns count."""
    columns = [line.split(": ", 2) for line in _TABLES[name].splitlines()]
    rows = [
        [f"{each[name]:,}" if name != "merge" else each[name] for name, *_ in columns]
        for each in counts
    ]
    numbers = frozenset(place for place, (name, *_) in enumerate(columns) if name != "merge")
    yield Table([title for _, title, *_ in columns], rows, numbers)
    yield Items([f"{title}: {words}" for _, title, *said in columns for words in said])


def _failures(case: Any) -> Iterator[str]:
    for each in case["sets"]:
        yield f"merging {shown(each['nodes'])}: " + "; ".join(_results(each["results"]))
    for split in case["splits"] if ORDER_INDEPENDENT in case["answers"] else ():
        yield (
            f"merging {shown([*split['a'], *split['b']])} gives {shown(split['together'])} in"
            f" every order; with a new node v over {shown(split['a'])},"
            f" merging {shown(['v', *split['b']])} gives {shown(split['over_new_node'])}"
        )


def _results(results: Sequence[Any]) -> Iterator[str]:
    for place, result in enumerate(results, start=1):
        orders = result["orders"]
        if place == len(results) > 1:
            yield f"{shown(result['state'])} in the other {counted(len(orders), 'order')}"
        else:
            yield f"{shown(result['state'])} in the order " + " or ".join(map(" ".join, orders))


def run(bounds: Mapping[str, int], spread: Spread) -> JsonObject:
    """Return the report for all histories of up to `nodes` nodes besides the root."""
    sizes = range(1, bounds["nodes"] + 1)
    literal = is_literal(bounds["nodes"])
    by_size = {nodes: Counter[str]() for nodes in sizes}
    answers: dict[str, dict[Case, Case]] = {}
    for nodes in sizes:
        unanswered = [name for name in QUESTIONS if name not in answers]
        work, activity = partial(_examine, literal, nodes, unanswered), f"counting {nodes} nodes"
        units = len(dags(nodes)) if literal else units_of(nodes)
        examined: Any = spread.pieces(work, units, activity)
        for counts, cases in examined:
            by_size[nodes].update(counts)
            for name, parents, changes in cases:
                case = Case(tuple(map(tuple, parents)), tuple(changes))
                # An isomorphic history can differ under a rule that looks at the IDs of nodes.
                answers.setdefault(name, {}).setdefault(canonical(case), case)
    smallest = {name: {*cases.values()} for name, cases in answers.items()}
    if literal:
        return report(by_size, smallest, (), (), ())
    merges = [(merge, nodes) for nodes in sizes if nodes <= LARGEST for merge in SET_MERGES]
    by_merge = spread.pieces(partial(_count_merge, merges), len(merges), "comparing set merges")
    registers = 0 if overridden() else bounds.get("registers", 0)  # they merge by their own rule
    by_registers = spread.pieces(_count_registers, registers, "comparing registers")
    return report(by_size, smallest, by_merge, by_registers)


def _examine(literal: bool, nodes: int, questions: Sequence[str], unit: int) -> Json:  # noqa: FBT001
    """Return the counts of a unit of a size, and its answers to questions."""
    counts, answers = (examined_dag if literal else examined)(nodes, unit, questions)
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
    " the heads of a history conflict. Under a rule file, it leaves out registers. If the file"
    " changes more than the 3-way merge of sets, the reference merges each history by itself: of at"
    " most 5 nodes, without the premises and the four merges.",
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
