"""The counts of the search, as literals; a second, simple search has the same counts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

import pytest

from rejoin import conflict_detection as cd
from rejoin_conformance.kit.locations import spec_directory
from rejoin_conformance.systems.conflict_detection.exhaust.group import Tally
from rejoin_conformance.systems.conflict_detection.exhaust.mismatches import PAIRS
from rejoin_conformance.systems.conflict_detection.exhaust.report import mismatches
from rejoin_conformance.systems.conflict_detection.exhaust.searches import Bounds
from rejoin_conformance.systems.conflict_detection.exhaust.traces import replay
from support.conflict_detection_enumeration import enumerate_plainly
from support.conflict_detection_search_alone import search_alone
from support.conflict_detection_searches import search_of, steps_in_words

NONE: Final[Mapping[str, int]] = {}


def stale(polls: int) -> dict[str, int]:
    return {"stale taken for conflict": polls}


def printed(false_conflicts: int, stale_polls: int, same_polls: int) -> dict[str, int]:
    """Return the mismatches of version maps as printed, without the kinds that do not occur."""
    kinds = {
        "false conflict": false_conflicts,
        "stale taken for conflict": stale_polls,
        "same taken for conflict": same_polls,
    }
    return {kind: polls for kind, polls in kinds.items() if polls}


# (clients, uploads) -> (design, reading, variant) -> states, uploads, polls, mismatches
COUNTS: Final = {
    (2, 1): {
        ("snapshots", "repaired", "linked"): (5, 2, 6, NONE),
        ("snapshots", "repaired", "not-linked"): (5, 2, 4, NONE),
        ("snapshots", "literal", "linked"): (5, 2, 6, NONE),
        ("snapshots", "literal", "not-linked"): (5, 2, 4, NONE),
        ("version-maps", "repaired", "linked"): (5, 2, 6, NONE),
        ("version-maps", "repaired", "not-linked"): (5, 2, 4, NONE),
        ("version-maps", "literal", "linked"): (11, 2, 18, printed(0, 0, 16)),
        ("version-maps", "literal", "not-linked"): (7, 2, 6, printed(0, 0, 4)),
    },
    (2, 2): {
        ("snapshots", "repaired", "linked"): (19, 10, 32, NONE),
        ("snapshots", "repaired", "not-linked"): (19, 10, 26, NONE),
        ("snapshots", "literal", "linked"): (27, 10, 48, stale(8)),
        ("snapshots", "literal", "not-linked"): (23, 10, 34, stale(8)),
        ("version-maps", "repaired", "linked"): (19, 10, 32, NONE),
        ("version-maps", "repaired", "not-linked"): (19, 10, 26, NONE),
        ("version-maps", "literal", "linked"): (49, 30, 92, printed(24, 24, 32)),
        ("version-maps", "literal", "not-linked"): (31, 16, 42, printed(14, 8, 8)),
    },
    (2, 3): {
        ("snapshots", "repaired", "linked"): (67, 42, 126, NONE),
        ("snapshots", "repaired", "not-linked"): (67, 42, 114, NONE),
        ("snapshots", "literal", "linked"): (121, 66, 234, stale(48)),
        ("snapshots", "literal", "not-linked"): (99, 54, 178, stale(52)),
        ("version-maps", "repaired", "linked"): (67, 42, 126, NONE),
        ("version-maps", "repaired", "not-linked"): (67, 42, 114, NONE),
        ("version-maps", "literal", "linked"): (173, 146, 338, printed(108, 108, 48)),
        ("version-maps", "literal", "not-linked"): (119, 82, 198, printed(72, 52, 12)),
    },
    (2, 4): {
        ("snapshots", "repaired", "linked"): (232, 162, 454, NONE),
        ("snapshots", "repaired", "not-linked"): (232, 162, 434, NONE),
        ("snapshots", "literal", "linked"): (468, 334, 926, stale(200)),
        ("snapshots", "literal", "not-linked"): (392, 264, 754, stale(224)),
        ("version-maps", "repaired", "linked"): (232, 162, 454, NONE),
        ("version-maps", "repaired", "not-linked"): (232, 162, 434, NONE),
        ("version-maps", "literal", "linked"): (572, 542, 1_134, printed(356, 356, 64)),
        ("version-maps", "literal", "not-linked"): (436, 348, 802, printed(268, 224, 16)),
    },
    (3, 2): {
        ("snapshots", "repaired", "linked"): (184, 39, 990, NONE),
        ("snapshots", "repaired", "not-linked"): (136, 39, 462, NONE),
        ("snapshots", "literal", "linked"): (460, 39, 2_598, stale(384)),
        ("snapshots", "literal", "not-linked"): (196, 39, 702, stale(144)),
        ("version-maps", "repaired", "linked"): (184, 39, 990, NONE),
        ("version-maps", "repaired", "not-linked"): (136, 39, 462, NONE),
        ("version-maps", "literal", "linked"): (3_355, 1_404, 19_836, printed(4_968, 4_968, 8_064)),
        ("version-maps", "literal", "not-linked"): (460, 102, 1_566, printed(420, 312, 396)),
    },
    (3, 3): {
        ("snapshots", "repaired", "linked"): (2_027, 780, 11_760, NONE),
        ("snapshots", "repaired", "not-linked"): (1_271, 492, 5_664, NONE),
        ("snapshots", "literal", "linked"): (10_304, 1_944, 61_098, stale(11_112)),
        ("snapshots", "literal", "not-linked"): (2_852, 744, 13_758, stale(4_068)),
        ("version-maps", "repaired", "linked"): (2_027, 780, 11_760, NONE),
        ("version-maps", "repaired", "not-linked"): (1_271, 492, 5_664, NONE),
        ("version-maps", "literal", "linked"): (
            35_120,
            23_205,
            209_682,
            printed(65_340, 65_340, 43_920),
        ),
        ("version-maps", "literal", "not-linked"): (
            5_396,
            2_190,
            23_142,
            printed(7_884, 5_556, 2_508),
        ),
    },
    (3, 4): {
        ("snapshots", "repaired", "linked"): (19_385, 10_035, 114_918, NONE),
        ("snapshots", "repaired", "not-linked"): (11_405, 5_415, 58_590, NONE),
        ("snapshots", "literal", "linked"): (136_601, 55_263, 816_798, stale(157_536)),
        ("snapshots", "literal", "not-linked"): (37_130, 13_716, 203_424, stale(64_188)),
        ("version-maps", "repaired", "linked"): (19_385, 10_035, 114_918, NONE),
        ("version-maps", "repaired", "not-linked"): (11_405, 5_415, 58_590, NONE),
        ("version-maps", "literal", "linked"): (
            330_485,
            257_460,
            1_979_478,
            printed(655_128, 655_128, 213_696),
        ),
        ("version-maps", "literal", "not-linked"): (
            60_254,
            30_444,
            301_416,
            printed(108_318, 83_460, 12_252),
        ),
    },
}

CASES = [(*bounds, *names) for bounds, searches in COUNTS.items() for names in searches]
NOT_HUGE = [
    case for case in CASES if case[:2] < (3, 3) or (case[:2] == (3, 3) and case[3] == "repaired")
]


@cache
def searched(design: str, reading: str, variant: str, bounds: Bounds) -> Tally:
    return search_alone(search_of(design, reading, variant), bounds)


def counts(tally: Tally) -> tuple[int, int, int, dict[str, int]]:
    return tally.states, tally.uploads, sum(tally.polls), mismatches(tally)


@pytest.mark.parametrize(("clients", "uploads", "design", "reading", "variant"), CASES)
def test_the_counts_are_these(
    clients: int, uploads: int, design: str, reading: str, variant: str
) -> None:
    expected = COUNTS[clients, uploads][design, reading, variant]
    assert counts(searched(design, reading, variant, Bounds(clients, uploads))) == expected


@pytest.mark.parametrize(("clients", "uploads", "design", "reading", "variant"), NOT_HUGE)
def test_whole_clients_and_a_witness_count_the_same(
    clients: int, uploads: int, design: str, reading: str, variant: str
) -> None:
    search = search_of(design, reading, variant)
    tally = searched(design, reading, variant, Bounds(clients, uploads))
    plain = enumerate_plainly(search, clients, uploads)
    assert (plain.states, plain.uploads) == (tally.states, tally.uploads)
    polls = {pair: count for pair, count in zip(PAIRS, tally.polls, strict=True) if count}
    assert polls == plain.polls
    for place, trace in tally.traces.items():
        replayed = replay(search, Bounds(clients, uploads), trace)
        assert steps_in_words(replayed) == plain.traces[PAIRS[place]]


@pytest.mark.parametrize("variant", ["linked", "not-linked"])
@pytest.mark.parametrize("bounds", list(COUNTS))
def test_both_repaired_designs_count_the_same(bounds: tuple[int, int], variant: str) -> None:
    searches = COUNTS[bounds]
    snapshots = searches["snapshots", "repaired", variant]
    assert snapshots == searches["version-maps", "repaired", variant]


def test_the_spec_gives_these_counts_for_three_clients_and_four_uploads() -> None:
    rules = (spec_directory() / "conflict-detection" / "search-rules.md").read_text()
    rows = [[cell.strip(" `") for cell in line.split("|")[1:-1]] for line in rules.splitlines()]
    printed = {
        (row[0].replace(" ", "-"), row[1], row[2].replace(" ", "-")): tuple(
            int(cell.replace(",", "")) for cell in row[3:]
        )
        for row in rows
        if len(row) == 9 and row[1] in cd.READINGS
    }
    assert printed == {
        names: (
            *numbers,
            kinds.get("false conflict", 0),
            kinds.get("stale taken for conflict", 0),
            kinds.get("same taken for conflict", 0),
        )
        for names, (*numbers, kinds) in COUNTS[3, 4].items()
    }


def test_one_upload_of_two_clients_can_be_counted_by_hand() -> None:
    """Nobody has a version; or one made it and the other has it or not: five states. Where only its
    maker has it, one poll finds it; where both link it, two do."""
    linked = search_of("snapshots", "repaired", "linked")
    assert counts(search_alone(linked, Bounds(2, 1))) == (5, 2, 2 * (1 + 2), {})
    not_linked = search_of("snapshots", "repaired", "not-linked")
    assert counts(search_alone(not_linked, Bounds(2, 1))) == (5, 2, 2 * (1 + 1), {})


def test_one_upload_as_printed_can_be_counted_by_hand() -> None:
    """Where both have the version, each of them may hold it as a conflict, or not: four states. In
    each, both polls take the same version for a conflict."""
    linked = search_of("version-maps", "literal", "linked")
    found = counts(search_alone(linked, Bounds(2, 1)))
    assert found == (1 + 2 * (1 + 4), 2, 2 * (1 + 4 * 2), {"same taken for conflict": 2 * 4 * 2})


def test_without_uploads_there_is_one_state_and_nothing_to_poll() -> None:
    search = search_of("version-maps", "literal", "linked")
    assert counts(search_alone(search, Bounds(3, 0))) == (1, 0, 0, {})


def test_one_client_alone_only_edits() -> None:
    search = search_of("snapshots", "literal", "linked")
    assert counts(search_alone(search, Bounds(1, 6))) == (7, 6, 0, {})


def test_no_design_ever_lets_a_version_overwrite_what_it_does_not_follow() -> None:
    for searches in COUNTS.values():
        for _, _, _, kinds in searches.values():
            assert "false overwrite" not in kinds
            assert all(kind.endswith("conflict") for kind in kinds)
