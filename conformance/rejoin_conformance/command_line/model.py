"""`rejoin model`: check the formal models with TLC, and compare them with the code."""

from __future__ import annotations

import click
from attrs import frozen

from rejoin_conformance.command_line.console import (
    INCOMPLETE,
    NOT_CONFORMANT,
    Out,
    interruptible,
    print_json,
    stop,
)
from rejoin_conformance.command_line.model_runs import behaviours, model_of, validate
from rejoin_conformance.command_line.options import command
from rejoin_conformance.contract.model import AnyModel, Configuration, model_folder
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.options import arg, opt
from rejoin_conformance.model_checking.check import Checked, check
from rejoin_conformance.model_checking.replaying import trace_text
from rejoin_conformance.model_checking.table import line, to_json


@click.group()
@click.pass_context
def model(context: click.Context) -> None:
    """Check the formal models, and compare the code with them.

    spec/SYSTEM/model states the clauses of a SYSTEM in TLA+. TLC checks that the laws hold in the
    model, and finds counterexamples to the laws that do not. Two commands compare the reference
    with the model. `behaviours` replays behaviours of the model on the code. `validate` checks
    histories of the code against the model.

    TLC needs Java and one jar; the extra `models` of this package installs both. To use another
    jar, set the variable REJOIN_TLA2TOOLS to its path.

    \b
    Examples:
      rejoin model check history-merge
      rejoin model check history-merge --config counts
      rejoin model behaviours history-merge --number 1000
      rejoin model validate history-merge --histories 1000
    """
    context.with_resource(interruptible())  # TLC ends with the command


@frozen(kw_only=True)
class Check:
    """The configurations to check."""

    systems: tuple[System, ...] = arg("[SYSTEM]...", ())
    names: tuple[str, ...] = opt(
        "Check only this configuration; may be repeated.",
        (),
        name="config",
        shown="all small ones",
    )
    everything: bool = opt("Check the large configurations too.", default=False, name="all")
    workers: int = opt("Number of worker threads of TLC.", 1, least=1, most=64)
    memory: int = opt("Size of TLC's heap in megabytes.", 2048, least=256)
    out: Out


@command(Check, "check", model)
def check_models(options: Check) -> int:
    """Check the laws of the formal models with TLC.

    Without SYSTEM, the command checks the models of all systems. A configuration can state that a
    law does not hold; TLC must then find a counterexample by itself. If TLC finds an unexpected
    violation, the command prints the steps that lead to it.

    \b
    Examples:
      rejoin model check
      rejoin model check history-merge --all --workers 2
      rejoin model check history-merge --config order-free --json
    """
    found: list[Checked] = []
    for system in options.systems or [each for each in all_systems() if each.model is not None]:
        of_system, folder = model_of(system), model_folder(system.name)
        for configuration in _configurations(system, of_system, options):
            click.echo(f"{system.name}: {configuration.name} ...", err=True)
            checked = check(
                of_system, folder, configuration, workers=options.workers, memory=options.memory
            )
            found.append(checked)
            if options.out.as_json:
                print_json({"system": system.name, **to_json(checked)})
                continue
            click.echo(line(checked))
            if checked.outcome.violated is not None and not checked.as_expected:
                click.echo(trace_text(checked.outcome.trace))
    if any(each.outcome.error is None and not each.as_expected for each in found):
        return NOT_CONFORMANT
    failed = [each for each in found if each.outcome.error is not None]
    if failed:
        stop(f"{failed[0].configuration.name}: TLC failed: {failed[0].outcome.error}", INCOMPLETE)
    return 0


def _configurations(system: System, of_system: AnyModel, options: Check) -> list[Configuration]:
    known = {each.name: each for each in of_system.configurations}
    for name in options.names:
        if name not in known:
            raise click.UsageError(
                f"{system.name} has no configuration {name!r}; choose one of {', '.join(known)}"
            )
    if options.names:
        return [known[name] for name in options.names]
    return [each for each in known.values() if options.everything or each.size == "small"]


model.add_command(behaviours)
model.add_command(validate)
