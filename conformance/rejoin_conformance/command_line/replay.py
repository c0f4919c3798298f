"""`rejoin replay`: one history of a campaign, made again alone, told and examined."""

from __future__ import annotations

import click

from rejoin_conformance.command_line.console import (
    NOT_CONFORMANT,
    SYSTEM,
    chosen_reading,
    print_json,
)
from rejoin_conformance.command_line.fuzz import DEFAULT_SEED, chosen_profile
from rejoin_conformance.histories import history_seed
from rejoin_conformance.json_types import Json
from rejoin_conformance.system import System


@click.command()
@click.argument("system", type=SYSTEM)
@click.option("--seed", type=int, default=DEFAULT_SEED, show_default=True, help="Campaign seed.")
@click.option("--index", type=click.IntRange(min=0), default=0, help="Number of the history.")
@click.option("--profile", default="default", show_default=True, help="Profile of the campaign.")
@click.option("--reading", help="Reading to examine under; the system's default if left out.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print the history and what it shows as JSON."
)
def replay(
    system: System, seed: int, index: int, profile: str, reading: str | None, *, as_json: bool
) -> None:
    """Show history INDEX of the campaign with this SEED: its shape, its events, the laws.

    A campaign prints this command line for every violation that it shows. Exit code 1 where the
    history breaks a law that the reading claims.

    \b
    Example:
      rejoin replay config-merge --seed 1 --index 7
    """
    chosen = chosen_reading(system, reading)
    profile = chosen_profile(system, profile)
    history = system.histories.generate(profile, history_seed(seed, system.name, profile, index))
    examination = system.histories.examine(history, chosen)
    if as_json:
        violations: list[Json] = [
            {
                "law": each.law,
                "kind": each.kind,
                "detail": each.detail,
                "evidence": each.evidence,
            }
            for each in examination.violations
        ]
        print_json(
            {
                "system": system.name,
                "profile": profile,
                "reading": chosen,
                "seed": seed,
                "index": index,
                "history": system.histories.to_json(history),
                "digest": examination.digest.hex(),
                "checked": dict(examination.checked),
                "violations": violations,
            }
        )
    else:
        click.echo(system.histories.tell(history, chosen))
        click.echo("")
        for law in system.laws:
            checked = examination.checked.get(law.name, 0)
            broken = [each for each in examination.violations if each.law == law.name]
            state = "BROKEN" if broken else "holds" if checked else "not met"
            click.echo(f"{law.name:<32} {state:<8} checked {checked} times")
            for each in broken:
                click.echo(f"    {each.kind}: {each.detail}")
    claimed = {law.name for law in system.laws if chosen in law.claimed_by}
    if any(each.law in claimed for each in examination.violations):
        raise click.exceptions.Exit(NOT_CONFORMANT)
