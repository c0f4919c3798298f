"""Conflict detection: the cost per snapshot as histories grow."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, TypeAlias

from attrs import frozen

from rejoin import conflict_detection as cd
from side_by_side import amount, compare

SIZES: Final = (10, 1_000, 100_000)

Dag: TypeAlias = Mapping[int, tuple[int, ...]]


def main() -> None:
    """Print every figure."""
    for shape, dag_of in (("chain", chain), ("diamond chain", diamonds)):
        for case in cases(dag_of):
            flat(f"{shape}, {case.name}", case.prepare)
    maps_by_clients()


def chain(size: int) -> Dag:
    """Return a chain of snapshots, each following the previous one; 0 is the oldest."""
    return {number: (number - 1,) if number else () for number in range(size)}


def diamonds(size: int) -> Dag:
    """Return a chain of diamonds: a snapshot, two that follow it, one that follows both, ..."""
    dag: dict[int, tuple[int, ...]] = {}
    for number in range(size):
        place = number % 3
        dag[number] = {
            0: (number - 2, number - 1) if number else (),
            1: (number - 1,),
            2: (number - 2,),
        }[place]
    return dag


@frozen
class Case:
    """A classification: which snapshot is ours and which is theirs, for a DAG of a given size."""

    name: str
    prepare: Callable[[int], Callable[[], object]]


def cases(dag_of: Callable[[int], Dag]) -> Sequence[Case]:
    """Return a case per outcome, each of which must read the whole history; and a whole poll."""

    def overwrite(size: int) -> Callable[[], object]:
        dag = dag_of(size)
        return lambda: cd.classify_by_graph(cd.REPAIRED, dag.__getitem__, 0, size - 1)

    def stale(size: int) -> Callable[[], object]:
        dag = dag_of(size)
        return lambda: cd.classify_by_graph(cd.REPAIRED, dag.__getitem__, size - 1, 0)

    def conflict(size: int) -> Callable[[], object]:
        dag = {**dag_of(size), size: (0,)}
        return lambda: cd.classify_by_graph(cd.REPAIRED, dag.__getitem__, size, size - 1)

    return (
        Case("overwrite", overwrite),
        Case("stale", stale),
        Case("conflict", conflict),
        Case("a poll after a long absence", lambda size: poll_of(dag_of(size))),
    )


def poll_of(dag: Dag) -> Callable[[], object]:
    """Return a poll by a client with only the oldest snapshot: fetch, classify, purge the cache."""
    names: dict[int, bytes] = {}
    grid: dict[bytes, cd.Snapshot] = {}
    for number, parents in dag.items():
        content = cd.content_capability(b"%d" % number)
        snapshot = cd.new_snapshot(content, [names[parent] for parent in parents])
        names[number] = cd.snapshot_capability(snapshot)
        grid[names[number]] = snapshot
    oldest, newest = names[0], names[len(dag) - 1]
    cache = cd.Cache({oldest: grid[oldest]})

    def poll() -> object:
        examined = cd.examine(cd.REPAIRED, cache, grid.__getitem__, oldest, newest)
        return cd.purge(examined.cache, newest, (oldest,))

    return poll


def flat(what: str, prepare: Callable[[int], Callable[[], object]]) -> None:
    """Print the cost per snapshot at each size, and its ratio to the cost at the middle size."""
    middle = SIZES[1]
    print(what)
    for size in SIZES:
        often, seldom = max(1, SIZES[-1] // size), max(1, SIZES[-1] // middle)
        one, other = prepare(size), prepare(middle)
        compared = compare(repeated(one, often), repeated(other, seldom), pairs=5)
        seconds = sorted(compared.first)[len(compared.first) // 2] / (often * size)
        print(
            f"    {size:>7,} snapshots: {amount(seconds):>8} a snapshot, "
            f"{compared.ratio:.2f} times as much as with {middle:,}"
        )


def repeated(call: Callable[[], object], often: int) -> Callable[[], object]:
    """Return a function that makes the call `often` times."""

    def run() -> None:
        for _ in range(often):
            call()

    return run


def maps_by_clients() -> None:
    """Print the cost of comparing version maps, which does not depend on the history."""
    print("version maps, overwrite")
    for clients in (3, 30, 300):
        local = {f"client{number}": number for number in range(clients)}
        remote = {**local, "client0": 1}
        call = repeated(partial(cd.classify_by_maps, cd.REPAIRED, local, remote), 300)
        start = time.perf_counter()
        call()
        seconds = (time.perf_counter() - start) / 300
        print(f"    {clients:>7,} clients: {amount(seconds / clients):>8} an entry")


if __name__ == "__main__":
    main()
