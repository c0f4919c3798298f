"""Read a campaign's directory: its plan, and its blocks as a summary."""

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
    """Return the manifest of the campaign in a store, and its plan.

    Raises StoreError if there is no campaign, or this version cannot read it.
    """
    manifest = store.manifest()
    if manifest is None:
        raise StoreError(
            f"{address} has no campaign; start one with: rejoin fuzz SYSTEM --directory DIR"
        )
    try:
        plan = plan_of(manifest)
    except ValueError as error:
        raise StoreError(f"{address} cannot be read: {error}") from None
    if plan.system not in system_names():
        raise StoreError(
            f"{address} has a campaign of the unknown system {plan.system}; the systems are "
            f"{', '.join(system_names())}"
        )
    return manifest, plan


def summary_kept(
    store: Store,
    address: str,
    plan: Plan,
    also: Callable[[FinishedBlock], object] = lambda _block: None,
) -> Summary:
    """Return the summary of the campaign in a store, finished or not.

    also: called with each block. Raises StoreError if the blocks do not belong to one campaign.
    """
    summary = Summary(plan)
    for block in blocks_kept(store, address, summary):
        also(block)
    return summary


def blocks_kept(store: Store, address: str, summary: Summary) -> Iterator[FinishedBlock]:
    """Yield the blocks in a store, after adding each to the summary.

    Raises StoreError if they do not belong to one campaign.
    """
    for wave in store.waves():
        for block in wave:
            try:
                summary.add(block.result)
            except ValueError as error:
                raise StoreError(
                    f"{address} is corrupt: {error}; restore it or choose another directory"
                ) from None
            yield block
