"""The result of one step of the doctor, and its text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from attrs import frozen

State: TypeAlias = Literal["ok", "note", "wrong", "not tried"]
"""`note`: allowed by the protocol, but worth a look."""

_LINES_KEPT: Final = 6
_WIDTH: Final = 96
_INDENT: Final = " " * 15


@frozen(kw_only=True)
class Examined:
    """The result of one step.

    findings: sentences on the findings, safe to print. advice: sentences on how to fix the adapter.
    lines: the lines sent and received, each after `->` or `<-`, safe to print.
    """

    title: str
    state: State
    findings: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


def render_step(number: int, step: Examined, *, every_line: bool = False) -> str:
    """Return a step as text: its lines, the findings, and how to fix the adapter."""
    return "\n".join(_rendered(number, step, every_line=every_line))


def _rendered(number: int, step: Examined, *, every_line: bool) -> Iterator[str]:
    yield f"{number:>2}  {step.state.upper():<9}  {step.title}"
    yield from (f"{_INDENT}{line}" for line in _lines(step, every_line=every_line))
    for sentence in step.findings:
        yield from _wrapped(sentence, "", _INDENT)
    for place, sentence in enumerate(step.advice):
        yield from _wrapped(sentence, "FIX   " if place == 0 else "      ", _INDENT)


def _lines(step: Examined, *, every_line: bool) -> Iterator[str]:
    """Yield the first lines of a step that succeeded, or the last lines of any other."""
    left_out = len(step.lines) - _LINES_KEPT
    if every_line or left_out <= 0:
        yield from step.lines
    elif step.state == "ok":
        yield from step.lines[:_LINES_KEPT]
        yield f"... and {left_out} more lines (--verbose)"
    else:
        yield f"... after {left_out} other lines (--verbose)"
        yield from step.lines[-_LINES_KEPT:]


def _wrapped(sentence: str, lead: str, indent: str) -> Iterator[str]:
    """Wrap a sentence into lines. A sentence with line breaks keeps them."""
    first, *rest = sentence.split("\n")
    yield from textwrap.wrap(
        first,
        _WIDTH,
        initial_indent=indent + lead,
        subsequent_indent=indent + " " * len(lead),
        break_long_words=False,
        break_on_hyphens=False,
    )
    yield from (indent + " " * len(lead) + line for line in rest)
