"""The operations of conflict detection: each one is a row of `operations.txt`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, Final

from attrs import field, frozen

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.operation import Feature
from rejoin_conformance.contract.rows import Row
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.locations import table, text_beside
from rejoin_conformance.kit.phrases import Kind, Phrase
from rejoin_conformance.kit.schemas import any_of, integer, list_of, nullable, one_of_texts, record
from rejoin_conformance.readings.tracing import operations
from rejoin_conformance.systems.conflict_detection import READINGS, evaluations
from rejoin_conformance.systems.conflict_detection.actions import FEATURES, fields_needing
from rejoin_conformance.systems.conflict_detection.fields import FIELDS, FOUND
from rejoin_conformance.systems.conflict_detection.kinds import KINDS
from rejoin_conformance.systems.conflict_detection.reports import OPERATIONS as COSTS
from rejoin_conformance.systems.conflict_detection.reports import REPORTS
from rejoin_conformance.systems.conflict_detection.scenario import (
    DESIGNS,
    SCENARIO_FIELDS,
    STEPS_WORDS,
    play,
)
from rejoin_conformance.systems.conflict_detection.step_calls import HOOKED, steps_of
from rejoin_conformance.systems.conflict_detection.steps import STEPS


def has_open_cache(value: Any) -> bool:
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


SCENARIO_FEATURES: Final = tuple(_features())


def step_words(value: Any) -> Sequence[str]:
    """Return the action of each step of a scenario."""
    others = {"client", "file", "forged", "stops"}
    return [next((name for name in step if name not in others), "") for step in value["steps"]]


SYSTEM: Final = "conflict-detection"


@frozen(slots=False)
class GraphRow(Row):
    """An operation on a graph. graph: the field that lists its versions, before the question.

    gives: the fields of the output, if the text states others, from which they follow.
    """

    graph: str = field(default="", kw_only=True)
    gives: str = field(default="", kw_only=True)

    @cached_property
    def answers(self) -> Phrase:
        """Return the phrase of the output."""
        return Phrase(self.gives, self.kinds) if self.gives else self.tells

    @cached_property
    def tells(self) -> Phrase:
        """Return the phrase of the answer in a text."""
        return Phrase(f" {self.template}".partition(" = ")[2].strip(), self.kinds)

    @property
    def takes(self) -> Mapping[str, Kind]:
        """Return the fields of the input: the graph, and the question."""
        graph = {self.graph: self.kinds[self.graph]} if self.graph else {}
        return {**graph, **super().takes}


def _of_old_design(**said: JsonObject) -> Kind:
    return Kind(schema=list_of(record(said)), words=STEPS_WORDS)


_CLIENT, _TOTAL = KINDS["client"].described(), "The number of remote operations of the step."
_row: Final = partial(
    GraphRow,
    kinds={
        **FIELDS,
        **SCENARIO_FIELDS,
        "listed": Kind(schema=STEPS, words=STEPS_WORDS),
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


_DOES: Final[Mapping[str, Callable[[Any, cd.Reading], Any]]] = {
    "follows": evaluations.follows,
    "classify-snapshot": evaluations.classify,
    "walk": evaluations.walk,
    "purge": evaluations.purge,
    "collect-garbage": evaluations.collect_garbage,
    "snapshot-id": evaluations.snapshot_id,
    "sign-snapshot": evaluations.sign,
    "verify-snapshot": lambda a, _: cd.is_signature_valid(evaluations.snapshot_of(a)),
    "classify-version-map": lambda a, reading: cd.classify_by_maps(
        reading, a["local"], a["remote"]
    ),
    "join-version-maps": lambda a, _: cd.join(a["maps"]),
    "upload-version-map": evaluations.upload,
    "scenario": play,
    "scenario-steps": play,
    "old-design": evaluations.old_design,
}
_OPEN_CACHES: Final = Feature(
    name="open-caches",
    summary="Caches that hold a snapshot and do not hold one of its parents.",
    needed_by=has_open_cache,
)
_MORE: Final[Mapping[str, Mapping[str, Any]]] = {
    "walk": {"features": (_OPEN_CACHES,)},
    "scenario": {"features": SCENARIO_FEATURES, "step_words": step_words},
    "scenario-steps": {"features": SCENARIO_FEATURES},
}
"""What further fields of rows say about some operations."""

ROWS: Final[Mapping[str, GraphRow]] = {
    name: _row(name, template, does=_DOES[name], **fields, **_MORE.get(name, {}))
    for name, template, fields in table(text_beside(__name__))
}


OPERATIONS: Final = operations(SYSTEM, ROWS.values(), READINGS, HOOKED, steps_of)
SCENARIO_STEPS: Final = next(each for each in OPERATIONS if each.steps_of)
"""The operation that lists the steps of a scenario."""
