"""The inputs and the steps of scenarios in short form, for the vectors about steps."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.step import step_json
from rejoin_conformance.kit.json_types import Json, JsonObject

CLASSIFIED: Final = {
    "first": ("CD-CLASSIFY-FIRST", "overwrite"),
    "overwrite": ("CD-CLASSIFY-OVERWRITE", "overwrite"),
    "conflict": ("CD-CLASSIFY-CONFLICT", "conflict"),
    "stale": ("CD-CLASSIFY-STALE", "stale"),
    "same": ("CD-CLASSIFY-SAME", "same"),
}
"""What a classify step shows -> the clause that it follows and the classification."""


def step(kind: str, clause: str, number: int, **fields: Json) -> JsonObject:
    """Return a step: its kind, the clause that it follows and the index of the action."""
    return step_json(kind, clause, number=number, **fields)


def upload(
    number: int, client: str, text: str | None, *follows: int, by: str = "", file: str = "foo"
) -> JsonObject:
    """Return the upload of a text, or of a deletion if `text` is None; `follows` lists origins."""
    clause = by or ("CD-DELETE-SNAPSHOT" if text is None else "CD-SNAPSHOT-EDIT")
    fields: JsonObject = {"client": client, "file": file, "follows": [*follows], "text": text}
    return step("upload", clause, number, **fields)


def look(number: int, client: str, other: str, origin: int | None, file: str = "foo") -> JsonObject:
    """Return a look at the path of another client, with the origin of the version there."""
    clause = "CD-POLL-NOTHING" if origin is None else "CD-POLL-SUBSCRIBED"
    return step("look", clause, number, client=client, other=other, file=file, origin=origin)


def fetch(number: int, why: str, *origins: int) -> JsonObject:
    """Return a fetch of the snapshots with these origins; `why` ends the ID of its clause."""
    return step("fetch", f"CD-WALK-{why}", number, origins=[*origins])


def classify(number: int, how: str) -> JsonObject:
    """Return a classification; `how` is a key of `CLASSIFIED`."""
    clause, classification = CLASSIFIED[how]
    return step("classify", clause, number, classification=classification)


def overwrite(number: int, text: str | None) -> JsonObject:
    """Return an overwrite of the local file."""
    return step("overwrite", "CD-OVERWRITE-APPLY", number, text=text)


def hold(number: int, text: str | None) -> JsonObject:
    """Return a step that keeps a version beside the file."""
    return step("hold", "CD-CONFLICT-APPLY", number, text=text)


def does(client: str, **action: Json) -> JsonObject:
    """Return an action of a client."""
    return {"client": client, **action}


def given(*steps: JsonObject, design: str = "snapshots", clients: str = "AB") -> JsonObject:
    """Return the input of a scenario."""
    return {"design": design, "clients": [*clients], "steps": [*steps]}


def output(*steps: JsonObject) -> JsonObject:
    """Return the output that lists these steps."""
    return {"steps": [*steps]}
