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
from typing import Final

from rejoin_conformance.contract.rows import step_rows
from rejoin_conformance.contract.step import step_json
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.locations import text_beside
from rejoin_conformance.kit.phrases import Kind, Scanner
from rejoin_conformance.kit.schemas import TEXT, any_of, integer, list_of, nullable
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


_MARKS: Final[Mapping[str, Mapping[str, str]]] = {
    "fetch": {"CD-WALK-FIRST": "first", "CD-WALK-HELD": "held"},
    "classify": {"CD-CLASSIFY-FIRST": "first"},
    "reclassify": {"CD-OVERWRITE-UNSAVED": "unsaved", "CD-PATH-BLOCKED": "blocked"},
    "upload": {"CD-RESOLVE-PARENTS": "resolving"},
}
"""Type -> clause -> the word that tells the step from others of its type."""

_UNMARKED: Final[Mapping[str, Callable[[JsonObject], str]]] = {
    "look": lambda step: f"CD-POLL-{'NOTHING' if step['origin'] is None else 'SUBSCRIBED'}",
    "fetch": lambda step: f"CD-WALK-{'STOP' if step['origins'] else 'KNOWN'}",
    "classify": lambda step: f"CD-CLASSIFY-{str(step['classification']).upper()}",
    "upload": lambda step: "CD-DELETE-SNAPSHOT" if step["text"] is None else "CD-SNAPSHOT-EDIT",
}
"""Type -> the fields of a step without such a word -> its clause. Other types have one clause, or
always such a word."""


ROWS: Final = step_rows(text_beside(__name__), _KINDS, before={"number": _NUMBER})
STEPS: Final = list_of(any_of(*(row.schema() for row in ROWS.values())))
"""The schema of the steps of a scenario."""


def write_step(step: JsonObject) -> str:
    """Return the text of a step."""
    kind = str(step["step"])
    return ROWS[kind].write(step, mark=_MARKS.get(kind, {}).get(str(step["clause"]), ""))


def read_step(text: Scanner, number: int) -> JsonObject:
    """Take a step of the action with a number. Raises NotationError."""
    if text.next.text not in ROWS:
        text.fail(f"a step: {', '.join(ROWS)}")
    row = ROWS[text.take()]
    marks, unmarked = _MARKS.get(row.kind, {}), _UNMARKED.get(row.kind)
    clause = next((each for each, mark in marks.items() if text.takes(mark)), "")
    if not clause and marks and unmarked is None:
        text.fail(" or ".join(f"`{mark}`" for mark in marks.values()))
    found = row.phrase.read(text)
    if not clause:
        clause = row.clauses if unmarked is None else unmarked(found)
    return step_json(row.kind, clause, number=number, **{n: found[n] for n in row.words})
