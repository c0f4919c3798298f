"""`rejoin mutants --knockouts`: check that the vectors of each clause decide it."""

from __future__ import annotations

from collections.abc import Sequence

import click
from attrs import asdict

from rejoin_conformance.campaigns.mutants.entries import EntriesError
from rejoin_conformance.campaigns.mutants.knocking_out import check_knockouts, holes
from rejoin_conformance.campaigns.mutants.knockout import load_knockouts
from rejoin_conformance.campaigns.spark.session import Cluster
from rejoin_conformance.command_line.campaigns.spreading import spreading
from rejoin_conformance.command_line.console import (
    NOT_CONFORMANT,
    WRONG_USAGE,
    print_json,
    stop,
)
from rejoin_conformance.command_line.progress import progress_bar
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.locations import mutants_directory


def check_all_knockouts(
    systems: Sequence[System], cluster: Cluster | None, *, as_json: bool
) -> None:
    """Print a line for each clause that its vectors do not decide. Exit with 1 if there is one.

    cluster: where the work runs; None for this process.
    """
    whole = True
    for system in systems:
        try:
            known = load_knockouts(mutants_directory() / system.name, system.name)
        except EntriesError as error:
            stop(WRONG_USAGE, str(error))
        with (
            progress_bar(f"knock-outs {system.name}", quiet=as_json) as progress,
            spreading(cluster, progress) as spread,
        ):
            noticed = check_knockouts(system.name, known, spread)
        faults = tuple(holes(system.name, known, noticed))
        whole = whole and not faults
        if as_json:
            print_json(
                {
                    "system": system.name,
                    "knockouts": [asdict(each) for each in noticed],
                    "none": {each.clause: each.reason for each in known.none},
                    "faults": [*faults],
                }
            )
            continue
        seen = sum(bool(each.by) for each in noticed)
        click.echo(
            f"{system.name}: {len(noticed)} knock-outs, {seen} noticed by a vector of their "
            f"clause; {len(known.none)} clauses have none, with a reason"
        )
        for fault in faults:
            click.echo(f"  {fault}")
    if not whole:
        raise click.exceptions.Exit(NOT_CONFORMANT)
