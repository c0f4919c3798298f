"""The input and the answers of a failure as text: in the system's notation if possible.

If the notation cannot express a value, the text is JSON.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rejoin_conformance.adapters.results.records import Record
from rejoin_conformance.contract.notation import Notation, answer_text, question_text
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.kit.json_types import JsonObject, canonical_json
from rejoin_conformance.kit.line_marks import around_marks, line_marks
from rejoin_conformance.kit.value_text import observed_text, text_shown, value_text

_LONGEST: Final = 64 * 1024
"""The maximum number of characters of an input that is written in a notation."""


def input_text(record: Record) -> str:
    """Return the input of a failure as text."""
    text = None
    if record.input is not None and not _is_long(record.input):
        text = question_text(_notation_of(record), record.operation, record.input)
    return value_text(record.input) if text is None else text_shown(text)


def expected_text(record: Record) -> str:
    """Return the expected answer as text."""
    text = _answer(record, record.expected)
    return value_text(record.expected) if text is None else text


def reply_text(record: Record) -> str:
    """Return the observed answer as text; a long one in part."""
    text = _answer(record, record.observed)
    return observed_text(record.observed) if text is None else text


def marked_lines(record: Record) -> Iterator[str]:
    """Yield both answers of a failure as lines, with `>` before each line that differs."""
    sides = line_marks(expected_text(record), reply_text(record))
    for name, lines in zip(("expected", "observed"), sides, strict=True):
        yield name
        yield from (f"{'>' if differs else ' '} {line}" for differs, line in around_marks(lines))


def output_in(said: JsonObject | None) -> JsonObject | None:
    """Return the output of an answer, or None if it has none."""
    output = None if said is None else said.get("output")
    return output if isinstance(output, dict) else None


def _answer(record: Record, said: JsonObject | None) -> str | None:
    """Return an answer in the system's notation, or None if the notation cannot express it."""
    output = output_in(said)
    if record.input is None or output is None or _is_long(record.input):
        return None
    text = answer_text(_notation_of(record), record.operation, record.input, output)
    return None if text is None else text_shown(text)


def _is_long(value: JsonObject) -> bool:
    """Return whether a value is so long that its text would take long and be cut."""
    try:
        return len(canonical_json(value)) > _LONGEST
    except RecursionError:
        return True


def _notation_of(record: Record) -> Notation | None:
    system = record.system
    return system_named(system).notation if system in system_names() else None
