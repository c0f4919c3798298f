"""The histories that `rejoin distil` covers: chosen by options, or those of a kept campaign."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Final

from attrs import evolve

from rejoin_conformance.campaigns.directory.kept import blocks_kept
from rejoin_conformance.campaigns.directory.manifest import manifest_of
from rejoin_conformance.campaigns.directory.open_directory import directory_to_read, local_folder
from rejoin_conformance.campaigns.directory.store import StoreError
from rejoin_conformance.campaigns.distilling.coverage_keys import each_choice
from rejoin_conformance.campaigns.distilling.distil import DistilPlan
from rejoin_conformance.campaigns.distilling.kept_campaign import Whereabouts, whereabouts
from rejoin_conformance.campaigns.plan import DEFAULT_SEED, Plan
from rejoin_conformance.campaigns.spark.session import Cluster, spark_session
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.command_line.campaigns.campaign_plan import plan_in
from rejoin_conformance.command_line.campaigns.replay_kept import ReplayedKept, kept_in
from rejoin_conformance.command_line.console import SYSTEM, chosen_profile, chosen_reading
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.corpus.load import CorpusError

DEFAULT_HISTORIES: Final = 1000


def drawn(
    name: str,
    profiles: tuple[str, ...],
    readings: tuple[str, ...],
    seed: int | None,
    histories: int | None,
) -> DistilPlan:
    """Return the plan that the options name. Unknown profiles and readings are wrong usage."""
    system = SYSTEM.convert(name, None, None)
    chosen = [chosen_profile(system, each) for each in profiles or ("default",)]
    named = [chosen_reading(system, each) for each in readings or system.readings]
    return DistilPlan(
        system=system.name,
        profiles=tuple(dict.fromkeys(chosen)),
        readings=tuple(dict.fromkeys(named)),
        seed=DEFAULT_SEED if seed is None else seed,
        histories=histories or DEFAULT_HISTORIES,
    )


def with_choices(plan: DistilPlan) -> DistilPlan:
    """Return the plan with each choice point of the default reading switched alone, too."""
    choices = each_choice(system_named(plan.system))
    return evolve(plan, switched=(*plan.switched, *choices))


def beyond(plan: DistilPlan, file: Path | None) -> tuple[DistilPlan, tuple[ReplayedKept, ...]]:
    """Return the plan without the coverage of a file's histories, and these histories.

    Raises CorpusError if the file has no histories of the system.
    """
    if file is None:
        return plan, ()
    kept = tuple(kept_in(file, None))
    for each in kept:
        if each.system.name != plan.system:
            raise CorpusError(f"{file} holds histories of {each.system.name}, not of {plan.system}")
    reached = (plan.keys_of(each.history) for each in kept)
    return evolve(plan, known=plan.known.union(*reached)), kept


def of_campaign(address: str, cluster: Cluster) -> tuple[DistilPlan, Whereabouts]:
    """Return a plan for all histories of a kept campaign, and the blocks that hold its coverage.

    The plan also covers differences between the campaign's readings and the system's others. Raises
    StoreError if there is no campaign, or none of its blocks is finished.
    """
    with nullcontext() if local_folder(address) else spark_session(cluster) as session:
        store = directory_to_read(address, session)
        kept = plan_in(store, address)
        blocks = blocks_kept(store, address, Summary(kept))
        where = whereabouts(kept, (each.result for each in blocks))
    if not where.first:
        raise StoreError(f"{address}: no block of the campaign is finished yet")
    others = (each for each in system_named(kept.system).readings if each not in kept.readings)
    plan = DistilPlan(
        system=kept.system,
        profiles=(kept.profile,),
        readings=kept.readings,
        seed=kept.seed,
        histories=kept.histories,
        switched=tuple(others),
    )
    return plan, where


def code_of(plan: DistilPlan) -> str:
    """Return the version of the code for these histories, as manifests write it."""
    campaign = Plan(
        system=plan.system,
        profile=plan.profiles[0],
        readings=plan.readings,
        seed=plan.seed,
        histories=plan.histories,
    )
    return str(manifest_of(campaign)["code"])
