from __future__ import annotations

import pytest

from rejoin import conflict_detection as cd
from support.conflict_detection_histories import (
    CONFLICT,
    LITERAL_MAPS,
    LITERAL_SNAPSHOTS,
    MAPS,
    OVERWRITE,
    SAME,
    SNAPSHOTS,
    STALE,
    V,
    directory,
    edits,
    files,
    folder_of,
    foo,
    found,
    in_sync,
    outcome,
    polls,
)

both_designs = pytest.mark.parametrize("design", [SNAPSHOTS, MAPS], ids=lambda each: each.name)


def refused(code: str) -> pytest.RaisesExc[cd.ConflictDetectionError]:
    return pytest.raises(cd.ConflictDetectionError, check=lambda error: error.code == code)


@both_designs
def test_a_first_version_is_taken_over_and_linked(design: cd.Design[V]) -> None:
    folder = edits(folder_of(design, "AB"), ("A", "X"))
    polled = outcome(folder, "BA")
    assert polled.classification is OVERWRITE
    assert files(polled.folder, "B") == {"foo": "X"}
    assert directory(polled.folder, "B").entries == directory(folder, "A").entries


@both_designs
def test_a_poll_finds_nothing_where_nothing_is_linked(design: cd.Design[V]) -> None:
    polled = outcome(folder_of(design, "AB"), "AB")
    assert polled.classification is None
    assert files(polled.folder, "A") == {}


@both_designs
def test_a_poll_that_finds_no_news_leaves_the_folder_as_it_is(design: cd.Design[V]) -> None:
    folder = polls(edits(in_sync(design, "ABC"), ("A", "second")), "AB")
    again = outcome(folder, "AB")
    assert again.classification is STALE
    assert again.folder is folder


@both_designs
def test_the_three_party_case_is_an_overwrite(design: cd.Design[V]) -> None:
    """C never saw A's second version, from which B made the third."""
    folder = in_sync(design, "ABC")
    folder = edits(polls(edits(folder, ("A", "second")), "BA"), ("B", "third"))
    assert found(folder, "CB") is OVERWRITE


def test_as_printed_the_three_party_case_is_a_conflict_in_zookos_design() -> None:
    folder = in_sync(LITERAL_MAPS, "ABC")
    folder = edits(folder, ("B", "second"))
    assert found(folder, "CB") is CONFLICT


@both_designs
def test_a_conflict_leaves_file_version_and_link_alone(design: cd.Design[V]) -> None:
    folder = edits(in_sync(design, "AB"), ("A", "a"), ("B", "b"))
    polled = polls(folder, "AB")
    assert files(polled, "A") == {"foo": "a", "foo.conflict-B": "b"}
    assert foo(polled, "A").version == foo(folder, "A").version
    assert directory(polled, "A") == directory(folder, "A")


@both_designs
def test_a_peer_that_lags_is_stale(design: cd.Design[V]) -> None:
    folder = edits(in_sync(design, "AB"), ("A", "a"))
    polled = outcome(folder, "AB")
    assert polled.classification is STALE
    assert files(polled.folder, "A") == {"foo": "a"}


@pytest.mark.parametrize("design", [LITERAL_SNAPSHOTS, LITERAL_MAPS], ids=lambda each: each.name)
def test_as_printed_a_peer_that_lags_is_a_conflict(design: cd.Design[V]) -> None:
    folder = edits(in_sync(design, "AB"), ("A", "a"))
    polled = outcome(folder, "AB")
    assert polled.classification is CONFLICT
    assert files(polled.folder, "A") == {"foo": "a", "foo.conflict-B": "X"}


@both_designs
def test_the_version_that_we_have_is_the_same(design: cd.Design[V]) -> None:
    folder = in_sync(design, "AB")
    assert (found(folder, "AB"), found(folder, "BA")) == (SAME, SAME)


@both_designs
def test_a_poll_changes_no_directory_but_ones_own(design: cd.Design[V]) -> None:
    folder = edits(in_sync(design, "ABC"), ("A", "a"))
    polled = polls(folder, "BA")
    for other in "AC":
        assert directory(polled, other) == directory(folder, other)


@both_designs
def test_the_same_change_made_twice_is_one_snapshot_and_two_uploads(design: cd.Design[V]) -> None:
    folder = edits(in_sync(design, "AB"), ("A", "equal"), ("B", "equal"))
    assert found(folder, "AB") is (SAME if design.name == "snapshots" else CONFLICT)


