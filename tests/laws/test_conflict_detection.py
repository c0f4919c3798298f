"""The machine of conflict detection: the reference passes it, and faulty references do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from attrs import evolve

from rejoin.conflict_detection import Classification
from support.faults import Faulty
from support.laws import always, by, is_found, remembered, show_reached, the_laws_hold

SYSTEM: Final = "conflict-detection"

_MAPS: Final = "rejoin.conflict_detection.version_maps"
_FILES: Final = "rejoin.conflict_detection.conflict_files"
_WALK: Final = "rejoin.conflict_detection.overwrite_and_conflict"


def _read_as(**changed: Any) -> Faulty:
    """Return a fault of a function whose first argument is the reading."""
    return lambda original: (
        lambda reading, *rest, **named: original(evolve(reading, **changed), *rest, **named)
    )


def _saying(old: str, new: str) -> Faulty:
    """Return a fault that says one classification for another."""

    def changed(original: Any) -> Any:
        def classify(*arguments: Any) -> Any:
            said = original(*arguments)
            return type(said)[new] if said.name == old else said

        return classify

    return changed


def _unequal(left: Any, right: Any) -> bool:
    return bool(sum(left.values()) == sum(right.values()))


def _first_parents(is_descendant: Callable[..., bool]) -> Any:
    return lambda parents_of, snapshot, ancestor: is_descendant(
        lambda each: tuple(parents_of(each))[:1], snapshot, ancestor
    )


FAULTS: Final[dict[str, dict[str, Faulty]]] = {
    "map_resolution=own-entry": {
        "rejoin.conflict_detection.map_conflict_resolution.local_map_after_resolution": _read_as(
            map_resolution="own-entry"
        )
    },
    "every entry larger": {
        f"{_MAPS}.strictly_follows": _read_as(map_comparison="every-entry-larger")
    },
    "what we follow is a conflict in maps": {
        f"{_MAPS}.classify_by_maps": _saying("STALE", "CONFLICT")
    },
    "what we follow is a conflict in graphs": {
        f"{_WALK}.classify_by_graph": _saying("STALE", "CONFLICT")
    },
    "what we follow overwrites": {f"{_WALK}.classify_by_graph": _saying("STALE", "OVERWRITE")},
    "conflicts overwrite": {f"{_WALK}.classify_by_graph": _saying("CONFLICT", "OVERWRITE")},
    "equal sums are equal maps": {f"{_MAPS}.is_same_version": by(_unequal)},
    "first parents only": {f"{_WALK}.is_descendant": _first_parents},
    "a walk is kept for the next graph": {
        f"{_WALK}.is_descendant": remembered(lambda parents_of, *pair: pair)
    },
    "settled conflicts stay": {
        f"{_FILES}.drop_followed": by(lambda conflicts, is_followed: conflicts)
    },
    "all conflicts go": {f"{_FILES}.drop_followed": by(lambda conflicts, is_followed: ())},
    "one conflict file for all": {
        f"{_FILES}.let_go": by(lambda conflicts, nickname: ()),
    },
    "a conflict file is not updated": {
        f"{_FILES}.hold": lambda hold: (
            lambda conflicts, nickname, *rest, **named: (
                conflicts
                if any(nickname in each.nicknames for each in conflicts)
                else hold(conflicts, nickname, *rest, **named)
            )
        )
    },
    "a resolution forgets its conflicts": {
        "rejoin.conflict_detection.resolution.parents_of_upload": lambda parents: (
            lambda current, removed: parents(current, ())
        )
    },
    "numbers do not rise": {
        "rejoin.conflict_detection.upload_and_download.map_of_upload": lambda map_of_upload: (
            lambda local, nickname: {**map_of_upload(local, nickname), nickname: 1}
        )
    },
    "the join takes the last": {f"{_MAPS}.join_entries": by(lambda left, right: right)},
    "nobody has news": {f"{_MAPS}.classify_by_maps": always(Classification.SAME)},
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(fault: str) -> None:
    assert is_found(SYSTEM, FAULTS[fault])


def test_the_reference_keeps_the_laws(capsys: pytest.CaptureFixture[str]) -> None:
    asking = the_laws_hold(SYSTEM)
    with capsys.disabled():
        show_reached(asking, "scenario")
