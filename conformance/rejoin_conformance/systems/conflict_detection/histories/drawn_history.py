"""A history while the generator draws it: the events so far, and the choices that scenes make."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from attrs import define, field

from rejoin_conformance.kit.draw import Draw
from rejoin_conformance.systems.conflict_detection.histories.estimated_state import EstimatedState
from rejoin_conformance.systems.conflict_detection.histories.events import Event, Poll, PollAll
from rejoin_conformance.systems.conflict_detection.histories.profiles import Profile

REPEATED: Final = 3
"""Texts below this number are those that several clients may write."""


@define
class DrawnHistory:
    """The events so far, and what later scenes need to know of them."""

    draw: Draw
    profile: Profile
    paths: tuple[str, ...]
    clients: int
    events: list[Event] = field(factory=list)
    estimate: EstimatedState = field(factory=EstimatedState)
    away: list[int] = field(factory=list)
    parted: list[tuple[int, int]] = field(factory=list)
    next_text: int = REPEATED

    def add(self, event: Event) -> None:
        """One event more."""
        self.events.append(event)
        self.estimate.note(event)

    def chance(self, percent: int) -> bool:
        """True in so many cases of a hundred."""
        return self.draw.chance(percent, 100)

    def client(self) -> int:
        """Any client, one that is there rather than one that is away."""
        if self.away and not self.chance(self.profile.absent):
            return self.draw.pick([each for each in range(self.clients) if each not in self.away])
        return self.draw.below(self.clients)

    def other(self, client: int) -> int:
        """Any client but this one; there are at least two."""
        return (client + 1 + self.draw.below(self.clients - 1)) % self.clients

    def some_clients(self) -> list[int]:
        """Two or three clients, in any order."""
        return self.draw.sample(range(self.clients), self.draw.between(2, 3))

    def path(self) -> str:
        """Any path of this history."""
        return self.draw.pick(self.paths)

    def place(self, wanted: Callable[[int, str], bool]) -> tuple[int, str]:
        """A client and a path, where it is as wanted if that is anywhere."""
        places = [
            (client, path)
            for client in range(self.clients)
            for path in self.paths
            if client not in self.away and wanted(client, path)
        ]
        if places and not self.chance(self.profile.blind):
            return self.draw.pick(places)
        return self.client(), self.path()

    def text(self) -> int:
        """A text that nobody else writes, or now and then one of a few that several write."""
        if self.chance(self.profile.repeated_text):
            return self.draw.below(REPEATED)
        self.next_text += 1
        return self.next_text - 1

    def pick(self) -> int:
        """All conflict files, or any."""
        return 0 if self.chance(self.profile.all_at_once) else self.draw.between(1, 15)

    def poll(self, client: int, other: int, path: str) -> None:
        """A poll of one file, or of all."""
        every = self.chance(self.profile.all_files)
        self.add(PollAll(client, other) if every else Poll(client, other, path))

    def look_around(self, client: int, path: str) -> None:
        """In some cases, the client first polls one or two others."""
        if self.chance(self.profile.checked):
            others = [other for other in range(self.clients) if other != client]
            for other in self.draw.sample(others, self.draw.between(1, 2)):
                self.poll(client, other, path)
