"""Topic `garbage`: leases, and what is kept without them."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import refusal
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.graphs import dag, names

OPERATION: Final = "conflict-detection/collect-garbage"

FORK: Final = dag("x", "a<x", "b<x", "ab<a,b", "c<ab")


def _input(now: int, *renewals: tuple[str, int]) -> JsonObject:
    listed: list[Json] = [{"links": names(links), "until": until} for links, until in renewals]
    return {"snapshots": FORK, "renewals": listed, "now": now}


def _draft(name: str, summary: str, value: JsonObject, kept: str, *clauses: str) -> Draft:
    return Draft(
        name=name,
        operation=OPERATION,
        summary=summary,
        clauses=clauses,
        input=value,
        output={"kept": names(kept)},
    )


def topic() -> Topic:
    """The vectors of `collect-garbage`."""
    leased, unlinked = "CD-GARBAGE-LEASED", "CD-GARBAGE-UNLINKED"
    recursive = "CD-LEASE-RECURSIVE"
    return Topic(
        "garbage",
        "Each renewal is one client's: what its directory links, and until when its leases last.",
        (
            _draft(
                "ancestors",
                "What is linked keeps its ancestors",
                _input(4, ("ab", 5)),
                "a ab b x",
                recursive,
                leased,
            ),
            _draft(
                "descendants-not",
                "It does not keep what was made of it",
                _input(4, ("a", 5)),
                "a x",
                recursive,
                unlinked,
            ),
            _draft(
                "several-links",
                "Several files' snapshots",
                _input(4, ("a b", 5)),
                "a b x",
                recursive,
            ),
            _draft("nobody", "What nobody links is not kept", _input(0), "", unlinked),
            _draft(
                "lease-ends-now",
                "A lease that ends now covers nothing any longer",
                _input(5, ("ab", 5)),
                "",
                unlinked,
            ),
            _draft(
                "one-client-is-enough",
                "One of two clients still links it",
                _input(7, ("ab", 5), ("b", 9)),
                "b x",
                leased,
                unlinked,
            ),
            _draft(
                "longer-lease-stays",
                "A later, shorter lease does not shorten a longer one",
                _input(7, ("a", 9), ("a", 5)),
                "a x",
                leased,
            ),
            _draft(
                "renewed",
                "A lease that is renewed lasts on",
                _input(7, ("a", 5), ("a", 9)),
                "a x",
                leased,
            ),
            _draft(
                "everyone-moved-on",
                "An unlinked branch goes once the leases on it have ended",
                _input(6, ("c", 5), ("a", 9)),
                "a x",
                unlinked,
            ),
            refusal(
                OPERATION,
                "unknown-link",
                "A link to a snapshot that is not given",
                "CD-DAG-KNOWN",
                _input(4, ("z", 5)),
                _input(4, ("a", 5)),
            ),
        ),
    )
