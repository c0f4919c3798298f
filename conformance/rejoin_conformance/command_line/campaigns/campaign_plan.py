"""A kept campaign, for the commands that reproduce its histories."""

from __future__ import annotations

import click

from rejoin_conformance.campaigns.kept.campaign import add_kept, empty_summary, header_of
from rejoin_conformance.campaigns.kept.store import Store, StoreError
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.command_line.console import chosen_profile, chosen_reading
from rejoin_conformance.contract.registry import system_named


def campaign_in(store: Store, directory: str) -> Summary:
    """Return the summary of a campaign that checked laws under readings.

    Prints a warning if another version of the code ran the campaign. Raises StoreError if the
    directory has no such campaign. It is wrong usage if this version lacks its profile or readings.
    """
    summary = empty_summary(store, directory)
    plan = summary.plan
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
    if summary.header != header_of(plan):
        version = summary.header.get("code")
        click.echo(
            f"rejoin: warning: version {version} ran the campaign in {directory}; "
            "this version may not reproduce its failures",
            err=True,
        )
    return add_kept(summary, store, directory)
