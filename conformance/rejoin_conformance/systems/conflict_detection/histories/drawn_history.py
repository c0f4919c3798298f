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
"""Several clients can write the texts below this number."""


@define
class DrawnHistory:
    """The events drawn so far, and the state that later scenes need.

    estimate: an estimate of the clients' files. away: the clients that are offline. parted: pairs
    of a client and another one that it does not poll. unnoticed: clients with changes that they do
    not notice yet. backed_up: clients with a backup. next_text: the next unused text.
    """

    draw: Draw
    profile: Profile
    paths: tuple[str, ...]
    clients: int
    events: list[Event] = field(factory=list)
    estimate: EstimatedState = field(factory=EstimatedState)
    away: list[int] = field(factory=list)
    unnoticed: list[int] = field(factory=list)
    backed_up: list[int] = field(factory=list)
    parted: list[tuple[int, int]] = field(factory=list)
    next_text: int = REPEATED

    def add(self, event: Event) -> None:
        """Add an event."""
        self.events.append(event)
        self.estimate.note(event)

    def chance(self, percent: int) -> bool:
        """Return true with a probability in percent."""
        return self.draw.chance(percent, 100)

    def client(self) -> int:
        """Draw a client, preferably one that is online."""
        if self.away and not self.chance(self.profile.absent):
            return self.draw.pick([each for each in range(self.clients) if each not in self.away])
        return self.draw.below(self.clients)

    def other(self, client: int) -> int:
        """Draw another client than this one. There are at least two."""
        return (client + 1 + self.draw.below(self.clients - 1)) % self.clients

    def some_clients(self) -> list[int]:
        """Draw two or three clients, in any order."""
        return self.draw.sample(range(self.clients), self.draw.between(2, 3))

    def path(self) -> str:
        """Draw a path of this history."""
        return self.draw.pick(self.paths)

    def place(self, wanted: Callable[[int, str], bool]) -> tuple[int, str]:
        """Draw a client and a path, preferably ones for which `wanted` is true."""
        places = [
            (client, path)
            for client in range(self.clients)
            if client not in self.away
            for path in self.paths
            if wanted(client, path)
        ]
        if places and not self.chance(self.profile.blind):
            return self.draw.pick(places)
        return self.client(), self.path()

    def text(self) -> int:
        """Return an unused text, or in a few cases one that several clients write."""
        if self.chance(self.profile.repeated_text):
            return self.draw.below(REPEATED)
        self.next_text += 1
        return self.next_text - 1

    def pick(self) -> int:
        """Draw the conflict files of an event: all, or a subset."""
        return 0 if self.chance(self.profile.all_at_once) else self.draw.between(1, 15)

    def poll(self, client: int, other: int, path: str) -> None:
        """Add a poll of one file, or of all files."""
        every = self.chance(self.profile.all_files)
        self.add(PollAll(client, other) if every else Poll(client, other, path))

    def look_around(self, client: int, path: str) -> None:
        """Add, in some cases, polls of one or two other clients."""
        if self.chance(self.profile.checked):
            others = [other for other in range(self.clients) if other != client]
            for other in self.draw.sample(others, self.draw.between(1, 2)):
                self.poll(client, other, path)
