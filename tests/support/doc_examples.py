"""Examples of the documentation: a command after `$`, and its output as the page shows it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from attrs import frozen

DOCS: Final = Path(__file__).parents[2] / "docs"


@frozen
class Example:
    """A command line without `rejoin`, and the lines that a page shows below it.

    A line `...` stands for any lines, and `...` within a line for any characters.
    """

    command: str
    shown: tuple[str, ...]

    @property
    def arguments(self) -> list[str]:
        """Return the words of the command line."""
        return shlex.split(self.command)

    def missing_from(self, output: str, *, numbers: bool = True) -> str | None:
        """Return the first shown line that the output lacks at its place; None if it has all lines.

        numbers: whether numbers must be equal.
        """
        lines = iter(output.splitlines())
        for line in self.shown:
            if line.strip() in {"", "..."}:
                continue
            pattern = _pattern(line, numbers=numbers)
            if not any(pattern.fullmatch(each) for each in lines):
                return line
        return None


def examples(page: str) -> Iterator[Example]:
    """Yield the examples of a page of the documentation, in its order."""
    text = (DOCS / page).read_text(encoding="utf-8")
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        if language:
            continue
        for example in re.split(r"^\$ rejoin ", block, flags=re.MULTILINE)[1:]:
            command, *shown = example.splitlines()
            yield Example(command, tuple(shown))


def _pattern(line: str, *, numbers: bool) -> re.Pattern[str]:
    pattern = re.escape(line.rstrip()).replace(re.escape("..."), ".*")
    return re.compile(pattern if numbers else re.sub(r"(\d+\\,)*\d+", r"[\\d,]+", pattern))
