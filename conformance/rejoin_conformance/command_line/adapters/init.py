"""`rejoin init`: write an adapter to start from."""

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
    help="Folder to write to; it must be empty or not exist yet.",
)
def init(language: str, folder: Path) -> None:
    """Write a small working adapter with one place to fill in.

    The adapter has no dependencies. It answers two operations, and `rejoin doctor` and `rejoin run`
    accept it. A file of its own has what every port of config merge needs: bytes as hex, typed
    values, and a bt-encoder. You can write an adapter in any other language that reads and writes
    lines of JSON; docs/adapter-protocol.md defines the protocol.

    \b
    Examples:
      rejoin init --lang rust --dir my-adapter
      rejoin init --lang python --dir my-adapter

    \b
    Exit codes:
      0  the adapter is written      2  wrong usage, or the folder is not empty
    """
    skeleton = skeleton_named(language)
    try:
        written = write_skeleton(skeleton, folder)
    except NotWrittenError as error:
        stop(WRONG_USAGE, str(error))
    for path in written:
        click.echo(path)
    click.echo(f"\nAdd your operations to {folder / skeleton.place}. Next:")
    click.echo(f"  cd {folder}")
    if skeleton.build:
        click.echo(f"  {skeleton.build}")
    click.echo(f"  rejoin doctor --adapter '{skeleton.command}'")
    click.echo(f"  rejoin run --adapter '{skeleton.command}'")
