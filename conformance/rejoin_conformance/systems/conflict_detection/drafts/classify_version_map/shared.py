"""What the parts of the topic share."""

from __future__ import annotations

from functools import partial
from typing import Final

from rejoin_conformance.contract.vector import Draft, Scenario
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import refusal

OPERATION: Final = "conflict-detection/classify-version-map"
refused: Final = partial(refusal, OPERATION)
LARGEST: Final = 2**53 - 1


def json_map(numbers: dict[str, int]) -> JsonObject:
    """A version map as JSON."""
    return {**numbers}


def input_of(local: dict[str, int] | None, remote: dict[str, int]) -> JsonObject:
    """The input of the operation."""
    return {"local": None if local is None else json_map(local), "remote": json_map(remote)}


def classified(
    name: str,
    summary: str,
    local: dict[str, int] | None,
    remote: dict[str, int],
    repaired: str,
    literal: str,
    *clauses: str,
    step: str = "",
) -> Draft:
    """A vector with what each reading finds; `step` is its place in the document's example."""
    return Draft(
        name=name,
        operation=OPERATION,
        summary=summary,
        clauses=("CD-MAP-CLASSIFY", *clauses),
        input=input_of(local, remote),
        output={"classification": repaired},
        output_by_reading={"literal": {"classification": literal}},
        readings_differ=repaired != literal,
        scenario=Scenario("three-clients", step) if step else None,
    )
