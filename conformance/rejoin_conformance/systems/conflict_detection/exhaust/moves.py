"""The effect of one step on the client that takes it. A step never changes other clients.

So a step depends only on the versions, the client's state and, for a poll, the version that the
other client links.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from rejoin import conflict_detection as cd
from rejoin_conformance.systems.conflict_detection.exhaust.lean_designs import (
    LeanDesign,
    lean_design,
)
from rejoin_conformance.systems.conflict_detection.exhaust.mismatches import PLACE
from rejoin_conformance.systems.conflict_detection.exhaust.searches import Bounds, Search
from rejoin_conformance.systems.conflict_detection.exhaust.states import (
    NONE,
    Own,
    Versions,
    uploads_of,
    with_version,
)
from rejoin_conformance.systems.conflict_detection.ground_truth import (
    classify_by_closure,
    extend_closure,
)


class Polled(NamedTuple):
    """The result of a poll.

    place: the place of the pair of classifications in `mismatches.PAIRS`. own: the client's state.
    """

    place: int
    own: Own


class Uploaded(NamedTuple):
    """The result of an upload. own: the client's state."""

    versions: Versions
    own: Own


class Moves:
    """The steps of one search from states with the same versions."""

    def __init__(self, search: Search, bounds: Bounds, versions: Versions) -> None:
        self._links = search.reading.links_downloads
        self._design: LeanDesign = lean_design(search, bounds)
        self._bounds = bounds
        self._versions = versions
        self._uploads = tuple(
            uploads_of(versions, client, bounds.uploads) for client in range(bounds.clients)
        )

    @property
    def may_upload(self) -> bool:
        """Return whether the bound allows one more upload."""
        return sum(self._uploads) < self._bounds.uploads

    def linked(self, client: int, own: Own) -> int:
        """Return the version that a client's directory links, or `NONE`."""
        if self._links:
            return own.current
        made = self._uploads[client]
        return client * self._bounds.uploads + made - 1 if made else NONE

    def poll(self, client: int, own: Own, other: int, theirs: int) -> Polled:
        """Let a client poll another one, whose directory links `theirs`.

        The follows relation gives the expected classification, and the design gives the actual one.
        Only the actual one determines the action of the client.
        """
        expected = classify_by_closure(
            self._versions.follows, None if own.current == NONE else own.current, theirs
        )
        found = self._design.classify(self._versions, client, own.current, theirs)
        place = PLACE[expected, found]
        if found is cd.Classification.OVERWRITE:
            held = own.held
            if self._design.ends_when_seen:
                held = _replaced(held, other, NONE)
            behind = extend_closure(self._versions.follows, own.behind | 1 << theirs)[-1]
            return Polled(place, Own(theirs, behind, self._left(client, theirs, held)))
        if found is cd.Classification.CONFLICT:
            return Polled(place, own._replace(held=_replaced(own.held, other, theirs)))
        if self._design.ends_when_seen:
            return Polled(place, own._replace(held=_replaced(own.held, other, NONE)))
        return Polled(place, own)

    def removable(self, own: Own) -> Iterator[tuple[int, ...]]:
        """Yield the owners of each nonempty set of conflict files that a client can remove."""
        files: dict[int, list[int]] = {}
        for other, version in enumerate(own.held):
            if version != NONE:
                file = version if self._design.one_file_per_version else other
                files.setdefault(file, []).append(other)
        owners = [tuple(each) for each in files.values()]
        for count in range(1, len(owners) + 1):
            for chosen in combinations(owners, count):
                yield tuple(sorted(sum(chosen, ())))

    def upload(self, client: int, own: Own, others: tuple[int, ...] = ()) -> Uploaded:
        """Let a client write a new text and remove its conflict files of `others` with it."""
        removed = [(other, own.held[other]) for other in others]
        had = own.behind
        for _, version in removed:
            had |= 1 << version
        follows = extend_closure(self._versions.follows, had)[-1]
        form = self._design.upload(self._versions, client, own.current, removed)
        version = client * self._bounds.uploads + self._uploads[client]
        versions = with_version(self._versions, version, follows, form)
        held = tuple(NONE if other in others else each for other, each in enumerate(own.held))
        left = self._left(client, version, held, versions)
        return Uploaded(versions, Own(version, follows | 1 << version, left))

    def _left(
        self, client: int, current: int, held: tuple[int, ...], versions: Versions | None = None
    ) -> tuple[int, ...]:
        """Return the conflict files that remain for a client with the version `current`."""
        known = versions or self._versions
        return tuple(
            NONE if each != NONE and self._design.is_over(known, client, current, each) else each
            for each in held
        )


def _replaced(held: tuple[int, ...], other: int, version: int) -> tuple[int, ...]:
    return (*held[:other], version, *held[other + 1 :])
