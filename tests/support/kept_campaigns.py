"""Campaigns in directories, made without Spark."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from rejoin_conformance.campaigns.block import examine_block
from rejoin_conformance.campaigns.kept.campaign import directory_of
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.contract.spread import Result
from rejoin_conformance.kit.codec import plain
from rejoin_conformance.kit.json_types import JsonObject

BEGAN = 1_700_000_000_000_000


def finished(plan: Plan, blocks: Iterable[int]) -> list[Result]:
    """Return finished blocks of the plan; each took one second, and one began every two seconds."""
    return [
        Result(block, _examined(plan, block), BEGAN + block * 2_000_000, 1_000_000, "here:1")
        for block in blocks
    ]


def undisturbed(plan: Plan) -> Summary:
    """Return the summary of a campaign that ran without interruption."""
    summary = Summary(plan)
    for block in finished(plan, range(plan.blocks)):
        summary.add(block)
    return summary


@cache
def _examined(plan: Plan, block: int) -> JsonObject:
    """Several tests keep the same block; nothing changes it."""
    return examine_block(plan, block)


def keep(folder: Path, plan: Plan, *blocks: Result) -> Path:
    """Return a directory that contains the plan's campaign, with these blocks as one wave."""
    with directory_of(plan, str(folder)) as store:
        if blocks:
            store.add([plain(each) for each in blocks])
    return folder
