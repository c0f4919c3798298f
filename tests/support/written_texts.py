"""The texts that people read: pages, and the help of all commands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from rejoin_conformance.command_line.commands import cli

PROJECT: Final = Path(__file__).parents[2]
_PAGES: Final = (
    "*.md",
    "docs/**/*.md",
    "spec/**/*.md",
    "vectors/*.md",
    "conformance/ports/*/README.md",
    "conformance/rejoin_conformance/adapters/skeletons/*/README.md",
)


def pages() -> dict[str, str]:
    """Return the pages of the project: path -> text."""
    found = {path for pattern in _PAGES for path in PROJECT.glob(pattern)}
    return {
        str(path.relative_to(PROJECT)): path.read_text(encoding="utf-8") for path in sorted(found)
    }


def commands() -> dict[str, click.Command]:
    """Return every command by its words, such as `rejoin vectors list`."""
    return dict(_commands(cli, "rejoin"))


def texts() -> dict[str, str]:
    """Return every page and the help of every command: name -> text."""
    return {**pages(), **{words: each.help or "" for words, each in commands().items()}}


def _commands(command: click.Command, words: str) -> Iterator[tuple[str, click.Command]]:
    yield words, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None:
                yield from _commands(below, f"{words} {name}")
