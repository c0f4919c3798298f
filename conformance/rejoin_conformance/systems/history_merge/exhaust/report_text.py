"""The report of the exhaustive check as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.json_types import JsonObject

_QUESTION_WITHOUT_ORDER = "order-independent"


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
