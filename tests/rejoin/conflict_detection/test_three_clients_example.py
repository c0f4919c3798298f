from __future__ import annotations

from rejoin import conflict_detection as cd


def test_the_updates_are_those_that_the_document_prints() -> None:
    example = cd.three_clients(cd.REPAIRED)
    assert example.of_a == {"A": 11, "B": 20, "C": 30}
    assert example.of_b == {"A": 10, "B": 21, "C": 30}


def test_either_update_is_an_overwrite_if_considered_alone() -> None:
    example = cd.three_clients(cd.REPAIRED)
    assert (example.a_alone, example.b_alone) == ("overwrite", "overwrite")


def test_the_update_that_is_seen_second_is_a_conflict() -> None:
    assert cd.three_clients(cd.REPAIRED).b_after_a == "conflict"


def test_the_resolution_is_an_overwrite_for_both() -> None:
    example = cd.three_clients(cd.REPAIRED)
    assert example.resolution == {"A": 11, "B": 21, "C": 31}
    assert (example.a_takes, example.b_takes) == ("overwrite", "overwrite")


def test_the_printed_rule_contradicts_the_printed_example() -> None:
    example = cd.three_clients(cd.LITERAL)
    assert (example.a_alone, example.b_alone) == ("conflict", "conflict")
    assert (example.a_takes, example.b_takes) == ("conflict", "conflict")
