"""`rejoin model`: check the formal models with TLC, and compare them with the code."""

from __future__ import annotations

from pathlib import Path

import click

from rejoin_conformance.command_line.console import (
    INCOMPLETE,
    NOT_CONFORMANT,
    SYSTEM,
    WRONG_USAGE,
    print_json,
    stop,
    terminable,
)
from rejoin_conformance.command_line.model_checking.model_behaviours import behaviours
from rejoin_conformance.command_line.model_checking.model_validate import validate
from rejoin_conformance.contract.model import AnyModel, Configuration, model_folder
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.files import write_whole
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.model_checking.check import Checked, check
from rejoin_conformance.model_checking.replaying import trace_text
from rejoin_conformance.model_checking.table import line, markdown, to_json


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

    \b
    Exit codes:
      0  as expected
      1  a law of the model has an unexpected result, or model and code differ
      2  wrong usage
      3  incomplete: no Java, no jar, TLC failed, or the model cannot express a history
    """
    context.with_resource(terminable())  # TLC ends with the command


@model.command(name="check")
@click.argument("systems", nargs=-1, type=SYSTEM)
@click.option(
    "--config",
    "names",
    multiple=True,
    help="Check only this configuration; may be repeated.  [default: all small ones]",
)
@click.option("--all", "everything", is_flag=True, help="Check the large configurations too.")
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Number of worker threads of TLC.",
)
@click.option(
    "--memory",
    type=click.IntRange(256),
    default=2048,
    show_default=True,
    help="Size of TLC's heap in megabytes.",
)
@click.option(
    "--table",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the results to this Markdown file; other systems stay. With --config, other "
    "configurations stay too.",
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print one line of JSON for each configuration instead of text.",
)
def check_command(
    systems: tuple[System, ...],
    names: tuple[str, ...],
    workers: int,
    memory: int,
    table: Path | None,
    *,
    everything: bool,
    as_json: bool,
) -> None:
    """Check the laws of the formal models with TLC.

    Without SYSTEM, the command checks the models of all systems. A configuration can state that a
    law does not hold; TLC must then find a counterexample by itself. If TLC finds an unexpected
    violation, the command prints the steps that lead to it.

    \b
    Examples:
      rejoin model check
      rejoin model check history-merge --all --workers 2
      rejoin model check history-merge --config order-free --json

    \b
    Exit codes:
      0  every result is as expected    1  an unexpected result    2  wrong usage
      3  incomplete: no Java, no jar, or TLC failed
    """
    if table is not None and not table.resolve().parent.is_dir():
        raise click.UsageError(f"{table}: there is no such folder")
    chosen = [(each, model_of(each)) for each in systems] or [
        (each, each.model) for each in all_systems() if each.model is not None
    ]
    found: dict[str, list[Checked]] = {}
    for system, of_system in chosen:
        for configuration in _configurations(system, of_system, names, everything=everything):
            folder = model_folder(system.name)
            click.echo(f"{system.name}: {configuration.name} ...", err=True)
            checked = check(of_system, folder, configuration, workers=workers, memory=memory)
            found.setdefault(system.title, []).append(checked)
            if as_json:
                data: dict[str, Json] = {"system": system.name, **to_json(checked)}
                print_json(data)
            else:
                click.echo(line(checked))
                if checked.outcome.violated is not None and not checked.as_expected:
                    click.echo(trace_text(checked.outcome.trace))
    if table is not None:
        try:
            earlier = table.read_text(encoding="utf-8") if table.exists() else ""
            write_whole(table, markdown(found, earlier, keep_rows=bool(names)))
        except OSError as error:
            stop(WRONG_USAGE, f"{table}: {error.strerror}")
    all_checked = [each for of_title in found.values() for each in of_title]
    if any(each.outcome.error is None and not each.as_expected for each in all_checked):
        raise click.exceptions.Exit(NOT_CONFORMANT)
    failed = [each for each in all_checked if each.outcome.error is not None]
    if failed:
        stop(INCOMPLETE, f"{failed[0].configuration.name}: TLC failed: {failed[0].outcome.error}")


def model_of(system: System) -> AnyModel:
    """Return the system's model. It is wrong usage if the system has none."""
    if system.model is None:
        raise click.UsageError(f"{system.name} has no formal model")
    return system.model


def _configurations(
    system: System, of_system: AnyModel, names: tuple[str, ...], *, everything: bool
) -> list[Configuration]:
    known = {each.name: each for each in of_system.configurations}
    for name in names:
        if name not in known:
            raise click.UsageError(
                f"{system.name} has no configuration {name!r}; choose one of {', '.join(known)}"
            )
    if names:
        return [known[name] for name in names]
    return [each for each in known.values() if everything or each.size == "small"]


model.add_command(behaviours)
model.add_command(validate)
