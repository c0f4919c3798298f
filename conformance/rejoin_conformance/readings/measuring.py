"""Put a variant of a comparison in force, and count where its choice points matter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from attrs import evolve, frozen

from rejoin_conformance.contract.choices import choice_points
from rejoin_conformance.contract.system import System
from rejoin_conformance.readings.in_force import A, Between, in_force
from rejoin_conformance.readings.overriding import Tried, tried
from rejoin_conformance.readings.reach import Reach
from rejoin_conformance.readings.readers import package_of
from rejoin_conformance.readings.rule_file import InForce
from rejoin_conformance.readings.watching import Watch, watching


@frozen
class Counts:
    """The counts of one variant.

    watch: the choice points that are fields of the reading; only variant `a` counts them. points:
    the overridden functions that this variant counts.
    """

    watch: Watch | None
    points: tuple[str, ...]

    @property
    def counted(self) -> tuple[str, ...]:
        """Return the choice points that this variant counts."""
        return (*self.points, *(() if self.watch is None else self.watch.others))

    @contextmanager
    def one_case(self, reached: dict[str, Reach]) -> Iterator[None]:
        """Count the calls that are made while the block runs as those of one history."""
        before = self._now()
        try:
            yield
        finally:
            for point, calls in self._now().items():
                reached.setdefault(point, Reach()).count(calls.since(before[point]))

    def _now(self) -> Mapping[str, Tried]:
        overridden = tried()
        seen = {} if self.watch is None else self.watch.seen
        return {
            **{point: evolve(each) for point, each in seen.items()},
            **{point: overridden[point] for point in self.points},
        }


@contextmanager
def measuring(
    sides: Between, name: str, variant: InForce, system: System
) -> Iterator[tuple[str, Counts]]:
    """Put a variant in force while the block runs; yield the reading's name and the counts.

    name: `a`, `b` or a choice point. Each choice point is counted in one variant: a field in `a`,
    an overridden function in the variant that overrides it alone.
    """
    points = choice_points(type(sides.a.reading))
    if name == A:
        others = {
            point: getattr(sides.b.reading, point) for point in sides.points if point in points
        }
        removed = tuple(point for point in sides.points if _only_a_overrides(sides, point))
        with (
            watching(variant.reading, others, package_of(system.name)) as (reading, watch),
            in_force(evolve(variant, reading=reading), system, compared=bool(removed)) as named,
        ):
            yield named, Counts(watch, removed)
        return
    alone = sides.points if len(sides.points) == 1 else (name,)
    counted = tuple(point for point in alone if point in sides.b.overrides)
    with in_force(variant, system, compared=bool(counted)) as named:
        yield named, Counts(None, counted)


def _only_a_overrides(sides: Between, point: str) -> bool:
    return point in sides.a.overrides and point not in sides.b.overrides
