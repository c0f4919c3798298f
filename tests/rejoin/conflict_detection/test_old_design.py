"""The old design errs with three clients, and the two designs do not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import pytest

from rejoin import conflict_detection as cd

Misjudged: TypeAlias = tuple[tuple[str, ...], cd.Classification | None, cd.Classification | None]
"""The actions of a scenario, and what the old design and the definitions say of the last one."""


def misjudged(clients: str, length: int) -> Iterator[Misjudged]:
    """Yield the first wrong decision of each scenario of up to `length` actions, shortest first.

    The first client makes the first change, and every poll finds something new.
    """
    actions = [f"{each}=" for each in clients]
    actions += [f"{each}<{other}" for each in clients for other in clients if each != other]
    right: list[tuple[tuple[str, ...], cd.OldFolder]]
    right = [((actions[0],), edited(cd.old_folder([*clients]), clients[0]))]
    for _ in range(length - 1):
        longer = []
        for story, folder in right:
            for action in actions:
                if action.endswith("="):
                    longer.append(((*story, action), edited(folder, action[0])))
                    continue
                poll = cd.old_poll(folder, action[0], action[2])
                if poll.classification is not poll.required:
                    yield (*story, action), poll.classification, poll.required
                elif poll.classification is not None:
                    longer.append(((*story, action), poll.folder))
        right = longer


def edited(folder: cd.OldFolder, nickname: str) -> cd.OldFolder:
    """Return the folder after an edit with a content that no other edit has."""
    return cd.old_edit(folder, nickname, b"%d" % len(folder.versions))[0]


def in_design(
    design: cd.Design[Any], clients: str, actions: tuple[str, ...]
) -> cd.Classification | None:
    """Return the classification of the last action, a poll, in one of the two designs."""
    folder: cd.Folder[Any] = cd.Folder(design)
    for nickname in clients:
        folder = cd.add_client(folder, nickname)
    found = None
    for number, action in enumerate(actions):
        if action.endswith("="):
            outcome = cd.edit(folder, action[0], "foo", b"%d" % number)
        else:
            outcome = cd.poll(folder, action[0], action[2], "foo")
        folder, found = outcome.folder, outcome.classification
    return found


FALSE_CONFLICT = (cd.Classification.CONFLICT, cd.Classification.OVERWRITE)


def test_the_scenario_of_the_errata_is_a_shortest_one_with_clients_that_all_uploaded() -> None:
    false = [
        story for story, *decisions in misjudged("ABC", 6) if tuple(decisions) == FALSE_CONFLICT
    ]
    uploaded = [story for story in false if f"{story[-1][0]}=" in story]
    assert min(map(len, uploaded)) == 6
    assert ("A=", "B<A", "B=", "C<B", "C=", "A<C") in uploaded


def test_of_two_clients_only_one_that_never_uploaded_finds_a_false_conflict() -> None:
    false = [
        story for story, *decisions in misjudged("AB", 7) if tuple(decisions) == FALSE_CONFLICT
    ]
    assert min(map(len, false)) == 4
    assert not [story for story in false if f"{story[-1][0]}=" in story]


def test_two_clients_overlook_a_conflict_after_one_of_them_downloaded_it() -> None:
    overlooked = (cd.Classification.OVERWRITE, cd.Classification.CONFLICT)
    found = [story for story, *decisions in misjudged("AB", 5) if tuple(decisions) == overlooked]
    assert ("A=", "B=", "B<A", "B=", "A<B") in found


@pytest.mark.parametrize("design", [cd.SnapshotDesign(), cd.MapDesign()], ids=lambda it: it.name)
def test_both_designs_decide_rightly_where_the_old_one_errs(design: cd.Design[Any]) -> None:
    for story, _, required in misjudged("ABC", 5):
        assert in_design(design, "ABC", story) is required, story
