"""The alternatives that the document names: less history kept alive, and files named `previous`."""

from __future__ import annotations

from functools import reduce
from typing import Any

import pytest
from attrs import evolve

from rejoin import conflict_detection as cd


def folder_of(clients: str, **chosen: Any) -> cd.Folder[bytes]:
    reading = evolve(cd.REPAIRED, **chosen)
    return reduce(cd.add_client, clients, cd.Folder(cd.SnapshotDesign(reading)))


MISSED = [
    (0, 1, "overwrite"),
    (0, 2, "conflict"),
    (2, 3, "overwrite"),
    (2, 4, "conflict"),
    (None, 30, "overwrite"),
]


@pytest.mark.parametrize(("kept", "missed", "found"), MISSED)
def test_a_client_that_missed_more_generations_than_are_kept_finds_a_conflict(
    kept: int | None, missed: int, found: str
) -> None:
    folder = cd.edit(folder_of("AB", kept_generations=kept), "A", "foo", b"first").folder
    folder = cd.poll(folder, "B", "A", "foo").folder
    for number in range(missed):
        folder = cd.edit(folder, "A", "foo", b"%d" % number).folder
    folder = cd.collect_garbage(folder, cd.renew_leases(folder, {}, "A", 1), 0)
    assert cd.poll(folder, "B", "A", "foo").classification == found


def three_versions() -> cd.Folder[bytes]:
    """Return a folder in which A polled B and C, and all three made a first version."""
    folder = folder_of("ABCD", conflict_names="previous")
    for name in "ABC":
        folder = cd.edit(folder, name, "foo", name.encode()).folder
    for other in "BC":
        folder = cd.poll(folder, "A", other, "foo").folder
    return folder


def test_only_one_conflict_of_a_client_with_its_own_version_has_a_file() -> None:
    folder = three_versions()
    assert cd.local_files(folder.clients["A"]) == {"foo": b"A", "foo.conflict-previous": b"B"}
    folder = cd.delete(folder, "A", "foo.conflict-previous").folder
    folder = cd.poll(folder, "A", "C", "foo").folder
    assert cd.local_files(folder.clients["A"]) == {"foo": b"A", "foo.conflict-previous": b"C"}
    folder = cd.rename(folder, "A", "foo.conflict-previous", "foo").folder
    assert cd.local_files(folder.clients["A"]) == {"foo": b"C"}
    assert cd.poll(folder, "B", "A", "foo").classification == "overwrite"
    assert cd.poll(folder, "C", "A", "foo").classification == "overwrite"


def test_a_client_that_took_its_version_over_sees_whose_the_other_one_is() -> None:
    folder = cd.poll(three_versions(), "D", "A", "foo").folder
    folder = cd.poll(folder, "D", "B", "foo").folder
    assert cd.local_files(folder.clients["D"]) == {"foo": b"A", "foo.conflict-B": b"B"}
