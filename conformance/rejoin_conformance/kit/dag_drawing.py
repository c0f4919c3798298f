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
from typing import Generic, TypeVar

from attrs import Factory, frozen

from rejoin_conformance.kit.json_types import Json, JsonObject

K = TypeVar("K", bound=Hashable)


@frozen
class Drawing:
    """A DAG to draw, as text or as SVG.

    title: the title of the drawing; may be empty. dag: node -> its parents, parents before
    children. names: node -> its name. notes: node -> a text to print after its name, if any.
    marked: the nodes to emphasise.
    """

    title: str
    dag: Mapping[int, Sequence[int]]
    names: Mapping[int, str]
    notes: Mapping[int, str] = Factory(dict)
    marked: frozenset[int] = frozenset()

    def text(self) -> str:
        """Return the DAG as text, without its title."""
        return draw_dag(self.dag, self.names, self.notes, self.marked)


@frozen
class Placed(Generic[K]):
    """A node in its lane.

    parents: the lanes of its parents, ascending. ending: the parents' lanes that end at this node.
    taken: for each lane, whether it holds a node that still has children to come.
    """

    node: K
    lane: int
    parents: tuple[int, ...]
    ending: tuple[int, ...]
    taken: tuple[bool, ...]


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
    rows = [
        (
            _row(placed, "@" if placed.node in marked else "o"),
            _text(placed.node, dag[placed.node], names, notes),
        )
        for placed in lanes(dag)
    ]
    width = max((len(lane) for lane, _ in rows), default=0)
    return "\n".join(f"{lane:<{width}}  {text}".rstrip() for lane, text in rows)


def lanes(dag: Mapping[K, Sequence[K]]) -> Iterator[Placed[K]]:
    """Yield each node in a lane: the lane of a parent whose last child it is, or a free lane."""
    last_child = {parent: node for node, parents in dag.items() for parent in parents}
    going_on: list[K | None] = []
    for node, parents in dag.items():
        columns = sorted(going_on.index(parent) for parent in parents)
        ending = [each for each in columns if last_child[_at(going_on, each)] == node]
        own = ending[0] if ending else _free(going_on)
        taken = tuple(each is not None for each in going_on)
        yield Placed(node, own, tuple(columns), tuple(ending), taken)
        for each in ending:
            going_on[each] = None
        if own == len(going_on):
            going_on.append(None)
        going_on[own] = node if node in last_child else None


def _at(going_on: Sequence[K | None], column: int) -> K:
    node = going_on[column]
    assert node is not None
    return node


def _free(going_on: Sequence[K | None]) -> int:
    free = (column for column, each in enumerate(going_on) if each is None)
    return next(free, len(going_on))


def _row(placed: Placed[K], node: str) -> str:
    """Return one line: the node, the lanes that continue, and the lines to its parents."""
    cells: list[str] = []
    own, parents, taken = placed.lane, placed.parents, placed.taken
    low, high = min((own, *parents)), max((own, *parents))
    for column in range(max(len(taken), own + 1)):
        if column == own:
            mark = node
        elif column in parents:
            mark = "'" if column in placed.ending else "+"
        elif column < len(taken) and taken[column]:
            mark = "|"
        else:
            mark = "-" if low < column < high else " "
        cells.append(mark + ("-" if low <= column < high else " "))
    return "".join(cells).rstrip()


def _text(node: K, parents: Sequence[K], names: Mapping[K, str], notes: Mapping[K, str]) -> str:
    text = names[node]
    if parents:
        text += "  <- " + ", ".join(names[parent] for parent in parents)
    return f"{text}   {notes[node]}" if notes.get(node) else text


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
