"""Draw a DAG as text: one line for each node, parents above children, each node in a lane.

A node is an `o` in its lane, or an `@` if it is marked. A horizontal line connects it with the
lanes of its parents. A lane ends with `'` at the last child of its node.

    o      A1
    +-o    B1  <- A1
    o |    A2  <- A1
    o-'    A3  <- A2, B1
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import TypeVar

from attrs import Factory, evolve, frozen

from rejoin_conformance.kit.json_types import Json, JsonObject

K = TypeVar("K", bound=Hashable)


@frozen
class Drawing:
    """A DAG to draw, as text or as SVG.

    title: the title of the drawing; may be empty. dag: node -> its parents, parents before
    children. names: node -> its name. notes: node -> a text to print after its name, if any.
    marked: the nodes to emphasise. bases: the nodes at which merges begin, or None for the lowest
    common ancestors. ignored: the nodes that are ignored, if no node follows
    them.
    """

    title: str
    dag: Mapping[int, Sequence[int]]
    names: Mapping[int, str]
    notes: Mapping[int, str] = Factory(dict)
    marked: frozenset[int] = frozenset()
    bases: frozenset[int] | None = None
    ignored: frozenset[int] = frozenset()

    def text(self) -> str:
        """Return the DAG as text, without its title."""
        return draw_dag(self.dag, self.names, self.notes, self.marked)

    def only(self, names: Collection[str]) -> Drawing:
        """Return the drawing of the nodes with these names."""
        dag = {node: above for node, above in self.dag.items() if self.names[node] in names}
        return evolve(self, dag={node: [n for n in dag[node] if n in dag] for node in dag})


def draw_dag(
    dag: Mapping[K, Sequence[K]],
    names: Mapping[K, str],
    notes: Mapping[K, str],
    marked: Collection[K] = (),
) -> str:
    """Return the DAG as lines of text.

    dag: node -> its parents, parents before children. names: node -> its name. notes: node -> a
    text to print after its name; may lack nodes. marked: the nodes to emphasise.
    """
    rows = []
    for node, lanes in _lanes(dag, marked):
        above = ", ".join(names[parent] for parent in dag[node])
        text = f"{names[node]}  <- {above}" if above else names[node]
        rows.append((lanes, f"{text}   {notes[node]}" if notes.get(node) else text))
    width = max((len(lanes) for lanes, _ in rows), default=0)
    return "\n".join(f"{lanes:<{width}}  {text}".rstrip() for lanes, text in rows)


def _lanes(dag: Mapping[K, Sequence[K]], marked: Collection[K]) -> Iterator[tuple[K, str]]:
    """Yield each node with the lanes beside it.

    Its own lane is that of a parent whose last child it is, or else a free one.
    """
    last_child = {parent: node for node, parents in dag.items() for parent in parents}
    going_on: list[K | None] = []
    for node, parents in dag.items():
        columns = sorted(going_on.index(parent) for parent in parents)
        ending = [going_on.index(each) for each in parents if last_child[each] == node]
        own = min(ending) if ending else _free(going_on)
        marks = {column: "|" for column, each in enumerate(going_on) if each is not None}
        marks |= dict.fromkeys(columns, "+") | dict.fromkeys(ending, "'")
        yield node, _row({**marks, own: "@" if node in marked else "o"}, {own, *columns})
        going_on += [None] * (own == len(going_on))
        for column in ending:
            going_on[column] = None
        going_on[own] = node if node in last_child else None


def _free(going_on: Sequence[object]) -> int:
    return going_on.index(None) if None in going_on else len(going_on)


def _row(marks: Mapping[int, str], joined: Collection[int]) -> str:
    """Return one line. joined: the lanes that a horizontal line connects."""
    low, high = min(joined), max(joined)
    cells = [
        marks.get(column, "-" if low < column < high else " ")
        + ("-" if low <= column < high else " ")
        for column in range(max(marks) + 1)
    ]
    return "".join(cells).rstrip()


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
    graph = {name: [*_parents(node, known)] for name, node in known.items()}
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


def _parents(node: JsonObject, known: Collection[Json]) -> Iterator[Json]:
    parents = node.get("parents")
    named = [each for each in parents if isinstance(each, str)] if isinstance(parents, list) else []
    return (each for each in dict.fromkeys(named) if each in known)
