"""The history merge: the cost per node as histories grow, beside git."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from attrs import frozen

from rejoin.history_merge import SETS, Node, Session, merge
from rejoin.history_merge.index_sets import NOTHING
from rejoin_conformance.kit.draw import Draw
from side_by_side import amount

sys.path.append(str(Path(__file__).parents[1] / "peers" / "git"))

from git_oracle import (
    Expected,
    NoGitError,
    expected_merges,
    imported,
)

SIZES: Final = (1_000, 10_000, 100_000)
GIT_PATIENCE: Final = 20.0
"""Seconds after which git is stopped."""

_MEMBERS: Final = tuple(f"member{number}" for number in range(30))

History = Session[frozenset[str]]


def main() -> None:
    """Print every figure."""
    for kind in KINDS:
        print(kind.name)
        _grow(kind)


def gossip(size: int) -> History:
    """Six members post in random order; before half of the posts, one hears another's messages."""
    return _history(size, authors=6, hear=(1, 2))


def long_branches(size: int) -> History:
    """Four members receive messages before only 1 in 40 posts: long branches and large merges."""
    return _history(size, authors=4, hear=(1, 40))


def criss_cross(size: int) -> History:
    """Return a history in which two members post in each round and merge the previous round."""
    draw, session = Draw(7), Session(SETS)
    row: list[str] = []
    for place in range(size):
        if place % 2 == 0:
            parents, row = (row if place else []), []
        name = f"{draw.word():016x}"
        _post(session, draw, name, frozenset(parents))
        row.append(name)
    return session


def _history(size: int, *, authors: int, hear: tuple[int, int]) -> History:
    draw, session = Draw(7), Session(SETS)
    views = [NOTHING] * authors
    for place in range(size):
        author = draw.below(authors) if place else 0
        if draw.chance(*hear) or not views[author]:
            views[author] |= views[draw.below(authors) if views[author] else 0]
        name = f"{draw.word():016x}"
        _post(session, draw, name, session.graph.pasts.maximal(views[author]))
        views[author] |= session.graph.pasts.of(name)
    return session


def _post(session: History, draw: Draw, name: str, parents: frozenset[str]) -> None:
    """Post a message that adds or removes a member."""
    state = session.merge(parents) ^ {draw.pick(_MEMBERS)}
    session.accept(Node(name, parents, state))


@frozen
class _Kind:
    """A kind of history, and how many of its last merges are compared with git."""

    name: str
    make: Callable[[int], History]
    merges: int


KINDS: Final = (
    _Kind("gossip of six, by chance", gossip, 300),
    _Kind("long branches of four, by chance", long_branches, 300),
    _Kind("criss-cross of two, the longest chain of origins there can be", criss_cross, 5),
)


def _grow(kind: _Kind) -> None:
    """At each size: accept all nodes, merge the heads without a cache, merge the last parents."""
    first: _Times | None = None
    for size in SIZES:
        times = _times(kind, size)
        first = first or times
        print(
            f"  {size:>7,} nodes: posted and accepted at {amount(times.accept)} a node"
            f" (growth {times.accept / first.accept:.2f})\n"
            f"      {times.heads} heads merged without a cache: {amount(times.cold)},"
            f" git {_git(times.git_cold, times.cold)}\n"
            f"      the last merges without a cache: {amount(times.recent)} each,"
            f" git {_git(times.git_recent, times.recent)}"
        )


@frozen
class _Times:
    """Seconds per node, for the heads once, and for one of the last merges; None: git timed out."""

    heads: int
    accept: float
    cold: float
    recent: float
    git_cold: float | None
    git_recent: float | None


def _times(kind: _Kind, size: int) -> _Times:
    start = time.perf_counter()
    session = kind.make(size)
    accept = (time.perf_counter() - start) / size
    graph = session.graph
    heads = tuple(sorted(graph.heads()))
    start = time.perf_counter()
    merge(graph, heads, SETS)
    cold = time.perf_counter() - start
    nodes = tuple(graph)
    recent = [tuple(sorted(node.parents)) for node in nodes if len(node.parents) > 1][
        -kind.merges :
    ]
    start = time.perf_counter()
    for parents in recent:
        merge(graph, parents, SETS)
    plain = (time.perf_counter() - start) / len(recent)
    return _Times(
        heads=len(heads),
        accept=accept,
        cold=cold,
        recent=plain,
        git_cold=_git_seconds(nodes, [heads]) if len(heads) > 1 else None,
        git_recent=_git_seconds(nodes, recent),
    )


def _git_seconds(
    nodes: tuple[Node[frozenset[str]], ...], sets: list[tuple[str, ...]]
) -> float | None:
    """Return the seconds that git takes to merge a set; None if it has no result in time."""
    expected = expected_merges(nodes, sets)
    try:
        with imported([expected.task], "empty") as repository:
            start = time.perf_counter()
            states = repository.merge(GIT_PATIENCE)
            seconds = time.perf_counter() - start
    except NoGitError as error:
        print(f"  {error}")
        return None
    except (subprocess.TimeoutExpired, ValueError):
        return None
    _must_agree(expected, states)
    return seconds / len(sets)


def _must_agree(expected: Expected, states: list[frozenset[str]]) -> None:
    if tuple(states) != expected.states:
        raise ValueError("git and the reference disagree")


def _git(seconds: float | None, ours: float) -> str:
    if seconds is None:
        return f"gives up or takes more than {GIT_PATIENCE:.0f} s"
    return f"{amount(seconds)} (ratio {seconds / ours:.3g})"
