"""The steps of a scenario, from the calls of named functions of the reference.

`readings/tracing.py` takes the calls.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from attrs import define, field

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.rows import dumped
from rejoin_conformance.contract.step import step_json
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.readings.tracing import Call
from rejoin_conformance.systems.conflict_detection.ground_truth import key_of
from rejoin_conformance.systems.conflict_detection.steps import ROWS

_REFERENCE: Final = "rejoin.conflict_detection"
_WALKS: Final = f"{_REFERENCE}.snapshot_design.SnapshotDesign.find"
HOOKED: Final = (
    "rejoin_conformance.systems.conflict_detection.acting.act",
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
                told = dumped({"number": number, **fields}, ROWS[kind].fields)
                steps.append(step_json(kind, clause, **told))
    return steps


def _fetched(before: cd.Cache, after: cd.Cache) -> Collection[bytes]:
    return after.snapshots.keys() - before.snapshots.keys()
