"""Topic `walk`: what a client fetches to classify a snapshot."""

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

OPERATION: Final = "conflict-detection/walk"
_refused: Final = partial(refusal, OPERATION)

CHAIN: Final = dag("a", "b<a", "c<b", "d<c", "e<d")
FORK: Final = dag("x", "a<x", "b1<x", "b2<b1", "ab<a,b2")


def _input(snapshots: list[Json], cached: str, local: str | None, remote: str) -> JsonObject:
    return {"snapshots": snapshots, "cached": names(cached), "local": local, "remote": remote}


def _draft(
    name: str,
    summary: str,
    value: JsonObject,
    downloaded: str,
    classification: str,
    *clauses: str,
) -> Draft:
    """A vector; what is stale is a conflict in the reading `literal`, at the same cost."""
    stale = classification == "stale"
    fetched: Json = names(downloaded)
    return Draft(
        name=name,
        operation=OPERATION,
        summary=summary,
        clauses=clauses,
        input=value,
        output={"downloaded": fetched, "classification": classification},
        output_by_reading=(
            {"literal": {"downloaded": fetched, "classification": "conflict"}} if stale else {}
        ),
        readings_differ=stale,
    )


def topic() -> Topic:
    """The vectors of `walk`."""
    return Topic(
        "walk",
        "Which snapshots a client fetches, given what it has cached, and what it then finds. What "
        "is fetched is a set: it does not depend on the order in which branches are followed.",
        (*_short(), *_branches(), *_complete(), *_refusals()),
    )


def _short() -> tuple[Draft, ...]:
    stop, known = "CD-WALK-STOP", "CD-WALK-KNOWN"
    return (
        _draft(
            "child",
            "A child of ours costs one snapshot",
            _input(CHAIN, "", "b", "c"),
            "c",
            "overwrite",
            stop,
            "CD-COST-OVERWRITE",
        ),
        _draft(
            "grandchildren",
            "Each snapshot in between costs one",
            _input(CHAIN, "", "b", "e"),
            "c d e",
            "overwrite",
            stop,
        ),
        _draft(
            "first",
            "Without a version of ours one snapshot is enough",
            _input(CHAIN, "", None, "e"),
            "e",
            "overwrite",
            "CD-WALK-FIRST",
        ),
        _draft(
            "first-and-cached",
            "Without a version of ours, and theirs is at hand",
            _input(CHAIN, "e", None, "e"),
            "",
            "overwrite",
            known,
            "CD-WALK-FIRST",
        ),
        _draft(
            "same",
            "Our own snapshot is at hand",
            _input(CHAIN, "", "c", "c"),
            "",
            "same",
            known,
            "CD-COST-NOTHING",
        ),
        _draft(
            "stale-and-cached",
            "A client that lags, and the cache reaches back to it",
            _input(CHAIN, "b c", "d", "b"),
            "",
            "stale",
            known,
            "CD-COST-NOTHING",
        ),
        _draft(
            "conflict-and-cached",
            "A version that another client had before",
            _input(FORK, "x b1 b2", "a", "b2"),
            "",
            "conflict",
            known,
        ),
        _draft(
            "sibling",
            "A change of the version that ours was made from",
            _input(FORK, "x", "a", "b1"),
            "b1",
            "conflict",
            stop,
            "CD-COST-CONFLICT",
        ),
        _draft(
            "sibling-gone-on",
            "Two changes of it",
            _input(FORK, "x", "a", "b2"),
            "b1 b2",
            "conflict",
            stop,
        ),
    )


def _branches() -> tuple[Draft, ...]:
    once, stop = "CD-WALK-ONCE", "CD-WALK-STOP"
    return (
        _draft(
            "merge-with-the-other-side-cached",
            "A resolution of ours and one that we hold",
            _input(FORK, "x b1 b2", "a", "ab"),
            "ab",
            "overwrite",
            stop,
        ),
        _draft(
            "merge-with-the-other-side-unknown",
            "Every branch is followed, though ours is found at once",
            _input(FORK, "x", "a", "ab"),
            "ab b1 b2",
            "overwrite",
            stop,
        ),
        _draft(
            "diamonds",
            "40 diamonds in a row: each snapshot is fetched once",
            _input(diamond_chain(40), "", "t0", "t40"),
            " ".join(f"l{n} r{n} t{n}" for n in range(1, 41)),
            "overwrite",
            once,
        ),
        _draft(
            "diamonds-down-to-the-cache",
            "What lies below a cached snapshot is not walked",
            _input(diamond_chain(4), "t2", "l3", "t4"),
            "l4 r3 r4 t3 t4",
            "overwrite",
            once,
            stop,
        ),
        _draft(
            "around-the-cache",
            "A branch that leads around the cache is walked to its end, and ours too",
            _input(dag("r", "x<r", "y<x", "z<r", "m<y,z"), "", "y", "m"),
            "m r x z",
            "overwrite",
            stop,
            "CD-WALK-COMPLETE",
        ),
    )


def _complete() -> tuple[Draft, ...]:
    complete, harmless = "CD-WALK-COMPLETE", "CD-PURGE-HARMLESS"
    stranger = [*CHAIN, *dag("r", "s<r")]
    return (
        _draft(
            "stale-and-purged",
            "A client that lags behind what is cached",
            _input(CHAIN, "", "e", "b"),
            "a b c d",
            "stale",
            complete,
            harmless,
        ),
        _draft(
            "stranger",
            "A history of its own costs the rest of ours",
            _input(stranger, "", "e", "s"),
            "a b c d r s",
            "conflict",
            complete,
        ),
        _draft(
            "stranger-and-all-cached",
            "Nothing of ours is left to fetch",
            _input(stranger, "a b c d", "e", "s"),
            "r s",
            "conflict",
            complete,
        ),
        _draft(
            "purged-child",
            "A purged cache finds the same overwrite as a full one",
            _input(CHAIN, "c", "d", "e"),
            "e",
            "overwrite",
            harmless,
        ),
        _draft(
            "full-child",
            "A full cache finds the same overwrite as a purged one",
            _input(CHAIN, "a b c", "d", "e"),
            "e",
            "overwrite",
            harmless,
        ),
        _draft(
            "purged-conflict",
            "A purged cache finds the same conflict as a full one",
            _input([*CHAIN, *dag("d2<c", "e2<d2")], "c", "d", "e2"),
            "d2 e2",
            "conflict",
            harmless,
        ),
        _draft(
            "full-conflict",
            "A full cache finds the same conflict as a purged one",
            _input([*CHAIN, *dag("d2<c", "e2<d2")], "a b c", "d", "e2"),
            "d2 e2",
            "conflict",
            harmless,
        ),
        _draft(
            "fork-below-the-cache",
            "A fork from before the oldest snapshot that is cached",
            _input([*CHAIN, *dag("b2<a")], "c", "d", "b2"),
            "a b b2",
            "conflict",
            complete,
            harmless,
        ),
    )


def _refusals() -> tuple[Draft, ...]:
    good = _input(CHAIN, "b", "c", "d")
    return (
        _refused(
            "unknown-cached",
            "A cached snapshot that is not given",
            "CD-DAG-KNOWN",
            _input(CHAIN, "b z", "c", "d"),
            good,
        ),
        _refused(
            "unknown-local",
            "Our snapshot is not given",
            "CD-DAG-KNOWN",
            _input(CHAIN, "b", "z", "d"),
            good,
        ),
        _refused(
            "unknown-remote",
            "Their snapshot is not given",
            "CD-DAG-KNOWN",
            _input(CHAIN, "b", "c", "z"),
            good,
        ),
    )
