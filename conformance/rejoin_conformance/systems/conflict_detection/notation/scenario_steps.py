"""Write the steps of a scenario, under the action that each belongs to.

    #4 A polls B
      look A foo of B = #2
      fetch #0 #2
      classify conflict
      hold b
    #5 A resolves foo=d against B
      upload A foo=d after #2 #3

`#2` is the version that action 2 of the scenario made; actions are counted from 0. `fetch first`
and `classify first` are about a client that has no version. `fetch held` is the fetch of further
ancestors for a conflict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rejoin_conformance.contract.notation import Example, WriteStep, WrittenStep
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.notation.steps import (
    names_every_file,
    spelled_step,
)
from rejoin_conformance.systems.conflict_detection.notation.words import spelled

_WORDS: Final[Mapping[str, str]] = {
    "CD-WALK-FIRST": " first",
    "CD-WALK-HELD": " held",
    "CD-CLASSIFY-FIRST": " first",
    "CD-OVERWRITE-UNSAVED": " unsaved",
    "CD-PATH-BLOCKED": " blocked",
}
"""The clause of a step -> the word that tells it from other steps of its type."""


def step_writer(example: Example) -> WriteStep:
    """Return the function that writes the steps of a scenario."""
    actions: Any = example.input["steps"]
    named = bool(names_every_file(actions))

    def write(step: JsonObject) -> WrittenStep:
        number: Any = step["number"]
        under = f"#{number} {spelled_step(actions[number], named=named)}"
        word = _WORDS.get(str(step["clause"]), "")
        return WrittenStep(f"{step['step']}{word}{_said(step)}", under)

    return write


def _said(step: Any) -> str:
    match step["step"]:
        case "look":
            seen = "nothing" if step["origin"] is None else _version(step["origin"])
            file, other = spelled(step["file"]), spelled(step["other"])
            return f" {spelled(step['client'])} {file} of {other} = {seen}"
        case "fetch":
            return f" {_versions(step['origins']) or 'nothing'}"
        case "classify":
            return f" {step['classification']}"
        case "overwrite":
            return f" {'deleted' if step['text'] is None else spelled(step['text'])}"
        case "hold":
            return f" {'nothing' if step['text'] is None else spelled(step['text'])}"
        case "upload":
            text = " deleted" if step["text"] is None else f"={spelled(step['text'])}"
            follows = f" after {_versions(step['follows'])}" if step["follows"] else ""
            return f" {spelled(step['client'])} {spelled(step['file'])}{text}{follows}"
        case "reclassify" | "drop-link":
            return ""
        case kind:
            raise ValueError(kind)


def _versions(numbers: Sequence[int]) -> str:
    return " ".join(map(_version, numbers))


def _version(number: int) -> str:
    return f"#{number}"
