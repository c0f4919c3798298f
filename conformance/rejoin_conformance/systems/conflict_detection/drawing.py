"""Draw a version DAG with letters: the oldest version on top, each in a lane.

A version stands as `o` in its lane. To its left or right a line leads to the lanes of the versions
that it directly follows; a lane ends with `'` where nothing follows its version any more.

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

    dag: version -> the versions that it directly follows, parents before children. names: what each
    version is called. notes: what is to be said behind some of them.
    """
    last_child = {parent: version for version, parents in dag.items() for parent in parents}
    lanes: list[K | None] = []
    rows: list[tuple[str, str]] = []
    for version, parents in dag.items():
        columns = sorted(lanes.index(parent) for parent in parents)
        ending = [each for each in columns if last_child[_at(lanes, each)] == version]
        own = ending[0] if ending else _free(lanes)
        rows.append((_row(lanes, own, columns, ending), _text(version, parents, names, notes)))
        for each in ending:
            lanes[each] = None
        if own == len(lanes):
            lanes.append(None)
        lanes[own] = version if version in last_child else None
    width = max((len(lane) for lane, _ in rows), default=0)
    return "\n".join(f"{lane:<{width}}  {text}".rstrip() for lane, text in rows)


def _at(lanes: Sequence[K | None], column: int) -> K:
    version = lanes[column]
    assert version is not None
    return version


def _free(lanes: Sequence[K | None]) -> int:
    return next((column for column, each in enumerate(lanes) if each is None), len(lanes))


def _row(lanes: Sequence[K | None], own: int, parents: Sequence[int], ending: Sequence[int]) -> str:
    """One line: the version's own lane, those that go on, and lines to its parents."""
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


def _text(version: K, parents: Sequence[K], names: Mapping[K, str], notes: Mapping[K, str]) -> str:
    text = names[version]
    if parents:
        text += "  <- " + ", ".join(names[parent] for parent in parents)
    return f"{text}   {notes[version]}" if notes.get(version) else text