@both_designs
def test_polling_all_files_updates_the_directory_once(design: cd.Design[V]) -> None:
    folder = edits(folder_of(design, "AB"), ("A", "1"))
    folder = edits(edits(folder, ("A", "2"), path="bar"), ("B", "own"), path="baz")
    polled = cd.poll_all(folder, "B", "A")
    assert polled.classifications == {"bar": OVERWRITE, "foo": OVERWRITE}
    assert polled.operations.directory_updates == 1
    assert files(polled.folder, "B") == {"bar": "2", "baz": "own", "foo": "1"}


def test_an_offline_client_polls_nothing_at_all() -> None:
    folder = cd.go_offline(edits(folder_of(SNAPSHOTS, "AB"), ("A", "1")), "B").folder
    assert cd.poll_all(folder, "B", "A").classifications == {}


@both_designs
def test_one_file_says_nothing_of_another(design: cd.Design[V]) -> None:
    folder = edits(in_sync(design, "AB"), ("A", "a"))
    folder = edits(folder, ("B", "b"), path="bar")
    assert found(folder, "BA") is OVERWRITE
    assert found(folder, "AB", "bar") is OVERWRITE


@both_designs
def test_without_a_subscription_there_is_no_poll(design: cd.Design[V]) -> None:
    folder = cd.unsubscribe(
        polls(edits(in_sync(design, "AB"), ("A", "a"), ("B", "b")), "AB"), "A", "B"
    )
    assert files(folder, "A") == {"foo": "a"}
    with refused("not-subscribed"):
        cd.poll(folder, "A", "B", "foo")
    assert found(folder, "BA") is CONFLICT
    assert found(cd.subscribe(folder, "A", "B"), "AB") is CONFLICT


def test_subscriptions_are_made_and_ended_once() -> None:
    folder = folder_of(SNAPSHOTS, "AB")
    with refused("already-subscribed"):
        cd.subscribe(folder, "A", "B")
    with refused("own-directory"):
        cd.subscribe(folder, "A", "A")
    with refused("not-subscribed"):
        cd.unsubscribe(cd.unsubscribe(folder, "A", "B"), "A", "B")


def test_a_client_does_not_poll_itself_or_a_stranger() -> None:
    folder = folder_of(SNAPSHOTS, "AB")
    with refused("own-directory"):
        cd.poll(folder, "A", "A", "foo")
    with refused("unknown-client"):
        cd.poll(folder, "A", "Z", "foo")
    with refused("bad-path"):
        cd.poll(folder, "A", "B", "foo.conflict-B")


def test_a_nickname_is_borne_once() -> None:
    with refused("client-exists"):
        cd.add_client(folder_of(SNAPSHOTS, "A"), "A")


@both_designs
def test_a_conflict_ends_when_the_other_client_takes_over_ours(design: cd.Design[V]) -> None:
    folder = polls(edits(in_sync(design, "AB"), ("A", "a"), ("B", "b")), "AB", "BA")
    folder = cd.resolve(folder, "B", "foo", ["A"], b"ab").folder
    assert files(polls(folder, "AB"), "A") == {"foo": "ab"}


@both_designs
def test_a_client_that_is_set_back_does_not_end_a_conflict(design: cd.Design[V]) -> None:
    """The content that A holds can be the last copy of B's version."""
    folder = in_sync(design, "AB")
    before = folder.grid
    folder = polls(edits(folder, ("A", "a"), ("B", "b")), "AB")
    set_back = cd.Folder(folder.design, before, folder.clients)
    assert found(set_back, "AB") is STALE
    assert files(polls(set_back, "AB"), "A") == {"foo": "a", "foo.conflict-B": "b"}


def test_as_printed_a_conflict_file_of_maps_outlives_the_conflict() -> None:
    folder = in_sync(LITERAL_MAPS, "AB")
    folder = polls(edits(folder, ("A", "a"), ("B", "b")), "AB", "BA")
    folder = cd.resolve(folder, "B", "foo", ["A"], b"ab").folder
    assert files(polls(folder, "AB"), "A") == {"foo": "a", "foo.conflict-B": "ab"}


def test_a_design_cannot_read_the_entries_of_the_other() -> None:
    snapshots = edits(folder_of(SNAPSHOTS, "AB"), ("A", "1"))
    maps = edits(folder_of(MAPS, "AB"), ("A", "1"))
    with refused("missing-object"):
        cd.poll(cd.Folder(MAPS, snapshots.grid, maps.clients), "B", "A", "foo")
    with refused("missing-object"):
        cd.poll(cd.Folder(SNAPSHOTS, maps.grid, snapshots.clients), "B", "A", "foo")
