"""The plan of a kept campaign, for the commands that reproduce its histories."""

from __future__ import annotations

import click

from rejoin_conformance.campaigns.directory.kept import plan_kept
from rejoin_conformance.campaigns.directory.manifest import manifest_of
from rejoin_conformance.campaigns.directory.store import Store, StoreError
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.command_line.console import chosen_profile, chosen_reading
from rejoin_conformance.contract.registry import system_named


def plan_in(store: Store, directory: str) -> Plan:
    """Return the plan of a campaign that checked laws under readings.

    Prints a warning if another version of the code ran the campaign. Raises StoreError if the
    directory has no such campaign. It is wrong usage if this version lacks its profile or readings.
    """
    manifest, plan = plan_kept(store, directory)
    if plan.adapter is not None:
        raise StoreError(
            f"{directory} holds a campaign against an adapter; `rejoin fuzz --adapter` has already "
            "written its findings"
        )
    if plan.rule is not None:
        raise StoreError(
            f"{directory} holds a campaign with a rule file, which this command does not run; to "
            "see its histories, run: rejoin replay SYSTEM --reading FILE"
        )
    system = system_named(plan.system)
    chosen_profile(system, plan.profile)
    for reading in plan.readings:
        chosen_reading(system, reading)
    if manifest != manifest_of(plan):
        click.echo(
            f"rejoin: warning: version {manifest.get('code')} ran the campaign in {directory}; "
            "this version may not reproduce its failures",
            err=True,
        )
    return plan
