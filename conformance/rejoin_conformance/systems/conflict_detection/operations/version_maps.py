"""Operations on version maps: the design of version maps without a grid."""

from __future__ import annotations

from typing import Final, cast

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.schemas import TEXT, list_of, map_of, record
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.conflict_detection import READINGS
from rejoin_conformance.systems.conflict_detection.operations.fields import (
    CLASSIFICATION,
    MAP_OR_NULL,
    VERSION_MAP,
    map_of_versions,
    text_of,
)


def json_of_map(version_map: cd.VersionMap) -> JsonObject:
    """Return a version map as JSON, sorted by nickname."""
    return {**dict(sorted(version_map.items()))}


def _classify(value: JsonObject, reading: cd.Reading) -> JsonObject:
    local = None if value["local"] is None else map_of_versions(value["local"])
    remote = map_of_versions(value["remote"])
    return {"classification": cd.classify_by_maps(reading, local, remote).value}


def _join(value: JsonObject, _reading: cd.Reading) -> JsonObject:
    maps = [map_of_versions(each) for each in cast("list[JsonObject]", value["maps"])]
    return {"map": json_of_map(cd.join(maps))}


def _upload(value: JsonObject, reading: cd.Reading) -> JsonObject:
    nickname = text_of(value, "nickname")
    cd.check_nickname(nickname)
    local = map_of_versions(value["local"])
    removed = {
        other: map_of_versions(held)
        for other, held in cast("JsonObject", value.get("removed", {})).items()
    }
    for other in removed:
        cd.check_nickname(other)
    conflict_map: cd.VersionMap = {}
    for other, held in removed.items():
        conflict_map = cd.conflict_map_after_conflict(conflict_map, other, held)
    resolved = cd.local_map_after_resolution(reading, local, conflict_map, removed)
    return {"map": json_of_map(cd.map_of_upload(resolved, nickname))}


CLASSIFY_VERSION_MAP: Final = Operation(
    name="conflict-detection/classify-version-map",
    summary=(
        "Classify a version with the map `remote` for a client whose local version map is `local`, "
        "or null if it has no version of the file."
    ),
    input_schema=record({"local": MAP_OR_NULL, "remote": VERSION_MAP}),
    output_schema=record({"classification": CLASSIFICATION}),
    perform=under(READINGS, _classify),
)

JOIN_VERSION_MAPS: Final = Operation(
    name="conflict-detection/join-version-maps",
    summary="Return the least version map that follows or equals all given version maps.",
    input_schema=record({"maps": list_of(VERSION_MAP)}),
    output_schema=record({"map": VERSION_MAP}),
    perform=under(READINGS, _join),
)

UPLOAD_VERSION_MAP: Final = Operation(
    name="conflict-detection/upload-version-map",
    summary=(
        "Return the version map of a client's next upload, after its user removed the conflict "
        "files "
        "of the clients in `removed` (client -> map of the version in its conflict file)."
    ),
    input_schema=record({"nickname": TEXT, "local": VERSION_MAP}, {"removed": map_of(VERSION_MAP)}),
    output_schema=record({"map": VERSION_MAP}),
    perform=under(READINGS, _upload),
)
