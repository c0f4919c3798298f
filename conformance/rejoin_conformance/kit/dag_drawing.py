"""Draw a DAG with letters: one line a node, parents above children, each node in a lane.

A node stands as `o` in its lane. To its left or right a line leads to the lanes of its parents; a
lane ends with `'` where the node in it has no further children.

    o      A1
    +-o    B1  <- A1
    o |    A2  <- A1
    o-'    A3  <- A2, B1
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from attrs import frozen

K = TypeVar("K", bound=Hashable)


@frozen
class Drawing:
    """A DAG to be drawn, as letters or otherwise. title: what it is the DAG of; may be empty.

    dag: node -> its parents, parents before children. names: what each node is called. notes: what
    is to be said behind some of them.
    """

    title: str
    dag: Mapping[int, Sequence[int]]
    names: Mapping[int, str]
    notes: Mapping[int, str]

    def text(self) -> str:
        """The DAG as letters, without its title."""
        return draw_dag(self.dag, self.names, self.notes)


@frozen
class Placed(Generic[K]):
    """A node in its lane.

    parents: the lanes of its parents, ascending. ending: those of them that end here. taken: which
    lanes have a node that goes on when this node comes.
    """

    node: K
    lane: int
    parents: tuple[int, ...]
    ending: tuple[int, ...]
    taken: tuple[bool, ...]


def draw_dag(dag: Mapping[K, Sequence[K]], names: Mapping[K, str], notes: Mapping[K, str]) -> str:
    """The DAG as lines of text.

    dag: node -> its parents, parents before children. names: what each node is called. notes: what
    is to be said behind some of them.
    """
    rows = [
        (_row(placed), _text(placed.node, dag[placed.node], names, notes)) for placed in lanes(dag)
    ]
    width = max((len(lane) for lane, _ in rows), default=0)
    return "\n".join(f"{lane:<{width}}  {text}".rstrip() for lane, text in rows)


def lanes(dag: Mapping[K, Sequence[K]]) -> Iterator[Placed[K]]:
    """Give each node a lane: that of a parent whose last child it is, or else a free one."""
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


def _row(placed: Placed[K]) -> str:
    """One line: the node's own lane, those that go on, and lines to its parents."""
    cells: list[str] = []
    own, parents, taken = placed.lane, placed.parents, placed.taken
    low, high = min((own, *parents)), max((own, *parents))
    for column in range(max(len(taken), own + 1)):
        if column == own:
            mark = "o"
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
