"""Draw events one by one, every kind as likely as every other: what profiles are measured against.

Nothing is drawn with regard to what happened before: clients resolve what they do not hold and
bring back what was not deleted, and nothing makes a race or a late resolution likely.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from attrs import define

from rejoin_conformance.kit.draw import Draw
from rejoin_conformance.systems.conflict_detection.histories.events import (
    NICKNAMES,
    Collect,
    ComeBack,
    Delete,
    Discard,
    Edit,
    Event,
    GoOffline,
    Join,
    Move,
    Poll,
    PollAll,
    Rename,
    Resolve,
    Subscribe,
    Touch,
    Undelete,
    Unsubscribe,
)

TEXTS: Final = 1000
"""So many texts may be written: two clients seldom write the same."""


@define
class _Drawing:
    """What events are drawn from. clients: how many there are by now."""

    draw: Draw
    clients: int
    paths: tuple[str, ...]

    def client(self) -> int:
        return self.draw.below(self.clients)

    def two(self) -> tuple[int, int]:
        one, other = self.draw.sample(range(self.clients), 2)
        return one, other

    def path(self) -> str:
        return self.draw.pick(self.paths)

    def text(self) -> int:
        return self.draw.below(TEXTS)

    def pick(self) -> int:
        return self.draw.below(16)

    def poll(self) -> Event:
        return Poll(*self.two(), self.path())

    def resolve(self) -> Event:
        text = self.text() if self.draw.chance(1, 2) else None
        return Resolve(self.client(), self.path(), self.pick(), text)

    def join(self) -> Event:
        """A client that joins; one that comes back where there is no nickname left."""
        if self.clients == len(NICKNAMES):
            return ComeBack(self.client())
        paths = sorted(self.draw.sample(self.paths, self.draw.between(0, len(self.paths))))
        self.clients += 1
        return Join(self.clients - 1, tuple((path, self.text()) for path in paths))


_EVENTS: Final[tuple[Callable[[_Drawing], Event], ...]] = (
    lambda this: Edit(this.client(), this.path(), this.text()),
    _Drawing.poll,
    lambda this: PollAll(*this.two()),
    _Drawing.resolve,
    lambda this: Touch(this.client(), this.path(), this.pick(), this.text()),
    lambda this: Discard(this.client(), this.path(), this.pick()),
    lambda this: Move(this.client(), this.path(), this.pick(), this.path()),
    lambda this: Rename(this.client(), this.path(), this.path()),
    lambda this: Delete(this.client(), this.path()),
    lambda this: Undelete(this.client(), this.path(), this.text()),
    lambda this: GoOffline(this.client()),
    lambda this: ComeBack(this.client()),
    _Drawing.join,
    lambda this: Subscribe(*this.two()),
    lambda this: Unsubscribe(*this.two()),
    lambda _this: Collect(),
)
"""Every kind of event."""


def uniform_events(
    draw: Draw, clients: int, paths: tuple[str, ...], count: int
) -> tuple[Event, ...]:
    """So many events of a history that begins with so many clients."""
    drawing = _Drawing(draw, clients, paths)
    return tuple(draw.pick(_EVENTS)(drawing) for _ in range(count))
