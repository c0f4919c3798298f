"""`rejoin doctor`: check whether an adapter speaks the protocol."""

from __future__ import annotations

import shlex

import click
from attrs import frozen

from rejoin_conformance.adapters.doctor.examine import examine
from rejoin_conformance.adapters.doctor.oracle import checked_oracle, oracle_blocks
from rejoin_conformance.adapters.doctor.steps import Examined
from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.runner.run_plan import make_adapter
from rejoin_conformance.command_line.console import (
    ADAPTER_UNUSABLE,
    INCOMPLETE,
    OWN_FAULT,
    Out,
    print_document,
    print_json,
)
from rejoin_conformance.command_line.options import command
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.kit.codec import plain
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.kit.options import opt


@frozen(kw_only=True)
class Doctor:
    """An adapter to examine."""

    adapter: str | None = opt("Command line of the adapter.", None, metavar="CMD", shown="none")
    oracle: bool = opt(
        "Check the oracle, which answers campaigns fast, against the corpus instead.", default=False
    )
    limits: Limits
    verbose: bool = opt("Show every line sent and received.", default=False)
    out: Out


@command(Doctor, "doctor")
def doctor(options: Doctor) -> int:
    """Check step by step whether an adapter speaks the protocol.

    The doctor starts the adapter, sends requests and checks each reply. For each problem it prints
    the lines exchanged (-> is a request, <- a reply) and how to fix the adapter. It checks the
    protocol only: a wrong answer is a note, not an error. `rejoin run` checks the answers.

    With --oracle, the command says which operations the oracle answers, and asks it their vectors.
    A wrong answer is a fault of Rejoin (exit code 5). Without the oracle, the reference answers.

    \b
    Examples:
      rejoin doctor --adapter 'node adapter.js'
      rejoin doctor --adapter ./adapter --verbose
      rejoin doctor --oracle
    """
    if options.oracle == (options.adapter is not None):
        raise click.UsageError("give --adapter or --oracle")
    if options.adapter is None:
        return _oracle(options)
    adapter = make_adapter(options.adapter, options.limits)
    steps: list[Examined] = []
    for step in examine(adapter, all_systems()):
        steps.append(step)
        if not options.out.as_json:
            print_document([step.block(len(steps), every_line=options.verbose)])
    wrong = [number for number, step in enumerate(steps, start=1) if step.state == "wrong"]
    if options.out.as_json:
        listed: list[Json] = [plain(step) for step in steps]
        print_json({"speaks_the_protocol": not wrong, "steps": listed})
    else:
        click.echo(f"\n{_conclusion(wrong, steps, options.adapter)}")
    return ADAPTER_UNUSABLE if wrong else 0


def _oracle(options: Doctor) -> int:
    """Ask the oracle every vector of the operations that it answers. Return the exit code."""
    checked = [checked_oracle(system) for system in all_systems()]
    options.out.tell(lambda: [*map(plain, checked)], lambda: oracle_blocks(checked))
    if any(each.wrong for each in checked):
        return OWN_FAULT
    return 0 if any(each.asked for each in checked) else INCOMPLETE


def _conclusion(wrong: list[int], steps: list[Examined], adapter: str) -> str:
    if wrong:
        numbers = ", ".join(str(number) for number in wrong)
        fix = f"Fix step {wrong[0]}."
        if len(wrong) > 1:
            fix = f"Steps {numbers} are wrong. Fix step {wrong[0]} first."
        return f"The adapter does not speak the protocol yet. {fix}"
    notes = any(step.state == "note" for step in steps)
    speaks = "The adapter speaks the protocol" + ("; see the notes above." if notes else ".")
    return f"{speaks} Next:\n  rejoin run --adapter {shlex.quote(adapter)}"
