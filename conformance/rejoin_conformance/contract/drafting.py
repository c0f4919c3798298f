"""How authors write drafts of vectors in Python, in all systems: `accepted` and `refused`."""

from __future__ import annotations

from collections.abc import Mapping

from rejoin_conformance.contract.vector import EVERY_READING, Draft, Level, Scenario
from rejoin_conformance.kit.json_types import JsonObject


def accepted(
    operation: str,
    name: str,
    summary: str,
    clauses: str,
    *,
    given: JsonObject,
    output: JsonObject | None,
    otherwise: Mapping[str, JsonObject] | None = None,
    readings: tuple[str, ...] = (),
    level: Level = "must",
    scenario: Scenario | None = None,
) -> Draft:
    """A draft whose input every reading accepts.

    operation: the full name. clauses: IDs with spaces between. output: what the default reading
    answers; None if the reference is to fill it in. otherwise: reading -> what it answers, for the
    readings that answer something else. readings: those that the vector is for; empty means all.
    """
    return Draft(
        name=name,
        operation=operation,
        summary=summary,
        clauses=tuple(clauses.split()),
        input=given,
        level=level,
        output=output,
        output_by_reading=otherwise or {},
        readings_differ=bool(otherwise),
        readings=readings,
        scenario=scenario,
    )


def refused(
    operation: str,
    name: str,
    summary: str,
    clauses: str,
    *,
    given: JsonObject,
    mended: JsonObject,
    by: str = "",
    otherwise: Mapping[str, JsonObject] | None = None,
    readings: tuple[str, ...] = (),
    level: Level = "must",
    scenario: Scenario | None = None,
) -> Draft:
    """A draft whose input is refused for its one fault, and accepted once this is mended.

    operation, clauses, readings: as in `accepted`. mended: the input without its fault. by: the
    readings that refuse, with spaces between, if not all do. otherwise: reading -> what it
    answers, for the readings that accept the input.
    """
    return Draft(
        name=name,
        operation=operation,
        summary=summary,
        clauses=tuple(clauses.split()),
        input=given,
        level=level,
        output_by_reading=otherwise or {},
        rejected_by=tuple(by.split()) or EVERY_READING,
        mended=mended,
        readings_differ=bool(by),
        readings=readings,
        scenario=scenario,
    )
