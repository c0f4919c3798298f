"""A question and its answers as text: in the system's notation if possible, and else as JSON.

All text is bounded and safe to print, because an answer can come from an adapter.

A system writes each step in its notation (`Notation.step_writer`). `step_texts` is the one function
that prints steps: commands, reports and pages call it and need to know no system.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from attrs import frozen

from rejoin_conformance.contract.notation import (
    Example,
    Notation,
    WriteStep,
    WrittenStep,
    answer_text,
    question_text,
)
from rejoin_conformance.contract.operation import Asked, output_in
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.contract.step import steps_in
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json
from rejoin_conformance.kit.text import around_marks, line_marks, shown, shown_line

_LONGEST: Final = 64 * 1024
"""The maximum number of characters of an input that is written in a notation."""
_SHOWN: Final = 6000
"""The number of characters to show of a long value as JSON, and half of that of any text."""


def input_text(asked: Asked) -> str:
    """Return the input as text."""
    text = None
    if not _is_long(asked.input):
        text = question_text(_notation_of(asked), asked.operation, asked.input)
    return value_text(asked.input) if text is None else text_shown(text)


def expected_text(asked: Asked) -> str:
    """Return the expected answer as text."""
    text = _answer(asked, asked.expected)
    return value_text(asked.expected) if text is None else text


def observed_text(asked: Asked) -> str:
    """Return the observed answer as text: nothing, an answer, or the beginning of a long one."""
    said = asked.observed
    text = _answer(asked, said)
    if text is not None:
        return text
    if said is None:
        return "(no reply)"
    cut = said.get("truncated") if len(said) == 1 else None
    if isinstance(cut, dict) and isinstance(cut.get("start"), str):
        length = cut.get("characters")
        whole = f" of {length:,} characters" if isinstance(length, int) else ""
        return shown(f"(the beginning{whole})\n{cut['start']}", _SHOWN)
    return value_text(said)


def marked_lines(asked: Asked) -> Iterator[str]:
    """Yield both answers as lines, with `>` before each line that differs."""
    sides = line_marks(expected_text(asked), observed_text(asked))
    for name, lines in zip(("expected", "observed"), sides, strict=True):
        yield name
        yield from (f"{'>' if differs else ' '} {line}" for differs, line in around_marks(lines))


def value_text(value: Json) -> str:
    """Return a JSON value as text: formatted if it is short, cut if it is long."""
    try:
        text = canonical_json(value)
        if len(text) <= _SHOWN:
            text = json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True)
    except RecursionError:
        return "(nested too deeply to be shown)"
    return text_shown(text)


def text_shown(text: str) -> str:
    """Return a text that is safe to print, cut if it is long."""
    return shown(text, 2 * _SHOWN)


def _answer(asked: Asked, said: JsonObject | None) -> str | None:
    """Return an answer in the system's notation, or None if the notation cannot express it."""
    output = output_in(said)
    if output is None or _is_long(asked.input):
        return None
    text = answer_text(_notation_of(asked), asked.operation, asked.input, output)
    return None if text is None else text_shown(text)


def _is_long(value: JsonObject) -> bool:
    """Return whether a value is so long that its text would take long and be cut."""
    try:
        return len(canonical_json(value)) > _LONGEST
    except RecursionError:
        return True


def _notation_of(asked: Asked) -> Notation | None:
    return system_named(asked.system).notation if asked.system in system_names() else None


_LONGEST_STEP: Final = 400
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
    return WrittenStep(f"{kind} {shown_line(canonical_json(fields), _LONGEST_STEP)}")


def grouped(steps: Sequence[StepText]) -> tuple[tuple[str, tuple[StepText, ...]], ...]:
    """Return the steps in groups of steps in a row with the same heading, which may be empty."""
    groups: list[tuple[str, tuple[StepText, ...]]] = []
    for step in steps:
        if groups and groups[-1][0] == step.under:
            groups[-1] = (step.under, (*groups[-1][1], step))
        else:
            groups.append((step.under, (step,)))
    return tuple(groups)
