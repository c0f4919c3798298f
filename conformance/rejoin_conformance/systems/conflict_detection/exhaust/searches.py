"""The searches: two designs, two readings, and whether a client links a downloaded version."""

from __future__ import annotations

from functools import cached_property
from itertools import product
from typing import Final, TypeAlias

from attrs import evolve, frozen

from rejoin import conflict_detection as cd
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.actions import NICKNAMES


@frozen
class Search:
    """One design under one reading, in one of two variants.

    The variant is the reading's `links_downloads`: whether a client that downloads a version links
    it in its own directory. If not, a directory links the last upload of its owner.
    """

    design: str
    reading: cd.Reading

    @property
    def variant(self) -> str:
        """Return the name of the variant in reports."""
        return "linked" if self.reading.links_downloads else "not-linked"


SEARCHES: Final = tuple(
    Search(design, evolve(reading, links_downloads=links))
    for design, reading, links in product(
        ("snapshots", "version-maps"), cd.READINGS.values(), (True, False)
    )
)
"""The searches of `rejoin exhaust`, in the order of its report."""


@frozen(slots=False)
class Bounds:
    """The bounds of a search: the number of clients, and of uploads in all."""

    clients: int
    uploads: int

    @property
    def nicknames(self) -> str:
        """Return the names of the clients."""
        return NICKNAMES[: self.clients]

    @cached_property
    def steps(self) -> tuple[JsonObject, ...]:
        """Return all steps in the order in which traces are compared, without their texts.

        A trace has one byte for each step: its place in this list.
        """
        names = self.nicknames
        some: list[list[Json]] = [
            [name for place, name in enumerate(names) if bits >> place & 1]
            for bits in range(1, 1 << self.clients)
        ]
        edits: list[JsonObject] = [{"client": name, "edit": ""} for name in names]
        polls: list[JsonObject] = [
            {"client": name, "poll": other} for name in names for other in names if other != name
        ]
        resolutions: list[JsonObject] = [
            {"client": name, "resolve": others, "text": ""}
            for name in names
            for others in some
            if name not in others
        ]
        return (*edits, *polls, *resolutions)


Pair: TypeAlias = tuple[cd.Classification, cd.Classification]
"""(classification by the follows relation, classification by the design)."""

_OWN_NAMES: Final = {
    (cd.Classification.OVERWRITE, cd.Classification.CONFLICT): "false conflict",
    (cd.Classification.CONFLICT, cd.Classification.OVERWRITE): "false overwrite",
}
KINDS: Final = {
    pair: _OWN_NAMES.get(pair, "{} taken for {}".format(*pair))
    for pair in product(cd.Classification, cd.Classification)
    if pair[0] is not pair[1]
}
"""The kinds of mismatches, in the order of reports: classifications that differ -> their name."""
