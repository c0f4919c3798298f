"""In every history, a client's conflict version map has the entries of the files beside it."""

from __future__ import annotations

import pytest

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.systems.conflict_detection.histories import HISTORIES
from rejoin_conformance.systems.conflict_detection.histories.run import map_run


def entries_of(file: cd.LocalFile[cd.VersionMap]) -> dict[str, int]:
    """The own entries of the clients whose conflict files are there, or went away offline."""
    return {
        nickname: held.version[nickname]
        for held in (*file.conflicts, *(file.waiting or ()))
        for nickname in held.nicknames
        if nickname in held.version
    }


@pytest.mark.parametrize("reading", cd.READINGS.values(), ids=list(cd.READINGS))
def test_the_conflict_version_map_has_the_entries_of_the_conflict_files(
    reading: cd.Reading,
) -> None:
    conflicts = 0
    for index in range(100):
        seed = history_seed(1, "conflict-detection", "default", index)
        history = HISTORIES.generate("default", seed)
        run = map_run(reading, history.clients)
        for event in history.events:
            run.take(event)
            for client in run.folder.clients.values():
                for file in client.files.values():
                    assert file.conflict_version_map == entries_of(file)
                    conflicts += len(file.conflict_version_map)
    assert conflicts > 1_000
