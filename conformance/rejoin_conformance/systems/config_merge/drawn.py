"""The values that random histories are drawn from, and events that are drawn one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rejoin_conformance.kit.draw import Draw
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.config_merge.actions import EVENTS
from rejoin_conformance.systems.config_merge.changes import Path, Scalar, change_json
from rejoin_conformance.systems.config_merge.injections import INJECTIONS

SCALAR_PATHS: Final[tuple[Path, ...]] = (
    (b"a",),
    (b"b",),
    (b"",),
    (b"d", b"x"),
    (b"d", b"y"),
    (b"d", b"e", b"z"),
    (b"f", b"\xff\x00"),
)
SET_PATHS: Final[tuple[Path, ...]] = ((b"s",), (b"t",), (b"d", b"m"))
DICT_PATHS: Final[tuple[Path, ...]] = ((b"d",), (b"d", b"e"), (b"f",))
ELEMENTS: Final[tuple[Scalar, ...]] = (1, 2, -7, b"", b"1", b"p\x80")
REPEATED: Final[tuple[Scalar, ...]] = (0, 1, b"1", b"same")
EXTREMES: Final[tuple[Scalar, ...]] = (
    -(2**63),
    2**63 - 1,
    -1,
    b"",
    b"-",
    b"\x00\xff\xfe",
    b"d1:#i1ee",
    b"L" * 4096,
)
MORE_CHANGES: Final = (0, 0, 1, 1, 2)
LONG_KEY: Final = b"k" * 128

UNIFORM_EVENTS: Final = (45, 55)
"""The range of the number of events of a uniform history. A default one has as many on average."""


def chosen(names: str, bits: int) -> list[str]:
    """Return the clients whose bits are set."""
    return [name for bit, name in enumerate(names) if bits >> bit & 1]


def flags(**values: bool) -> dict[str, Json]:
    """Return the flags that are true, as fields of an event."""
    return {name: True for name, value in values.items() if value}


def partition(draw: Draw, names: str) -> JsonObject:
    """Return a partition of the network with clients on both sides."""
    return {"partition": [*chosen(names, draw.between(1, (1 << len(names)) - 2))]}


def injection(draw: Draw, kind: str, reach: int) -> JsonObject:
    """Return an injection made from one of the newest messages, as many as `reach`."""
    return {"inject": kind, "target": draw.below(reach), "salt": draw.below(1 << 16)}


def uniform_events(draw: Draw, names: str) -> Iterator[JsonObject]:
    """Yield events one by one, all kinds equally likely, as a baseline for the profiles.

    No event depends on earlier events, and nothing makes a race or a late merge more likely.
    """
    for _ in range(draw.between(*UNIFORM_EVENTS)):
        row = draw.pick(EVENTS)
        if row.key == "changes":
            made = [_uniform_change(draw) for _ in range(draw.between(1, 3))]
            yield {"client": draw.pick(names), "changes": [*made]}
            continue
        event: JsonObject = {"client": draw.pick(names)} if row.subject else {}
        match row.key:
            case "push":
                refused, delayed = not draw.chance(1, 2), draw.chance(1, 2)
                yield {**event, "push": True} | flags(deletes_nothing=refused, delayed=delayed)
            case "fetch":
                skip = draw.below(1 << 16) if draw.chance(1, 2) else 0
                yield {**event, "fetch": True} | ({"skip": skip} if skip else {})
            case "inject":
                yield injection(draw, draw.pick([*INJECTIONS]), 64)
            case "partition":
                yield partition(draw, names)
            case key:
                yield {**event, key: True}


def _uniform_change(draw: Draw) -> JsonObject:
    kind = draw.pick(("assign", "remove", "add", "discard"))
    path = draw.pick(SCALAR_PATHS + SET_PATHS + DICT_PATHS)
    if kind == "remove":
        return change_json(kind, path)
    return change_json(kind, path, draw.pick(ELEMENTS + EXTREMES * (kind == "assign")))
