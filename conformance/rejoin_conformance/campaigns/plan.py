"""What a campaign is to do. Two campaigns with equal plans have equal digests."""

from __future__ import annotations

from typing import Final

from attrs import field, frozen, validators

from rejoin_conformance.kit.json_types import Json, JsonObject

BLOCK_SIZE: Final = 250
"""Histories in a block: the unit that is counted, digested and kept."""

DEFAULT_SEED: Final = 1
"""The seed of a campaign for which none is given."""

MOST_HISTORIES: Final = 10_000_000_000
"""The driver holds 33 bytes for each block: 1.3 GB for so many."""


@frozen(kw_only=True)
class Plan:
    """The histories 0 .. histories - 1 of (system, profile, seed), under each of the readings.

    adapter: the command line of a program that is held against the reference, history by history;
        None where the laws are checked. timeout: seconds that it has for an answer.
    rule: the text of the rule file whose name is the one reading; None where readings are named.
    """

    system: str
    profile: str
    readings: tuple[str, ...]
    seed: int
    histories: int = field(validator=[validators.ge(1), validators.le(MOST_HISTORIES)])
    adapter: str | None = None
    timeout: int = field(default=10, validator=validators.ge(1))
    rule: str | None = None

    @property
    def blocks(self) -> int:
        """How many blocks the histories fill."""
        return -(-self.histories // BLOCK_SIZE)

    def indices(self, block: int) -> range:
        """The histories of one block; the last block may be shorter."""
        return range(block * BLOCK_SIZE, min((block + 1) * BLOCK_SIZE, self.histories))

    def to_json(self) -> JsonObject:
        """The plan as data: what a campaign's digest starts from."""
        readings: list[Json] = list(self.readings)
        asked: JsonObject = {}
        if self.adapter is not None:
            asked = {"adapter": self.adapter, "timeout": self.timeout}
        if self.rule is not None:
            asked["rule"] = self.rule
        return {
            "system": self.system,
            "profile": self.profile,
            "readings": readings,
            "seed": self.seed,
            "histories": self.histories,
            "block_size": BLOCK_SIZE,
            **asked,
        }
