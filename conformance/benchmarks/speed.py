"""The speed of the reference: how the cost of a byte, a snapshot and a node grows.

Each line compares one large input with as many small ones as make up its size, side by side. The
ratio is about 1 if the time is linear.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final, TypeAlias

from rejoin import bencode
from rejoin import config_merge as cm
from rejoin import conflict_detection as cd
from rejoin.history_merge import SETS, Node, Session, merge
from rejoin.history_merge.index_sets import NOTHING
from rejoin_conformance.kit.draw import Draw
from side_by_side import compare, line

KIB: Final = 1024
SMALL: Final = {"bytes": 64 * KIB, "snapshots": 1_000, "nodes": 1_000}
LARGE: Final = {"bytes": 1024 * KIB, "snapshots": 100_000, "nodes": 10_000}

Work: TypeAlias = Callable[[int], Callable[[], object]]
"""A size -> what takes the time."""


def main() -> None:
    """Print every ratio."""
    resolve_beside_decoding()
    for unit, works in (("bytes", parsing()), ("snapshots", walks()), ("nodes", merges())):
        small, large = SMALL[unit], LARGE[unit]
        for what, work in works:
            pair = work(large), _repeated(work(small), large // small)
            names = f"{large:,} {unit}", f"{large // small} x {small:,}"
            print(line(what, compare(*pair, pairs=3), *names), flush=True)


def _repeated(call: Callable[[], object], times: int) -> Callable[[], object]:
    return lambda: [call() for _ in range(times)]


def resolve_beside_decoding() -> None:
    """Compare resolving two messages with decoding and encoding the same two."""
    data: dict[bytes, object] = {
        b"name": b"Alice",
        b"contacts": {
            b"05" + bytes([number, number]) * 16: {b"n": b"contact %d" % number, b"tags": {1, 2}}
            for number in range(40)
        },
    }
    message = cm.update([], data)
    for number in range(5):
        message = cm.update([message.encoded], {**data, b"read": number})
    mine = cm.update([message.encoded], {**message.data, b"mine": {b"x", b"y"}})
    theirs = cm.update([message.encoded], {**message.data, b"name": b"Bob"})
    both = mine.encoded, theirs.encoded
    resolved = partial(cm.resolve, both)
    assert resolved().merged
    decoded = partial(map, lambda each: bencode.encode(bencode.decode(each)), both)
    what = f"resolve two messages, {sum(map(len, both)) / KIB:.1f} KiB"
    comparison = compare(resolved, lambda: [*decoded()], pairs=15, calls=50)
    print(line(what, comparison, "resolve", "decode+encode"))


def parsing() -> Iterator[tuple[str, Work]]:
    """Yield the parsing of inputs: valid ones, and invalid ones that look valid for long."""
    for name in inputs_of(SMALL["bytes"]):

        def parse(size: int, name: str = name) -> Callable[[], object]:
            message = inputs_of(size)[name]
            return partial(
                cm.parsed_or_error, message, window=5, reading=cm.DOCUMENT, verify_key=None
            )

        yield f"parse {name}", parse


def inputs_of(size: int) -> dict[str, bytes]:
    """Return inputs of about this size."""
    row = b"li%de32:" + b"h" * 32 + b"d1:a0:ee"
    flat = b"".join(b"8:%08d12:%012d" % (number, number) for number in range(size // 24))
    rows = b"".join(row % number for number in range(size // 54))
    elements = b"".join(b"i%de" % number for number in range(10**6, 10**6 + size // 9))
    one = b"d1:a" * 60 + b"i1e" + b"e" * 60
    nested = b"".join(b"8:%08d%s" % (number, one) for number in range(size // (len(one) + 10)))
    return {
        "a flat dict of strings": _message(b"d" + flat + b"e"),
        "one set of integers": _message(b"d1:sl" + elements + b"ee"),
        "dicts nested 60 deep": _message(b"d" + nested + b"e"),
        "lagged rows": b"d1:#i%de1:&de1:<l%se1:=dee" % (2**40, rows),
        "the last key out of order": _message(b"d" + flat + b"1:0" + b"i1e" + b"e"),
        "one integer of digits": _message(b"d1:ai" + b"9" * size + b"ee"),
        "opening brackets alone": _message(b"d1:a" + b"l" * size),
    }


def _message(data: bytes) -> bytes:
    return b"d1:#i7e1:&" + data + b"1:<le1:=dee"


def walks() -> Iterator[tuple[str, Work]]:
    """Yield classifications that read a whole history, which is a chain or a chain of diamonds."""
    for shape, dag_of in (("chain", chain), ("diamonds", diamonds)):
        for name, ends in (("overwrite", (0, -1)), ("stale", (-1, 0)), ("conflict", (None, -1))):
            yield f"{name}, {shape}", partial(_classified, dag_of, ends)


def _classified(
    dag_of: Callable[[int], Mapping[int, tuple[int, ...]]],
    ends: tuple[int | None, int],
    size: int,
) -> Callable[[], object]:
    """Return the classification of two snapshots. ends: our place and theirs; None: beside all."""
    dag = {**dag_of(size), size: (0,)}
    ours, theirs = (size if each is None else each % size for each in ends)
    return lambda: cd.classify_by_graph(cd.REPAIRED, dag.__getitem__, ours, theirs)


def chain(size: int) -> dict[int, tuple[int, ...]]:
    """Return a chain of snapshots, each following the previous one; 0 is the oldest."""
    return {number: (number - 1,) if number else () for number in range(size)}


def diamonds(size: int) -> dict[int, tuple[int, ...]]:
    """Return a chain of diamonds: a snapshot, two that follow it, one that follows both, ..."""
    back = {0: (2, 1), 1: (1,), 2: (2,)}
    return {
        number: tuple(number - each for each in back[number % 3]) if number else ()
        for number in range(size)
    }


def merges() -> Iterator[tuple[str, Work]]:
    """Yield the posting of histories of six members, and the merging of their heads."""
    yield "post and accept", lambda size: lambda: gossip(size)
    yield "merge the heads without a cache", _merged


def _merged(size: int) -> Callable[[], object]:
    graph = gossip(size).graph
    heads = tuple(sorted(graph.heads()))
    return lambda: merge(graph, heads, SETS)


def gossip(size: int) -> Session[frozenset[str]]:
    """Six members post in random order; before half of the posts, one hears another's messages."""
    draw, session = Draw(7), Session(SETS)
    views = [NOTHING] * 6
    for place in range(size):
        author = draw.below(6) if place else 0
        if draw.chance(1, 2) or not views[author]:
            views[author] |= views[draw.below(6) if views[author] else 0]
        name, parents = f"{draw.word():016x}", session.graph.pasts.maximal(views[author])
        state = session.merge(parents) ^ {f"member{draw.below(30)}"}
        session.accept(Node(name, parents, state))
        views[author] |= session.graph.pasts.of(name)
    return session


if __name__ == "__main__":
    main()
