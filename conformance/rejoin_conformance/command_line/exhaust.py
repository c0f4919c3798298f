"""`rejoin exhaust`: every history up to a bound; each system that has such a check is a command."""

from __future__ import annotations

import json
from pathlib import Path

import click

from rejoin_conformance.campaign.session import EMBEDDED, spark_session
from rejoin_conformance.command_line.console import (
    NOT_CONFORMANT,
    WRONG_USAGE,
    print_json,
    progress_bar,
    stop,
)
from rejoin_conformance.registry import system_named, system_names
from rejoin_conformance.system import ExhaustiveCheck


class _ExhaustGroup(click.Group):
    """A command for each system that has an exhaustive check, made when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return [name for name in system_names() if system_named(name).exhaustive is not None]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in system_names():
            return None
        check = system_named(cmd_name).exhaustive
        return None if check is None else _command(cmd_name, check)


@click.group(cls=_ExhaustGroup)
def exhaust() -> None:
    """Check every history up to a bound, on Spark, and count what holds and what does not."""


def _command(name: str, check: ExhaustiveCheck) -> click.Command:
    def run(master: str, file: Path | None, *, as_json: bool, **bounds: int) -> None:
        if file is not None and not file.resolve().parent.is_dir():
            stop(WRONG_USAGE, f"{file}: there is no such folder")
        with spark_session(master) as session, progress_bar(name, quiet=as_json) as progress:
            report = check.run(bounds, session, progress)
        if file is not None:
            try:
                file.write_text(json.dumps(report, indent=1, sort_keys=True) + "\n")
            except OSError as error:
                stop(WRONG_USAGE, f"{file}: {error.strerror}")
        if as_json:
            print_json(report)
        else:
            click.echo(check.render(report))
        if report.get("failed"):
            raise click.exceptions.Exit(NOT_CONFORMANT)

    options: list[click.Parameter] = [
        click.Option(
            [f"--{bound.name}"],
            type=click.IntRange(bound.minimum, bound.maximum),
            default=bound.default,
            show_default=True,
            help=bound.summary,
        )
        for bound in check.bounds
    ]
    options += [
        click.Option(["--master"], default=EMBEDDED, show_default=True, help="Spark master."),
        click.Option(
            ["--output", "file"],
            type=click.Path(dir_okay=False, path_type=Path),
            help="Also write the report as JSON to this file.",
        ),
        click.Option(["--json", "as_json"], is_flag=True, help="Print the report as JSON."),
    ]
    return click.Command(name, callback=run, params=options, help=check.summary)
