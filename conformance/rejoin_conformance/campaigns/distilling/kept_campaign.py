"""Find the blocks of a kept campaign that hold its coverage, from the counts of its blocks.

To distil a campaign of a million histories, only the blocks run again that are among the first to
count a key.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from attrs import frozen

from rejoin_conformance.campaigns.block import BlockResult
from rejoin_conformance.campaigns.distilling.cover import Keys
from rejoin_conformance.campaigns.distilling.coverage_keys import keys_counted
from rejoin_conformance.campaigns.plan import Plan

BLOCKS_A_KEY: Final = 3
"""The number of blocks to run for each key: the first ones that count it."""

FIRST_BLOCKS: Final = 4
"""The number of first blocks that always run, because blocks do not count differing readings."""


@frozen
class Whereabouts:
    """The first finished blocks of a campaign, and for each key the first blocks that count it."""

    plan: Plan
    first: tuple[int, ...]
    carriers: Mapping[str, tuple[int, ...]]

    def stretches(self, known: Keys) -> tuple[range, ...]:
        """Return ranges of histories that cover each key that is not known, ascending."""
        first_to_count = {
            block for key, those in self.carriers.items() if key not in known for block in those
        }
        return tuple(self.plan.indices(block) for block in sorted(first_to_count.union(self.first)))


def whereabouts(plan: Plan, blocks: Iterable[BlockResult]) -> Whereabouts:
    """Return the blocks that hold each key. blocks: finished blocks in ascending order."""
    first: list[int] = []
    carriers: dict[str, tuple[int, ...]] = {}
    for block in blocks:
        if len(first) < FIRST_BLOCKS:
            first.append(block.block)
        for key in _keys_of(block):
            those = carriers.get(key, ())
            if len(those) < BLOCKS_A_KEY:
                carriers[key] = (*those, block.block)
    return Whereabouts(plan, tuple(first), carriers)


def _keys_of(block: BlockResult) -> set[str]:
    return set[str]().union(
        *(
            keys_counted(reading, tally.coverage, tally.checked, tally.vacuous, tally.violated)
            for reading, tally in block.tallies.items()
        )
    )
