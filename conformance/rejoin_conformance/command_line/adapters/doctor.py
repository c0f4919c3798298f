"""`rejoin doctor`: examine an adapter that is being written."""

from __future__ import annotations

import click

from rejoin_conformance.adapters.doctor.examine import examine
from rejoin_conformance.adapters.doctor.steps import Examined, render_step
from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.runner.run_plan import WrongUsageError, make_adapter
from rejoin_conformance.command_line.adapters.adapter_options import timeout_options
from rejoin_conformance.command_line.console import (
    ADAPTER_UNUSABLE,
    WRONG_USAGE,
    print_json,
    stop,
)
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.kit.json_types import Json


@click.command()
@click.option(
    "--adapter", "command", required=True, metavar="CMD", help="Command line of the program."
)
@timeout_options
@click.option("--verbose", is_flag=True, help="Show every line that is exchanged.")
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON instead of text.")
def doctor(
    command: str, timeout: float, hello_timeout: float, *, verbose: bool, as_json: bool
) -> None:
    """Talk with an adapter under construction, and say what is wrong and how to mend it.

    The doctor speaks the adapter protocol step by step and shows the lines: -> is what it says,
    <- what the adapter answers. It looks at the protocol only. An answer that is not the right
    one yet is a note; `rejoin run` judges answers.

    \b
    Examples:
      rejoin init --lang go --dir my-adapter
      rejoin doctor --adapter 'node adapter.js'

    \b
    Exit codes:
      0  it speaks the protocol      4  it does not yet
      2  wrong usage
    """
    try:
        adapter = make_adapter(command, Limits(timeout=timeout, hello=hello_timeout))
    except WrongUsageError as error:
        stop(WRONG_USAGE, str(error))
    steps: list[Examined] = []
    for step in examine(adapter, all_systems()):
        steps.append(step)
        if not as_json:
            click.echo(render_step(len(steps), step, every_line=verbose))
    wrong = [number for number, step in enumerate(steps, start=1) if step.state == "wrong"]
    if as_json:
        listed: list[Json] = [step.to_json() for step in steps]
        print_json({"speaks_the_protocol": not wrong, "steps": listed})
    else:
        click.echo(f"\n{_conclusion(wrong, steps, command)}")
    if wrong:
        raise click.exceptions.Exit(ADAPTER_UNUSABLE)


def _conclusion(wrong: list[int], steps: list[Examined], command: str) -> str:
    if wrong:
        numbers = ", ".join(str(number) for number in wrong)
        return f"Not yet: mend step {numbers}." if len(wrong) == 1 else (
            f"Not yet: steps {numbers} are wrong. Begin with step {wrong[0]}."
        )  # fmt: skip
    notes = any(step.state == "note" for step in steps)
    what = "It speaks the protocol; see the notes above." if notes else "It speaks the protocol."
    quoted = command.replace("'", "'\"'\"'")
    return f"{what} Next:\n  rejoin run --adapter '{quoted}'"
