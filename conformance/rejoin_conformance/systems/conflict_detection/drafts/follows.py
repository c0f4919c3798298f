"""Topic `follows`: the ground truth on small graphs, and graphs that are none."""

from __future__ import annotations

from functools import partial
from typing import Final

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import refusal
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.graphs import dag, diamond_chain

OPERATION: Final = "conflict-detection/follows"
_refused: Final = partial(refusal, OPERATION)

CHAIN: Final = dag("a", "b<a", "c<b", "d<c")
FORK: Final = dag("x", "a<x", "b<x", "ab<a,b")


def _input(versions: list[Json], later: str, earlier: str) -> JsonObject:
    return {"versions": versions, "later": later, "earlier": earlier}


def _draft(
    name: str,
    summary: str,
    versions: list[Json],
    later: str,
    earlier: str,
    *clauses: str,
    follows: bool,
) -> Draft:
    return Draft(
        name=name,
        operation=OPERATION,
        summary=summary,
        clauses=clauses or ("CD-FOLLOWS-CLOSURE",),
        input=_input(versions, later, earlier),
        output={"follows": follows},
    )


def topic() -> Topic:
    """The vectors of `follows`."""
    return Topic(
        "follows",
        "The follows relation itself: the transitive closure of directly follows. A DAG that is "
        "none is refused, wherever its fault lies.",
        (*_accepted(), *_refusals()),
    )


def _accepted() -> tuple[Draft, ...]:
    reordered = dag("ab<b,a", "b<x", "a<x", "x")
    return (
        _draft("parent", "A version follows its parent", CHAIN, "b", "a", follows=True),
        _draft("grandparent", "Following is transitive", CHAIN, "d", "a", follows=True),
        _draft("child", "A version does not follow its child", CHAIN, "a", "b", follows=False),
        _draft(
            "itself",
            "No version follows itself",
            CHAIN,
            "b",
            "b",
            "CD-FOLLOWS-IRREFLEXIVE",
            follows=False,
        ),
        _draft(
            "itself-at-the-root",
            "Not even a version without parents follows itself",
            dag("a"),
            "a",
            "a",
            "CD-FOLLOWS-IRREFLEXIVE",
            follows=False,
        ),
        _draft("sibling", "Of two siblings the one does not follow", FORK, "a", "b", follows=False),
        _draft("other-sibling", "Nor does the other", FORK, "b", "a", follows=False),
        _draft("merge-first-parent", "A merge follows parent0", FORK, "ab", "a", follows=True),
        _draft("merge-second-parent", "A merge follows parent1", FORK, "ab", "b", follows=True),
        _draft(
            "merge-common-root",
            "A merge follows what both parents follow",
            FORK,
            "ab",
            "x",
            follows=True,
        ),
        _draft(
            "root-does-not-follow-merge", "The root follows nothing", FORK, "x", "ab", follows=False
        ),
        _draft(
            "unrelated-roots", "Histories that never met", dag("a", "b"), "a", "b", follows=False
        ),
        _draft(
            "through-one-parent-only",
            "It is enough that one of two parents leads there",
            dag("a", "b<a", "r", "m<r,b"),
            "m",
            "a",
            follows=True,
        ),
        _draft(
            "beside-a-long-branch",
            "A version that only the other branch has",
            dag("x", "a<x", "b1<x", "b2<b1", "b3<b2"),
            "b3",
            "a",
            follows=False,
        ),
        _draft(
            "crossed-merges",
            "Two merges of the same two versions do not follow each other",
            dag("x", "a<x", "b<x", "ab<a,b", "ba<b,a"),
            "ab",
            "ba",
            follows=False,
        ),
        _draft(
            "redundant-parent",
            "A parent that is followed by another parent changes nothing",
            dag("a", "b<a", "c<b,a"),
            "c",
            "a",
            follows=True,
        ),
        _draft(
            "any-order",
            "Children may be given before their parents",
            reordered,
            "ab",
            "x",
            follows=True,
        ),
        _draft(
            "ten-parents",
            "A merge of ten",
            dag(*"abcdefghij", "m<" + ",".join("abcdefghij"), "n<m"),
            "n",
            "j",
            follows=True,
        ),
        _draft(
            "diamond-chain",
            "40 diamonds in a row: 2^40 ways lead back",
            diamond_chain(40),
            "t40",
            "t0",
            "CD-FOLLOWS-CLOSURE",
            "CD-WALK-ONCE",
            follows=True,
        ),
        _draft(
            "diamond-chain-in-vain",
            "40 diamonds in a row, and what is looked for lies on none of the ways",
            [*diamond_chain(40), *dag("z")],
            "t40",
            "z",
            "CD-FOLLOWS-CLOSURE",
            "CD-WALK-ONCE",
            follows=False,
        ),
    )


def _refusals() -> tuple[Draft, ...]:
    good = dag("a", "b<a")
    asked = _input(good, "b", "a")
    return (
        _refused(
            "own-parent",
            "A version that is its own parent",
            "CD-DAG-ACYCLIC",
            _input(dag("a", "b<a,b"), "b", "a"),
            asked,
        ),
        _refused(
            "cycle-of-two",
            "Two versions that follow each other",
            "CD-DAG-ACYCLIC",
            _input(dag("a<b", "b<a"), "b", "a"),
            asked,
        ),
        _refused(
            "cycle-elsewhere",
            "A cycle of three among versions that are not asked about",
            "CD-DAG-ACYCLIC",
            _input([*good, *dag("p<r", "q<p", "r<q")], "b", "a"),
            _input([*good, *dag("p", "q<p", "r<q")], "b", "a"),
        ),
        _refused(
            "cycle-below-a-merge",
            "A cycle that the asked version leads into",
            "CD-DAG-ACYCLIC",
            _input(dag("a", "p<q", "q<p", "b<a,q"), "b", "a"),
            _input(dag("a", "p", "q<p", "b<a,q"), "b", "a"),
        ),
        _refused(
            "unknown-parent",
            "A parent that is not among the versions",
            "CD-DAG-KNOWN",
            _input(dag("a", "b<a,z"), "b", "a"),
            _input(dag("a", "b<a,z", "z"), "b", "a"),
        ),
        _refused(
            "unknown-later",
            "The later version is not among them",
            "CD-DAG-KNOWN",
            _input(good, "c", "a"),
            asked,
        ),
        _refused(
            "unknown-earlier",
            "The earlier version is not among them",
            "CD-DAG-KNOWN",
            _input(good, "b", "z"),
            asked,
        ),
        _refused(
            "no-versions",
            "Nothing is given at all",
            "CD-DAG-KNOWN",
            _input([], "b", "a"),
            asked,
        ),
        _refused(
            "version-twice",
            "A version that is given twice, equal both times",
            "CD-DAG-UNIQUE",
            _input([*good, *dag("b<a")], "b", "a"),
            asked,
        ),
        _refused(
            "parent-twice",
            "A parent that is named twice",
            "CD-DAG-UNIQUE",
            _input(dag("a", "b<a,a"), "b", "a"),
            asked,
        ),
    )
