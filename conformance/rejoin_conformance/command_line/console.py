"""What all subcommands share: progress on standard error, results on standard output."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NoReturn

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from rejoin_conformance.contract.choices import UnknownReadingError
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.contract.spread import ReportProgress
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.json_types import Json, canonical_json

NOT_CONFORMANT: Final = 1
WRONG_USAGE: Final = 2
INCOMPLETE: Final = 3
ADAPTER_UNUSABLE: Final = 4

_A_MOMENT: Final = 2.0


class SystemName(click.ParamType[System]):
    """A parameter that names a system."""

    name = "system"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:  # noqa: ARG002
        """How the help text writes it."""
        return "SYSTEM"

    def convert(
        self,
        value: str | System,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> System:
        """The system of that name; wrong usage for any other."""
        if isinstance(value, System):
            return value
        if value not in system_names():
            self.fail(f"there is no system {value!r}; there are {', '.join(system_names())}")
        try:
            return system_named(value)
        except ImportError as error:
            return self.fail(f"the system {value} cannot be loaded: {error}", param, ctx)


SYSTEM: Final = SystemName()


CORPUS_OPTION: Final = click.option(
    "--corpus",
    type=click.Path(file_okay=False, path_type=Path),
    help="Another corpus: a folder like vectors/.  [default: the project's own]",
)


def chosen_reading(system: System, reading: str | None) -> str:
    """The reading or expression on the command line, or the default; wrong usage for any other."""
    if reading is None:
        return system.default_reading
    if reading in system.readings:
        return reading
    try:
        if system.choices is not None and ("+" in reading or reading in system.choices.lent):
            system.choices.of(reading)
            return reading
    except UnknownReadingError as error:
        raise click.UsageError(f"{system.name}: {error}") from None
    raise click.UsageError(
        f"{system.name} has no reading {reading!r}; it has {', '.join(system.readings)}"
    )


def chosen_profile(system: System, profile: str) -> str:
    """The profile, if the system has it; wrong usage otherwise."""
    if profile not in system.histories.profiles:
        known = ", ".join(system.histories.profiles)
        raise click.UsageError(f"{system.name} has no profile {profile!r}; it has {known}")
    return profile


def write_text(path: Path, text: str) -> None:
    """Write a file that the user named, `-` being standard output; wrong usage where that fails."""
    if path == Path("-"):
        click.echo(text, nl=False)
        return
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        stop(WRONG_USAGE, f"{path}: {error.strerror}")


def print_json(value: Json) -> None:
    """Machine-readable output: one canonical line."""
    click.echo(canonical_json(value))


def stop(code: int, message: str) -> NoReturn:
    """End with one line on standard error and an exit code."""
    click.echo(f"rejoin: {message}", err=True)
    raise click.exceptions.Exit(code)


@contextmanager
def terminable() -> Iterator[None]:
    """Within the block, the signal TERM interrupts as Ctrl-C does."""

    def interrupt(_number: int, _frame: object) -> NoReturn:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def progress_bar(title: str, *, quiet: bool = False) -> Iterator[ReportProgress]:
    """A bar on a terminal; elsewhere a line for every tenth of what takes more than a moment."""
    console = Console(stderr=True)
    if quiet:
        yield lambda _done, _total, _what: None
    elif console.is_terminal:
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=console) as bar:
            task = bar.add_task(title, total=None)

            def advance(done: int, total: int, what: str) -> None:
                description = f"{title}: {what}" if what else title
                bar.update(task, completed=done, total=total, description=description)

            yield advance
    else:
        printed = -1
        start = time.monotonic()

        def say(done: int, total: int, what: str) -> None:
            nonlocal printed
            tenth = 10 * done // total if total else 0
            if tenth > printed and time.monotonic() - start > _A_MOMENT:
                printed = tenth
                text = f"{title}: {done:,} of {total:,}{'  ' + what if what else ''}"
                click.echo(text, err=True)

        yield say
