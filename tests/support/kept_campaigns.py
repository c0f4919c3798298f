"""Campaigns in directories, made without Spark."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa

from rejoin_conformance.campaigns.block import examine_block
from rejoin_conformance.campaigns.directory.open_directory import directory_of
from rejoin_conformance.campaigns.directory.rows import FinishedBlock, batch_of
from rejoin_conformance.campaigns.plan import Plan

BEGAN = 1_700_000_000_000_000


def table(*blocks: FinishedBlock) -> pa.Table:
    """A wave of blocks as a store takes it."""
    return pa.Table.from_batches([batch_of(blocks)])


def finished(plan: Plan, blocks: Iterable[int]) -> list[FinishedBlock]:
    """Blocks of the plan as they are; each took a second, and began two after the one before."""
    return [
        FinishedBlock(examine_block(plan, block), BEGAN + block * 2_000_000, 1_000_000, "here:1")
        for block in blocks
    ]


def keep(folder: Path, plan: Plan, *blocks: FinishedBlock) -> Path:
    """A directory that keeps the plan's campaign, with these blocks as one wave."""
    with directory_of(plan, str(folder)) as store:
        if blocks:
            store.keep(blocks[0].result.block, blocks[-1].result.block, table(*blocks))
    return folder
