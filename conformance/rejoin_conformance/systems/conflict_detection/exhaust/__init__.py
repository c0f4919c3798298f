"""Every interleaving up to a bound: `rejoin exhaust conflict-detection`.

`searches` says what is searched; `steps` and `states` how steps and states are written down;
`lean_designs` and `moves` what a step does; `group` searches the states between two uploads,
`rounds` all of them; `mismatches`, `traces` and `report` tell what was found.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.contract.system import Bound, ExhaustiveCheck
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.exhaust.report import render, report_of
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
