"""Classes of options as commands of click."""

from __future__ import annotations

import math
import re
import shlex
import signal
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from rejoin_conformance.command_line.console import INCOMPLETE, SYSTEM, interruptible, stop
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.errors import Interrupted
from rejoin_conformance.kit.options import Parameter, made, opt, parameters

T = TypeVar("T")

FILE: Final = click.Path(dir_okay=False, path_type=Path)
"""A file to read or to write."""

FORM: Final = click.Path(dir_okay=False, allow_dash=True, path_type=Path)
"""A file for one form of a result; - is standard output."""

FOLDER: Final = click.Path(file_okay=False, path_type=Path)


def written(text: str, default: Path | None = None, *, name: str = "", shown: str = "") -> Any:
    """Return an option that names a file to write; - is standard output."""
    return opt(text, default, name=name, metavar="FILE", shown=shown, form=FORM, writes=True)


_THOUSANDS: Final = re.compile(r"[+-]?\d{1,3}(,\d{3})+")
_EPILOG: Final = "Exit codes: see rejoin --help."


class _Number(click.FloatRange):
    """A number in a range. `nan` is not a number, although it is a float."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number. Anything else is wrong usage."""
        number = super().convert(value, param, ctx)
        if isinstance(number, float) and math.isnan(number):
            self.fail(f"{value!r} is not a number", param, ctx)
        return number


class _Whole(click.IntRange):
    """A whole number in a range, with or without commas between the thousands."""

    name = "integer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number. Anything else is wrong usage."""
        if _THOUSANDS.fullmatch(str(value)):
            value = value.replace(",", "")
        return super().convert(value, param, ctx)


def command(
    kind: type[T], name: str, group: click.Group | None = None
) -> Callable[[Callable[[T], int | None]], click.Command]:
    """Return a decorator that makes a function of options a command.

    The docstring of the function is the help of the command. Its result is the exit code; None is
    code 0. group: the group to add the command to.
    """

    def make(function: Callable[[T], int | None]) -> click.Command:
        every = [*parameters(kind)]
        keeps = any(each.field == "directory" and not each.required for each in every)

        def run(**values: Any) -> None:
            if any(each.said.writes and values[each.field] is not None for each in every):
                from rejoin_conformance.command_line.overwriting import (  # noqa: PLC0415 - slow
                    refuse_overwriting,
                )

                refuse_overwriting(every, values)
            folder = values.get("directory")
            try:
                with interruptible(signal.SIGHUP) if keeps else nullcontext():
                    code = function(made(kind, values))
            except Interrupted as error:
                stop(f"interrupted; {error}; to go on, run: {again()}", INCOMPLETE)
            except KeyboardInterrupt:
                if not keeps:
                    raise
                said = f"{folder} keeps what is finished; to go on, run: {again()}"  # at a URL
                if folder is None:
                    said = "nothing was saved, because --directory was not given"
                stop(f"interrupted; {said}", INCOMPLETE)
            if code:
                raise click.exceptions.Exit(code)

        listed = [_click(each) for each in every]
        made_command = click.Command(
            name, params=listed, callback=run, help=function.__doc__, epilog=_EPILOG
        )
        if group is not None:
            group.add_command(made_command)
        return made_command

    return make


def again() -> str:
    """Return the command line of this process."""
    return shlex.join(("rejoin", *(click.get_current_context().find_root().obj or ())))


def _click(each: Parameter) -> click.Parameter:
    """Return a parameter as click describes it."""
    said = each.said
    default = None if each.required or each.many else each.default
    # To click, a default of None is a value, with which no option is missing.
    given: dict[str, Any] = {} if default is None else {"default": default}
    if said.argument:
        return click.Argument(
            [each.field],
            type=_type(each),
            nargs=-1 if each.many else 1,
            required=each.required,
            **given,
            metavar=said.metavar or None,
        )
    is_flag = each.kind is bool
    shown = f"  [default: {said.shown}]" if said.shown else ""
    return click.Option(
        [f"--{each.name}", each.field],
        type=None if is_flag else _type(each),
        is_flag=is_flag or None,
        multiple=each.many,
        required=each.required,
        **given,
        show_default=not (shown or is_flag or each.many or default is None),
        help=said.help + shown,
        metavar=said.metavar or None,
    )


def _type(each: Parameter) -> Any:
    """Return the type that parses a value of a parameter."""
    said = each.said
    if said.form is not None:
        return said.form
    if each.choices:
        return click.Choice(each.choices)
    if each.kind is int and (said.least, said.most) != (None, None):
        return _Whole(_int(said.least), _int(said.most))
    if each.kind is float:
        return _Number(min=said.least, max=said.most, min_open=said.least == 0)
    if each.kind is System:
        return SYSTEM
    return FILE if each.kind is Path else each.kind


def _int(bound: float | None) -> int | None:
    return None if bound is None else int(bound)
