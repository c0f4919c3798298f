"""The steps of an operation as text, for every system.

A system writes each step in its notation (`Notation.step_writer`). `step_texts` is the one function
that prints steps: commands, reports and pages call it and need to know no system.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from attrs import frozen

from rejoin_conformance.contract.notation import Example, Notation, WriteStep, WrittenStep
from rejoin_conformance.contract.step import steps_in
from rejoin_conformance.kit.json_types import JsonObject, canonical_json
from rejoin_conformance.kit.text import shown_line

_LONGEST: Final = 400
"""The number of characters to show of a step that the notation cannot express."""


@frozen
class StepText:
    """One step as text.

    text: one line in the system's notation. clause: the ID of the clause that the step follows.
    under: the action or the set that the step belongs to, if the system groups its steps; a heading
        for all steps in a row that have the same one.
    """

    text: str
    clause: str
    under: str = ""

    @property
    def line(self) -> str:
        """Return the step alone on one line, with what it belongs to and its clause."""
        where = f"{self.under}: " if self.under else ""
        return f"{where}{self.text}  ({self.clause})"


def step_texts(
    notation: Notation | None, operation: str, value: JsonObject, output: JsonObject
) -> tuple[StepText, ...]:
    """Return each step that an output lists as text, in order.

    notation: the system's. operation: the full name of the operation that lists the steps. value:
    its input. output: its output. It can come from an adapter, so any value is safe. A step that
    the notation cannot express is one line of JSON.
    """
    writer = None if notation is None else notation.step_writer
    return step_texts_by(writer, Example(operation=operation, input=value), output)


def step_texts_by(
    writer: Callable[[Example], WriteStep] | None, asked: Example, output: JsonObject
) -> tuple[StepText, ...]:
    """Return the same, written by `writer`, such as the one of `SharedNames`."""
    write: WriteStep = _as_json
    if writer is not None:
        try:
            write = writer(asked)
        except Exception:  # noqa: BLE001 - a question that the notation cannot express; use JSON
            write = _as_json
    texts: list[StepText] = []
    for step in steps_in(output):
        try:
            said = write(step)
        except Exception:  # noqa: BLE001 - the values are untrusted; JSON shows them
            said = _as_json(step)
        clause = shown_line(str(step.get("clause", "")))
        texts.append(StepText(said.text, clause, said.under))
    return tuple(texts)


def _as_json(step: JsonObject) -> WrittenStep:
    fields = {name: each for name, each in step.items() if name not in ("step", "clause")}
    kind = shown_line(str(step.get("step", "step")))
    return WrittenStep(f"{kind} {shown_line(canonical_json(fields), _LONGEST)}")


def grouped(steps: Sequence[StepText]) -> tuple[tuple[str, tuple[StepText, ...]], ...]:
    """Return the steps in groups of steps in a row with the same heading, which may be empty."""
    groups: list[tuple[str, tuple[StepText, ...]]] = []
    for step in steps:
        if groups and groups[-1][0] == step.under:
            groups[-1] = (step.under, (*groups[-1][1], step))
        else:
            groups.append((step.under, (step,)))
    return tuple(groups)
