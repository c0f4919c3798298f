"""Read back what a campaign's directory keeps: its plan, and its blocks as a summary."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rejoin_conformance.campaigns.directory.manifest import plan_of
from rejoin_conformance.campaigns.directory.rows import FinishedBlock
from rejoin_conformance.campaigns.directory.store import Store, StoreError
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.contract.registry import system_names
from rejoin_conformance.kit.json_types import JsonObject


def plan_kept(store: Store, address: str) -> tuple[JsonObject, Plan]:
    """The manifest of the campaign that the place keeps, and the plan that it tells.

    Raises StoreError where there is none, or none that this suite knows how to read.
    """
    manifest = store.manifest()
    if manifest is None:
        raise StoreError(f"{address} holds no campaign; begin one: rejoin fuzz --directory DIR")
    try:
        plan = plan_of(manifest)
    except ValueError as error:
        raise StoreError(f"{address} cannot be read: {error}") from None
    if plan.system not in system_names():
        raise StoreError(f"{address} holds a campaign of a system unknown here: {plan.system}")
    return manifest, plan


def summary_kept(
    store: Store,
    address: str,
    plan: Plan,
    also: Callable[[FinishedBlock], object] = lambda _block: None,
) -> Summary:
    """The campaign that the place keeps, as far as it got.

    also: is told each block. Raises StoreError where the blocks are not those of one campaign.
    """
    summary = Summary(plan)
    for block in blocks_kept(store, address, summary):
        also(block)
    return summary


def blocks_kept(store: Store, address: str, summary: Summary) -> Iterator[FinishedBlock]:
    """The blocks that the place keeps, each added to the summary of their campaign before.

    Raises StoreError where they are not those of one campaign.
    """
    for wave in store.waves():
        for block in wave:
            try:
                summary.add(block.result)
            except ValueError as error:
                raise StoreError(f"{address} is spoilt: {error}") from None
            yield block
