from __future__ import annotations

import pytest

from rejoin import conflict_detection as cd
from rejoin.conflict_detection.upload_and_download import conflict_map_for
from rejoin.conflict_detection.version_maps import LARGEST_VERSION
from support.conflict_detection_histories import (
    LITERAL_MAPS,
    MAPS,
    SNAPSHOTS,
    edits,
    foo,
    in_sync,
    polls,
)


def test_an_upload_raises_our_own_number_by_one() -> None:
    assert cd.map_of_upload({"A": 10, "B": 20}, "A") == {"A": 11, "B": 20}


def test_the_first_upload_has_number_one() -> None:
    assert cd.map_of_upload({"B": 20}, "A") == {"A": 1, "B": 20}


def test_the_last_number_cannot_be_raised() -> None:
    with pytest.raises(cd.ConflictDetectionError) as refusal:
        cd.map_of_upload({"A": LARGEST_VERSION}, "A")
    assert refusal.value.code == "version-number"


def test_an_overwrite_replaces_the_local_map() -> None:
    assert cd.local_map_after_overwrite(cd.REPAIRED, "A", {"B": 3}) == {"B": 3}


def test_as_printed_a_client_that_never_wrote_has_an_entry_of_zero() -> None:
    assert cd.local_map_after_overwrite(cd.LITERAL, "A", {"B": 3}) == {"B": 3, "A": 0}
    assert cd.local_map_after_overwrite(cd.LITERAL, "A", {"A": 2, "B": 3}) == {"A": 2, "B": 3}


def test_a_conflict_adds_the_other_clients_own_number_to_the_conflict_version_map() -> None:
    conflict_map = cd.conflict_map_after_conflict({}, "C", {"A": 5, "C": 2})
    assert cd.conflict_map_after_conflict(conflict_map, "B", {"A": 4, "B": 7}) == {"B": 7, "C": 2}


def test_a_later_version_of_a_client_replaces_its_entry() -> None:
    assert cd.conflict_map_after_conflict({"B": 7}, "B", {"B": 8}) == {"B": 8}


def test_a_client_that_links_what_it_never_wrote_has_no_entry() -> None:
    assert cd.conflict_map_after_conflict({}, "B", {"A": 4}) == {}
    assert cd.conflict_map_after_conflict({"B": 7, "C": 2}, "B", {"A": 4}) == {"C": 2}


def test_an_entry_goes_with_its_conflict_file() -> None:
    assert conflict_map_for({"B": 7, "C": 2}, {"C"}) == {"C": 2}


def test_a_client_keeps_the_conflict_version_map_beside_its_own() -> None:
    folder = edits(in_sync(MAPS, "ABC"), ("A", "a"), ("B", "b"), ("C", "c"))
    folder = polls(folder, "AB", "AC")
    assert foo(folder, "A").version == {"A": 2}
    assert foo(folder, "A").conflict_version_map == {"B": 1, "C": 1}


def test_a_resolution_deletes_the_entry() -> None:
    folder = edits(in_sync(MAPS, "ABC"), ("A", "a"), ("B", "b"), ("C", "c"))
    folder = cd.resolve(polls(folder, "AB", "AC"), "A", "foo", ["B"]).folder
    assert foo(folder, "A").version == {"A": 3, "B": 1}
    assert foo(folder, "A").conflict_version_map == {"C": 1}


def test_an_overwrite_that_follows_a_conflict_deletes_its_entry() -> None:
    folder = polls(edits(in_sync(MAPS, "ABC"), ("A", "a"), ("B", "b")), "CA", "CB", "AB")
    folder = cd.resolve(folder, "A", "foo", ["B"]).folder
    assert foo(folder, "C").conflict_version_map == {"B": 1}
    assert foo(polls(folder, "CA"), "C").conflict_version_map == {}


def test_ending_a_subscription_deletes_the_entry() -> None:
    folder = polls(edits(in_sync(MAPS, "AB"), ("A", "a"), ("B", "b")), "AB")
    assert foo(cd.unsubscribe(folder, "A", "B"), "A").conflict_version_map == {}


def test_as_printed_the_entry_of_a_file_that_went_away_offline_waits_for_the_upload() -> None:
    folder = edits(in_sync(LITERAL_MAPS, "AB"), ("A", "a"), ("B", "b"))
    folder = cd.go_offline(polls(folder, "AB"), "A").folder
    folder = cd.resolve(folder, "A", "foo", ["B"]).folder
    assert foo(folder, "A").conflict_version_map == {"B": 1}
    folder = cd.come_back(cd.unsubscribe(folder, "A", "B"), "A").folder
    assert foo(folder, "A").version == {"A": 3, "B": 1}
    assert foo(folder, "A").conflict_version_map == {}


def test_the_design_of_snapshots_has_no_conflict_version_map() -> None:
    folder = polls(edits(in_sync(SNAPSHOTS, "AB"), ("A", "a"), ("B", "b")), "AB")
    assert foo(folder, "A").conflicts
    assert foo(folder, "A").conflict_version_map == {}
