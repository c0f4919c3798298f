"""`rejoin doctor`: check whether an adapter speaks the protocol."""

from __future__ import annotations

import click

from rejoin_conformance.adapters.doctor.examine import examine
from rejoin_conformance.adapters.doctor.steps import Examined, render_step
from rejoin_conformance.adapters.runner.run_plan import WrongUsageError, make_adapter
from rejoin_conformance.command_line.adapters.adapter_options import limit_options, limits_of
from rejoin_conformance.command_line.console import (
    ADAPTER_UNUSABLE,
    WRONG_USAGE,
    print_json,
    stop,
)
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.kit.codec import plain
from rejoin_conformance.kit.json_types import Json


@click.command()
@click.option(
    "--adapter", "command", required=True, metavar="CMD", help="Command line of the adapter."
)
@limit_options
@click.option("--verbose", is_flag=True, help="Show every line sent and received.")
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON instead of text.")
def doctor(
    command: str, timeout: float, hello_timeout: float, memory: int, *, verbose: bool, as_json: bool
) -> None:
    """Check step by step whether an adapter speaks the protocol.

    The doctor starts the adapter, sends requests and checks each reply. For each problem it prints
    the lines exchanged (-> is a request, <- a reply) and how to fix the adapter. It checks the
    protocol only: a wrong answer is a note, not an error. `rejoin run` checks the answers.

    \b
    Examples:
      rejoin doctor --adapter 'node adapter.js'
      rejoin doctor --adapter ./adapter --verbose

    \b
    Exit codes:
      0  the adapter speaks the protocol      4  it does not
      2  wrong usage
    """
    try:
        adapter = make_adapter(command, limits_of(timeout, hello_timeout, memory))
    except WrongUsageError as error:
        stop(WRONG_USAGE, str(error))
    steps: list[Examined] = []
    for step in examine(adapter, all_systems()):
        steps.append(step)
        if not as_json:
            click.echo(render_step(len(steps), step, every_line=verbose))
    wrong = [number for number, step in enumerate(steps, start=1) if step.state == "wrong"]
    if as_json:
        listed: list[Json] = [plain(step) for step in steps]
        print_json({"speaks_the_protocol": not wrong, "steps": listed})
    else:
        click.echo(f"\n{_conclusion(wrong, steps, command)}")
    if wrong:
        raise click.exceptions.Exit(ADAPTER_UNUSABLE)


def _conclusion(wrong: list[int], steps: list[Examined], command: str) -> str:
    if wrong:
        numbers = ", ".join(str(number) for number in wrong)
        fix = f"Fix step {wrong[0]}."
        if len(wrong) > 1:
            fix = f"Steps {numbers} are wrong. Fix step {wrong[0]} first."
        return f"The adapter does not speak the protocol yet. {fix}"
    notes = any(step.state == "note" for step in steps)
    speaks = "The adapter speaks the protocol" + ("; see the notes above." if notes else ".")
    quoted = command.replace("'", "'\"'\"'")
    return f"{speaks} Next:\n  rejoin run --adapter '{quoted}'"
