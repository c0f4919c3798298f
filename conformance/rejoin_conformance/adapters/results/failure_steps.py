"""The steps of a wrong output: the first one at which an adapter goes another way.

If the adapter does not tell its steps, the steps of the reference that lead to the place that
differs stand in for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from attrs import field, frozen

from rejoin_conformance.contract.step_text import StepText
from rejoin_conformance.kit.json_forms import OPTIONAL
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.untrusted import shown, shown_line

_SHOWN: Final = 400


@frozen(kw_only=True)
class StepLine:
    """One step as text. number: its place among the steps, from 1.

    under: a heading for it, if the system groups its steps. step: the step itself; None if it is
    long.
    """

    number: int
    text: str
    clause: str
    under: str = field(default="", metadata=OPTIONAL)
    step: JsonObject | None = field(default=None, metadata=OPTIONAL)

    @classmethod
    def of(cls, number: int, said: StepText, step: JsonObject | None = None) -> StepLine:
        """Return a step as text, cut if it is long."""
        return cls(
            number=number,
            text=shown(said.text, _SHOWN),
            clause=shown_line(said.clause, 80),
            under=shown(said.under, _SHOWN),
            step=step,
        )


@frozen(kw_only=True)
class FailureSteps:
    """The steps of a wrong output.

    operation: the operation that lists them. count: the number of the reference's steps.
    leading: steps of the reference: those just before the parting, or those that lead to the place
        of the output that differs.
    expected, observed: the first step at which the adapter goes another way, for the reference and
        for the adapter; None if that side has no such step. Both are None if no parting is known.
    note: one line on why the adapter's steps show no parting; empty if they do, or if the adapter
        does not declare the operation.
    """

    operation: str
    count: int
    leading: tuple[StepLine, ...] = field(default=(), metadata=OPTIONAL)
    expected: StepLine | None = field(default=None, metadata=OPTIONAL)
    observed: StepLine | None = field(default=None, metadata=OPTIONAL)
    note: str = field(default="", metadata=OPTIONAL)

    @property
    def parts(self) -> bool:
        """Return whether the first step at which the adapter goes another way is known."""
        return self.expected is not None or self.observed is not None

    @property
    def title(self) -> str:
        """Return a line that says what the steps are."""
        if self.parts:
            either = self.expected or self.observed
            number = 0 if either is None else either.number
            return f"it goes another way at step {number} of {self.count}:"
        return f"steps of the reference that lead there, of {self.count}:"

    @property
    def parting(self) -> tuple[JsonObject, ...]:
        """Return the steps at which it goes another way, of both sides, as far as they are kept."""
        sides = (each.step for each in (self.expected, self.observed) if each is not None)
        return tuple(each for each in sides if each is not None)


def lines_of(steps: FailureSteps) -> Iterator[str]:
    """Yield the steps as lines of text."""
    if steps.note:
        yield steps.note
    if steps.parts or steps.leading:
        yield steps.title
        leading = [("", each) for each in steps.leading]
        yield from (f"  {line}" for line in _lines([*leading, *_parting(steps)]))


def parting_lines(steps: FailureSteps) -> Iterator[str]:
    """Yield the steps at which the adapter goes another way as lines of text."""
    yield from _lines(_parting(steps))


def _parting(steps: FailureSteps) -> Sequence[tuple[str, StepLine | None]]:
    return [("expected", steps.expected), ("observed", steps.observed)] if steps.parts else []


def _lines(named: Iterable[tuple[str, StepLine | None]]) -> Iterator[str]:
    under = ""
    for name, each in named:
        if each is not None and each.under != under:
            under = each.under
            yield under
        yield f"{name:<8}  {_line(each)}"


def _line(step: StepLine | None) -> str:
    return "(no further step)" if step is None else f"{step.text}  ({step.clause})"
