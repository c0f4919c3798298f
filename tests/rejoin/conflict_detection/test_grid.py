from __future__ import annotations

import pytest

from rejoin import conflict_detection as cd
from rejoin.conflict_detection.grid import (
    Subscriptions,
    store_content,
    store_snapshot,
    update_directory,
    update_subscriptions,
)
from rejoin.conflict_detection.objects import find

WRITE = b"w" * 32
READ = cd.read_capability(WRITE)


def test_a_content_is_fetched_by_its_capability() -> None:
    grid, capability = store_content(cd.Grid(), b"hello")
    assert cd.fetch_content(grid, capability) == b"hello"


def test_storing_an_equal_content_again_changes_nothing() -> None:
    grid, capability = store_content(cd.Grid(), b"hello")
    assert store_content(grid, b"hello") == (grid, capability)


def test_a_snapshot_is_not_a_content_nor_a_content_a_snapshot() -> None:
    grid, content = store_content(cd.Grid(), b"hello")
    grid, snapshot = store_snapshot(grid, cd.new_snapshot(content, []))
    with pytest.raises(cd.ConflictDetectionError, match="no content"):
        cd.fetch_content(grid, snapshot)
    with pytest.raises(cd.ConflictDetectionError, match="no snapshot"):
        cd.fetch_snapshot(grid, content)


def test_several_links_change_in_one_update() -> None:
    grid = update_subscriptions(cd.Grid(), WRITE, {})
    grid = update_directory(grid, WRITE, {"a": cd.Entry(b"1"), "b": cd.Entry(b"2")})
    grid = update_directory(grid, WRITE, {"a": None, "c": cd.Entry(b"3")})
    assert cd.read_directory(grid, READ).entries == {"b": cd.Entry(b"2"), "c": cd.Entry(b"3")}


def test_a_read_capability_does_not_write() -> None:
    grid = update_subscriptions(cd.Grid(), WRITE, {})
    with pytest.raises(cd.ConflictDetectionError) as refusal:
        update_directory(grid, READ, {"a": cd.Entry(b"1")})
    assert refusal.value.code == "no-write-capability"


def test_new_subscriptions_leave_the_links_alone() -> None:
    grid = update_subscriptions(cd.Grid(), WRITE, {})
    grid = update_directory(grid, WRITE, {"a": cd.Entry(b"1")})
    grid = update_subscriptions(grid, WRITE, {"B": b"r" * 32})
    directory = cd.read_directory(grid, READ)
    assert directory.entries == {"a": cd.Entry(b"1")}
    assert find(grid.objects, directory.subscriptions) == Subscriptions({"B": b"r" * 32})


def test_what_was_never_stored_is_missing() -> None:
    for fetch in (cd.fetch_content, cd.fetch_snapshot, cd.read_directory):
        with pytest.raises(cd.ConflictDetectionError) as refusal:
            fetch(cd.Grid(), b"n" * 32)
        assert refusal.value.code == "missing-object"
