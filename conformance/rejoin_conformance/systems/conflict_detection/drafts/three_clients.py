"""Topic `three-clients`: the document's example of version maps, played from the first upload."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import accepted
from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import Json, JsonObject

CLIENTS: Final = ("A", "B", "C")
AGREED: Final = {"A": 10, "B": 20, "C": 30}


def _played() -> Draft:
    """Return the whole example: 60 uploads, two concurrent updates, and C's resolution."""
    files: dict[str, Json] = {client: {} for client in CLIENTS}
    versions: dict[str, Json] = {client: {} for client in CLIENTS}
    steps: list[JsonObject] = []
    reports: list[Json] = []

    def play(step: JsonObject, found: str | None, own: dict[str, str], has: dict[str, int]) -> None:
        client = str(step["client"])
        files[client], versions[client] = {**own}, {"foo": {**has}}
        steps.append(step)
        reports.append({"classification": found, "files": {**files}, "versions": {**versions}})

    number: dict[str, int] = {}
    for place, client in enumerate(CLIENTS):
        if place:
            last = {"foo": str(AGREED[CLIENTS[place - 1]])}
            play({"client": client, "poll": CLIENTS[place - 1]}, "overwrite", last, number)
        for upload in range(1, AGREED[client] + 1):
            number = {**number, client: upload}
            play({"client": client, "edit": str(upload)}, None, {"foo": str(upload)}, number)
    for client in ("A", "B"):
        play({"client": client, "poll": "C"}, "overwrite", {"foo": "30"}, AGREED)
    of_a, of_b = {**AGREED, "A": 11}, {**AGREED, "B": 21}
    resolved = {"A": 11, "B": 21, "C": 31}
    play({"client": "A", "edit": "a"}, None, {"foo": "a"}, of_a)
    play({"client": "B", "edit": "b"}, None, {"foo": "b"}, of_b)
    play({"client": "C", "poll": "A"}, "overwrite", {"foo": "a"}, of_a)
    play({"client": "C", "poll": "B"}, "conflict", {"foo": "a", "foo.conflict-B": "b"}, of_a)
    play({"client": "C", "resolve": ["B"], "text": "ab"}, None, {"foo": "ab"}, resolved)
    play({"client": "A", "poll": "C"}, "overwrite", {"foo": "ab"}, resolved)
    play({"client": "B", "poll": "C"}, "overwrite", {"foo": "ab"}, resolved)
    return accepted(
        "conflict-detection/scenario",
        "played",
        "Three clients upload 60 versions until their map is (A 10, B 20, C 30), and then play the "
        "document's example to its end.",
        "CD-THREE-CLIENTS CD-MAP-UPLOAD CD-MAP-RESOLVE",
        given={
            "design": "version-maps",
            "clients": [*CLIENTS],
            "steps": [*steps],
            "report": ["versions"],
        },
        output={"steps": reports},
        readings=("repaired",),
    )


TOPIC: Final = Topic(
    "three-clients",
    "The maps of the example are not given: the clients' uploads make them.",
    (_played(),),
)
"""The vector of the example."""
