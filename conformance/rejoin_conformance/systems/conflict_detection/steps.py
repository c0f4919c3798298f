"""The steps of a scenario: each type of step is a row of `steps.txt`.

    #4 A polls B
      look A foo of B = #2
      fetch #0 #2
      classify conflict
      hold b
    #5 A resolves foo=d against B
      upload resolving A foo=d after #2 #3

`#2` is the version that action 2 of the scenario made; actions are counted from 0. `fetch first`
and `classify first` are about a client that has no version. `fetch held` is the fetch of further
ancestors for a conflict.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import starmap
from typing import Any, Final

from attrs import field, frozen

from rejoin_conformance.contract.rows import StepRow, dumped
from rejoin_conformance.contract.step import step_json, step_schema, steps_schema
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.locations import table, text_beside
from rejoin_conformance.kit.phrases import Kind, Scanner
from rejoin_conformance.kit.schemas import TEXT, integer, list_of, nullable
from rejoin_conformance.systems.conflict_detection.fields import CLASSIFICATION
from rejoin_conformance.systems.conflict_detection.kinds import KINDS, text_of, valued
from rejoin_conformance.systems.conflict_detection.segments import whole

_INDEX: Final = integer(0)
_NUMBER: Final = Kind(schema=_INDEX, words="The index of the scenario's step, from 0.")


def _versions(numbers: Sequence[int]) -> str:
    return " ".join(f"#{number}" for number in numbers) or "nothing"


def _read_version(text: Scanner) -> int:
    text.need("#")
    return whole(text, "the number of an action")


def _read_versions(text: Scanner) -> list[Json]:
    if text.takes("nothing"):
        return []
    found: list[Json] = [_read_version(text)]
    while text.would_take("#"):
        found.append(_read_version(text))
    return found


def _text(nothing: str, before: str = "") -> Kind:
    """Return the kind of a file's content. nothing: its text if there is no file."""
    read = valued if before else KINDS["text"].read
    return Kind(
        schema=nullable(TEXT),
        read=lambda text: None if text.takes(nothing.strip()) else read(text),
        write=lambda text, _: nothing if text is None else before + KINDS["text"].write(text, None),
        dump=lambda content, _: None if content is None else text_of(content),
    )


_KINDS: Final[Mapping[str, Kind]] = {
    **KINDS,
    "version": Kind(
        schema=nullable(_INDEX),
        read=lambda text: None if text.takes("nothing") else _read_version(text),
        write=lambda number, _: _versions([] if number is None else [number]),
    ),
    "versions": Kind(
        schema=list_of(_INDEX), read=_read_versions, write=lambda numbers, _: _versions(numbers)
    ),
    "after": Kind(
        schema=list_of(_INDEX),
        read=lambda text: _read_versions(text) if text.takes("after") else [],
        write=lambda numbers, _: f" after {_versions(numbers)}" if numbers else "",
    ),
    "classification": CLASSIFICATION,
    "local": _text("deleted"),
    "held": _text("nothing"),
    "made": _text(" deleted", "="),
}


@frozen(slots=False)
class ScenarioStepRow(StepRow):
    """A step of a scenario.

    marks: clause -> the word that tells it from others of this type. unmarked: the fields of a step
    without such a word -> its clause; None if there is no such step, or the only clause.
    """

    marks: Mapping[str, str] = field(factory=dict, kw_only=True)
    unmarked: Callable[[JsonObject], str] | None = field(default=None, kw_only=True)

    @cached_property
    def fields(self) -> dict[str, Kind]:
        """Return the fields of the JSON in order: the number of the action, then as in `words`."""
        return {"number": _NUMBER} | {name: self.phrase.fields[name] for name in self.words}

    def schema(self, context: Any = None) -> JsonObject:
        """Return the schema of the step."""
        words = {**self.words, "number": _NUMBER.words}
        described = {
            name: (kind.schema(context), words[name]) for name, kind in self.fields.items()
        }
        return step_schema(self.kind, self.clauses, **described)

    def json(self, clause: str, value: Any, context: Any = None) -> JsonObject:
        """Return a step as JSON. value: its fields in Python."""
        return step_json(self.kind, clause, **dumped(value, self.fields, context))

    def write(self, step: JsonObject) -> str:
        """Return the text of a step."""
        mark = self.marks.get(str(step["clause"]), "")
        return " ".join(filter(None, (self.kind, mark, self.phrase.write(step))))

    def read(self, text: Scanner, number: int) -> JsonObject:
        """Take a step of an action after the word of its type. Raises NotationError."""
        clause = next((each for each, mark in self.marks.items() if text.takes(mark)), "")
        if not clause and self.marks and self.unmarked is None:
            text.fail(" or ".join(f"`{mark}`" for mark in self.marks.values()))
        found = self.phrase.read(text)
        if not clause:
            clause = self.clauses if self.unmarked is None else self.unmarked(found)
        return step_json(self.kind, clause, number=number, **{n: found[n] for n in self.words})


_MARKS: Final[Mapping[str, Mapping[str, str]]] = {
    "fetch": {"CD-WALK-FIRST": "first", "CD-WALK-HELD": "held"},
    "classify": {"CD-CLASSIFY-FIRST": "first"},
    "reclassify": {"CD-OVERWRITE-UNSAVED": "unsaved", "CD-PATH-BLOCKED": "blocked"},
    "upload": {"CD-RESOLVE-PARENTS": "resolving"},
}
_UNMARKED: Final[Mapping[str, Callable[[JsonObject], str]]] = {
    "look": lambda step: f"CD-POLL-{'NOTHING' if step['origin'] is None else 'SUBSCRIBED'}",
    "fetch": lambda step: f"CD-WALK-{'STOP' if step['origins'] else 'KNOWN'}",
    "classify": lambda step: f"CD-CLASSIFY-{str(step['classification']).upper()}",
    "upload": lambda step: "CD-DELETE-SNAPSHOT" if step["text"] is None else "CD-SNAPSHOT-EDIT",
}


def _row(kind: str, template: str, words: dict[str, str]) -> ScenarioStepRow:
    marks, unmarked = _MARKS.get(kind, {}), _UNMARKED.get(kind)
    clauses = words.pop("clauses")
    return ScenarioStepRow(
        kind, template, clauses, words, marks=marks, unmarked=unmarked, kinds=_KINDS
    )


STEPROWS: Final = (*starmap(_row, table(text_beside(__name__))),)
ROWS: Final = {row.kind: row for row in STEPROWS}
STEPS: Final = steps_schema(*(row.schema() for row in STEPROWS))
"""The schema of the steps of a scenario."""


def write_step(step: JsonObject) -> str:
    """Return the text of a step."""
    return ROWS[str(step["step"])].write(step)


def read_step(text: Scanner, number: int) -> JsonObject:
    """Take a step of the action with a number. Raises NotationError."""
    if text.next.text not in ROWS:
        text.fail(f"a step: {', '.join(ROWS)}")
    return ROWS[text.take()].read(text, number)
