"""Plant a fault in the reference: a function of a world is what a test gives instead."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

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
