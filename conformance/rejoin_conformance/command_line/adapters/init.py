"""`rejoin init`: an adapter to begin with."""

from __future__ import annotations

from pathlib import Path

import click

from rejoin_conformance.adapters.skeletons.write import (
    SKELETONS,
    NotWrittenError,
    skeleton_named,
    write_skeleton,
)
from rejoin_conformance.command_line.console import WRONG_USAGE, stop


@click.command()
@click.option(
    "--lang",
    "language",
    required=True,
    type=click.Choice([skeleton.language for skeleton in SKELETONS]),
    help="The language of the adapter.",
)
@click.option(
    "--dir",
    "folder",
    required=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="An empty folder, or one that is not there yet.",
)
def init(language: str, folder: Path) -> None:
    """Write a small adapter that works, with one place to fill in.

    It has no dependencies and answers one operation, which `rejoin doctor` and `rejoin run` accept.
    Other languages: any program that reads and writes JSON lines will do; docs/adapter-protocol.md
    says which.

    \b
    Example:
      rejoin init --lang rust --dir my-adapter

    \b
    Exit codes:
      0  written      2  wrong usage, or the folder is not empty
    """
    skeleton = skeleton_named(language)
    try:
        written = write_skeleton(skeleton, folder)
    except NotWrittenError as error:
        stop(WRONG_USAGE, str(error))
    for path in written:
        click.echo(path)
    click.echo(f"\nFill in your operations in {folder / skeleton.place}. Next:")
    click.echo(f"  cd {folder}")
    if skeleton.build:
        click.echo(f"  {skeleton.build}")
    click.echo(f"  rejoin doctor --adapter '{skeleton.command}'")
    click.echo(f"  rejoin run --adapter '{skeleton.command}'")
