"""The machine of config merge: the reference passes it, and faulty references do not."""

from __future__ import annotations

from typing import Any, Final

import pytest
from attrs import evolve

from support.faults import Faulty
from support.laws import always, by, is_found, remembered, show_reached, the_laws_hold

SYSTEM: Final = "config-merge"

_RESOLUTION: Final = "rejoin.config_merge.conflict_resolution"
_UPDATES: Final = "rejoin.config_merge.non_conflicting_updates"


def _of_reading(**changed: Any) -> Faulty:
    """Return a fault of `merge` in which choice points have other values."""
    return lambda merge: (
        lambda survivors, *, reading, **rest: merge(
            survivors, reading=evolve(reading, **changed), **rest
        )
    )


def _lowest_first(merge: Any) -> Any:
    def swapped(survivors: Any, **rest: Any) -> Any:
        return merge([evolve(survivors[0], data=survivors[-1].data), *survivors[1:]], **rest)

    return swapped


def _without_own_rows(merge: Any) -> Any:
    return lambda survivors, **rest: merge([evolve(each, lagged=()) for each in survivors], **rest)


def _first_two(merge: Any) -> Any:
    return lambda survivors, **rest: merge(survivors[-2:], **rest)


FAULTS: Final[dict[str, dict[str, Faulty]]] = {
    "unknown keys are dropped on a merge": {
        f"{_RESOLUTION}.merge": _of_reading(unknown_keys_on_merge="none")
    },
    "no cutoff": {f"{_RESOLUTION}.merge": _of_reading(replay_cutoff=False)},
    "the data of another survivor": {f"{_RESOLUTION}.merge": _lowest_first},
    "rows are not replayed": {f"{_RESOLUTION}.merge": _without_own_rows},
    "two survivors at most": {f"{_RESOLUTION}.merge": _first_two},
    "nothing is included": {
        "rejoin.config_merge.ignored_updates.NO_RANKS": lambda none: type(
            "Nothing", (frozenset,), {"union": lambda self, *others: none}
        )()
    },
    "the window is one longer": {
        "rejoin.config_merge.windows.within": lambda within: (
            lambda window, seqno, largest: within(window + 1, seqno, largest)
        )
    },
    "ties are broken from the end of the hash": {
        "rejoin.config_merge.messages.by_rank": by(
            lambda message: (message.row.rank[0], message.row.rank[1][::-1])
        )
    },
    "removals win": {
        f"{_RESOLUTION}.elements_after": by(
            lambda elements, added, removed: (elements | added) - removed - {0}
        )
    },
    "additions are lost": {
        f"{_RESOLUTION}.elements_after": by(lambda elements, added, removed: elements - removed)
    },
    "no diff replaces another kind": {f"{_RESOLUTION}.assigns_or_adds": always(False)},
    "empty dicts stay": {
        f"{_RESOLUTION}.prune": by(lambda data: data),
        f"{_RESOLUTION}._is_empty": always(False),
    },
    "rows are lost": {f"{_UPDATES}.rows_within": always(())},
    "rows outside the window are kept": {
        f"{_UPDATES}.rows_within": by(lambda window, rows, new_seqno: rows)
    },
    "seqnos are skipped": {
        "rejoin.config_merge.messages.next_seqno": by(lambda largest: largest + 2)
    },
    "assigned values are lost": {f"{_RESOLUTION}.scalar_after": always(None)},
    "a hash is kept for messages that begin alike": {
        "rejoin.config_merge.messages.message_hash": remembered(lambda encoded: encoded[:30])
    },
    "the hash is cut": {
        "rejoin.config_merge.messages.message_hash": lambda message_hash: (
            lambda encoded: message_hash(encoded[:-1])
        )
    },
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(fault: str) -> None:
    assert is_found(SYSTEM, FAULTS[fault])


def test_the_reference_keeps_the_laws(capsys: pytest.CaptureFixture[str]) -> None:
    asking = the_laws_hold(SYSTEM)
    with capsys.disabled():
        show_reached(asking, "resolve", "update")
