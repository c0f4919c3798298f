"""Operations on version DAGs: the follows relation, and the design of snapshots without a grid."""

from __future__ import annotations

from typing import Final, cast

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.schemas import BOOLEAN, TEXT, integer, list_of, map_of, record
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.conflict_detection import READINGS
from rejoin_conformance.systems.conflict_detection.operations.features import OPEN_CACHES
from rejoin_conformance.systems.conflict_detection.operations.fields import (
    CLASSIFICATION,
    ID_OR_NULL,
    VERSIONS,
    dag_of,
    sorted_list,
    text_of,
    text_or_none,
    texts_of,
)

LARGEST_TIME: Final = 2**53 - 1


def _follows(value: JsonObject, _reading: cd.Reading) -> JsonObject:
    dag = dag_of(value, "versions")
    later, earlier = text_of(value, "later"), text_of(value, "earlier")
    cd.check_known(dag, later, earlier)
    return {"follows": cd.follows(dag, later, earlier)}


def _classify(value: JsonObject, reading: cd.Reading) -> JsonObject:
    dag = dag_of(value, "snapshots")
    local, remote = text_or_none(value, "local"), text_of(value, "remote")
    cd.check_known(dag, remote, *(() if local is None else (local,)))
    classification = cd.classify_by_graph(reading, dag.__getitem__, local, remote)
    return {"classification": classification.value}


def _walk(value: JsonObject, reading: cd.Reading) -> JsonObject:
    dag = dag_of(value, "snapshots")
    local, remote = text_or_none(value, "local"), text_of(value, "remote")
    own = () if local is None else (local,)
    cached = {*texts_of(value, "cached"), *own}
    cd.check_known(dag, remote, *sorted(cached))
    downloaded = cd.fetch_for_poll(cached, dag.__getitem__, local, remote).downloaded
    known = {*cached, *downloaded}
    classification = cd.classify_by_graph(
        reading,
        lambda snapshot: [parent for parent in dag[snapshot] if parent in known],
        local,
        remote,
    )
    return {"downloaded": sorted_list(downloaded), "classification": classification.value}


def _purge(value: JsonObject, _reading: cd.Reading) -> JsonObject:
    dag = dag_of(value, "snapshots")
    currents = sorted(set(cast("dict[str, str]", value["currents"]).values()))
    cd.check_known(dag, *currents)
    common = cd.most_recent_common_ancestors(dag.__getitem__, currents)
    keep = cd.snapshots_to_keep(dag.__getitem__, currents, common)
    return {"common_ancestors": sorted_list(common), "kept": sorted_list(keep)}


def _collect_garbage(value: JsonObject, _reading: cd.Reading) -> JsonObject:
    dag = dag_of(value, "snapshots")
    leases: dict[str, int] = {}
    for renewal in cast("list[JsonObject]", value["renewals"]):
        roots = texts_of(renewal, "links")
        cd.check_known(dag, *roots)
        leases = cd.renewed(leases, dag.__getitem__, roots, cast("int", renewal["until"]))
    return {"kept": sorted_list(cd.kept(leases, cast("int", value["now"])))}


FOLLOWS: Final = Operation(
    name="conflict-detection/follows",
    summary="Return whether one version follows another: the ground truth for both designs.",
    input_schema=record({"versions": VERSIONS, "later": TEXT, "earlier": TEXT}),
    output_schema=record({"follows": BOOLEAN}),
    perform=under(READINGS, _follows),
)

CLASSIFY_SNAPSHOT: Final = Operation(
    name="conflict-detection/classify-snapshot",
    summary=(
        "Classify another client's snapshot for a client whose current snapshot is `local`, or "
        "null "
        "if it has none. The input contains the whole graph."
    ),
    input_schema=record({"snapshots": VERSIONS, "local": ID_OR_NULL, "remote": TEXT}),
    output_schema=record({"classification": CLASSIFICATION}),
    perform=under(READINGS, _classify),
)

WALK: Final = Operation(
    name="conflict-detection/walk",
    summary=(
        "Return the snapshots that a client fetches to classify another client's snapshot, and the "
        "classification. The client has its own snapshot and the snapshots in `cached`, and can "
        "fetch any snapshot in `snapshots`."
    ),
    input_schema=record(
        {"snapshots": VERSIONS, "cached": list_of(TEXT), "local": ID_OR_NULL, "remote": TEXT}
    ),
    output_schema=record({"downloaded": list_of(TEXT), "classification": CLASSIFICATION}),
    perform=under(READINGS, _walk),
    features=(OPEN_CACHES,),
)

PURGE: Final = Operation(
    name="conflict-detection/purge",
    summary=(
        "Return the snapshots that a client's cache keeps of a graph, and the most recent common "
        "ancestors of all clients' snapshots. `currents` maps each client, itself included, to its "
        "snapshot."
    ),
    input_schema=record({"snapshots": VERSIONS, "currents": {**map_of(TEXT), "minProperties": 1}}),
    output_schema=record({"common_ancestors": list_of(TEXT), "kept": list_of(TEXT)}),
    perform=under(READINGS, _purge),
)

COLLECT_GARBAGE: Final = Operation(
    name="conflict-detection/collect-garbage",
    summary=(
        "Return the snapshots that the grid still keeps at the time `now`. Each renewal extends "
        "the "
        "leases of the snapshots that a client's directory links, and of all their ancestors, "
        "until "
        "the time `until`."
    ),
    input_schema=record(
        {
            "snapshots": VERSIONS,
            "renewals": list_of(
                record({"links": list_of(TEXT), "until": integer(0, LARGEST_TIME)})
            ),
            "now": integer(0, LARGEST_TIME),
        }
    ),
    output_schema=record({"kept": list_of(TEXT)}),
    perform=under(READINGS, _collect_garbage),
)
