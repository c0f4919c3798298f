"""The histories of the topic `large`, and the answers of the operations."""

from __future__ import annotations

from collections.abc import Iterable

from rejoin_conformance.kit.json_types import Json, JsonObject


def node(node_id: str, parents: Iterable[str], state: Iterable[str]) -> JsonObject:
    """Return a node whose state is a set."""
    return {"id": node_id, "parents": [*parents], "state": [*state]}


def counted(node_id: str, parents: Iterable[str], state: int) -> JsonObject:
    """Return a node whose state is a counter."""
    return {"id": node_id, "parents": [*parents], "state": str(state)}


def names(letter: str, count: int) -> list[str]:
    """Return names that ascend: the letter and a number of four digits."""
    return [f"{letter}{number:04d}" for number in range(count)]


def elements(count: int, *, without: int = 0) -> list[str]:
    """Return e0000, e0001, ..., without the multiples of a divisor if it is given."""
    return [
        name for number, name in enumerate(names("e", count)) if not without or number % without
    ]


def own_removals(heads: int) -> list[Json]:
    """Return a root and heads over it, each of which removes an element of its own."""
    every = elements(heads)
    return [
        node("r", [], [*every, "kept"]),
        *(
            node(f"h{number:04d}", ["r"], [*every[:number], *every[number + 1 :], "kept"])
            for number in range(heads)
        ),
    ]


def one_bit_each(heads: int) -> list[Json]:
    """Return a counter and heads over it, each of which adds another power of two."""
    return [
        counted("r", [], 0),
        *(counted(f"h{number:04d}", ["r"], 1 << number) for number in range(heads)),
    ]


def separated(separators: str) -> tuple[list[Json], list[Json], list[Json]]:
    """Return origins a, b+c and a+b, c for each separator +, the nodes to merge, and the merge."""
    nodes: list[Json] = [node("r", [], []), node("a", ["r"], []), node("c", ["r"], [])]
    merged: list[Json] = []
    kept: list[Json] = []
    for number, mark in enumerate(separators):
        left, right = f"a{mark}b", f"b{mark}c"
        y, z = f"y{number:02d}", f"z{number:02d}"
        s, t, u, v = (f"{letter}{number:02d}" for letter in "stuv")
        nodes += [node(right, ["r"], [y]), node(left, ["r"], [z])]
        nodes += [node(s, ["a", right], [y]), node(t, ["a", right], [y])]
        nodes += [node(u, [left, "c"], []), node(v, [left, "c"], [z])]
        merged += [s, t, u, v]
        kept.append(y)
    return nodes, merged, kept


def long_ids(length: int) -> tuple[list[Json], list[Json]]:
    """Return nodes whose IDs differ in the last character, which decides their merge."""
    p, q, s, t = ("n" * length + letter for letter in "paez")
    nodes: list[Json] = [
        node("r", [], []),
        node(p, ["r"], ["x"]),
        node(q, ["r"], ["x"]),
        node(s, [p], ["x"]),
        node(t, [p], []),
    ]
    return nodes, [q, s, t]


def two_chains(length: int) -> list[Json]:
    """Return two chains l and m, without states, and a short branch k that left them early.

    Every 97th node of m has further parents: a node of l, and one or two that are redundant.
    """
    nodes: list[Json] = [{"id": "r", "parents": []}, {"id": "k", "parents": ["r"]}]
    for number in range(length):
        l_before, m_before = (f"{letter}{number - 1:04d}" if number else "r" for letter in "lm")
        more: list[Json] = []
        if number % 97 == 96:
            far = number * 2 // 3
            more = ["k", f"l{number - 5:04d}", f"m{far:04d}", f"l{far:04d}"]
        nodes.append({"id": f"l{number:04d}", "parents": [l_before]})
        nodes.append({"id": f"m{number:04d}", "parents": [m_before, *more]})
    return nodes


def reduced(nodes: list[Json]) -> list[Json]:
    """Return the nodes of `two_chains` without redundant parents, by ascending ID."""
    reduced: list[JsonObject] = []
    joined = False
    for node in nodes:
        assert isinstance(node, dict)
        listed = node["parents"]
        assert isinstance(listed, list)
        parents = [str(parent) for parent in listed]
        if len(parents) > 1:
            # k is in the past of m from the first join on
            parents = [parents[0], parents[2]] if joined else parents[:3]
            joined = True
        reduced.append({"id": node["id"], "parents": [*sorted(parents)]})
    return [*sorted(reduced, key=lambda node: str(node["id"]))]
