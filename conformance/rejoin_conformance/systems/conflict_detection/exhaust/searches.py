"""What is searched: two designs, two readings, and whether a client links what it downloads."""

from __future__ import annotations

from itertools import product
from typing import Final

from attrs import evolve, field, frozen, validators

from rejoin import conflict_detection as cd

DESIGNS: Final = ("snapshots", "version-maps")

NICKNAMES: Final = ("A", "B", "C", "D", "E")
"""The clients of a search, as many as it needs."""


@frozen
class Search:
    """One design under one reading, in one of the two variants.

    The variant is the reading's `links_downloads`: whether a client that downloads a version links
    it in its own directory. Where not, a directory links its owner's last upload.
    """

    design: str = field(validator=validators.in_(DESIGNS))
    reading: cd.Reading

    @property
    def variant(self) -> str:
        """The variant, as reports name it."""
        return "linked" if self.reading.links_downloads else "not-linked"


SEARCHES: Final = tuple(
    Search(design, evolve(reading, links_downloads=links))
    for design, reading, links in product(DESIGNS, cd.READINGS.values(), (True, False))
)
"""What `rejoin exhaust` searches, in the order of its report."""


@frozen
class Bounds:
    """How far a search goes: so many clients, and so many uploads in all."""

    clients: int = field(validator=(validators.ge(1), validators.le(len(NICKNAMES))))
    uploads: int = field(validator=(validators.ge(0), validators.le(6)))

    @property
    def nicknames(self) -> tuple[str, ...]:
        """The clients by name; everywhere else they are numbers from 0."""
        return NICKNAMES[: self.clients]

    @property
    def slots(self) -> int:
        """How many numbers there are for versions: see `states`."""
        return self.clients * self.uploads
