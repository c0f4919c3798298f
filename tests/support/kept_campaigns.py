"""Campaigns in directories, made without Spark."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from rejoin_conformance.campaigns.block import examine_block
from rejoin_conformance.campaigns.campaign import directory_of
from rejoin_conformance.campaigns.kept.folder import Folder
from rejoin_conformance.campaigns.kept.store import Block
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.campaigns.tables import BLOCKS, Tables

BEGAN = 1_700_000_000_000_000


def finished(plan: Plan, blocks: Iterable[int]) -> list[Block]:
    """Return finished blocks of the plan; each took one second, and one began every two seconds."""
    return [(block, at_its_time(block, _examined(plan, block))) for block in blocks]


def at_its_time(block: int, tables: Tables) -> Tables:
    """Return the rows of a block as if it began two seconds after the one before."""
    (row,), began = tables[BLOCKS], BEGAN + block * 2_000_000
    times = {"began": began, "micros": 1_000_000, "cpu_micros": 1_000_000, "worker": "here:1"}
    return {**tables, BLOCKS: [{**row, **times}]}


def undisturbed(plan: Plan) -> Summary:
    """Return the summary of a campaign that ran without interruption."""
    summary = Summary(plan)
    for block, tables in finished(plan, range(plan.blocks)):
        summary.add(block, tables)
    return summary


@cache
def _examined(plan: Plan, block: int) -> Tables:
    """Several tests keep the same block; nothing changes it."""
    return examine_block(plan, block)


def keep(folder: Path, plan: Plan, *blocks: Block) -> Path:
    """Return a directory that contains the plan's campaign, with these blocks in one file."""
    with directory_of(plan, str(folder)) as store:
        assert isinstance(store, Folder)
        for block, tables in blocks:
            store.add(block, tables)
    return folder
