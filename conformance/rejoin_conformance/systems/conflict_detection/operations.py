"""The operations of conflict detection: each one is a row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from attrs import evolve, field, frozen

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.feature import Feature
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.contract.rows import Row, untold
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.phrases import Kind
from rejoin_conformance.kit.schemas import (
    any_of,
    integer,
    list_of,
    nullable,
    one_of_texts,
    record,
)
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.readings.tracing import steps_by
from rejoin_conformance.systems.conflict_detection import READINGS
from rejoin_conformance.systems.conflict_detection.actions import FEATURES, fields_needing
from rejoin_conformance.systems.conflict_detection.fields import FIELDS, FOUND
from rejoin_conformance.systems.conflict_detection.kinds import KINDS, content_of
from rejoin_conformance.systems.conflict_detection.scenario import (
    DESIGNS,
    REPORTS,
    SCENARIO_FIELDS,
    STEPS_WORDS,
    play,
)
from rejoin_conformance.systems.conflict_detection.scenario import (
    OPERATIONS as COSTS,
)
from rejoin_conformance.systems.conflict_detection.steps import HOOKED, STEPS, steps_of

SYSTEM: Final = "conflict-detection"


@frozen(slots=False)
class GraphRow(Row):
    """An operation on a graph. graph: the field that lists its versions, before the question.

    order: the names of the other fields in the order of the JSON, if the text has another one.
    """

    graph: str = field(default="", kw_only=True)
    order: str = field(default="", kw_only=True)

    @property
    def takes(self) -> Mapping[str, Kind]:
        """Return the fields of the input: the graph, and the question."""
        asked = self.asks.fields
        names = self.order.split() or [*asked]
        graph = {self.graph: self.kinds[self.graph]} if self.graph else {}
        return graph | {name: asked[name] for name in names}


def _of_old_design(**said: JsonObject) -> Kind:
    return Kind(schema=list_of(record(said)), words=STEPS_WORDS)


_LISTED: Any = STEPS
_CLIENT, _TOTAL = KINDS["client"].described(), "The number of remote operations of the step."
_row: Final = partial(
    GraphRow,
    kinds={
        **FIELDS,
        **SCENARIO_FIELDS,
        "listed": Kind(schema=_LISTED["properties"]["steps"], words=STEPS_WORDS),
        "old-steps": Kind(
            schema=list_of(
                any_of(
                    *(
                        record({"client": _CLIENT, n: KINDS[n].described()})
                        for n in ("edit", "poll")
                    )
                )
            ),
            words=STEPS_WORDS,
        ),
        "old-reports": _of_old_design(
            classification={
                "description": "What the old design decides, or null.",
                **nullable(one_of_texts("overwrite", "conflict")),
            },
            required={
                "description": "What the definitions require, or null.",
                **nullable(one_of_texts(*FOUND)),
            },
            total={"description": _TOTAL, **integer(0, 2)},
        ),
    },
)


def _follows(a: Mapping[str, Any], _: cd.Reading) -> bool:
    cd.check_known(a["versions"], a["later"], a["earlier"])
    return cd.follows(a["versions"], a["later"], a["earlier"])


def _classify(a: Mapping[str, Any], reading: cd.Reading) -> cd.Classification:
    dag, local, remote = a["snapshots"], a["local"], a["remote"]
    cd.check_known(dag, remote, *(() if local is None else (local,)))
    return cd.classify_by_graph(reading, dag.__getitem__, local, remote)


def _walk(a: Mapping[str, Any], reading: cd.Reading) -> Mapping[str, Any]:
    dag, local, remote = a["snapshots"], a["local"], a["remote"]
    cached = {*a["cached"], *(() if local is None else (local,))}
    cd.check_known(dag, remote, *sorted(cached))
    downloaded = cd.fetch_for_poll(cached, dag.__getitem__, local, remote).downloaded
    known = {*cached, *downloaded}
    found = cd.classify_by_graph(
        reading, lambda each: [parent for parent in dag[each] if parent in known], local, remote
    )
    return {"downloaded": downloaded, "classification": found}


def _purge(a: Mapping[str, Any], _: cd.Reading) -> Mapping[str, Any]:
    dag, currents = a["snapshots"], sorted({*a["currents"].values()})
    cd.check_known(dag, *currents)
    common = cd.most_recent_common_ancestors(dag.__getitem__, currents)
    kept = cd.snapshots_to_keep(dag.__getitem__, currents, common)
    return {"common_ancestors": common, "kept": kept}


def _collect_garbage(a: Mapping[str, Any], _: cd.Reading) -> Any:
    leases: dict[str, int] = {}
    for renewal in a["renewals"]:
        cd.check_known(a["snapshots"], *renewal["links"])
    # The latest come first, because they leave less to the others.
    for renewal in sorted(a["renewals"], key=lambda each: -each["until"]):
        parents_of = a["snapshots"].__getitem__
        leases = cd.renewed(leases, parents_of, renewal["links"], renewal["until"])
    return cd.kept(leases, a["now"])


def _snapshot(a: Mapping[str, Any]) -> cd.Snapshot:
    content = a["content"]
    capability = None if content is None else cd.content_capability(content)
    snapshot = cd.new_snapshot(capability, a["parents"])
    return evolve(snapshot, author=a.get("author"), signature=a.get("signature"))


def _snapshot_id(a: Mapping[str, Any], _: cd.Reading) -> Mapping[str, Any]:
    snapshot = _snapshot(a)
    return {
        "content_id": snapshot.content,
        "encoded": cd.encode_snapshot(snapshot),
        "id": cd.snapshot_capability(snapshot),
    }


def _sign(a: Mapping[str, Any], _: cd.Reading) -> Mapping[str, Any]:
    signed = cd.sign_snapshot(_snapshot(a), a["signing_key"])
    return {
        "author": signed.author or b"",
        "signature": signed.signature or b"",
        "id": cd.snapshot_capability(signed),
    }


def _upload(a: Mapping[str, Any], reading: cd.Reading) -> cd.VersionMap:
    conflict_map: cd.VersionMap = {}
    for other, held in a["removed"].items():
        conflict_map = cd.conflict_map_after_conflict(conflict_map, other, held)
    resolved = cd.local_map_after_resolution(reading, a["local"], conflict_map, a["removed"])
    return cd.map_of_upload(resolved, a["nickname"])


def _old_design(a: Mapping[str, Any], _: cd.Reading) -> list[Json]:
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


# What an implementation can leave out.


def _has_open_cache(value: Any) -> bool:
    """Return whether a cached snapshot has a parent that is not cached."""
    parents = {each["id"]: each["parents"] for each in value["snapshots"]}
    held = {*value["cached"], *([] if value["local"] is None else [value["local"]])}
    return any(parent not in held for each in held for parent in parents.get(each, ()))


def _is_in_design(design: str, value: JsonObject) -> bool:
    return value["design"] == design


def _has_step(fields: frozenset[str], value: Any) -> bool:
    return any(not fields.isdisjoint(step) for step in value["steps"])


def _asks_for(report: str, value: Any) -> bool:
    return report in value.get("report", ())


def _without_report(report: str, value: Any) -> JsonObject:
    instead = REPORTS[report].instead if report in REPORTS else ""
    left = {*value["report"]} - {report} | {instead} - {""}
    return {**value, "report": sorted(left)}


def _features() -> Iterator[Feature]:
    """Yield the features of scenarios."""
    for name in DESIGNS:
        words = f"The design of {name.replace('-', ' ')}."
        yield Feature(name=name, summary=words, needed_by=partial(_is_in_design, name))
    for name, words in FEATURES.items():
        needs = partial(_has_step, fields_needing(name))
        yield Feature(name=name, summary=words, needed_by=needs)
    yield Feature(
        name="signing-keys",
        summary="Clients that sign with the keys in `signing_keys`.",
        needed_by=lambda value: "signing_keys" in value,
    )
    reports = {name: each.summary for name, each in REPORTS.items()}
    for name, words in {
        COSTS: "The report of the numbers of remote operations.",
        **reports,
    }.items():
        yield Feature(
            name=f"report-{name.replace('_', '-')}",
            summary=words,
            needed_by=partial(_asks_for, name),
            reduced=partial(_without_report, name),
        )


_SCENARIO_FEATURES: Final = tuple(_features())


def _step_words(value: Any) -> Sequence[str]:
    """Return the action of each step of a scenario."""
    others = {"client", "file", "forged", "stops"}
    return [next((name for name in step if name not in others), "") for step in value["steps"]]


_SCENARIO: Final = "design clients steps|report signing_keys"
_CLASSIFIES: Final = "ours {local}   theirs {remote} = {classification}"

ROWS: Final = {
    row.name: row
    for row in (
        _row(
            "follows",
            "{later} follows {earlier} = {follows}",
            "Return whether one version follows another: the ground truth for both designs.",
            _follows,
            graph="versions",
        ),
        _row(
            "classify-snapshot",
            _CLASSIFIES,
            "Classify another client's snapshot for a client whose current snapshot is `local`, or "
            "null if it has none. The input contains the whole graph.",
            _classify,
            graph="snapshots",
        ),
        _row(
            "walk",
            "ours {local}   cached {cached}   theirs {remote} "
            "= downloads {downloaded}   {classification}",
            "Return the snapshots that a client fetches to classify another client's snapshot, and "
            "the classification. The client has its own snapshot and the snapshots in `cached`, "
            "and can fetch any snapshot in `snapshots`.",
            _walk,
            (
                Feature(
                    name="open-caches",
                    summary="Caches that hold a snapshot and do not hold one of its parents.",
                    needed_by=_has_open_cache,
                ),
            ),
            graph="snapshots",
            order="cached local remote",
        ),
        _row(
            "purge",
            "clients {currents} = common {common_ancestors}   keeps {kept}",
            "Return the snapshots that a client's cache keeps of a graph, and the most recent "
            "common ancestors of all clients' snapshots. `currents` maps each client, itself "
            "included, to its snapshot.",
            _purge,
            graph="snapshots",
        ),
        _row(
            "collect-garbage",
            "{renewals}kept at {now} = {kept}",
            "Return the snapshots that the grid still keeps at the time `now`. Each renewal "
            "extends the leases of the snapshots that a client's directory links, and of all "
            "their ancestors, until the time `until`.",
            _collect_garbage,
            graph="snapshots",
        ),
        _row(
            "snapshot-id",
            untold("content parents", "content_id encoded id"),
            "Return the ID of a snapshot with the given content (the file's bytes, null for a "
            "deletion) and parents, its encoding, and the capability of the content.",
            _snapshot_id,
        ),
        _row(
            "sign-snapshot",
            untold("content parents signing_key", "author signature id"),
            "Sign a snapshot with the 32-byte seed of an Ed25519 key.",
            _sign,
        ),
        _row(
            "verify-snapshot",
            untold("content parents|author signature", "valid"),
            "Return whether a snapshot has a valid signature of its author.",
            lambda a, _: cd.is_signature_valid(_snapshot(a)),
        ),
        _row(
            "classify-version-map",
            "ours {local:local-map-or-none}   theirs {remote:remote-map} = {classification}",
            "Classify a version with the map `remote` for a client whose local version map is "
            "`local`, or null if it has no version of the file.",
            lambda a, reading: cd.classify_by_maps(reading, a["local"], a["remote"]),
        ),
        _row(
            "join-version-maps",
            "join {maps} = {map}",
            "Return the least version map that follows or equals all given version maps.",
            lambda a, _: cd.join(a["maps"]),
        ),
        _row(
            "upload-version-map",
            "{nickname} uploads from {local:local-map}[   resolving {removed}] = {map}",
            "Return the version map of a client's next upload, after its user removed the conflict "
            "files of the clients in `removed` (client -> map of the version in its conflict "
            "file).",
            _upload,
        ),
        _row(
            "scenario",
            untold(_SCENARIO, "steps:reports"),
            "Let clients edit, poll, resolve, delete and so on, step by step. Return for each step "
            "the classification of the poll, and the files of every client after the step. All "
            "clients subscribe to each other at the start. If a step is not possible, the whole "
            "scenario is rejected, also the steps before it. `report` lists more fields to report "
            "for each step. Each of them has every client, if only with an empty object.",
            play,
            _SCENARIO_FEATURES,
            step_words=_step_words,
        ),
        _row(
            "scenario-steps",
            untold(_SCENARIO, "steps:listed"),
            "List the steps of the actions of the operation `scenario`: what each poll sees, "
            "fetches, finds and does, and what each change uploads. This operation is optional. "
            "The field `report` has no effect. The steps after a `look` belong to this look.",
            play,
            _SCENARIO_FEATURES,
            steps_of="scenario",
        ),
        _row(
            "old-design",
            untold("clients steps:old-steps", "steps:old-reports"),
            "Play clients of the old design, which is the baseline of both designs, with one file. "
            "Return for each step what the old design decides, what the definitions require, and "
            "the number of remote operations. This operation is optional. Both decisions are null "
            "for an edit, and for a poll that finds nothing new.",
            _old_design,
        ),
    )
}


def _operation(row: Row) -> Operation:
    operation = row.operation(SYSTEM, lambda answer: under(READINGS, answer))
    if not operation.steps_of:
        return operation
    return evolve(operation, perform=steps_by(operation.steps_of, HOOKED, steps_of))


OPERATIONS: Final[tuple[Operation, ...]] = tuple(map(_operation, ROWS.values()))
SCENARIO_STEPS: Final = next(each for each in OPERATIONS if each.steps_of)
"""The operation that lists the steps of a scenario."""
