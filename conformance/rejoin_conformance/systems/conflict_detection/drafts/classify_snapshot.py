"""Topic `classify-snapshot`: Leif's design where the whole graph is at hand."""

from __future__ import annotations

from functools import partial
from typing import Final

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import refusal
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.graphs import dag, diamond_chain

OPERATION: Final = "conflict-detection/classify-snapshot"
_refused: Final = partial(refusal, OPERATION)

CHAIN: Final = dag("a", "b<a", "c<b", "d<c")
FORK: Final = dag("x", "a<x", "b<x", "ab<a,b")


def _input(snapshots: list[Json], local: str | None, remote: str) -> JsonObject:
    return {"snapshots": snapshots, "local": local, "remote": remote}


def _draft(
    name: str,
    summary: str,
    snapshots: list[Json],
    local: str | None,
    remote: str,
    classification: str,
    *clauses: str,
) -> Draft:
    """A vector; what is stale is a conflict in the reading `literal`."""
    stale = classification == "stale"
    first = "first" if local is None else classification
    return Draft(
        name=name,
        operation=OPERATION,
        summary=summary,
        clauses=(f"CD-CLASSIFY-{first.upper()}", *clauses),
        input=_input(snapshots, local, remote),
        output={"classification": classification},
        output_by_reading={"literal": {"classification": "conflict"}} if stale else {},
        readings_differ=stale,
    )


def topic() -> Topic:
    """The vectors of `classify-snapshot`."""
    return Topic(
        "classify-snapshot",
        "What another client's snapshot is to a client, from the whole graph. Where ours follows "
        "theirs the readings part: `literal` has a conflict there.",
        (*_relations(), *_histories(), *_refusals()),
    )


def _relations() -> tuple[Draft, ...]:
    return (
        _draft(
            "no-version-of-ours", "The first version that we see", CHAIN, None, "a", "overwrite"
        ),
        _draft(
            "no-version-of-ours-late",
            "A client that comes late takes the version that it sees",
            CHAIN,
            None,
            "d",
            "overwrite",
        ),
        _draft("same", "The snapshot that we have", CHAIN, "c", "c", "same"),
        _draft("child", "A child of ours", CHAIN, "b", "c", "overwrite"),
        _draft(
            "grandchild",
            "A grandchild of ours, whose parent we never saw",
            CHAIN,
            "a",
            "c",
            "overwrite",
        ),
        _draft("parent", "A client that lags by one version", CHAIN, "c", "b", "stale"),
        _draft("grandparent", "A client that lags by several versions", CHAIN, "d", "a", "stale"),
        _draft("sibling", "Two changes of the same version", FORK, "a", "b", "conflict"),
        _draft(
            "nephew",
            "A change of a version that conflicts with ours",
            dag("x", "a<x", "b<x", "b2<b"),
            "a",
            "b2",
            "conflict",
        ),
        _draft(
            "uncle",
            "We have gone on, they have not",
            dag("x", "a<x", "b<x", "b2<b"),
            "b2",
            "a",
            "conflict",
        ),
        _draft("unrelated", "Two first versions", dag("a", "b"), "a", "b", "conflict"),
        _draft(
            "unrelated-histories",
            "Histories that never met",
            dag("a", "a2<a", "b", "b2<b"),
            "a2",
            "b2",
            "conflict",
        ),
        _draft(
            "merge-of-ours", "A resolution that names ours as parent0", FORK, "a", "ab", "overwrite"
        ),
        _draft(
            "merge-of-ours-as-second-parent",
            "A resolution that names ours as parent1",
            FORK,
            "b",
            "ab",
            "overwrite",
        ),
        _draft(
            "after-a-merge-of-ours",
            "What was made of a resolution",
            dag("x", "a<x", "b<x", "ab<a,b", "c<ab"),
            "b",
            "c",
            "overwrite",
        ),
        _draft("parent-of-our-merge", "One side of what we resolved", FORK, "ab", "b", "stale"),
        _draft(
            "root-below-our-merge",
            "What both sides of our resolution were made of",
            FORK,
            "ab",
            "x",
            "stale",
        ),
        _draft(
            "merge-without-ours",
            "A resolution of two versions, and ours is a third one",
            dag("x", "a<x", "b<x", "c<x", "ab<a,b"),
            "c",
            "ab",
            "conflict",
        ),
        _draft(
            "merge-with-a-stranger",
            "Ours, merged with a history of its own",
            dag("x", "a<x", "r", "m<r,a"),
            "a",
            "m",
            "overwrite",
        ),
    )


def _histories() -> tuple[Draft, ...]:
    crossed = dag("x", "a<x", "b<x", "ab<a,b", "ba<b,a")
    return (
        _draft(
            "three-parties",
            "The document's case: B made v3 from A's v2, which C, who has v1, never saw",
            dag("v1", "v2<v1", "v3<v2"),
            "v1",
            "v3",
            "overwrite",
        ),
        _draft(
            "concurrent-resolutions",
            "Two resolutions of the same two versions",
            crossed,
            "ab",
            "ba",
            "conflict",
            "CD-RESOLVE-CONCURRENT",
        ),
        _draft(
            "resolution-of-resolutions",
            "What settles two resolutions",
            [*crossed, *dag("m<ab,ba")],
            "ba",
            "m",
            "overwrite",
        ),
        _draft(
            "diamonds-overwrite",
            "40 diamonds in a row, we are at the bottom",
            diamond_chain(40),
            "t0",
            "t40",
            "overwrite",
            "CD-WALK-ONCE",
        ),
        _draft(
            "diamonds-stale",
            "40 diamonds in a row, we are at the top",
            diamond_chain(40),
            "t40",
            "t0",
            "stale",
            "CD-WALK-ONCE",
        ),
        _draft(
            "diamonds-conflict",
            "The two sides of the fortieth diamond",
            diamond_chain(40),
            "l40",
            "r40",
            "conflict",
            "CD-WALK-ONCE",
        ),
    )


def _refusals() -> tuple[Draft, ...]:
    good = _input(dag("a", "b<a"), "a", "b")
    return (
        _refused(
            "cycle",
            "Snapshots that follow each other",
            "CD-DAG-ACYCLIC",
            _input(dag("a<b", "b<a"), "a", "b"),
            good,
        ),
        _refused(
            "unknown-parent",
            "A parent that is not given",
            "CD-DAG-KNOWN",
            _input(dag("a", "b<a,z"), "a", "b"),
            _input(dag("a", "b<a,z", "z"), "a", "b"),
        ),
        _refused(
            "unknown-local",
            "Our snapshot is not given",
            "CD-DAG-KNOWN",
            _input(dag("a", "b<a"), "z", "b"),
            good,
        ),
        _refused(
            "unknown-remote",
            "Their snapshot is not given",
            "CD-DAG-KNOWN",
            _input(dag("a", "b<a"), "a", "z"),
            good,
        ),
        _refused(
            "unknown-remote-of-a-first-poll",
            "Their snapshot is not given, and we have none",
            "CD-DAG-KNOWN",
            _input(dag("a"), None, "z"),
            _input(dag("a"), None, "a"),
        ),
        _refused(
            "snapshot-twice",
            "A snapshot with two sets of parents",
            "CD-DAG-UNIQUE",
            _input(dag("a", "b<a", "b"), "a", "b"),
            good,
        ),
        _refused(
            "parent-twice",
            "A parent that is named twice",
            "CD-DAG-UNIQUE",
            _input(dag("a", "b<a,a"), "a", "b"),
            good,
        ),
    )
