"""A question and its answers as text: in the system's notation if possible, and else as JSON.

All text is bounded and safe to print, because an answer can come from an adapter.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from rejoin_conformance.contract.notation import Notation, answer_text, question_text
from rejoin_conformance.contract.operation import Asked, output_in
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json
from rejoin_conformance.kit.text import around_marks, line_marks, shown

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
