"""The steps of a scenario: each type of step is a row.

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

The steps come from the calls of named functions of the reference (`readings/tracing.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, Final, TypeAlias

from attrs import define, field, frozen

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.rows import StepRow, dumped
from rejoin_conformance.contract.step import step_json, step_schema, steps_schema
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.phrases import Kind, Scanner
from rejoin_conformance.kit.schemas import TEXT, integer, list_of, nullable
from rejoin_conformance.readings.tracing import Call
from rejoin_conformance.systems.conflict_detection.fields import CLASSIFICATION
from rejoin_conformance.systems.conflict_detection.ground_truth import key_of
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


_row = partial(ScenarioStepRow, kinds=_KINDS)

STEP_ROWS: Final = (
    _row(
        "look",
        "{client} {file} of {other:client} = {origin:version}",
        "CD-POLL-SUBSCRIBED CD-POLL-NOTHING",
        {
            "client": "The client that polls.",
            "other": "The client that is polled.",
            "file": "The path in the other client's directory.",
            "origin": "The index of the step that made the linked version, or null if nothing is "
            "linked.",
        },
        unmarked=lambda step: f"CD-POLL-{'NOTHING' if step['origin'] is None else 'SUBSCRIBED'}",
    ),
    _row(
        "fetch",
        "{origins:versions}",
        "CD-WALK-FIRST CD-WALK-KNOWN CD-WALK-STOP CD-WALK-HELD",
        {"origins": "The indices of the steps that made the fetched snapshots, sorted."},
        marks={"CD-WALK-FIRST": "first", "CD-WALK-HELD": "held"},
        unmarked=lambda step: f"CD-WALK-{'STOP' if step['origins'] else 'KNOWN'}",
    ),
    _row(
        "classify",
        "{classification}",
        "CD-CLASSIFY-FIRST CD-CLASSIFY-OVERWRITE CD-CLASSIFY-CONFLICT CD-CLASSIFY-STALE "
        "CD-CLASSIFY-SAME",
        {"classification": "The classification of the linked version."},
        marks={"CD-CLASSIFY-FIRST": "first"},
        unmarked=lambda step: f"CD-CLASSIFY-{str(step['classification']).upper()}",
    ),
    _row(
        "reclassify",
        "",
        "CD-OVERWRITE-UNSAVED CD-PATH-BLOCKED",
        marks={"CD-OVERWRITE-UNSAVED": "unsaved", "CD-PATH-BLOCKED": "blocked"},
    ),
    _row(
        "overwrite",
        "{text:local}",
        "CD-OVERWRITE-APPLY",
        {"text": "The new text of the local file, or null if it is removed."},
    ),
    _row(
        "hold",
        "{text:held}",
        "CD-CONFLICT-APPLY",
        {"text": "The text of the conflict file, or null if it has none."},
    ),
    _row("drop-link", "", "CD-DELETE-DROP-LINK"),
    _row(
        "upload",
        "{client} {file}{text:made}{follows:after}",
        "CD-SNAPSHOT-EDIT CD-DELETE-SNAPSHOT CD-RESOLVE-PARENTS",
        {
            "client": "The client that uploads.",
            "file": "The path of the file.",
            "follows": "The indices of the steps that made the versions that it directly follows, "
            "sorted.",
            "text": "The text of the new version, or null for a deletion.",
        },
        marks={"CD-RESOLVE-PARENTS": "resolving"},
        unmarked=lambda step: "CD-DELETE-SNAPSHOT" if step["text"] is None else "CD-SNAPSHOT-EDIT",
    ),
)
_ROWS: Final = {row.kind: row for row in STEP_ROWS}
STEPS: Final = steps_schema(*(row.schema() for row in STEP_ROWS))
"""The schema of the steps of a scenario."""


def write_step(step: JsonObject) -> str:
    """Return the text of a step."""
    return _ROWS[str(step["step"])].write(step)


def read_step(text: Scanner, number: int) -> JsonObject:
    """Take a step of the action with a number. Raises NotationError."""
    if text.next.text not in _ROWS:
        text.fail(f"a step: {', '.join(_ROWS)}")
    return _ROWS[text.take()].read(text, number)


# The steps of a scenario, from the calls of the reference.

_REFERENCE: Final = "rejoin.conflict_detection"
_WALKS: Final = f"{_REFERENCE}.snapshot_design.SnapshotDesign.find"
HOOKED: Final = (
    "rejoin_conformance.systems.conflict_detection.actions.act",
    f"{_REFERENCE}.directories_and_polling.poll_file",
    _WALKS,
    f"{_REFERENCE}.map_design.MapDesign.find",
    f"{_REFERENCE}.directories_and_polling.with_local_state",
    f"{_REFERENCE}.snapshot_design.SnapshotDesign.with_ancestors",
    f"{_REFERENCE}.local_changes.upload_version",
)
"""The functions whose calls tell the steps: each action, and what happens in it."""

_Told: TypeAlias = Iterator[tuple[str, str, dict[str, Any]]]
"""The type of a step, its clause, and its fields in Python."""


@define
class _Scenario:
    """The calls of a scenario.

    inner: call -> the calls that it made. made: (path, key of a version) -> the action that made
    the version.
    """

    inner: Mapping[Call | None, Sequence[Call]]
    made: dict[tuple[str, object], int] = field(factory=dict)

    def uploads(self, action: Call) -> Iterator[tuple[str, Any]]:
        """Yield the path and the version of each upload of an action."""
        for call in self.inner.get(action, ()):
            if call.name == "upload_version":
                version = cd.file_of(call.result.client, call["path"]).version
                if version is not None:  # a file that was made and deleted offline has none
                    yield call["path"], version

    def steps(self, call: Call) -> _Told:
        """Yield the steps of a look at a path, or of an upload."""
        return self._look(call) if call.name == "poll_file" else self._upload(call)

    def _look(self, call: Call) -> _Told:
        before, path, entry = call["draft"], call["path"], call["entry"]
        sides = {"client": before.client.nickname, "other": call["other"], "file": path}
        if entry is None:
            yield "look", "CD-POLL-NOTHING", {**sides, "origin": None}
        else:
            linked = entry.capability if entry.version_map is None else entry.version_map
            origin = self.made[path, key_of(linked)]
            yield "look", "CD-POLL-SUBSCRIBED", {**sides, "origin": origin}
        for each in self.inner.get(call, ()):
            yield from self._found(each, path)
        found, draft = call.result
        file = cd.file_of(draft.client, path)
        if found is cd.Classification.OVERWRITE:
            yield "overwrite", "CD-OVERWRITE-APPLY", {"text": file.content}
        if found is cd.Classification.CONFLICT:
            (held,) = cd.naming(file.conflicts, [call["other"]])
            yield "hold", "CD-CONFLICT-APPLY", {"text": held.content}
        if draft.entries.get(path, entry) is None and path in draft.entries:
            yield "drop-link", "CD-DELETE-DROP-LINK", {}

    def _found(self, call: Call, path: str) -> _Told:
        """Yield the steps of a call within a look."""
        if call.name == "find":
            first, found = call["current"] is None, call.result.classification
            if call.function == _WALKS:
                fetched = _fetched(call["cache"], call.result.cache)
                clause = "CD-WALK-STOP" if fetched else "CD-WALK-KNOWN"
                clause = "CD-WALK-FIRST" if first else clause
                yield "fetch", clause, {"origins": self._origins(path, fetched)}
            clause = "CD-CLASSIFY-FIRST" if first else f"CD-CLASSIFY-{found.value.upper()}"
            yield "classify", clause, {"classification": found}
        elif call.name == "with_ancestors":
            fetched = _fetched(call["found"].cache, call.result.cache)
            yield "fetch", "CD-WALK-HELD", {"origins": self._origins(path, fetched)}
        elif call.result is not call["found"].classification:
            unsaved = call["file"].waiting is not None
            yield "reclassify", "CD-OVERWRITE-UNSAVED" if unsaved else "CD-PATH-BLOCKED", {}

    def _upload(self, call: Call) -> _Told:
        path, removed = call["path"], call["removed"]
        if cd.file_of(call.result.client, path).version is None:
            return
        clause = "CD-DELETE-SNAPSHOT" if call["content"] is None else "CD-SNAPSHOT-EDIT"
        current = call["file"].version
        follows = [*(() if current is None else (current,)), *(each.version for each in removed)]
        yield (
            "upload",
            "CD-RESOLVE-PARENTS" if removed else clause,
            {
                "client": call["draft"].client.nickname,
                "file": path,
                "follows": self._origins(path, follows),
                "text": call["content"],
            },
        )

    def _origins(self, path: str, versions: Collection[object]) -> list[Json]:
        return [*sorted({self.made[path, key_of(version)] for version in versions})]


def steps_of(_value: JsonObject, calls: Sequence[Call]) -> list[Json]:
    """Return the steps of a scenario from the calls of the hooked functions."""
    inner: dict[Call | None, list[Call]] = {}
    for call in calls:
        inner.setdefault(call.within, []).append(call)
    scenario, steps = _Scenario(inner), list[Json]()
    for number, action in enumerate(inner.get(None, ())):
        for path, version in scenario.uploads(action):
            scenario.made.setdefault((path, key_of(version)), number)
        for call in sorted(inner.get(action, ()), key=lambda call: str(call["path"])):
            for kind, clause, fields in scenario.steps(call):
                steps.append(_ROWS[kind].json(clause, {"number": number, **fields}))
    return steps


def _fetched(before: cd.Cache, after: cd.Cache) -> Collection[bytes]:
    return after.snapshots.keys() - before.snapshots.keys()
