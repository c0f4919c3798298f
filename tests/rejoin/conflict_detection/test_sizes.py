"""Graphs of any size are checked and searched without recursion, each version once."""

from __future__ import annotations

from typing import Any

from rejoin import conflict_detection as cd
from rejoin.conflict_detection.objects import capabilities


def diamonds(count: int) -> dict[int, tuple[int, ...]]:
    graph: dict[int, tuple[int, ...]] = {0: ()}
    for top in range(0, 3 * count, 3):
        graph |= {top + 1: (top,), top + 2: (top,), top + 3: (top + 1, top + 2)}
    return graph


def test_diamonds_of_any_length_are_classified_without_walking_twice() -> None:
    graph = diamonds(20_000)
    top = max(graph)
    visits: list[int] = []

    def parents_of(snapshot: int) -> tuple[int, ...]:
        visits.append(snapshot)
        return graph[snapshot]

    assert cd.classify_by_graph(cd.REPAIRED, parents_of, 0, top) == "overwrite"
    assert len(visits) == len(set(visits))
    assert cd.classify_by_graph(cd.REPAIRED, graph.__getitem__, top, 0) == "stale"
    assert cd.classify_by_graph(cd.REPAIRED, graph.__getitem__, top - 1, top - 2) == "conflict"


def test_leases_are_walked_once_if_the_latest_come_first() -> None:
    walked: list[int] = []

    def links_of(each: int) -> tuple[int, ...]:
        walked.append(each)
        return (each - 1,) if each else ()

    leases: dict[int, int] = {}
    for until in reversed(range(300)):
        leases = cd.renewed(leases, links_of, [299], until)
    assert leases == dict.fromkeys(range(300), 299)
    assert len(walked) == 300


def test_each_client_writes_its_subscriptions_once() -> None:
    names = [f"C{number}" for number in range(60)]
    folder: cd.Folder[Any] = cd.Folder(cd.SnapshotDesign(cd.LITERAL))
    at_once = cd.add_clients(folder, [(name, None) for name in names])
    assert len([*capabilities(at_once.grid.objects)]) == len(names)
    for name in names:
        folder = cd.add_client(folder, name)
    assert folder.clients == at_once.clients
    assert folder.grid.directories == at_once.grid.directories
