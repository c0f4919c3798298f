"""Sample histories toward a choice point that the histories of a comparison hardly reach.

Every profile of the system supplies as many candidates. The profiles of large histories, which take
far longer, supply candidates only if no other profile reaches the choice point. The sample keeps
the candidates to which the choice point could matter. It is not a random sample of any profile, so
its shares say nothing about how often such histories occur.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from attrs import evolve

from rejoin_conformance.campaigns.comparing.measure import Comparison, measure, reached_by
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.kit.tree import Tree, add
from rejoin_conformance.readings.in_force import B

HARDLY: Final = 100
"""A choice point is hardly reached if it could matter in fewer than 1 of this many histories."""

BLOCKS: Final = 2
"""The number of blocks of candidates that each profile supplies."""


def sample_toward(comparison: Comparison, point: str, spread: Spread) -> Json:
    """Return the report of a sample toward a choice point. It does not depend on the place."""
    histories = system_named(comparison.system).histories
    quick = [each for each in histories.profiles if each not in histories.large]
    found = _sampled(comparison, point, quick, spread)
    if not any(each["consulted"] for each in found.values()):
        found |= _sampled(comparison, point, [*histories.large], spread)
    total: Tree = {}
    for each in found.values():
        add(total, each)
    return {
        "candidates": total["candidates"],
        "consulted": total["consulted"],
        "histories": total["histories"],
        "profiles": {
            profile: {"candidates": each["candidates"], "histories": each["histories"]}
            for profile, each in found.items()
        },
        "differ": total["differing"].get(B, {"histories": 0})["histories"],
        "broken": {name: dict(sorted(laws.items())) for name, laws in total["broken"].items()},
    }


def _sampled(
    comparison: Comparison, point: str, profiles: Sequence[str], spread: Spread
) -> dict[str, Tree]:
    """Return the samples of some profiles: profile -> sample. See `_of_block`."""
    found: dict[str, Tree] = {}
    work = partial(_of_block, comparison, point, profiles)
    pieces: list[Any] = spread.pieces(work, BLOCKS * len(profiles), "histories toward the rule")
    for number, piece in enumerate(pieces):
        add(found.setdefault(profiles[number // BLOCKS], {}), piece)
    return found


def _of_block(comparison: Comparison, point: str, profiles: Sequence[str], number: int) -> Json:
    """Return the sample of one block: the counts of the histories to which the choice could matter.

    `candidates`: the number of all histories. `consulted`: of those that consult the choice point.
    """
    profile, block = profiles[number // BLOCKS], number % BLOCKS
    histories = (block + 1) * Comparison.block_size
    comparison = evolve(comparison, profile=profile, histories=histories)
    system = system_named(comparison.system)
    sides = comparison.between().only(point)
    drawn = {index: comparison.history(index) for index in comparison.indices(block)}
    reached = {index: reached_by(system, sides, history) for index, history in drawn.items()}
    kept = {index: drawn[index] for index, each in reached.items() if each.could_matter}
    measured = measure(system, sides, kept) if kept else {"histories": 0}
    return {
        "candidates": len(drawn),
        "consulted": sum(each.cases for each in reached.values()),
        "differing": {},
        "broken": {},
        **measured,
    }
