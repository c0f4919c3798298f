"""The steps of a wrong output: the first one at which an adapter goes another way.

If the adapter does not tell its steps, the steps of the reference that lead to the place that
differs stand in for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from attrs import evolve, field, frozen

from rejoin_conformance.adapters.runner.cases import Case
from rejoin_conformance.contract.asked_text import StepText, grouped, step_texts
from rejoin_conformance.contract.operation import Operation, output_in
from rejoin_conformance.contract.step import STEPS, first_parting, leading, steps_in
from rejoin_conformance.kit.json_forms import OPTIONAL
from rejoin_conformance.kit.json_types import JsonObject, canonical_json
from rejoin_conformance.kit.text import shown, shown_line

_SHOWN: Final = 400
_KEPT: Final = 4 * 1024
"""The maximum number of characters of a step that is kept beside its text."""
_LEADING: Final = 8
_BEFORE: Final = 3
"""The number of steps to show on the way to a place, and before a parting."""
_OPENING: Final = 2
"""The number of steps that say how a group begins: the fold order of a merge and its first node."""


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


@frozen(kw_only=True)
class StepsTold:
    """The steps of one question: those of the reference, and those of the adapter.

    lists: the operation that lists them. observed: None if the adapter does not tell its steps.
    note: one line on why it does not; empty if it does not declare the operation.
    """

    case: Case
    lists: Operation
    expected: JsonObject
    observed: JsonObject | None = None
    note: str = ""

    @property
    def parting(self) -> int | None:
        """Return the index of the first step that differs, or None if none is known to differ."""
        return None if self.observed is None else first_parting(self.expected, self.observed)

    @property
    def parting_name(self) -> str:
        """Return the first step that differs, as `TYPE CLAUSE`; empty if the adapter tells none."""
        steps, place = steps_in(self.expected), self.parting
        if self.observed is None:
            return ""
        if place is None:
            return "none (its steps are those of the reference)"
        known = place < len(steps)
        return (
            f"{steps[place]['step']} {steps[place]['clause']}" if known else "beyond the last one"
        )

    def kept(self, output: JsonObject | None) -> FailureSteps:
        """Return the steps of a wrong output.

        output: it can be anything; None if it was too long to keep.
        """
        steps, wanted, place = steps_in(self.expected), output_in(self.case.expected), self.parting
        way: Sequence[int] = ()
        if place is not None:
            way = range(max(0, place - _BEFORE), place)
        elif output is not None and wanted is not None:
            way = leading(self.case.compared(wanted), output, steps)[-_LEADING:]
        same = "its steps are those of the reference; only the output differs"
        return FailureSteps(
            operation=self.lists.name,
            count=len(steps),
            leading=tuple(evolve(each, step=None) for each in self._lines(self.expected, way)),
            expected=self._line(self.expected, place),
            observed=self._line(self.observed, place),
            note=self.note if self.observed is None else same if place is None else "",
        )

    def _line(self, output: JsonObject | None, place: int | None) -> StepLine | None:
        """Return a step; None if the output has no such step."""
        if output is None or place is None or place >= len(steps_in(output)):
            return None
        return self._lines(output, [place])[-1]

    def _lines(self, output: JsonObject, places: Sequence[int]) -> Sequence[StepLine]:
        """Return steps as text, with their JSON if it is short, and how their groups begin."""
        steps = steps_in(output)[: max(places, default=-1) + 1]
        notation, asked = self.case.system.notation, self.case.vector.input
        texts = step_texts(notation, self.lists.name, asked, {STEPS: [*steps]})
        return [
            StepLine(
                number=place + 1,
                text=shown(texts[place].text, _SHOWN),
                clause=shown_line(texts[place].clause, 80),
                under=shown(texts[place].under, _SHOWN),
                step=step if len(canonical_json(step)) <= _KEPT else None,
            )
            for place in _opened(places, texts)
            for step in [steps[place]]
        ]


def _opened(places: Sequence[int], texts: Sequence[StepText]) -> Sequence[int]:
    """Return the places, and the places of the first steps of each group that has one of them."""
    shown, start = {*places}, 0
    for under, group in grouped(texts):
        within = range(start, start + len(group))
        if under and not shown.isdisjoint(within):
            shown.update(within[:_OPENING])
        start = within.stop
    return sorted(shown)


def lines_of(steps: FailureSteps) -> Iterator[str]:
    """Yield the steps as lines of text."""
    if steps.note:
        yield steps.note
    if steps.parts or steps.leading:
        yield steps.title
        before = [("", each) for each in steps.leading]
        yield from (f"  {line}" for line in _aligned([*before, *_parting(steps)]))


def parting_lines(steps: FailureSteps) -> Iterator[str]:
    """Yield the steps at which the adapter goes another way as lines of text."""
    yield from _aligned(_parting(steps))


def _parting(steps: FailureSteps) -> Sequence[tuple[str, StepLine | None]]:
    return [("expected", steps.expected), ("observed", steps.observed)] if steps.parts else []


def _aligned(named: Iterable[tuple[str, StepLine | None]]) -> Iterator[str]:
    under = ""
    for name, each in named:
        if each is not None and each.under != under:
            under = each.under
            yield under
        said = "(no further step)" if each is None else f"{each.text}  ({each.clause})"
        yield f"{name:<8}  {said}"
