"""The functions with which authors write drafts of vectors in Python: `accepted` and `refused`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict, Unpack

from rejoin_conformance.contract.tier import Level
from rejoin_conformance.contract.vector import EVERY_READING, Draft, Scenario
from rejoin_conformance.kit.json_types import JsonObject


class More(TypedDict, total=False):
    """Further fields of a draft; see `Draft`."""

    readings: tuple[str, ...]
    level: Level
    scenario: Scenario | None
    recipe: bool


def accepted(
    operation: str,
    name: str,
    summary: str,
    clauses: str,
    *,
    given: JsonObject,
    output: JsonObject | None,
    otherwise: Mapping[str, JsonObject] | None = None,
    **more: Unpack[More],
) -> Draft:
    """Return a draft whose input every reading accepts.

    operation: the full name. clauses: IDs separated by spaces. output: the output of the default
    reading; None if the reference fills it in. otherwise: reading -> output, for the readings with
    another output.
    """
    return Draft(
        name=name,
        operation=operation,
        summary=summary,
        clauses=tuple(clauses.split()),
        input=given,
        output=output,
        output_by_reading=otherwise or {},
        readings_differ=bool(otherwise),
        **more,
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
    **more: Unpack[More],
) -> Draft:
    """Return a draft whose input is refused for one fault, and accepted without this fault.

    operation, clauses: as in `accepted`. mended: the input without its fault. by: the readings that
    refuse the input, separated by spaces; empty means all. otherwise: reading -> output, for the
    readings that accept the input.
    """
    return Draft(
        name=name,
        operation=operation,
        summary=summary,
        clauses=tuple(clauses.split()),
        input=given,
        output_by_reading=otherwise or {},
        rejected_by=tuple(by.split()) or EVERY_READING,
        mended=mended,
        readings_differ=bool(by),
        **more,
    )
