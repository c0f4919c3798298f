"""The report of the exhaustive check, as data and as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.history_merge.exhaust.counts import COUNTS, OF_PREMISE, QUESTIONS
from rejoin_conformance.systems.history_merge.exhaust.plain import Case, described
from rejoin_conformance.systems.history_merge.exhaust.premises import PREMISES, Premise

Answers: TypeAlias = dict[int, set[Case]]
"""Number of a question -> its smallest counterexamples."""

_QUESTION_WITHOUT_ORDER = "order-independent"


def report(
    by_size: Mapping[int, Counter[str]],
    answers: Answers,
    by_merge: Sequence[Json],
    by_registers: Sequence[Json] = (),
) -> JsonObject:
    """Return the report: the counts of each size, the premises, the smallest counterexamples.

    by_merge: the counts of the merges of sets, as data. by_registers: those of registers.
    """
    cases = sorted(set().union(*answers.values()), key=lambda case: (len(case.parents), case))
    found: list[Json] = [
        {
            "answers": [
                QUESTIONS[number].name for number in sorted(answers) if case in answers[number]
            ],
            **described(case),
        }
        for case in cases
    ]
    return {
        "nodes": max(by_size),
        "sizes": [_size(nodes, counts) for nodes, counts in sorted(by_size.items())],
        "premises": [_premise(premise, by_size) for premise in PREMISES],
        "counterexamples": found,
        "set_merges": [*by_merge],
        "registers": [*by_registers],
    }


def _size(nodes: int, counts: Counter[str]) -> JsonObject:
    """Return the counts of a size, with those of each premise in a list."""
    premises: list[Json] = [
        {
            "name": premise.name,
            **{what: counts[f"premise:{premise.name}:{what}"] for what in OF_PREMISE},
        }
        for premise in PREMISES
    ]
    plain: dict[str, int] = {name: counts[name] for name in COUNTS}
    return {"nodes": nodes, **plain, "premises": premises}


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


def render(report: JsonObject) -> str:
    """Return the report as text: tables of counts and premises, then counterexamples."""
    value: Any = report
    return "\n".join(
        [
            f"Every history of a root and up to {value['nodes']} further nodes, for one element:",
            "any anti-chain of its nodes, merged in every fold order",
            "",
            *_sizes(value["sizes"]),
            "",
            *_premises(value),
            "",
            *_set_merges(value["set_merges"]),
            "",
            *_registers(value["registers"]),
            *_counterexamples(value["counterexamples"]),
        ]
    ).rstrip()


def _sizes(sizes: Sequence[Any]) -> list[str]:
    rows = [
        ("nodes", "DAGs", "histories", "order matters", "(sets)", "not associative", "(splits)"),
        *(
            (
                str(size["nodes"]),
                f"{size['dags']:,}",
                f"{size['histories']:,}",
                f"{size['order_dependent']:,}",
                f"{size['order_dependent_sets']:,}",
                f"{size['not_associative']:,}",
                f"{size['failing_splits']:,}",
            )
            for size in sizes
        ),
    ]
    pinned, alone = (sizes[-1][each] for each in ("not_associative_pinned", "only_not_associative"))
    return [
        *_aligned(rows),
        "",
        "order matters: histories with an anti-chain X whose merge depends on the fold order",
        "  (sets): the number of such X in all histories",
        "not associative: histories with A and B such that merge(A + B) and merge({v} + B), for a",
        "  new node v over A, can differ; (splits): the number of such A and B in all histories",
        f"not associative even if every fold order is ascending: {_histories(pinned)}",
        f"not associative even though no fold order matters: {_histories(alone)}",
    ]


def _histories(number: int) -> str:
    return counted(number, "history", "histories")


def _premises(report: Any) -> list[str]:
    last = report["sizes"][-1]
    rows = [("premise", "histories", "order matters", "not associative", "", "")]
    for premise, counts in zip(report["premises"], last["premises"], strict=True):
        smallest = premise["smallest"]
        rows.append(
            (
                premise["name"],
                f"{counts['histories']:,}",
                f"{counts['order_dependent']:,}",
                f"{counts['not_associative']:,}",
                "sufficient" if premise["sufficient"] else f"fails from {smallest} nodes on",
                premise["statement"],
            )
        )
    title = f"Premises, for {last['nodes']} nodes (sufficient: no failure up to this size)"
    return [title, *_aligned(rows, left=(0, 4, 5))]


def _set_merges(counts: Sequence[Any]) -> list[str]:
    last = max(each["nodes"] for each in counts)
    rows = [
        ("merge of sets", "any set", "heads", "heads alone"),
        *(
            (
                each["merge"],
                *(f"{each[name]:,}" for name in ("any_set", "heads", "heads_alone")),
            )
            for each in counts
            if each["nodes"] == last
        ),
    ]
    return [
        f"The four merges of sets that satisfy the document's laws, for {last} nodes:",
        "histories in which the fold order matters",
        *_aligned(rows, left=(0,)),
        "",
        "any set: for some anti-chain; heads: for the heads of the history",
        "heads alone: for the heads, if the merges of origins fold by ascending ID",
    ]


def _registers(counts: Sequence[Any]) -> list[str]:
    if not counts:
        return []
    names = ("histories", "order_decides", "two_conflict", "agree_in_vain", "agree_on_another")
    rows = [
        ("nodes", "histories", "order decides", "(two heads)", "agree in vain", "on another state"),
        *((str(each["nodes"]), *(f"{each[name]:,}" for name in names)) for each in counts),
    ]
    return [
        "Registers: histories in which the parents of each node merge to one state in every order",
        *_aligned(rows),
        "",
        "order decides: the heads conflict in some fold orders and merge in others",
        "  (two heads): of these, two of the heads conflict by themselves in some order",
        "agree in vain: the last operations set one state, and the heads conflict in every order",
        "on another state: the last operations set one state, and some order merges to another",
        "",
    ]


def _counterexamples(found: Sequence[Any]) -> Iterator[str]:
    if not found:
        yield "No counterexample."
        return
    yield "The smallest counterexamples, up to isomorphism"
    for number, case in enumerate(found, start=1):
        yield ""
        yield f"{number}. smallest for: {', '.join(case['answers'])}"
        yield from (f"   {line}" for line in case["drawing"].splitlines())
        for each in case["sets"]:
            yield f"   merging {_set(each['nodes'])}: " + "; ".join(_results(each["results"]))
        for split in case["splits"] if _QUESTION_WITHOUT_ORDER in case["answers"] else ():
            yield (
                f"   merging {_set([*split['a'], *split['b']])} gives {_set(split['together'])} in"
                f" every order; with a new node v over {_set(split['a'])},"
                f" merging {_set(['v', *split['b']])} gives {_set(split['over_new_node'])}"
            )


def _results(results: Sequence[Any]) -> Iterator[str]:
    for place, result in enumerate(results):
        orders = result["orders"]
        if place == len(results) - 1 and len(results) > 1:
            yield f"{_set(result['state'])} in the other {len(orders)} orders"
        else:
            yield f"{_set(result['state'])} in the order " + " or ".join(map(" ".join, orders))


def _set(members: Sequence[str]) -> str:
    return "{" + ", ".join(sorted(members)) + "}"


def _aligned(rows: Sequence[Sequence[str]], left: Sequence[int] = ()) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  "
        + "  ".join(
            f"{cell:<{width}}" if column in left else f"{cell:>{width}}"
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
