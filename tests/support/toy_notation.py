"""A notation for the toy system: `halve 8 = 4`, `double 2 = 4`; a history is its numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from attrs import evolve

from rejoin_conformance.contract.notation import Example, Notation
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.phrases import END_OF_TEXT, NotationError
from support.toy_system import TOY

_QUESTION: Final = re.compile(r"(?P<name>halve|double)\s+(?P<number>\d+)(\s*=\s*(?P<answer>\d+))?")
_FIELDS: Final = {"toy/halve": "half", "toy/double": "double"}


def _parse(lines: Sequence[str]) -> Example:
    found = " ".join(line.strip() for line in lines)
    match = _QUESTION.fullmatch(found)
    if match is None:
        raise NotationError(1, "`halve NUMBER = NUMBER` or `double NUMBER = NUMBER`", found)
    operation = f"toy/{match['name']}"
    answer = match["answer"]
    return Example(
        operation=operation,
        input={"number": int(match["number"])},
        output=None if answer is None else {_FIELDS[operation]: int(answer)},
    )


def _render(example: Example) -> str | None:
    question = f"{example.operation.removeprefix('toy/')} {example.input['number']}"
    return question if example.output is None else f"{question} = {_answer(example.output)}"


def _parse_output(lines: Sequence[str], example: Example) -> JsonObject:
    if not lines:
        raise NotationError(1, "a number", END_OF_TEXT)
    return {_FIELDS[example.operation]: int(lines[0])}


def _render_output(example: Example, output: JsonObject) -> str:
    return _answer(output)


def _answer(output: JsonObject) -> str:
    (number,) = output.values()
    return str(number)


NOTATION: Final = Notation(
    operations=("toy/halve", "toy/double"),
    parse=_parse,
    render=_render,
    parse_output=_parse_output,
    render_output=_render_output,
    parse_history=lambda text: tuple(map(int, text.split())),
    render_history=lambda history: " ".join(map(str, history)),
)
"""The notation of the toy system."""

WRITTEN_TOY: Final[System] = evolve(TOY, topics=lambda: (), notation=NOTATION)
"""The toy system with a notation, and without drafts in Python."""
