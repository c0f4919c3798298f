"""Output, progress and exit codes that all commands share.

Results go to standard output, and progress to standard error.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

import click
from attrs import define, field, frozen
from click.shell_completion import CompletionItem

from rejoin_conformance.contract.registry import all_systems, system_named, system_names
from rejoin_conformance.contract.spread import ReportProgress
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit import judged as codes
from rejoin_conformance.kit.document import Block, plain_text
from rejoin_conformance.kit.document_text import coloured, document_text
from rejoin_conformance.kit.files import write_whole
from rejoin_conformance.kit.json_types import Json, canonical_json
from rejoin_conformance.kit.judged import Judged
from rejoin_conformance.kit.locations import in_checkout
from rejoin_conformance.kit.options import opt
from rejoin_conformance.kit.text import did_you_mean, duration, shown

if TYPE_CHECKING:
    from rejoin_conformance.campaigns.kept.store import Store

NOT_CONFORMANT: Final = codes.BROKEN
WRONG_USAGE: Final = 2
INCOMPLETE: Final = codes.INCOMPLETE
ADAPTER_UNUSABLE: Final = codes.UNUSABLE
OWN_FAULT: Final = codes.OWN_FAULT


class SystemName(click.ParamType[System]):
    """A parameter that names a system."""

    name = "system"

    def convert(
        self,
        value: str | System,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> System:
        """Return the system of this name. Any other name is wrong usage."""
        if isinstance(value, System):
            return value
        if value not in system_names():
            near = _near(value)
            self.fail(
                f"there is no system {value!r}; choose one of {', '.join(system_names())}{near}"
            )
        try:
            return system_named(value)
        except ImportError as error:
            return self.fail(f"the system {value} cannot be loaded: {error}", param, ctx)

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        """Return the systems whose names begin like this."""
        return [CompletionItem(name) for name in system_names() if name.startswith(incomplete)]


def _near(name: str) -> str:
    """Return the operation of this name, the system or the operation of a like one, or nothing."""
    known = [each.name for system in all_systems() for each in system.operations]
    exact = [each for each in known if name in {each, each.partition("/")[2]}]
    system = "" if exact else did_you_mean(name, system_names())
    return system or did_you_mean(name, exact or known).replace("mean ", "mean --operation ")


SYSTEM: Final = SystemName()


def print_json(value: Json) -> None:
    """Print a value as one line of canonical JSON."""
    click.echo(canonical_json(value))


def print_document(blocks: Sequence[Block]) -> None:
    """Print the blocks of a document as text: in colours on a terminal, but for NO_COLOR."""
    paint = plain_text if os.environ.get("NO_COLOR") else coloured
    click.echo(document_text(blocks, paint=paint))


@frozen(kw_only=True)
class Out:
    """How a command prints its result, and its progress."""

    as_json: bool = opt(
        "Print JSON instead of text: one line, or one for each result.", default=False, name="json"
    )

    def tell(
        self,
        data: Callable[[], Json],
        blocks: Callable[[], Iterable[Block]],
        written: Collection[Path | None] = (),
    ) -> None:
        """Print a result.

        written: the files that the command writes. If one is standard output, it prints no more.
        """
        if Path("-") not in written:
            self.tell_each(() if not self.as_json else [data()], blocks)

    def tell_each(self, rows: Iterable[Json], blocks: Callable[[], Iterable[Block]]) -> None:
        """Print a result of several rows."""
        if not self.as_json:
            print_document([*blocks()])
            return
        for each in rows:
            print_json(each)

    @contextmanager
    def progress(self, title: str, unit: str = "items") -> Iterator[ReportProgress]:
        """Show progress on standard error while the block runs, with the rate and the time left.

        On a terminal this is a bar. Otherwise it is one line for each tenth of an activity, at most
        one every 2 seconds and at least one every 15 seconds.
        """
        speed = Speed(unit)
        if self.as_json:
            yield lambda _done, _total, _what: None
        elif sys.stderr.isatty():
            from rich.console import Console  # noqa: PLC0415 - slow, and only for a terminal
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn  # noqa: PLC0415

            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
                       TextColumn("{task.fields[speed]}"))  # fmt: skip
            with Progress(*columns, console=Console(stderr=True)) as bar:
                task = bar.add_task(title, total=None, speed="")

                def advance(done: int, total: int, what: str) -> None:
                    text = f"{title}: {what}" if what else title
                    said = speed.said(done, total, time.monotonic())
                    bar.update(task, completed=done, total=total, description=text, speed=said)

                yield advance
        else:
            yield _Lines(title, speed, time.monotonic()).print

    def say_resuming(
        self, store: Store | None, checked: str = "the command and the code are the same"
    ) -> None:
        """Say that the results of a store are continued, and what is the same as before."""
        if store is not None and store.resumed and not self.as_json:
            done = store.done()
            keeps = f", which keeps {done}" if done else ""
            click.echo(f"resuming from {store.address}{keeps}; {checked}", err=True)


def write_text(path: Path, text: str) -> None:
    """Write text in UTF-8 to a file, or to standard output for `-`.

    A file that cannot be written is wrong usage; a full disk leaves the command incomplete.
    """
    if path == Path("-"):
        click.echo(text.encode("utf-8"), nl=False)
        return
    try:
        write_whole(path, text)
    except OSError as error:
        full = error.errno in {errno.ENOSPC, errno.EDQUOT}
        stop(f"{path}: {error.strerror}", INCOMPLETE if full else WRONG_USAGE)


def stop(message: str, code: int = WRONG_USAGE) -> NoReturn:
    """Print one line on standard error and end with an exit code."""
    with suppress(OSError):  # a full disk behind standard error does not change the code
        click.echo(f"rejoin: {shown(message, len(message))}", err=True)
    raise click.exceptions.Exit(code)


def ended(judged: Judged, nothing: str) -> int:
    """Return the exit code of a command that judged. nothing: why nothing was asked, if so."""
    if not judged.asked and judged.exit_code == INCOMPLETE:
        click.echo(f"rejoin: nothing was asked: {nothing}", err=True)
    return judged.exit_code


def require_checkout(command: str) -> None:
    """End with wrong usage if the suite does not run from a checkout."""
    if not in_checkout():
        stop(f"{command} works on a checkout of the project; this suite was installed from a wheel")


@contextmanager
def interruptible(*more: signal.Signals) -> Iterator[None]:
    """Within the block, let TERM, and more signals, interrupt as Ctrl-C does."""

    def interrupt(_number: int, _frame: object) -> NoReturn:
        raise KeyboardInterrupt

    before = {each: signal.signal(each, interrupt) for each in (signal.SIGTERM, *more)}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


_SECONDS_BETWEEN_LINES: Final = 2.0
_SECONDS_WITHOUT_LINE: Final = 15.0
_RECENT: Final = 60.0
"""The number of seconds whose rate tells the time left, if it is the slower one."""


@define
class Speed:
    """The speed of some work since its first report.

    unit: what is counted, such as `histories`; of `tries`, the total is the most. _marks: (time in
    seconds, number done) of the first report, and of one each second of the last ones.
    """

    unit: str
    _marks: list[tuple[float, int]] = field(factory=list, init=False)
    _last: int = 0

    def said(self, done: int, total: int, now: float) -> str:
        """Return the rate and the time left; an empty text as long as they are not known.

        The time left follows the slower of two rates, of all the work and of the last minute. A
        request that times out takes longer than hundreds that do not. now: the time in seconds.
        """
        if done < self._last:  # another activity begins
            self._marks.clear()
        self._last = done
        while len(self._marks) > 2 and now - self._marks[2][0] > _RECENT:
            del self._marks[1]
        if not self._marks or now - self._marks[-1][0] >= 1:
            self._marks.append((now, done))
        rates = [(done - begun) / (now - at) for at, begun in self._marks[:2] if at < now]
        if not rates or not rates[0]:
            return ""
        shown = f"{rates[0]:,.0f}" if rates[0] >= 10 else f"{rates[0]:.1f}"
        speed = f"{shown} {self.unit}/s" if rates[0] >= 1 else f"{1 / rates[0]:,.1f} s each"
        left = (total - done) / (min(rates) or rates[0])
        most = "at most " if self.unit == "tries" else ""
        return f"{speed}, {most}{duration(left)} left"


@define
class _Lines:
    """Progress as lines of text."""

    title: str
    speed: Speed
    last: float
    printed: tuple[int, str] = (-1, "")

    def print(self, done: int, total: int, what: str) -> None:
        """Print a line if there is news, or if the last line is old."""
        now = time.monotonic()
        said = self.speed.said(done, total, now)
        tenth = (10 * done // total if total else 0, what)
        since = now - self.last
        is_news = tenth != self.printed and since > _SECONDS_BETWEEN_LINES
        if is_news or since > _SECONDS_WITHOUT_LINE:
            self.printed, self.last = tenth, now
            parts = (f"{self.title}: {done:,} of {total:,}", said, what)
            click.echo("  ".join(part for part in parts if part), err=True)
