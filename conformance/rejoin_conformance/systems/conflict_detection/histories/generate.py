"""Draw a history: a pure function of a profile and a seed.

A history is drawn scene by scene. A scene is a few events that make one of the situations of the
document likely: a race, a client that hears of it late, a resolution, a deletion, an absence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from attrs import define, field

from rejoin_conformance.kit.draw import Draw
from rejoin_conformance.systems.conflict_detection.histories.estimated_state import Sketch
from rejoin_conformance.systems.conflict_detection.histories.events import (
    NICKNAMES,
    Collect,
    ComeBack,
    Delete,
    Discard,
    Edit,
    Event,
    GoOffline,
    History,
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
from rejoin_conformance.systems.conflict_detection.histories.profiles import Profile
from rejoin_conformance.systems.conflict_detection.histories.uniform import uniform_events

PATHS: Final = ("foo", "bar", "dir/x")
REPEATED: Final = 3
"""Texts below this number are those that several clients may write."""


@define
class _Script:
    """The events so far, and what later scenes need to know of them."""

    draw: Draw
    profile: Profile
    paths: tuple[str, ...]
    clients: int
    events: list[Event] = field(factory=list)
    sketch: Sketch = field(factory=Sketch)
    away: list[int] = field(factory=list)
    parted: list[tuple[int, int]] = field(factory=list)
    next_text: int = REPEATED

    def add(self, event: Event) -> None:
        """One event more."""
        self.events.append(event)
        self.sketch.note(event)

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


def generate(profile: Profile, seed: int) -> History:
    """The history of a seed."""
    draw = Draw(seed)
    clients = draw.weighted(profile.clients)
    paths = PATHS[: draw.weighted(profile.files)]
    script = _Script(draw, profile, paths, clients)
    scenes = [(getattr(profile, name), scene) for name, scene in _SCENES.items()]
    length = draw.between(profile.low, profile.high)
    if profile.uniform:
        events = uniform_events(draw, clients, paths, length)
        return History(clients, events, draw.chance(profile.settled, 100))
    _start(script)
    while len(script.events) < length:
        draw.weighted(scenes)(script)
    return History(clients, tuple(script.events), script.chance(profile.settled))


def _start(script: _Script) -> None:
    """In some histories, all begin with the same files."""
    if script.chance(script.profile.in_sync):
        for path in script.paths:
            script.add(Edit(0, path, script.text()))
        for client in range(1, script.clients):
            script.add(PollAll(client, 0))


def _solo(script: _Script) -> None:
    client, path = script.client(), script.path()
    script.look_around(client, path)
    script.add(Edit(client, path, script.text()))


def _race(script: _Script) -> None:
    path = script.path()
    for client in script.some_clients():
        script.add(Edit(client, path, script.text()))


def _exchange(script: _Script) -> None:
    for _ in range(script.draw.between(2, 5)):
        other = script.client()

        def news(client: int, path: str, other: int = other) -> bool:
            return client != other and script.sketch.is_news(client, other, path)

        client, path = script.place(news)
        script.poll(client, other if other != client else script.other(client), path)


def _round(script: _Script) -> None:
    client, path = script.client(), script.path()
    for other in script.draw.shuffled(range(script.clients)):
        if other != client:
            script.poll(client, other, path)


def _spread(script: _Script) -> None:
    other, path = script.client(), script.path()
    for client in script.draw.shuffled(range(script.clients)):
        if other != client:
            script.poll(client, other, path)


def _resolve(script: _Script) -> None:
    client, path = script.place(script.sketch.holds)
    if not script.sketch.holds(client, path):
        return _exchange(script)
    text = script.text() if script.chance(script.profile.rewritten) else None
    return script.add(Resolve(client, path, script.pick(), text))


def _settle(script: _Script) -> None:
    client = script.client()
    for other in script.draw.shuffled(range(script.clients)):
        if other != client:
            script.add(PollAll(client, other))
    for path in script.paths:
        if script.sketch.holds(client, path) or script.chance(script.profile.blind):
            script.add(Resolve(client, path, 0, script.text()))


def _beside(script: _Script) -> None:
    client, path = script.place(script.sketch.holds)
    if not script.sketch.holds(client, path):
        return _exchange(script)
    pick = script.pick()
    what = script.draw.below(3)
    if what == 0:
        return script.add(Touch(client, path, pick, script.text()))
    if what == 1:
        return script.add(Discard(client, path, pick))
    target = script.draw.pick((path, path, *PATHS))
    return script.add(Move(client, path, pick, target))


def _delete(script: _Script) -> None:
    client, path = script.place(script.sketch.has)
    script.look_around(client, path)
    script.add(Delete(client, path))


def _undelete(script: _Script) -> None:
    client, path = script.place(script.sketch.lacks)
    if not script.sketch.lacks(client, path) and not script.chance(script.profile.blind):
        return _solo(script)
    script.look_around(client, path)
    return script.add(Undelete(client, path, script.text()))


def _rename(script: _Script) -> None:
    client, path = script.place(script.sketch.has)
    script.add(Rename(client, path, script.draw.pick(PATHS)))


def _removal_race(script: _Script) -> None:
    path = script.path()
    for client in script.some_clients():
        script.add(Delete(client, path))


def _away(script: _Script) -> None:
    if 2 * len(script.away) >= script.clients:
        return _back(script)
    client = script.client()
    if client not in script.away:
        script.away.append(client)
    script.add(GoOffline(client))
    return script.add(Edit(client, script.path(), script.text()))


def _back(script: _Script) -> None:
    if not script.away:
        return _exchange(script)
    client = script.away.pop(script.draw.below(len(script.away)))
    script.add(ComeBack(client))
    if script.chance(script.profile.checked):
        script.add(PollAll(client, script.other(client)))
    return None


def _join(script: _Script) -> None:
    if script.clients == len(NICKNAMES):
        return _exchange(script)
    paths = script.draw.sample(script.paths, script.draw.between(0, len(script.paths)))
    script.add(Join(script.clients, tuple((path, script.text()) for path in sorted(paths))))
    script.clients += 1
    return None


def _subscriptions(script: _Script) -> None:
    if script.parted and script.draw.chance(3, 4):
        client, other = script.parted.pop(script.draw.below(len(script.parted)))
        return script.add(Subscribe(client, other))
    client = script.client()
    other = script.other(client)
    if (client, other) not in script.parted:
        script.parted.append((client, other))
    return script.add(Unsubscribe(client, other))


def _collect(script: _Script) -> None:
    script.add(Collect())


_SCENES: Final[Mapping[str, Callable[[_Script], None]]] = {
    "solo": _solo,
    "race": _race,
    "exchange": _exchange,
    "round": _round,
    "spread": _spread,
    "resolve": _resolve,
    "settle": _settle,
    "beside": _beside,
    "delete": _delete,
    "undelete": _undelete,
    "rename": _rename,
    "removal_race": _removal_race,
    "away": _away,
    "back": _back,
    "join": _join,
    "subscriptions": _subscriptions,
    "collect": _collect,
}
"""The scenes, each under the name of its weight in a profile."""
