"""The searches: two designs, two readings, and whether a client links a downloaded version."""

from __future__ import annotations

from itertools import product
from typing import Final

from attrs import evolve, field, frozen, validators

from rejoin import conflict_detection as cd

DESIGNS: Final = ("snapshots", "version-maps")

NICKNAMES: Final = ("A", "B", "C", "D", "E")
"""The names of the clients. A search uses the first ones."""


@frozen
class Search:
    """One design under one reading, in one of two variants.

    The variant is the reading's `links_downloads`: whether a client that downloads a version links
    it in its own directory. If not, a directory links the last upload of its owner.
    """

    design: str = field(validator=validators.in_(DESIGNS))
    reading: cd.Reading

    @property
    def variant(self) -> str:
        """Return the name of the variant in reports."""
        return "linked" if self.reading.links_downloads else "not-linked"


SEARCHES: Final = tuple(
    Search(design, evolve(reading, links_downloads=links))
    for design, reading, links in product(DESIGNS, cd.READINGS.values(), (True, False))
)
"""The searches of `rejoin exhaust`, in the order of its report."""


@frozen
class Bounds:
    """The bounds of a search: the number of clients, and of uploads in all."""

    clients: int = field(validator=(validators.ge(1), validators.le(len(NICKNAMES))))
    uploads: int = field(validator=(validators.ge(0), validators.le(6)))

    @property
    def nicknames(self) -> tuple[str, ...]:
        """Return the names of the clients. All other modules number them from 0."""
        return NICKNAMES[: self.clients]

    @property
    def slots(self) -> int:
        """Return the number of version numbers; see `states`."""
        return self.clients * self.uploads
