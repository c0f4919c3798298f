"""A content and a snapshot are different objects, although both are named by hashes."""

from __future__ import annotations

import pytest

from rejoin import conflict_detection as cd
from rejoin.conflict_detection.grid import store_content, store_snapshot


def test_a_snapshot_is_not_a_content_nor_a_content_a_snapshot() -> None:
    grid, content = store_content(cd.Grid(), b"hello")
    grid, snapshot = store_snapshot(grid, cd.new_snapshot(content, []))
    with pytest.raises(cd.ConflictDetectionError, match="no content"):
        cd.fetch_content(grid, snapshot)
    with pytest.raises(cd.ConflictDetectionError, match="no snapshot"):
        cd.fetch_snapshot(grid, content)
