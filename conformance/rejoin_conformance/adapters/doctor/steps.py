"""What a step of the examination came to, and how it is told."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias

from attrs import frozen

from rejoin_conformance.kit.json_types import Json, JsonObject

State: TypeAlias = Literal["ok", "note", "wrong", "not tried"]
"""`note`: within the protocol, and worth a look all the same."""

_LINES_KEPT: Final = 6
_WIDTH: Final = 96
_INDENT: Final = " " * 15


@frozen(kw_only=True)
class Examined:
    """One thing that an adapter has to do, and whether it does it.

    said: sentences on what was found; text from the adapter in them is fit to be shown.
    mend: what to do about it.
    lines: what was exchanged, each with `->` or `<-` before it, fit to be shown.
    """

    title: str
    state: State
    said: tuple[str, ...] = ()
    mend: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()

    def to_json(self) -> JsonObject:
        """The step for machines."""
        return {
            "title": self.title,
            "state": self.state,
            "said": _listed(self.said),
            "mend": _listed(self.mend),
            "lines": _listed(self.lines),
        }


def render_step(number: int, step: Examined, *, every_line: bool = False) -> str:
    """A step as text: its lines, what was found, and how to mend it."""
    return "\n".join(_rendered(number, step, every_line=every_line))


def _rendered(number: int, step: Examined, *, every_line: bool) -> Iterator[str]:
    yield f"{number:>2}  {step.state.upper():<9}  {step.title}"
    yield from (f"{_INDENT}{line}" for line in _lines(step, every_line=every_line))
    for sentence in step.said:
        yield from _wrapped(sentence, "", _INDENT)
    for place, sentence in enumerate(step.mend):
        yield from _wrapped(sentence, "MEND  " if place == 0 else "      ", _INDENT)


def _lines(step: Examined, *, every_line: bool) -> Iterator[str]:
    """The beginning of what went well, and the end of what went wrong."""
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
    """A sentence in lines; one that has lines of its own keeps them."""
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


def _listed(texts: Sequence[str]) -> list[Json]:
    return [*texts]
