from __future__ import annotations

import pytest

from rejoin import conflict_detection as cd
from rejoin.conflict_detection.upload_and_download import (
    conflict_version_map,
)
from rejoin.conflict_detection.version_maps import LARGEST_VERSION


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


def test_the_conflict_version_map_has_the_own_number_of_each_client() -> None:
    held = {"C": {"A": 5, "C": 2}, "B": {"A": 4, "B": 7}}
    assert conflict_version_map(held) == {"B": 7, "C": 2}


def test_a_client_that_links_what_it_never_wrote_has_no_entry_there() -> None:
    assert conflict_version_map({"B": {"A": 4}}) == {}
