"""Plant a fault in the reference.

`planted` and `world_with` make a world in which a function is what a test gives instead. The faults
that every table of laws must find are texts, in `planted/SYSTEM.txt`: a name with the laws that the
fault must break, then each function with the text before (`-`) and after (`+`) the change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from attrs import frozen

from rejoin_conformance.campaigns.mutants.in_force import swapped
from rejoin_conformance.campaigns.mutants.knockout import KnockedOut, edited
from rejoin_conformance.contract.registry import standing_in
from rejoin_conformance.readings.worlds import World, defined, world_of

Faulty = Callable[[Any], Any]
"""The function or constant as it is -> the faulty one."""


def world_with(system: str, faults: Mapping[str, Faulty]) -> World:
    """Return a world with faults: dotted name of a function or constant -> what it becomes."""
    return world_of(system, [defined(name, fault) for name, fault in faults.items()])


@contextmanager
def planted(system: str, faults: Mapping[str, Faulty]) -> Iterator[World]:
    """Let the system be one with faults while the block runs."""
    world = world_with(system, faults)
    with standing_in(world.system), world.current():
        yield world


@frozen
class Fault:
    """A fault of the reference. laws: those that it must break. changes: one for each function."""

    name: str
    laws: frozenset[str]
    system: str
    changes: tuple[KnockedOut, ...]


@cache
def faults_of(system: str) -> dict[str, Fault]:
    """Return the faults of a system by their names."""
    path = Path(__file__).parent / "planted" / f"{system}.txt"
    _, *paragraphs = path.read_text(encoding="utf-8").split("\n\n")
    faults = [_fault(each.strip().split("\n"), system) for each in paragraphs]
    return {each.name: each for each in faults}


def _fault(lines: list[str], system: str) -> Fault:
    name, _, laws = lines[0].partition(":")
    edits: dict[str, list[tuple[str, str]]] = {}
    function = before = ""
    for line in lines[1:]:
        match line[2:4]:
            case "- ":
                before = line[4:]
            case "+ ":
                edits.setdefault(function, []).append((before, line[4:]))
            case _:
                function = f"rejoin.{system.replace('-', '_')}.{line.strip()}"
    changes = [edited(name, name, each, some, system) for each, some in edits.items()]
    return Fault(name, frozenset(laws.split()), system, tuple(changes))


def faulty(fault: Fault) -> AbstractContextManager[object]:
    """Let the reference of this process have a fault while the block runs."""
    return swapped(fault.system, fault.changes)
