"""`rejoin exhaust`: check every history up to a bound, with one command for each system."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click

from rejoin_conformance.campaigns.kept.pieces import keeping_pieces
from rejoin_conformance.campaigns.spark.session import Cluster
from rejoin_conformance.command_line.campaigns.cluster import cluster_of, cluster_options
from rejoin_conformance.command_line.campaigns.spreading import spreading
from rejoin_conformance.command_line.console import (
    NOT_CONFORMANT,
    WRONG_USAGE,
    print_json,
    stop,
)
from rejoin_conformance.command_line.progress import progress_bar
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.contract.system import ExhaustiveCheck
from rejoin_conformance.kit.files import write_whole


class _ExhaustGroup(click.Group):
    """A group with a command for each system that has an exhaustive check."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return [name for name in system_names() if system_named(name).exhaustive is not None]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command of the first argument, which must name a system with a check."""
        names = self.list_commands(ctx)
        if args and args[0] not in names and not args[0].startswith("-"):
            ctx.fail(
                f"there is no exhaustive check of {args[0]!r}; choose one of {', '.join(names)}"
            )
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in system_names():
            return None
        check = system_named(cmd_name).exhaustive
        return None if check is None else _command(cmd_name, check)


@click.group(cls=_ExhaustGroup)
def exhaust() -> None:
    """Check every history up to a given size.

    Each command enumerates all histories of one system up to the size that its options give. It
    runs on Spark, or in this process with --in-process.

    \b
    Examples:
      rejoin exhaust history-merge --nodes 5 --in-process
      rejoin exhaust conflict-detection --clients 2 --uploads 3 --json
      rejoin exhaust history-merge --nodes 9 --master spark://host:7077
      rejoin exhaust history-merge --nodes 10 --directory counted
    """


_EXIT_CODES: Final = """\b
Exit codes:
  0  every history was checked            2  wrong usage
  1  a history breaks what must hold      3  no Spark, or Spark failed"""


def _examples(name: str, check: ExhaustiveCheck) -> str:
    bounds = " ".join(f"--{bound.name} {bound.minimum + 1}" for bound in check.bounds)
    return f"""\b
Examples:
  rejoin exhaust {name} {bounds} --in-process
  rejoin exhaust {name} --master spark://host:7077 --output report.json"""


def _directory_option() -> click.Option:
    return click.Option(
        ["--directory"],
        type=click.Path(file_okay=False, path_type=Path),
        help="Keep results in this folder, and continue an interrupted run with the same bounds."
        "  [default: none]",
    )


def _command(name: str, check: ExhaustiveCheck) -> click.Command:
    """Return the command of one system. Its bounds are options."""

    @click.command(
        name,
        params=[
            click.Option(
                [f"--{bound.name}"],
                type=click.IntRange(bound.minimum, bound.maximum),
                default=bound.default,
                show_default=True,
                help=bound.summary,
            )
            for bound in check.bounds
        ]
        + ([_directory_option()] if check.in_pieces else []),
        help=f"{check.summary}\n\n{check.description}\n\n{_examples(name, check)}\n\n{_EXIT_CODES}",
    )
    @click.option(
        "--in-process", is_flag=True, help="Run in this process; needs no Spark and no Java."
    )
    @cluster_options
    @click.option(
        "--output",
        "file",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Also write the report as JSON to this file.  [default: none]",
    )
    @click.option(
        "--json",
        "as_json",
        is_flag=True,
        help="Print the report as one line of JSON instead of text.",
    )
    def run(
        master: str | None,
        remote: str | None,
        settings: tuple[tuple[str, str], ...],
        file: Path | None,
        *,
        in_process: bool,
        as_json: bool,
        directory: Path | None = None,
        **bounds: int,
    ) -> None:
        cluster = cluster_of(master, remote, settings)
        if in_process and cluster != Cluster():
            raise click.UsageError(
                "--in-process does not use Spark: leave out --master, --remote and --conf"
            )
        if file is not None and not file.resolve().parent.is_dir():
            stop(WRONG_USAGE, f"{file}: its folder does not exist; create it first")
        with (
            progress_bar(name, quiet=as_json) as progress,
            spreading(None if in_process else cluster, progress) as spread,
        ):
            report = check.run(bounds, _kept(spread, name, check, directory, bounds))
        if as_json:
            print_json(report)
        else:
            click.echo(check.render(report))
        if file is not None:  # after printing: a full disk must not lose the result of hours
            try:
                write_whole(file, json.dumps(report, indent=1, sort_keys=True) + "\n")
            except OSError as error:
                stop(WRONG_USAGE, f"{file}: {error.strerror}")
        if report.get("failed"):
            raise click.exceptions.Exit(NOT_CONFORMANT)

    return run


def _kept(
    spread: Spread,
    name: str,
    check: ExhaustiveCheck,
    directory: Path | None,
    bounds: Mapping[str, int],
) -> Spread:
    """Return the place of the work, which keeps its results if there is a directory."""
    if directory is None:
        return spread
    return keeping_pieces(spread, directory, name, check.run.__module__, bounds)
