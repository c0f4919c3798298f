"""Conflict detection: the cost of the first poll after an absence, for each number of changes.

Downloads that do not wait for each other take one round. A snapshot is known by name once a
snapshot that has it as a parent is there. The content can be downloaded as soon as the newest
snapshot is there, beside the walk. The update of the directory is the last round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.history import Cost
from series import TradeOff, swept

NAME: Final = "absence"
MISSED: Final = tuple(range(3, 31, 3))
OPERATIONS: Final = "operations"
ROUNDS: Final = "rounds"


def measured(missed: Sequence[int] = MISSED) -> TradeOff:
    """Return the cost of a poll of each design after each number of missed changes."""
    return TradeOff(
        name=NAME,
        title="Conflict detection: the first poll after an absence",
        along="missed changes",
        at=tuple(missed),
        drawn=(OPERATIONS, ROUNDS),
        series=swept(lambda group, number: POLLS[group](number), POLLS, missed),
    )


def after_changes_in_a_row(design: cd.Design[Any], missed: int) -> dict[str, Cost]:
    """Return the cost for a client that missed changes of one other client."""
    folder = _shared(design, "AB")
    for number in range(missed):
        folder = cd.edit(folder, "A", "foo", b"%d" % number).folder
    return _cost(folder)


def after_changes_at_once(design: cd.Design[Any], missed: int) -> dict[str, Cost]:
    """Return the cost for a client that missed conflicts of two clients and their resolutions.

    missed: a multiple of 3, for two changes at once and the resolution of their conflict.
    """
    folder = _shared(design, "ABC")
    for number in range(missed // 3):
        folder = cd.edit(folder, "A", "foo", b"a%d" % number).folder
        folder = cd.edit(folder, "C", "foo", b"c%d" % number).folder
        folder = cd.poll(folder, "A", "C", "foo").folder
        folder = cd.resolve(folder, "A", "foo", ["C"], content=b"both %d" % number).folder
        folder = cd.poll(folder, "C", "A", "foo").folder
    return _cost(folder)


def in_the_old_design(missed: int) -> dict[str, Cost]:
    """Return the cost in the old design, which downloads the newest content only."""
    folder = cd.old_folder(["A", "B"])
    for number in range(missed):
        folder, _ = cd.old_edit(folder, "A", b"%d" % number)
    operations = cd.total(cd.old_poll(folder, "B", "A").operations)
    return _cost_of(operations, operations)


def _shared(design: cd.Design[Any], clients: str) -> cd.Folder[Any]:
    """Return a folder in which every client has the same version of a file."""
    folder: cd.Folder[Any] = cd.Folder(design)
    for nickname in clients:
        folder = cd.add_client(folder, nickname)
    folder = cd.edit(folder, "A", "foo", b"shared").folder
    for nickname in clients[1:]:
        folder = cd.poll(folder, nickname, "A", "foo").folder
        folder = cd.poll(folder, "A", nickname, "foo").folder
    return folder


def _cost(folder: cd.Folder[Any]) -> dict[str, Cost]:
    """Return the cost of B's poll of A, which is an overwrite."""
    file = cd.file_of(cd.client_named(folder, "B"), "foo")
    outcome = cd.poll(folder, "B", "A", "foo")
    assert outcome.classification is cd.Classification.OVERWRITE
    operations = outcome.operations
    newest = cd.file_of(cd.client_named(outcome.folder, "B"), "foo").version
    rounds = 1
    if newest is not None and operations.snapshot_downloads:
        rounds = rounds_of_walk(
            lambda each: cd.fetch_snapshot(folder.grid, each).parents, newest, file.cache.snapshots
        )
    rounds = max(rounds, 2 if operations.snapshot_downloads else 1) + 1
    return _cost_of(cd.total(operations), rounds)


def _cost_of(operations: int, rounds: int) -> dict[str, Cost]:
    """Return the cost of a poll: its remote operations, and the rounds that they take at least."""
    return {OPERATIONS: Cost(operations, 1), ROUNDS: Cost(rounds, 1)}


def rounds_of_walk(
    parents_of: Callable[[bytes], Sequence[bytes]], newest: bytes, cached: Mapping[bytes, object]
) -> int:
    """Return how many rounds a walk takes that downloads all known names of each round at once."""
    met, rounds = {newest}, 0
    names = met - cached.keys()
    while names:
        rounds += 1
        found = {parent for each in names for parent in parents_of(each)}
        names = found - met - cached.keys()
        met |= names
    return rounds


POLLS: Final[Mapping[str, Callable[[int], dict[str, Cost]]]] = {
    "snapshots, in a row": lambda missed: after_changes_in_a_row(cd.SnapshotDesign(), missed),
    "snapshots, at once": lambda missed: after_changes_at_once(cd.SnapshotDesign(), missed),
    "version maps": lambda missed: after_changes_in_a_row(cd.MapDesign(), missed),
    "old design": in_the_old_design,
}
"""What a client missed, and in which design -> the cost after a number of missed changes."""
