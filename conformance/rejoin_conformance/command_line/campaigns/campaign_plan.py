"""The plan of a kept campaign, for the commands that make its histories again."""

from __future__ import annotations

import click

from rejoin_conformance.campaigns.directory.kept import plan_kept
from rejoin_conformance.campaigns.directory.manifest import manifest_of
from rejoin_conformance.campaigns.directory.store import Store, StoreError
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.command_line.console import chosen_profile, chosen_reading
from rejoin_conformance.contract.registry import system_named


def plan_in(store: Store, directory: str) -> Plan:
    """The plan of a campaign that checked laws under readings; says so where other code ran it.

    Raises StoreError where the directory holds no such campaign; it is wrong usage where this
    version does not know its profile or readings.
    """
    manifest, plan = plan_kept(store, directory)
    if plan.adapter is not None:
        raise StoreError(
            f"{directory} holds a campaign against an adapter; `rejoin fuzz --adapter` writes its "
            "findings itself"
        )
    if plan.rule is not None:
        raise StoreError(
            f"{directory} holds a campaign of a rule file, which is data there, and not run; "
            "`rejoin replay --reading FILE` shows its histories"
        )
    system = system_named(plan.system)
    chosen_profile(system, plan.profile)
    for reading in plan.readings:
        chosen_reading(system, reading)
    if manifest != manifest_of(plan):
        click.echo(
            f"rejoin: the campaign in {directory} was run by {manifest.get('code')}; what it "
            "showed may not show any more",
            err=True,
        )
    return plan
