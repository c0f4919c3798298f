from __future__ import annotations

import pytest

from rejoin import conflict_detection as cd
from rejoin.conflict_detection.grid import (
    store_content,
    store_snapshot,
    update_directory,
    update_subscriptions,
)

WRITE = b"w" * 32
READ = cd.read_capability(WRITE)


def test_a_snapshot_is_not_a_content_nor_a_content_a_snapshot() -> None:
    grid, content = store_content(cd.Grid(), b"hello")
    grid, snapshot = store_snapshot(grid, cd.new_snapshot(content, []))
    with pytest.raises(cd.ConflictDetectionError, match="no content"):
        cd.fetch_content(grid, snapshot)
    with pytest.raises(cd.ConflictDetectionError, match="no snapshot"):
        cd.fetch_snapshot(grid, content)


def test_a_read_capability_does_not_write() -> None:
    grid = update_subscriptions(cd.Grid(), WRITE, {})
    with pytest.raises(cd.ConflictDetectionError) as refusal:
        update_directory(grid, READ, {"a": cd.Entry(b"1")})
    assert refusal.value.code == "no-write-capability"


def test_what_was_never_stored_is_missing() -> None:
    for fetch in (cd.fetch_content, cd.fetch_snapshot, cd.read_directory):
        with pytest.raises(cd.ConflictDetectionError) as refusal:
            fetch(cd.Grid(), b"n" * 32)
        assert refusal.value.code == "missing-object"
