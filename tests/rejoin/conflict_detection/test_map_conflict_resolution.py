from __future__ import annotations

from rejoin import conflict_detection as cd

LOCAL = {"A": 2, "B": 1}
OF_B = {"A": 1, "B": 2, "C": 4}
ENTRY_OF_B = {"B": 2}


def test_resolving_joins_the_whole_map() -> None:
    resolved = cd.local_map_after_resolution(cd.REPAIRED, LOCAL, ENTRY_OF_B, {"B": OF_B})
    assert resolved == {"A": 2, "B": 2, "C": 4}


def test_as_printed_resolving_copies_one_entry_and_forgets_what_the_other_had_seen() -> None:
    resolved = cd.local_map_after_resolution(cd.LITERAL, LOCAL, ENTRY_OF_B, {"B": OF_B})
    assert resolved == {"A": 2, "B": 2}


def test_as_printed_an_entry_that_is_not_there_is_not_copied() -> None:
    assert cd.local_map_after_resolution(cd.LITERAL, LOCAL, {}, {"D": OF_B}) == LOCAL


def test_as_printed_the_entry_of_a_conflict_file_that_stays_is_not_copied() -> None:
    conflict_map = {"B": 2, "C": 9}
    resolved = cd.local_map_after_resolution(cd.LITERAL, LOCAL, conflict_map, {"B": OF_B})
    assert resolved == {"A": 2, "B": 2}


def test_several_maps_are_joined_at_once() -> None:
    conflict_map, removed = {"B": 2, "D": 9}, {"B": OF_B, "D": {"D": 9}}
    joined = cd.local_map_after_resolution(cd.REPAIRED, LOCAL, conflict_map, removed)
    assert joined == {"A": 2, "B": 2, "C": 4, "D": 9}


def test_a_conflict_is_over_once_the_local_map_covers_it() -> None:
    assert cd.is_resolved_by(cd.REPAIRED, {"A": 2, "B": 2, "C": 4}, OF_B)
    assert not cd.is_resolved_by(cd.REPAIRED, {"A": 2, "B": 2, "C": 3}, OF_B)


def test_as_printed_only_the_user_ends_a_conflict() -> None:
    assert not cd.is_resolved_by(cd.LITERAL, {"A": 9, "B": 9, "C": 9}, OF_B)
