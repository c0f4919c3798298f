"""Version graphs and version maps as text: `x; a < x; b < x; m < a b` and `(A:3 B:2)`.

The parents of a version follow it after `<`. `40 diamonds` is a chain of 40 diamonds: t0, then l1
and r1 after it, t1 after both, and so on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.notation.words import (
    Segment,
    Statement,
    spelled,
)

_DIAMONDS: Final = "diamonds"
_FEWEST_DIAMONDS: Final = 3
_MOST_DIAMONDS: Final = 1000


def is_version(statement: Statement) -> bool:
    """Return whether a statement is part of a graph: a version, or diamonds."""
    tokens = statement[0].tokens
    return len(statement) == 1 and (len(tokens) == 1 or tokens[1].text in {"<", _DIAMONDS})


def parse_graph(graph: Iterable[Statement]) -> list[Json]:
    """Return the versions of a graph, in the order of the text."""
    versions: list[Json] = []
    for statement in graph:
        segment = statement[0]
        if [token.text for token in segment.tokens[1:]] == [_DIAMONDS]:
            versions += diamonds(segment.whole("the number of diamonds", _MOST_DIAMONDS))
        else:
            versions.append(_version(segment))
    return versions


def _version(segment: Segment) -> JsonObject:
    name = segment.word("a version")
    parents: list[Json] = []
    if not segment.ended:
        segment.need("<")
        parents += segment.words("a parent")
    return {"id": name, "parents": parents}


def diamonds(count: int) -> list[Json]:
    """Return a chain of `count` diamonds; there are 2 ** count paths from its top to t0."""
    versions: list[Json] = [{"id": "t0", "parents": []}]
    for number in range(1, count + 1):
        below: list[Json] = [f"t{number - 1}"]
        versions += [
            {"id": f"l{number}", "parents": [*below]},
            {"id": f"r{number}", "parents": [*below]},
            {"id": f"t{number}", "parents": [f"l{number}", f"r{number}"]},
        ]
    return versions


def spelled_graph(versions: Sequence[JsonObject]) -> list[str]:
    """Return the statements of a graph."""
    count = _leading_diamonds(versions)
    written = [f"{count} {_DIAMONDS}"] if count else []
    for version in versions[3 * count + 1 if count else 0 :]:
        parents = version["parents"]
        assert isinstance(parents, list)
        after = f" < {' '.join(spelled(str(each)) for each in parents)}" if parents else ""
        written.append(f"{spelled(str(version['id']))}{after}")
    return written


def _leading_diamonds(versions: Sequence[JsonObject]) -> int:
    """Return the number of diamonds at the beginning of a graph; 0 if there are too few."""
    chain = diamonds(min((len(versions) - 1) // 3, _MOST_DIAMONDS))
    pairs = enumerate(zip(chain, versions, strict=False))
    equal = next((at for at, (one, other) in pairs if one != other), len(chain))
    count = (equal - 1) // 3
    return count if count >= _FEWEST_DIAMONDS else 0


def parse_map(segment: Segment) -> dict[str, int]:
    """Consume and return a version map in parentheses."""
    segment.need("(", "a version map such as `(A:3 B:2)`")
    version_map: dict[str, int] = {}
    while not segment.reads(")"):
        name = segment.word("a nickname, or `)`")
        segment.need(":")
        if name in version_map:
            segment.fail(f"one entry for {name!r}")
        version_map[name] = segment.whole("a version number")
    return version_map


def json_map(segment: Segment) -> JsonObject:
    """Consume a version map, and return it as JSON."""
    return {**parse_map(segment)}


def spelled_map(version_map: JsonObject) -> str:
    """Return the text of a version map."""
    entries = (f"{spelled(name)}:{number}" for name, number in version_map.items())
    return f"({' '.join(entries)})"
