"""`rejoin init`: write an adapter to start from."""

from __future__ import annotations

from pathlib import Path

import click
from attrs import frozen

from rejoin_conformance.adapters.skeletons.write import SKELETONS, skeleton_named, write_skeleton
from rejoin_conformance.command_line.options import command
from rejoin_conformance.kit.options import opt


@frozen(kw_only=True)
class Init:
    """A language and a folder."""

    lang: str = opt(
        "The language of the adapter.",
        form=click.Choice([skeleton.language for skeleton in SKELETONS]),
    )
    directory: Path = opt(
        "Folder to write to; it must be empty or not exist yet.",
        form=click.Path(path_type=Path),
        metavar="DIR",
    )


@command(Init, "init")
def init(options: Init) -> None:
    """Write a small working adapter with one place to fill in.

    The adapter has no dependencies. It answers two operations, and `rejoin doctor` and `rejoin run`
    accept it. A file of its own has what every port of config merge needs: bytes as hex, typed
    values, and a bt-encoder. You can write an adapter in any other language that reads and writes
    lines of JSON; docs/adapter-protocol.md defines the protocol.

    \b
    Examples:
      rejoin init --lang rust --directory my-adapter
      rejoin init --lang python --directory my-adapter
    """
    skeleton, folder = skeleton_named(options.lang), options.directory
    for path in write_skeleton(skeleton, folder):
        click.echo(path)
    click.echo(f"\nAdd your operations to {folder / skeleton.place}. Next:")
    click.echo(f"  cd {folder}")
    if skeleton.build:
        click.echo(f"  {skeleton.build}")
    click.echo(f"  rejoin doctor --adapter '{skeleton.command}'")
    click.echo(f"  rejoin run --adapter '{skeleton.command}'")
