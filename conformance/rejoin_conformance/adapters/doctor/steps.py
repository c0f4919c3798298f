"""The result of one step of the doctor: what it found, how to fix it, and its text."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import indent
from typing import Final, Literal, TypeAlias

from attrs import frozen

from rejoin_conformance.kit.document import Code, Fold

State: TypeAlias = Literal["wrong", "not tried", "note", "ok"]
"""`note`: allowed by the protocol, but worth a look."""

WORST_FIRST: Final[tuple[State, ...]] = ("wrong", "not tried", "note", "ok")
_LINES_KEPT: Final = 6


@frozen(kw_only=True)
class Examined:
    """The result of one step.

    findings: sentences on the findings, safe to print. advice: sentences on how to fix the adapter.
    lines: the lines sent and received, each after `->` or `<-`, safe to print.
    """

    title: str
    state: State = "ok"
    findings: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()

    def block(self, number: int, *, every_line: bool = False) -> Fold:
        """Return the step as a part of a document: its lines, the findings, and the advice."""
        said = [*self._lines(every_line=every_line), *self.findings]
        said += [f"FIX   {each}".replace("\n", "\n      ") for each in self.advice]
        text = indent("\n".join(said), "  ")
        title = f"{number:>2}  {self.state.upper():<9}  {self.title}"
        return Fold(title, [Code(text)] if said else [])

    def _lines(self, *, every_line: bool) -> Iterator[str]:
        """Yield the first lines of a step that succeeded, or the last lines of any other."""
        left_out = len(self.lines) - _LINES_KEPT
        if every_line or left_out <= 0:
            yield from self.lines
        elif self.state == "ok":
            yield from self.lines[:_LINES_KEPT]
            yield f"... and {left_out} more lines (--verbose)"
        else:
            yield f"... after {left_out} other lines (--verbose)"
            yield from self.lines[-_LINES_KEPT:]
