"""Draw events one by one, every kind equally likely. The coverage of profiles is compared with it.

No draw depends on earlier events: a client can resolve a conflict that it does not hold or restore
a
file that was not deleted, and nothing makes a race or a late resolution likely.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from attrs import define

from rejoin_conformance.kit.draw import Draw
from rejoin_conformance.systems.conflict_detection.histories import events as ev

TEXTS: Final = 1000
"""The number of texts to draw from. Two clients rarely write the same text."""


@define
class _Drawing:
    """The draws of events. clients: the number of clients so far."""

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

    def poll(self) -> ev.Event:
        return ev.Poll(*self.two(), self.path())

    def resolve(self) -> ev.Event:
        text = self.text() if self.draw.chance(1, 2) else None
        return ev.Resolve(self.client(), self.path(), self.pick(), text)

    def join(self) -> ev.Event:
        """Draw a client that joins, or one that comes back if no nickname is left."""
        if self.clients == len(ev.NICKNAMES):
            return ev.ComeBack(self.client())
        paths = sorted(self.draw.sample(self.paths, self.draw.between(0, len(self.paths))))
        self.clients += 1
        return ev.Join(self.clients - 1, tuple((path, self.text()) for path in paths))


_EVENTS: Final[tuple[Callable[[_Drawing], ev.Event], ...]] = (
    lambda this: ev.Edit(this.client(), this.path(), this.text()),
    _Drawing.poll,
    lambda this: ev.PollAll(*this.two()),
    _Drawing.resolve,
    lambda this: ev.Touch(this.client(), this.path(), this.pick(), this.text()),
    lambda this: ev.Discard(this.client(), this.path(), this.pick()),
    lambda this: ev.Move(this.client(), this.path(), this.pick(), this.path()),
    lambda this: ev.Rename(this.client(), this.path(), this.path()),
    lambda this: ev.Delete(this.client(), this.path()),
    lambda this: ev.Undelete(this.client(), this.path(), this.text()),
    lambda this: ev.GoOffline(this.client()),
    lambda this: ev.ComeBack(this.client()),
    _Drawing.join,
    lambda this: ev.Subscribe(*this.two()),
    lambda this: ev.Unsubscribe(*this.two()),
    lambda _this: ev.Collect(),
)
"""Every kind of event."""


def uniform_events(
    draw: Draw, clients: int, paths: tuple[str, ...], count: int
) -> tuple[ev.Event, ...]:
    """Return `count` events of a history that starts with `clients` clients."""
    drawing = _Drawing(draw, clients, paths)
    return tuple(draw.pick(_EVENTS)(drawing) for _ in range(count))
