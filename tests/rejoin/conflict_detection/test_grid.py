from __future__ import annotations

import pytest

from rejoin.conflict_detection.errors import ConflictDetectionError
from rejoin.conflict_detection.grid import (
    Entry,
    Grid,
    Subscriptions,
    fetch_content,
    fetch_snapshot,
    read_capability,
    read_directory,
    store_content,
    store_snapshot,
    update_directory,
    update_subscriptions,
)
from rejoin.conflict_detection.objects import find
from rejoin.conflict_detection.snapshots import new_snapshot

WRITE = b"w" * 32
READ = read_capability(WRITE)


def test_a_content_is_fetched_by_its_capability() -> None:
    grid, capability = store_content(Grid(), b"hello")
    assert fetch_content(grid, capability) == b"hello"


def test_storing_an_equal_content_again_changes_nothing() -> None:
    grid, capability = store_content(Grid(), b"hello")
    assert store_content(grid, b"hello") == (grid, capability)


def test_a_snapshot_is_no_content_and_a_content_no_snapshot() -> None:
    grid, content = store_content(Grid(), b"hello")
    grid, snapshot = store_snapshot(grid, new_snapshot(content, []))
    with pytest.raises(ConflictDetectionError, match="no content"):
        fetch_content(grid, snapshot)
    with pytest.raises(ConflictDetectionError, match="no snapshot"):
        fetch_snapshot(grid, content)


def test_several_links_change_in_one_update() -> None:
    grid = update_subscriptions(Grid(), WRITE, {})
    grid = update_directory(grid, WRITE, {"a": Entry(b"1"), "b": Entry(b"2")})
    grid = update_directory(grid, WRITE, {"a": None, "c": Entry(b"3")})
    assert read_directory(grid, READ).entries == {"b": Entry(b"2"), "c": Entry(b"3")}


def test_a_read_capability_does_not_write() -> None:
    grid = update_subscriptions(Grid(), WRITE, {})
    with pytest.raises(ConflictDetectionError) as refusal:
        update_directory(grid, READ, {"a": Entry(b"1")})
    assert refusal.value.code == "no-write-capability"


def test_new_subscriptions_leave_the_links_alone() -> None:
    grid = update_subscriptions(Grid(), WRITE, {})
    grid = update_directory(grid, WRITE, {"a": Entry(b"1")})
    grid = update_subscriptions(grid, WRITE, {"B": b"r" * 32})
    directory = read_directory(grid, READ)
    assert directory.entries == {"a": Entry(b"1")}
    assert find(grid.objects, directory.subscriptions) == Subscriptions({"B": b"r" * 32})


def test_what_was_never_stored_is_missing() -> None:
    for fetch in (fetch_content, fetch_snapshot, read_directory):
        with pytest.raises(ConflictDetectionError) as refusal:
            fetch(Grid(), b"n" * 32)
        assert refusal.value.code == "missing-object"
