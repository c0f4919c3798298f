"""`rejoin exhaust conflict-detection`: search every interleaving up to a bound."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.contract.system import Bound, ExhaustiveCheck
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.exhaust.report import report_of
from rejoin_conformance.systems.conflict_detection.exhaust.report_text import render
from rejoin_conformance.systems.conflict_detection.exhaust.rounds import search_all
from rejoin_conformance.systems.conflict_detection.exhaust.searches import SEARCHES, Bounds


def _run(bounds: Mapping[str, int], spread: Spread) -> JsonObject:
    chosen = Bounds(bounds["clients"], bounds["uploads"])
    return report_of(chosen, search_all(SEARCHES, chosen, spread))


EXHAUSTIVE: Final = ExhaustiveCheck(
    summary="Compare every poll with the follows relation.",
    description=(
        "The command enumerates every interleaving of edits, polls and resolutions. It covers both "
        "designs, both readings, and both variants of the versions that a client links."
    ),
    bounds=(
        Bound(name="clients", summary="Number of clients.", default=3, minimum=1, maximum=5),
        Bound(
            name="uploads",
            summary="Number of uploads: edits and resolutions together.",
            default=4,
            minimum=0,
            maximum=6,
        ),
    ),
    run=_run,
    render=render,
)
