"""Campaigns in directories, made without Spark."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from rejoin_conformance.campaigns.block import BlockResult, examine_block
from rejoin_conformance.campaigns.directory.open_directory import directory_of
from rejoin_conformance.campaigns.directory.rows import FinishedBlock
from rejoin_conformance.campaigns.plan import Plan

BEGAN = 1_700_000_000_000_000


def finished(plan: Plan, blocks: Iterable[int]) -> list[FinishedBlock]:
    """Return finished blocks of the plan; each took one second, and one began every two seconds."""
    return [
        FinishedBlock(_examined(plan, block), BEGAN + block * 2_000_000, 1_000_000, "here:1")
        for block in blocks
    ]


@cache
def _examined(plan: Plan, block: int) -> BlockResult:
    """Several tests keep the same block; nothing changes it."""
    return examine_block(plan, block)


def keep(folder: Path, plan: Plan, *blocks: FinishedBlock) -> Path:
    """Return a directory that contains the plan's campaign, with these blocks as one wave."""
    with directory_of(plan, str(folder)) as store:
        if blocks:
            store.keep(blocks)
    return folder
