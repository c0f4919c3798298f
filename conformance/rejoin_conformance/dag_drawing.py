"""Draw a DAG with letters: one line a node, parents above children, each node in a lane.

A node stands as `o` in its lane. To its left or right a line leads to the lanes of its parents; a
lane ends with `'` where the node in it has no further children.

    o      A1
    +-o    B1  <- A1
    o |    A2  <- A1
    o-'    A3  <- A2, B1
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

K = TypeVar("K", bound=Hashable)


def draw_dag(dag: Mapping[K, Sequence[K]], names: Mapping[K, str], notes: Mapping[K, str]) -> str:
    """The DAG as lines of text.

    dag: node -> its parents, parents before children. names: what each node is called. notes: what
    is to be said behind some of them.
    """
    last_child = {parent: node for node, parents in dag.items() for parent in parents}
    lanes: list[K | None] = []
    rows: list[tuple[str, str]] = []
    for node, parents in dag.items():
        columns = sorted(lanes.index(parent) for parent in parents)
        ending = [each for each in columns if last_child[_at(lanes, each)] == node]
        own = ending[0] if ending else _free(lanes)
        rows.append((_row(lanes, own, columns, ending), _text(node, parents, names, notes)))
        for each in ending:
            lanes[each] = None
        if own == len(lanes):
            lanes.append(None)
        lanes[own] = node if node in last_child else None
    width = max((len(lane) for lane, _ in rows), default=0)
    return "\n".join(f"{lane:<{width}}  {text}".rstrip() for lane, text in rows)


def _at(lanes: Sequence[K | None], column: int) -> K:
    node = lanes[column]
    assert node is not None
    return node


def _free(lanes: Sequence[K | None]) -> int:
    return next((column for column, each in enumerate(lanes) if each is None), len(lanes))


def _row(lanes: Sequence[K | None], own: int, parents: Sequence[int], ending: Sequence[int]) -> str:
    """One line: the node's own lane, those that go on, and lines to its parents."""
    cells: list[str] = []
    reach = [own, *parents]
    low, high = min(reach), max(reach)
    for column in range(max(len(lanes), own + 1)):
        if column == own:
            mark = "o"
        elif column in parents:
            mark = "'" if column in ending else "+"
        elif column < len(lanes) and lanes[column] is not None:
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
