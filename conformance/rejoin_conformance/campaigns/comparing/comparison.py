"""The plan of a comparison: histories, two sides, and the choice points in which they differ."""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from rejoin_conformance.campaigns.plan import Drawn
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.readings.in_force import A, B, Between, Side, between


@frozen(kw_only=True)
class Comparison(Drawn):
    """Histories to run under the sides a and b.

    They are the histories of the campaign of that system, profile and seed.
    """

    block_size: ClassVar[int] = 25
    a: Side
    b: Side
    profile: str = "default"
    seed: int = 1

    def between(self) -> Between:
        """Return the sides, loaded in this process, and the choice points in which they differ."""
        return between(self.a, self.b, system_named(self.system))

    def to_json(self) -> JsonObject:
        """Return the plan as data."""
        return {
            "system": self.system,
            "profile": self.profile,
            "seed": self.seed,
            "histories": self.histories,
            A: self.a.to_json(),
            B: self.b.to_json(),
        }
