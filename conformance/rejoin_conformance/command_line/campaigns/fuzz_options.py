"""The options of `rejoin fuzz` that concern an adapter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from rejoin_conformance.command_line.adapters.adapter_options import ANSWER_TIMEOUT_OPTION

F = TypeVar("F", bound=Callable[..., Any])


def fuzz_adapter_options(command: F) -> F:
    """Add the options of an adapter to a command."""
    for option in reversed(
        (
            click.option(
                "--adapter",
                "command",
                metavar="CMD",
                help="Command line of an adapter: compare its answers with the reference's.  "
                "[default: check the laws on the reference]",
            ),
            ANSWER_TIMEOUT_OPTION,
            click.option(
                "--operation",
                "operations",
                multiple=True,
                metavar="OPERATION",
                help="With --adapter: ask only this operation (or pattern), with or without its "
                "system; may be repeated.  [default: all that the adapter declares]",
            ),
            click.option(
                "--leave-out",
                multiple=True,
                metavar="FEATURE",
                help="With --adapter: ask nothing that needs this feature; may be repeated.  "
                "[default: the features that the adapter leaves out]",
            ),
            click.option(
                "--known-failures",
                "known_file",
                type=click.Path(exists=True, dir_okay=False, path_type=Path),
                help="With --adapter: TOML file that lists expected differences in tables "
                "[[difference]].",
            ),
            click.option(
                "--write",
                "folder",
                type=click.Path(file_okay=False, path_type=Path),
                default=Path("found-vectors"),
                show_default=True,
                help="With --adapter: folder for one minimal vector for each kind of difference.",
            ),
            click.option(
                "--allow-restarts",
                is_flag=True,
                help="With --adapter: accept answers that needed another process.",
            ),
        )
    ):
        command = option(command)
    return command
