"""The answers of the operations on graphs, version maps and single snapshots, by the reference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import evolve

from rejoin import conflict_detection as cd
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.systems.conflict_detection.kinds import content_of


def follows(a: Mapping[str, Any], _: cd.Reading) -> bool:
    """Return whether one version follows another."""
    cd.check_known(a["versions"], a["later"], a["earlier"])
    return cd.follows(a["versions"], a["later"], a["earlier"])


def classify(a: Mapping[str, Any], reading: cd.Reading) -> cd.Classification:
    """Return the classification of a snapshot by the whole graph."""
    dag, local, remote = a["snapshots"], a["local"], a["remote"]
    cd.check_known(dag, remote, *(() if local is None else (local,)))
    return cd.classify_by_graph(reading, dag.__getitem__, local, remote)


def walk(a: Mapping[str, Any], reading: cd.Reading) -> Mapping[str, Any]:
    """Return the snapshots that a client fetches, and the classification."""
    dag, local, remote = a["snapshots"], a["local"], a["remote"]
    cached = {*a["cached"], *(() if local is None else (local,))}
    cd.check_known(dag, remote, *sorted(cached))
    downloaded = cd.fetch_for_poll(cached, dag.__getitem__, local, remote).downloaded
    known = {*cached, *downloaded}
    found = cd.classify_by_graph(
        reading, lambda each: [parent for parent in dag[each] if parent in known], local, remote
    )
    return {"downloaded": downloaded, "classification": found}


def purge(a: Mapping[str, Any], _: cd.Reading) -> Mapping[str, Any]:
    """Return the snapshots that a cache keeps, and their most recent common ancestors."""
    dag, currents = a["snapshots"], sorted({*a["currents"].values()})
    cd.check_known(dag, *currents)
    common = cd.most_recent_common_ancestors(dag.__getitem__, currents)
    kept = cd.snapshots_to_keep(dag.__getitem__, currents, common)
    return {"common_ancestors": common, "kept": kept}


def collect_garbage(a: Mapping[str, Any], _: cd.Reading) -> Any:
    """Return the snapshots that the grid still keeps."""
    leases: dict[str, int] = {}
    for renewal in a["renewals"]:
        cd.check_known(a["snapshots"], *renewal["links"])
    # The latest come first, because they leave less to the others.
    for renewal in sorted(a["renewals"], key=lambda each: -each["until"]):
        parents_of = a["snapshots"].__getitem__
        leases = cd.renewed(leases, parents_of, renewal["links"], renewal["until"])
    return cd.kept(leases, a["now"])


def snapshot_of(a: Mapping[str, Any]) -> cd.Snapshot:
    """Return the snapshot that the fields of an input describe."""
    content = a["content"]
    capability = None if content is None else cd.content_capability(content)
    snapshot = cd.new_snapshot(capability, a["parents"])
    return evolve(snapshot, author=a.get("author"), signature=a.get("signature"))


def snapshot_id(a: Mapping[str, Any], _: cd.Reading) -> Mapping[str, Any]:
    """Return the ID of a snapshot, its encoding, and the capability of its content."""
    snapshot = snapshot_of(a)
    return {
        "content_id": snapshot.content,
        "encoded": cd.encode_snapshot(snapshot),
        "id": cd.snapshot_capability(snapshot),
    }


def sign(a: Mapping[str, Any], _: cd.Reading) -> Mapping[str, Any]:
    """Return the signature of a snapshot, its author, and the ID of the signed snapshot."""
    signed = cd.sign_snapshot(snapshot_of(a), a["signing_key"])
    return {
        "author": signed.author or b"",
        "signature": signed.signature or b"",
        "id": cd.snapshot_capability(signed),
    }


def upload(a: Mapping[str, Any], reading: cd.Reading) -> cd.VersionMap:
    """Return the version map of an upload."""
    conflict_map: cd.VersionMap = {}
    for other, held in a["removed"].items():
        conflict_map = cd.conflict_map_after_conflict(conflict_map, other, held)
    resolved = cd.local_map_after_resolution(reading, a["local"], conflict_map, a["removed"])
    return cd.map_of_upload(resolved, a["nickname"])


def old_design(a: Mapping[str, Any], _: cd.Reading) -> list[Json]:
    """Return what the old design decides at each step, and what is required."""
    folder = cd.old_folder(a["clients"])
    done: list[Json] = []
    for step in a["steps"]:
        if "edit" in step:
            made = cd.old_edit(folder, step["client"], content_of(step["edit"]))
            polled = cd.OldPoll(made[0], operations=made[1])
        else:
            polled = cd.old_poll(folder, step["client"], step["poll"])
        folder = polled.folder
        done.append(
            {
                "classification": polled.classification and polled.classification.value,
                "required": polled.required and polled.required.value,
                "total": cd.total(polled.operations),
            }
        )
    return done
