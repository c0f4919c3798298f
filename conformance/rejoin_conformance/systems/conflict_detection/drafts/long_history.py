"""Topic `long-history`: more versions than one layer of stored objects holds."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import accepted
from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import JsonObject

VERSIONS: Final = 100


def _walked() -> Draft:
    """Return the vector: B has the first of A's versions and polls the last one."""
    steps: list[JsonObject] = []
    reports: list[JsonObject] = []

    def play(step: JsonObject, found: str | None, a: int, b: int, cached: JsonObject) -> None:
        files: JsonObject = {"A": {"foo": f"{a}"}, "B": {"foo": f"{b}"} if b else {}}
        steps.append(step)
        reports.append({"classification": found, "files": files, "cached": cached})

    play({"client": "A", "edit": "1"}, None, 1, 0, {"A": {"foo": 1}, "B": {}})
    play({"client": "B", "poll": "A"}, "overwrite", 1, 1, {"A": {"foo": 1}, "B": {"foo": 1}})
    play({"client": "A", "poll": "B"}, "same", 1, 1, {"A": {"foo": 1}, "B": {"foo": 1}})
    for number in range(2, VERSIONS + 1):
        cached: JsonObject = {"A": {"foo": number}, "B": {"foo": 1}}
        play({"client": "A", "edit": f"{number}"}, None, number, 1, cached)
    cached = {"A": {"foo": VERSIONS}, "B": {"foo": 1}}
    play({"client": "B", "poll": "A"}, "overwrite", VERSIONS, VERSIONS, cached)
    return accepted(
        "conflict-detection/scenario",
        "walked",
        "A client walks back over 100 versions to its own version.",
        "CD-WALK-KNOWN CD-CLASSIFY-OVERWRITE CD-GRID-IMMUTABLE",
        given={
            "design": "snapshots",
            "clients": ["A", "B"],
            "steps": [*steps],
            "report": ["cached"],
        },
        output={"steps": [*reports]},
    )


TOPIC: Final = Topic(
    "long-history",
    "A history of 100 versions has 200 objects on the grid.",
    (_walked(),),
)
"""The vector of a long walk."""
