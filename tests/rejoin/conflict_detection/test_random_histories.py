"""Whole histories: both repaired designs classify every poll as the follows relation requires."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic

import pytest
from attrs import define, evolve, field
from hypothesis import given
from hypothesis import strategies as st

from rejoin import conflict_detection as cd
from support.conflict_detection_histories import V, folder_of, foo
from support.conflict_detection_witness import (
    Witness,
    witness_expects,
    witness_overwrite,
    witness_upload,
)

UNLINKED = evolve(cd.REPAIRED, links_downloads=False)
DESIGNS = [
    cd.SnapshotDesign(cd.REPAIRED),
    cd.SnapshotDesign(UNLINKED),
    cd.MapDesign(cd.REPAIRED),
    cd.MapDesign(UNLINKED),
]
ACTIONS = (
    *["edit"] * 3, *["poll"] * 8, *["resolve"] * 2, "delete", "undelete", "leave", "return", "join",
)  # fmt: skip
NOT_POSSIBLE = {"no-file", "not-deleted", "client-exists", "no-conflict"}

histories = st.lists(
    st.tuples(st.sampled_from(ACTIONS), st.integers(0, 3), st.integers(0, 3)), max_size=45
)


def identity(version: object) -> Hashable:
    """A version as the witness names it."""
    if isinstance(version, bytes):
        return version
    assert isinstance(version, dict)
    return tuple(cd.without_zeros(version).items())


@define
class World(Generic[V]):
    """A folder with a witness beside it."""

    folder: cd.Folder[V]
    witness: Witness[Hashable] = field(factory=Witness)
    texts: int = 0

    def text(self) -> bytes:
        self.texts += 1
        return b"%d" % self.texts

    def act(self, action: str, nickname: str, choice: int) -> None:
        """Take one step, if it is possible, and check the finding of a poll."""
        before = foo(self.folder, nickname)
        others = sorted(set(self.folder.clients) - {nickname})
        if action == "poll":
            self.look(nickname, others[choice % len(others)])
            return
        if action == "join":
            nickname, before = f"late {nickname}", cd.LocalFile()
        try:
            done = self.outcome(action, nickname, before)
        except cd.ConflictDetectionError as error:
            if error.code not in NOT_POSSIBLE:
                raise
            return
        self.folder = done.folder
        after = foo(self.folder, nickname)
        if after.version is not None and after.version != before.version:
            resolved = before.conflicts if action == "resolve" else (before.waiting or ())
            self.witness = witness_upload(
                self.witness,
                nickname,
                identity(after.version),
                [identity(file.version) for file in resolved],
            )

    def outcome(self, action: str, nickname: str, file: cd.LocalFile[V]) -> cd.Outcome[V]:
        folder = self.folder
        if action == "edit":
            return cd.edit(folder, nickname, "foo", self.text())
        if action == "delete":
            return cd.delete(folder, nickname, "foo")
        if action == "undelete":
            return cd.undelete(folder, nickname, "foo", self.text())
        if action == "leave":
            return cd.go_offline(folder, nickname)
        if action == "return":
            return cd.come_back(folder, nickname)
        if action == "join":
            return cd.join_folder(folder, nickname, {"foo": self.text()})
        held = [name for each in file.conflicts for name in each.nicknames]
        return cd.resolve(folder, nickname, "foo", held, self.text())

    def look(self, nickname: str, other: str) -> None:
        done = cd.poll(self.folder, nickname, other, "foo")
        self.folder = done.folder
        if done.classification is None:
            return
        theirs = identity(foo(self.folder, nickname).seen[other])
        assert done.classification is witness_expects(self.witness, nickname, theirs)
        if done.classification is cd.Classification.OVERWRITE:
            self.witness = witness_overwrite(self.witness, nickname, theirs)


@pytest.mark.parametrize(
    "design", DESIGNS, ids=["snapshots", "snapshots-unlinked", "maps", "maps-unlinked"]
)
@given(histories)
def test_every_poll_finds_what_the_follows_relation_demands(
    design: cd.Design[V], history: list[tuple[str, int, int]]
) -> None:
    world = World(folder_of(design, "ABC"))
    for action, who, choice in history:
        clients = sorted(world.folder.clients)
        world.act(action, clients[who % len(clients)], choice)


@given(histories)
def test_the_cache_holds_no_more_than_the_policy_demands(
    history: list[tuple[str, int, int]],
) -> None:
    world = World(folder_of(cd.SnapshotDesign(cd.REPAIRED), "ABC"))
    for action, who, choice in history:
        clients = sorted(world.folder.clients)
        world.act(action, clients[who % len(clients)], choice)
    grid = world.folder.grid

    def parents_of(capability: bytes) -> tuple[bytes, ...]:
        return cd.fetch_snapshot(grid, capability).parents

    for nickname in world.folder.clients:
        file = foo(world.folder, nickname)
        if file.version is not None:
            currents = [file.version, *file.seen.values()]
            common = cd.most_recent_common_ancestors(parents_of, currents)
            demanded = cd.snapshots_to_keep(parents_of, currents, common)
            assert {file.version} <= set(file.cache.snapshots) <= demanded
