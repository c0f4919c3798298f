"""The plan of a comparison: histories, two sides, and the choice points in which they differ."""

from __future__ import annotations

from typing import Final

from attrs import field, frozen, validators

from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.readings.in_force import A, B, Between, Side, between

BLOCK_SIZE: Final = 25
"""The number of histories in a block, which is one piece of work."""


@frozen(kw_only=True)
class Comparison:
    """The histories 0 .. histories - 1 of (system, profile, seed) under the sides a and b.

    They are the histories of the campaign of that system, profile and seed.
    """

    system: str
    a: Side
    b: Side
    profile: str = "default"
    seed: int = 1
    histories: int = field(default=2000, validator=validators.ge(1))

    @property
    def blocks(self) -> int:
        """Return the number of blocks."""
        return -(-self.histories // BLOCK_SIZE)

    def indices(self, block: int) -> range:
        """Return the indices of the histories of one block. The last block can be shorter."""
        return range(block * BLOCK_SIZE, min((block + 1) * BLOCK_SIZE, self.histories))

    def history_seed(self, index: int) -> int:
        """Return the seed of one history."""
        return history_seed(self.seed, self.system, self.profile, index)

    def between(self) -> Between:
        """Return the sides, loaded in this process, and the choice points in which they differ."""
        return between(self.a, self.b, self._system())

    def _system(self) -> System:
        return system_named(self.system)

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
