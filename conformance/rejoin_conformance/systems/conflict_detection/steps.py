"""The steps of a scenario as JSON: a version is the index of the scenario's step that made it."""

from __future__ import annotations

from typing import Final

from attrs import define, field

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.step import step_json, step_schema, steps_schema
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.schemas import TEXT, integer, list_of, nullable
from rejoin_conformance.systems.conflict_detection.operations.fields import CLASSIFICATION
from rejoin_conformance.systems.conflict_detection.operations.scenario_report import (
    Origins,
    text_of_content,
)

_INDEX: Final = integer(0)
_NUMBER: Final = (_INDEX, "The index of the scenario's step, from 0.")

STEPS: Final = steps_schema(
    step_schema(
        "look",
        "CD-POLL-SUBSCRIBED CD-POLL-NOTHING",
        number=_NUMBER,
        client=(TEXT, "The client that polls."),
        other=(TEXT, "The client that is polled."),
        file=(TEXT, "The path in the other client's directory."),
        origin=(
            nullable(_INDEX),
            "The index of the step that made the linked version, or null if nothing is linked.",
        ),
    ),
    step_schema(
        "fetch",
        "CD-WALK-FIRST CD-WALK-KNOWN CD-WALK-STOP CD-WALK-HELD",
        number=_NUMBER,
        origins=(
            list_of(_INDEX),
            "The indices of the steps that made the fetched snapshots, sorted.",
        ),
    ),
    step_schema(
        "classify",
        "CD-CLASSIFY-FIRST CD-CLASSIFY-OVERWRITE CD-CLASSIFY-CONFLICT CD-CLASSIFY-STALE "
        "CD-CLASSIFY-SAME",
        number=_NUMBER,
        classification=(CLASSIFICATION, "The classification of the linked version."),
    ),
    step_schema("reclassify", "CD-OVERWRITE-UNSAVED CD-PATH-BLOCKED", number=_NUMBER),
    step_schema(
        "overwrite",
        "CD-OVERWRITE-APPLY",
        number=_NUMBER,
        text=(nullable(TEXT), "The new text of the local file, or null if it is removed."),
    ),
    step_schema(
        "hold",
        "CD-CONFLICT-APPLY",
        number=_NUMBER,
        text=(nullable(TEXT), "The text of the conflict file, or null if it has none."),
    ),
    step_schema("drop-link", "CD-DELETE-DROP-LINK", number=_NUMBER),
    step_schema(
        "upload",
        "CD-SNAPSHOT-EDIT CD-DELETE-SNAPSHOT CD-RESOLVE-PARENTS",
        number=_NUMBER,
        client=(TEXT, "The client that uploads."),
        file=(TEXT, "The path of the file."),
        follows=(
            list_of(_INDEX),
            "The indices of the steps that made the versions that it directly follows, sorted.",
        ),
        text=(nullable(TEXT), "The text of the new version, or null for a deletion."),
    ),
)
"""The schema of the steps of a scenario."""


@define
class StepsInJson:
    """The steps of a scenario so far, as JSON. _path: the path of the last look."""

    origins: Origins
    steps: list[Json] = field(factory=list)
    _path: str = ""

    def add(self, number: int, step: cd.ActionStep) -> None:
        """Add a step that an action of the scenario's step `number` noted."""
        if isinstance(step, cd.LookStep):
            self._path = step.path
        kind, fields = self._fields(step)
        self.steps.append(step_json(kind, step.clause, number=number, **fields))

    def _fields(self, step: cd.ActionStep) -> tuple[str, JsonObject]:
        match step:
            case cd.LookStep(client=client, other=other, path=path, version=version):
                origin = None if version is None else self.origins.of(path, version)
                return "look", {"client": client, "other": other, "file": path, "origin": origin}
            case cd.FetchStep(fetched=fetched):
                return "fetch", {"origins": self._origins(self._path, fetched)}
            case cd.ClassifyStep(classification=classification):
                return "classify", {"classification": classification.value}
            case cd.ReclassifyStep():
                return "reclassify", {}
            case cd.OverwriteStep(content=content):
                return "overwrite", {"text": _text(content)}
            case cd.HoldStep(content=content):
                return "hold", {"text": _text(content)}
            case cd.DropLinkStep():
                return "drop-link", {}
            case cd.UploadStep(client=client, path=path, follows=follows, content=content):
                return "upload", {
                    "client": client,
                    "file": path,
                    "follows": self._origins(path, follows),
                    "text": _text(content),
                }

    def _origins(self, path: str, versions: object) -> list[Json]:
        assert isinstance(versions, frozenset | tuple)
        return [*sorted({self.origins.of(path, version) for version in versions})]


def _text(content: bytes | None) -> str | None:
    return None if content is None else text_of_content(content)
