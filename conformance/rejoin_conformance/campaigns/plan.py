"""What a campaign is to do. Two campaigns with equal plans have equal digests."""

from __future__ import annotations

from typing import Annotated, Final

from attrs import field, frozen, validators

from rejoin_conformance.kit.codec import NOT_EMPTY, OPTIONAL, plain, read
from rejoin_conformance.kit.json_types import JsonObject

BLOCK_SIZE: Final = 250
"""Histories in a block: the unit that is counted, digested and kept."""

DEFAULT_SEED: Final = 1
"""The seed of a campaign for which none is given."""

ANSWER_TIMEOUT: Final = 10
"""Seconds that an adapter has for an answer if the plan does not say so."""

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
    readings: Annotated[tuple[str, ...], NOT_EMPTY]
    seed: int
    histories: int = field(validator=[validators.ge(1), validators.le(MOST_HISTORIES)])
    adapter: str | None = field(default=None, metadata=OPTIONAL)
    timeout: int = field(default=ANSWER_TIMEOUT, validator=validators.ge(1))
    rule: str | None = field(default=None, metadata=OPTIONAL)

    @property
    def blocks(self) -> int:
        """How many blocks the histories fill."""
        return -(-self.histories // BLOCK_SIZE)

    def indices(self, block: int) -> range:
        """The histories of one block; the last block may be shorter."""
        return range(block * BLOCK_SIZE, min((block + 1) * BLOCK_SIZE, self.histories))

    def to_json(self) -> JsonObject:
        """Return the plan as data, with which a campaign's digest begins.

        The timeout is part of it only if there is an adapter.
        """
        value = plain(self) | {"block_size": BLOCK_SIZE}
        if self.adapter is None:
            del value["timeout"]
        return value

    @classmethod
    def from_json(cls, value: JsonObject) -> Plan:
        """Return the plan that the data describe, without a block size. Raises MalformedError."""
        return read({"timeout": ANSWER_TIMEOUT, **value}, cls)
