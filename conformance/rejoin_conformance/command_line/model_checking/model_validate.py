"""`rejoin model validate`: check histories of the code against a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import click
from attrs import define, field

from rejoin.errors import RejoinError
from rejoin_conformance.campaigns.plan import DEFAULT_SEED
from rejoin_conformance.command_line.console import (
    INCOMPLETE,
    NOT_CONFORMANT,
    SYSTEM,
    chosen_profile,
    chosen_reading,
    print_json,
    stop,
)
from rejoin_conformance.command_line.progress import progress_bar
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.model import (
    AnyModel,
    Behaviour,
    CannotTranslateError,
    model_folder,
)
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.model_checking.validate import Accepted, Refused, validated

SHOWN = 3
"""How many refused histories are printed. All are counted."""


@define
class _Tally:
    """The results of the histories so far.

    numbers: the numbers of the histories that have a trace, in the order of the traces.
    left_out: the histories that the model cannot express, each with the reason.
    """

    numbers: list[int] = field(factory=list)
    steps: Counter[str] = field(factory=Counter)
    accepted: int = 0
    refused: dict[int, str] = field(factory=dict)
    not_judged: dict[int, str] = field(factory=dict)
    left_out: dict[int, str] = field(factory=dict)

    def to_json(self) -> JsonObject:
        return {
            "traces": len(self.numbers),
            "steps": dict(sorted(self.steps.items())),
            "accepted": self.accepted,
            "refused": {str(number): text for number, text in self.refused.items()},
            "not_judged": {str(number): text for number, text in self.not_judged.items()},
            "left_out": {str(number): text for number, text in self.left_out.items()},
        }


@click.command()
@click.argument("system", type=SYSTEM)
@click.option(
    "--histories",
    type=click.IntRange(1),
    default=500,
    show_default=True,
    help="Number of histories.",
)
@click.option(
    "--seed", type=int, default=DEFAULT_SEED, show_default=True, help="Seed of the campaign."
)
@click.option(
    "--first",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Index of the first history.",
)
@click.option("--profile", default="default", show_default=True, help="Profile of the histories.")
@click.option(
    "--reading", help="Reading of the reference.  [default: the system's default reading]"
)
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON instead of text.")
def validate(
    system: System,
    histories: int,
    seed: int,
    first: int,
    profile: str,
    reading: str | None,
    *,
    as_json: bool,
) -> None:
    """Check histories of the reference against a formal model.

    The command runs random histories of the SYSTEM on the reference: the histories of the campaign
    with this SEED. It translates each history into steps of the model, with the state observed
    after each step. TLC checks that the model allows these steps. For each history that the model
    does not allow, the command prints the steps up to the first one that is not allowed.

    The command leaves out the histories that the model cannot express, and prints their number and
    the reasons. In config merge, these are histories with certain forged messages.

    \b
    Examples:
      rejoin model validate history-merge --histories 10000
      rejoin model validate history-merge --profile adversarial --first 412 --histories 1

    \b
    Exit codes:
      0  the model allows every history      1  it does not allow some history
      2  wrong usage
      3  incomplete: no Java, no jar, TLC failed, or the model can express none of the histories
    """
    if system.model is None:
        raise click.UsageError(f"{system.name} has no formal model")
    chosen = chosen_reading(system, reading)
    profile = chosen_profile(system, profile)
    tally = _Tally()
    drawn = (
        (
            number,
            system.histories.generate(profile, history_seed(seed, system.name, profile, number)),
        )
        for number in range(first, first + histories)
    )
    traces = _traces(system.model, drawn, chosen, tally)
    with progress_bar("traces", quiet=as_json) as progress:
        for verdict in validated(system.model, model_folder(system.name), traces, chosen):
            number = tally.numbers[verdict.trace]
            if isinstance(verdict, Accepted):
                tally.accepted += 1
            elif isinstance(verdict, Refused):
                tally.refused[number] = verdict.text()
            else:
                tally.not_judged[number] = verdict.error
            progress(number - first + 1, histories, "")
    if as_json:
        print_json(
            {
                "system": system.name,
                "profile": profile,
                "reading": chosen,
                "seed": seed,
                **tally.to_json(),
            }
        )
    else:
        _print(system, chosen, tally)
    if tally.refused:
        raise click.exceptions.Exit(NOT_CONFORMANT)
    if tally.not_judged:
        number, why = next(iter(tally.not_judged.items()))
        found = counted(len(tally.not_judged), "history", "histories")
        stop(INCOMPLETE, f"TLC failed on {found}; history {number}: {why}")
    if not tally.numbers:
        number, why = next(iter(tally.left_out.items()))
        stop(INCOMPLETE, f"the model can express none of the histories; history {number}: {why}")


def _traces(
    model: AnyModel, drawn: Iterator[tuple[int, Any]], reading: str, tally: _Tally
) -> Iterator[Behaviour]:
    for number, history in drawn:
        try:
            trace = model.trace_of(history, reading)
        except CannotTranslateError as error:
            tally.left_out[number] = str(error)
            continue
        except RejoinError as error:
            tally.refused[number] = f"the reference refuses an event: {error}"
            continue
        tally.numbers.append(number)
        tally.steps.update(step.action for step in trace.steps)
        yield trace


def _print(system: System, reading: str, tally: _Tally) -> None:
    steps = ", ".join(f"{count:,} {name}" for name, count in sorted(tally.steps.items()))
    histories = counted(len(tally.numbers), "history", "histories")
    click.echo(f"{system.name}: {histories}, reading {reading} ({steps})")
    click.echo(f"  the model allows {tally.accepted:,} and refuses {len(tally.refused):,}")
    if tally.left_out:
        left_out = counted(len(tally.left_out), "history", "histories")
        click.echo(f"  left out: {left_out} that the model cannot express")
        for why, count in Counter(tally.left_out.values()).most_common():
            click.echo(f"    {count:,} with {why}")
    for number, text in [*tally.refused.items()][:SHOWN]:
        click.echo(f"\nhistory {number}\n{text}")
