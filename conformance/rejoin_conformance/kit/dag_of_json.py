"""The DAG that JSON describes as a list of nodes with their parents, as a drawing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from graphlib import CycleError, TopologicalSorter

from rejoin_conformance.kit.dag_drawing import Drawing
from rejoin_conformance.kit.json_types import Json, JsonObject


def drawing_of_nodes(
    title: str,
    nodes: Sequence[Json],
    note: Callable[[JsonObject], str],
    marked: Collection[str] = (),
) -> Drawing | None:
    """Return a drawing of nodes `{"id": text, "parents": [text]}`, or None if they are not a DAG.

    nodes: in any order; the parents that are not among them are left out. note: a node -> the text
        after its name; may be empty. marked: the IDs of the nodes to emphasise.
    """
    listed = [each for each in nodes if isinstance(each, dict)]
    known = {each["id"]: each for each in listed if isinstance(each.get("id"), str)}
    if len(known) != len(nodes):
        return None
    graph = {name: _parents(node, known) for name, node in known.items()}
    try:
        ordered = [*TopologicalSorter(graph).static_order()]
    except CycleError:
        return None
    numbers = {name: number for number, name in enumerate(ordered)}
    return Drawing(
        title,
        {number: [numbers[each] for each in graph[name]] for name, number in numbers.items()},
        {number: str(name) for name, number in numbers.items()},
        {number: note(known[name]) for name, number in numbers.items()},
        frozenset(number for name, number in numbers.items() if name in marked),
    )


def _parents(node: JsonObject, known: Collection[Json]) -> list[Json]:
    parents = node.get("parents")
    listed = parents if isinstance(parents, list) else []
    return [each for each in dict.fromkeys(map(_text, listed)) if each in known]


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""
