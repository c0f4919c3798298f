"""Topic `purge`: what the policy of the cache demands."""

from __future__ import annotations

from functools import partial
from typing import Final

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import refusal
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.graphs import (
    dag,
    diamond_chain,
    names,
)

OPERATION: Final = "conflict-detection/purge"
_refused: Final = partial(refusal, OPERATION)

CHAIN: Final = dag("a", "b<a", "c<b", "d<c", "e<d")
FORK: Final = dag("w", "x<w", "a1<x", "a2<a1", "b<x")


def _input(snapshots: list[Json], **currents: str) -> JsonObject:
    return {"snapshots": snapshots, "currents": {**currents}}


def _draft(
    name: str, summary: str, value: JsonObject, common: str, kept: str, *clauses: str
) -> Draft:
    return Draft(
        name=name,
        operation=OPERATION,
        summary=summary,
        clauses=clauses,
        input=value,
        output={"common_ancestors": names(common), "kept": names(kept)},
    )


def topic() -> Topic:
    """The vectors of `purge`."""
    synchronized, ancestor = "CD-PURGE-SYNCHRONIZED", "CD-PURGE-COMMON-ANCESTOR"
    between, none = "CD-PURGE-INTERMEDIATE", "CD-PURGE-NO-COMMON"
    crossed = dag("x", "a<x", "b<x", "ab<a,b", "ba<b,a", "c<ab")
    strangers = dag("x", "a<x", "r", "s<r")
    around = dag("w", "x<w", "z<w", "m<x,z", "n<x")
    good = _input(CHAIN, A="e", B="c")
    return Topic(
        "purge",
        "Client -> snapshot as last seen, and what one client's cache keeps of a graph.",
        (
            _draft(
                "alone",
                "A client that has seen nobody else",
                _input(CHAIN, A="e"),
                "e",
                "e",
                synchronized,
                "CD-PURGE-CURRENT",
            ),
            _draft(
                "synchronized",
                "All clients have the same snapshot",
                _input(CHAIN, A="e", B="e", C="e"),
                "e",
                "e",
                synchronized,
            ),
            _draft(
                "one-lags",
                "One client lags by two versions",
                _input(CHAIN, A="e", B="c"),
                "c",
                "c d e",
                ancestor,
                between,
            ),
            _draft(
                "the-last-of-three",
                "The last one counts",
                _input(CHAIN, A="e", B="c", C="b"),
                "b",
                "b c d e",
                ancestor,
                between,
            ),
            _draft(
                "two-lag-together",
                "Two clients with the same old version",
                _input(CHAIN, A="d", B="b", C="b"),
                "b",
                "b c d",
                ancestor,
            ),
            _draft(
                "fork",
                "Both sides of a conflict, and where they fork",
                _input(FORK, A="a2", B="b"),
                "x",
                "a1 a2 b x",
                ancestor,
                between,
            ),
            _draft(
                "fork-and-one-that-lags",
                "A third one lags behind the fork",
                _input(FORK, A="a2", B="b", C="w"),
                "w",
                "a1 a2 b w x",
                ancestor,
                between,
            ),
            _draft(
                "resolved",
                "A resolution, and one side of what it resolved",
                _input(crossed, A="ab", B="b"),
                "b",
                "ab b",
                ancestor,
            ),
            _draft(
                "crossed",
                "Two resolutions of the same two versions: two common ancestors",
                _input(crossed, A="ab", B="ba"),
                "a b",
                "a ab b ba",
                ancestor,
            ),
            _draft(
                "crossed-and-gone-on",
                "What lies above both of them is kept",
                _input(crossed, A="c", B="ba"),
                "a b",
                "a ab b ba c",
                ancestor,
                between,
            ),
            _draft(
                "strangers",
                "Histories that never met are kept whole",
                _input(strangers, A="a", B="s"),
                "",
                "a r s x",
                none,
            ),
            _draft(
                "strangers-and-a-friend",
                "One stranger among three",
                _input(strangers, A="a", B="x", C="s"),
                "",
                "a r s x",
                none,
            ),
            _draft(
                "around-the-common-ancestor",
                "A branch that leads around the common ancestor does not lie in between",
                _input(around, A="m", B="n"),
                "x",
                "m n x",
                between,
            ),
            _draft(
                "diamonds",
                "40 diamonds, all of which lie in between",
                _input(diamond_chain(40), A="t40", B="t0"),
                "t0",
                "t0 " + " ".join(f"l{n} r{n} t{n}" for n in range(1, 41)),
                between,
                "CD-WALK-ONCE",
            ),
            _refused(
                "unknown-snapshot",
                "A client's snapshot is not given",
                "CD-DAG-KNOWN",
                _input(CHAIN, A="e", B="z"),
                good,
            ),
            _refused(
                "cycle",
                "Snapshots that follow each other",
                "CD-DAG-ACYCLIC",
                _input(dag("a<b", "b<a"), A="a"),
                _input(dag("a", "b<a"), A="a"),
            ),
        ),
    )
