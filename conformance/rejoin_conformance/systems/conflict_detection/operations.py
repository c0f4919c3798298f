"""The operations of conflict detection: each one is a row."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from attrs import evolve, field, frozen

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.feature import Feature
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.contract.rows import Row, untold
from rejoin_conformance.kit.json_types import JsonObject
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
from rejoin_conformance.systems.conflict_detection import READINGS, evaluations
from rejoin_conformance.systems.conflict_detection.features import (
    SCENARIO_FEATURES,
    has_open_cache,
    step_words,
)
from rejoin_conformance.systems.conflict_detection.fields import FIELDS, FOUND
from rejoin_conformance.systems.conflict_detection.kinds import KINDS
from rejoin_conformance.systems.conflict_detection.scenario import (
    SCENARIO_FIELDS,
    STEPS_WORDS,
    play,
)
from rejoin_conformance.systems.conflict_detection.step_calls import HOOKED, steps_of
from rejoin_conformance.systems.conflict_detection.steps import STEPS

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
                        record({"client": _CLIENT, n: kind.described()})
                        for n, kind in (
                            ("edit", KINDS["edit"].saying("The new text of the file.")),
                            ("poll", KINDS["poll"]),
                        )
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
                "description": "What the definitions require, or null: `stale` also in `literal`.",
                **nullable(one_of_texts(*FOUND)),
            },
            total={"description": _TOTAL, **integer(0, 2)},
        ),
    },
)


_SCENARIO: Final = "design clients steps|report signing_keys"
_CLASSIFIES: Final = "ours {local}   theirs {remote} = {classification}"

ROWS: Final = {
    row.name: row
    for row in (
        _row(
            "follows",
            "{later} follows {earlier} = {follows}",
            "Return whether one version follows another: the ground truth for both designs.",
            evaluations.follows,
            graph="versions",
        ),
        _row(
            "classify-snapshot",
            _CLASSIFIES,
            "Classify another client's snapshot for a client whose current snapshot is `local`, or "
            "null if it has none. The input contains the whole graph.",
            evaluations.classify,
            graph="snapshots",
        ),
        _row(
            "walk",
            "ours {local}   cached {cached}   theirs {remote} "
            "= downloads {downloaded}   {classification}",
            "Return the snapshots that a client fetches to classify another client's snapshot, and "
            "the classification. The client has its own snapshot and the snapshots in `cached`, "
            "and can fetch any snapshot in `snapshots`. It classifies by what it has after the "
            "walk: behind a snapshot that it does not have, it knows no ancestors.",
            evaluations.walk,
            (
                Feature(
                    name="open-caches",
                    summary="Caches that hold a snapshot and do not hold one of its parents.",
                    needed_by=has_open_cache,
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
            evaluations.purge,
            graph="snapshots",
        ),
        _row(
            "collect-garbage",
            "{renewals}kept at {now} = {kept}",
            "Return the snapshots that the grid still keeps at the time `now`. Each renewal "
            "extends the leases of the snapshots that a client's directory links, and of all "
            "their ancestors, until the time `until`.",
            evaluations.collect_garbage,
            graph="snapshots",
        ),
        _row(
            "snapshot-id",
            untold("content parents", "content_id encoded id"),
            "Return the ID of a snapshot with the given content (the file's bytes, null for a "
            "deletion) and parents, its encoding, and the capability of the content.",
            evaluations.snapshot_id,
        ),
        _row(
            "sign-snapshot",
            untold("content parents signing_key", "author signature id"),
            "Sign a snapshot with the 32-byte seed of an Ed25519 key.",
            evaluations.sign,
        ),
        _row(
            "verify-snapshot",
            untold("content parents|author signature", "valid"),
            "Return whether a snapshot has a valid signature of its author.",
            lambda a, _: cd.is_signature_valid(evaluations.snapshot_of(a)),
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
            evaluations.upload,
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
            SCENARIO_FEATURES,
            step_words=step_words,
        ),
        _row(
            "scenario-steps",
            untold(_SCENARIO, "steps:listed"),
            "List the steps of the actions of the operation `scenario`: what each poll sees, "
            "fetches, finds and does, and what each change uploads. This operation is optional. "
            "The field `report` affects only the size of the scenario, which is limited. The steps "
            "after a `look` belong to this look.",
            play,
            SCENARIO_FEATURES,
            steps_of="scenario",
        ),
        _row(
            "old-design",
            untold("clients steps:old-steps", "steps:old-reports"),
            "Play clients of the old design, which is the baseline of both designs, with one file. "
            "Return for each step what the old design decides, what the definitions require, and "
            "the number of remote operations. This operation is optional. Both decisions are null "
            "for an edit, and for a poll that finds nothing new.",
            evaluations.old_design,
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
