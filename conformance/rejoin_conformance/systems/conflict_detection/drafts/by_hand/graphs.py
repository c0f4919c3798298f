"""Version DAGs in a line: `dag("x", "a<x", "b<x", "ab<a,b")`."""

from __future__ import annotations

from rejoin_conformance.kit.json_types import Json, JsonObject


def dag(*versions: str) -> list[Json]:
    """Versions with the parents that stand after the `<`, separated by commas."""
    listed: list[Json] = []
    for version in versions:
        name, _, parents = version.partition("<")
        each: list[Json] = [*parents.split(",")] if parents else []
        listed.append({"id": name, "parents": each})
    return listed


def diamond_chain(count: int) -> list[Json]:
    """A chain of `count` diamonds: t0, then l1 and r1 after it, joined by t1, and so on.

    There are 2 ** count ways from the top to t0.
    """
    versions = ["t0"]
    for number in range(1, count + 1):
        below = number - 1
        versions += [f"l{number}<t{below}", f"r{number}<t{below}", f"t{number}<l{number},r{number}"]
    return dag(*versions)


def names(text: str) -> list[Json]:
    """A sorted list of the names in a text."""
    return [*sorted(text.split())]


def output_follows(*, follows: bool) -> JsonObject:
    """The output of `follows`."""
    return {"follows": follows}


def output_classification(classification: str) -> JsonObject:
    """The output of the operations that classify."""
    return {"classification": classification}
