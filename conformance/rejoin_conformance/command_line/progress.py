"""Progress on standard error: a bar on a terminal, else lines; with a rate and the time left."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click
from attrs import define, field

from rejoin_conformance.contract.spread import ReportProgress
from rejoin_conformance.kit.counted import duration

_SECONDS_BETWEEN_BARS: Final = 0.1  # to draw one costs more than a verdict
_SECONDS_BETWEEN_LINES: Final = 2.0
_SECONDS_WITHOUT_LINE: Final = 15.0
_RECENT: Final = 10.0
"""The number of seconds whose rate tells the time left, if it is the slower one. The time that is
shown follows in as many seconds, so that it does not swing with each slow piece."""
_UNSURE: Final = 3
"""If the slower rate gives so many times the time left of the faster one, both times are shown."""


@define
class Speed:
    """The speed of some work since its first report.

    unit: what is counted, such as `histories`. _marks: (time in seconds, number done) of the first
    report, and of one each second of the last ones. _left: the time left that was said last, and
    when.
    """

    unit: str
    _marks: list[tuple[float, int]] = field(factory=list, init=False)
    _last: int = 0
    _left: tuple[float, float] | None = None

    def said(self, done: int, total: int, now: float) -> str:
        """Return the rate and the time left; an empty text as long as they are not known.

        The time left follows the slower of two rates, of all the work and of the last seconds: a
        request that times out takes longer than hundreds that do not. If the faster rate gives less
        than a third of it, both times are said. now: the time in seconds.
        """
        if done < self._last:  # another activity begins
            self._marks.clear()
            self._left = None
        self._last = done
        while len(self._marks) > 2 and now - self._marks[2][0] > _RECENT:
            del self._marks[1]
        if not self._marks or now - self._marks[-1][0] >= 1:
            self._marks.append((now, done))
        rates = [(done - begun) / (now - at) for at, begun in self._marks[:2] if at < now]
        if not rates or not rates[0]:
            return ""
        shown = f"{rates[0]:,.0f}" if rates[0] >= 10 else f"{rates[0]:.1f}"
        left = self._steadied((total - done) / (min(rates) or rates[0]), now)
        least = (total - done) / max(rates)
        times = [least, left] if left > _UNSURE * least else [left]
        said = " to ".join(duration(each) for each in times) if done < total else duration(0)
        return f"{shown} {self.unit}/s, {said} left"

    def _steadied(self, left: float, now: float) -> float:
        """Return the time left between the one that was said last and the one measured now."""
        if self._left is not None:
            said, at = self._left
            expected = max(0.0, said - (now - at))
            left = expected + (left - expected) * min(1.0, (now - at) / _RECENT)
        self._left = left, now
        return left


@contextmanager
def progress_bar(
    title: str, *, quiet: bool = False, unit: str = "items"
) -> Iterator[ReportProgress]:
    """Show progress on standard error, with the rate and the time left.

    On a terminal this is a bar. Otherwise it is one line for each tenth of an activity, at most one
    every 2 seconds and at least one every 15 seconds.
    """
    speed = Speed(unit)
    if quiet:
        yield lambda _done, _total, _what: None
    elif sys.stderr.isatty():
        from rich.console import Console  # noqa: PLC0415 - slow, and only for a terminal
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn  # noqa: PLC0415

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
                   TextColumn("{task.fields[speed]}"))  # fmt: skip
        last = 0.0
        with Progress(*columns, console=Console(stderr=True)) as bar:
            task = bar.add_task(title, total=None, speed="")

            def advance(done: int, total: int, what: str) -> None:
                nonlocal last
                now = time.monotonic()
                said = speed.said(done, total, now)
                if now - last >= _SECONDS_BETWEEN_BARS or done == total:
                    last = now
                    text = f"{title}: {what}" if what else title
                    bar.update(task, completed=done, total=total, description=text, speed=said)

            yield advance
    else:
        yield _Lines(title, speed, time.monotonic()).print


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
