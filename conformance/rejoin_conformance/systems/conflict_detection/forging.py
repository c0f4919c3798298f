"""A client that forges: it signs a snapshot, and then changes the signature."""

from __future__ import annotations

from typing import TypeVar, cast

from attrs import evolve, frozen

from rejoin import conflict_detection as cd

V = TypeVar("V")


@frozen
class _ForgingDesign(cd.SnapshotDesign):
    """Leif's design, with uploads whose signatures have one changed bit."""

    def upload(
        self,
        grid: cd.Grid,
        maker: cd.Maker,
        current: bytes | None,
        removed: cd.Conflicts[bytes],
        conflict_map: cd.VersionMap,
        content: bytes | None,
        cache: cd.Cache,
    ) -> cd.Uploaded[bytes]:
        """Upload a snapshot as usual, and link a copy with a bad signature in its place."""
        made = cd.SnapshotDesign.upload(
            self, grid, maker, current, removed, conflict_map, content, cache
        )
        snapshot = cd.fetch_snapshot(made.grid, made.version)
        signature = snapshot.signature or b""
        forged = evolve(snapshot, signature=bytes([signature[0] ^ 1]) + signature[1:])
        forged_grid, version = cd.store_snapshot(made.grid, forged)
        return evolve(
            made,
            grid=forged_grid,
            version=version,
            entry=cd.Entry(version),
            cache=cd.remember(cache, version, forged),
        )


def edit_with_forged_signature(
    folder: cd.Folder[V], nickname: str, path: str, content: bytes
) -> cd.Outcome[V]:
    """Write a file and upload a snapshot whose signature has a changed lowest bit in byte 0.

    Raises ConflictDetectionError "bad-key" if the client does not sign snapshots.
    """
    signs = cd.client_named(folder, nickname).signing_key is not None
    if folder.design.name != "snapshots" or not signs:
        raise cd.ConflictDetectionError("bad-key", f"{nickname} signs no snapshots")
    forging = cast("cd.Design[V]", _ForgingDesign(folder.design.reading))
    outcome = cd.edit(evolve(folder, design=forging), nickname, path, content)
    return evolve(outcome, folder=evolve(outcome.folder, design=folder.design))
