"""A group of commands that imports a command when it runs or when its help is shown.

To import all commands takes several times as long as to import one.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, Final

import click

_COMMAND_LINE: Final = "rejoin_conformance.command_line"


class LazyGroup(click.Group):
    """A group with commands of its own, and with commands of other modules."""

    def __init__(self, *args: Any, elsewhere: Mapping[str, str], **kwargs: Any) -> None:
        """elsewhere: the name of a command -> its module in the package of the command line.

        The module has the command under its name.
        """
        super().__init__(*args, **kwargs)
        self._elsewhere = elsewhere

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, sorted."""
        return sorted({*super().list_commands(ctx), *self._elsewhere})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of a name, imported if necessary, or None."""
        if cmd_name in self._elsewhere and cmd_name not in self.commands:
            module = importlib.import_module(f"{_COMMAND_LINE}.{self._elsewhere[cmd_name]}")
            self.add_command(getattr(module, cmd_name))
        return super().get_command(ctx, cmd_name)
