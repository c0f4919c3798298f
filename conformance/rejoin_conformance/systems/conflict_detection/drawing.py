"""Draw a history: a pure function of a profile and a seed.

A history is drawn scene by scene. A scene is a few events that lead to one of the situations of the
document: a race, a client that learns of it late, a resolution, a deletion, an absence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from rejoin_conformance.kit.draw import Draw
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection import PROFILES
from rejoin_conformance.systems.conflict_detection.actions import NICKNAMES, row_of
from rejoin_conformance.systems.conflict_detection.estimate import Estimate, Estimates
from rejoin_conformance.systems.conflict_detection.history import History
from rejoin_conformance.systems.conflict_detection.uniform import uniform_events

PATHS: Final = ("foo", "bar", "dir/x")
SCENES: Final = PROFILES.group("solo", "restore")
"""The scenes, in the order in which they are drawn by weight."""

REPEATED: Final = 3
"""Several clients can write the texts below this number."""


def generate(profile: str, seed: int) -> History:
    """Return the history of a seed under a profile: a pure function of both."""
    weights, draw = PROFILES.weights[profile], Draw(seed)
    clients = draw.weighted(weights["clients"])
    paths = PATHS[: draw.weighted(weights["files"])]
    length = draw.between(weights["low"], weights["high"])
    if profile == "uniform":
        events = tuple(uniform_events(draw, clients, paths, length))
        return History(clients, events, draw.chance(weights["settled"], 100))
    drawing = Drawing(weights, draw, clients, paths)
    scenes = [(weights[name], getattr(drawing, f"_{name}")) for name in SCENES]
    if drawing.chance("in_sync"):
        drawing.begin_in_sync()
    while len(drawing.events) < length:
        draw.weighted(scenes)()
    return History(clients, tuple(drawing.events), drawing.chance("settled"))


class Drawing:
    """A history while it is drawn: the events so far, and the state that later scenes need.

    files: path -> an estimate of the clients' versions. away: the clients that are offline. parted:
    pairs of a client and another one that it does not poll. unnoticed: clients with changes that
    they do not notice yet. backed_up: clients with a backup. next_text: the next unused text.
    """

    def __init__(
        self, weights: Mapping[str, Any], draw: Draw, clients: int, paths: Sequence[str]
    ) -> None:
        self.weights, self.draw, self.clients, self.paths = weights, draw, clients, paths
        self.events: list[JsonObject] = []
        self.estimates = Estimates()
        self.files = self.estimates.files
        self.away: list[int] = []
        self.unnoticed: list[int] = []
        self.backed_up: list[int] = []
        self.parted: list[tuple[int, int]] = []
        self.next_text = REPEATED

    def add(self, client: int, **fields: Json) -> None:
        """Add an event, and note its probable effect."""
        event: Any = {"client": NICKNAMES[client], **fields}
        self.events.append(event)
        self.estimates.note(row_of(event).effect, event)

    def begin_in_sync(self) -> None:
        """Let all clients start with the same files."""
        for path in self.paths:
            self.edit(0, path)
        for client in range(1, self.clients):
            self.add(client, poll_all=NICKNAMES[0])

    # choices that scenes make

    def chance(self, what: str) -> bool:
        """Return true with a probability of the profile."""
        return self.draw.chance(self.weights[what], 100)

    def client(self) -> int:
        """Draw a client, preferably one that is online."""
        if self.away and not self.chance("absent"):
            return self.draw.pick([each for each in range(self.clients) if each not in self.away])
        return self.draw.below(self.clients)

    def other(self, client: int) -> int:
        """Draw another client than this one. There are at least two."""
        return (client + 1 + self.draw.below(self.clients - 1)) % self.clients

    def others(self, client: int) -> list[int]:
        """Return all other clients, in any order."""
        return [each for each in self.draw.shuffled(range(self.clients)) if each != client]

    def some_clients(self) -> list[int]:
        """Draw two or three clients, in any order."""
        return self.draw.sample(range(self.clients), self.draw.between(2, 3))

    def path(self) -> str:
        """Draw a path of this history."""
        return self.draw.pick(self.paths)

    def place(self, wanted: Callable[[Estimate, int], bool]) -> tuple[int, str]:
        """Draw a client and a path, preferably ones for which `wanted` is true."""
        online = [client for client in range(self.clients) if client not in self.away]
        places = [(c, path) for c in online for path in self.paths if wanted(self.files[path], c)]
        if places and not self.chance("blind"):
            return self.draw.pick(places)
        return self.client(), self.path()

    def text(self) -> str:
        """Return an unused text, or in a few cases one that several clients write."""
        if self.chance("repeated_text"):
            return str(self.draw.below(REPEATED))
        self.next_text += 1
        return str(self.next_text - 1)

    def pick(self) -> int:
        """Draw the conflict files of an event: all, or a subset."""
        return 0 if self.chance("all_at_once") else self.draw.between(1, 15)

    def conflict(self) -> tuple[int, str] | None:
        """Draw a client with a conflict. If it has none, let clients poll each other instead."""
        client, path = self.place(Estimate.holds)
        if self.files[path].holds(client):
            return client, path
        self._exchange()
        return None

    # parts of scenes

    def edit(self, client: int, path: str) -> None:
        """Add an edit."""
        self.add(client, file=path, edit=self.text())

    def poll(self, client: int, other: int, path: str) -> None:
        """Add a poll of one file, or of all files."""
        if self.chance("all_files"):
            self.add(client, poll_all=NICKNAMES[other])
        else:
            self.add(client, file=path, poll=NICKNAMES[other])

    def look_around(self, client: int, path: str) -> None:
        """Add, in some cases, polls of one or two other clients."""
        if self.chance("checked"):
            others = [other for other in range(self.clients) if other != client]
            for other in self.draw.sample(others, self.draw.between(1, 2)):
                self.poll(client, other, path)

    # scenes

    def _solo(self) -> None:
        client, path = self.client(), self.path()
        self.look_around(client, path)
        self.edit(client, path)

    def _race(self) -> None:
        path = self.path()
        for client in self.some_clients():
            self.edit(client, path)

    def _exchange(self) -> None:
        for _ in range(self.draw.between(2, 5)):
            other = self.client()
            client, path = self.place(_news(other))
            self.poll(client, other if other != client else self.other(client), path)

    def _round(self) -> None:
        client, path = self.client(), self.path()
        for other in self.others(client):
            self.poll(client, other, path)

    def _spread(self) -> None:
        other, path = self.client(), self.path()
        for client in self.others(other):
            self.poll(client, other, path)

    def _resolve(self) -> None:
        if found := self.conflict():
            text = {"text": self.text()} if self.chance("rewritten") else {}
            self.add(found[0], file=found[1], resolve_held=True, pick=self.pick(), **text)

    def _settle(self) -> None:
        client = self.client()
        for other in self.others(client):
            self.add(client, poll_all=NICKNAMES[other])
        for path in self.paths:
            if self.files[path].holds(client) or self.chance("blind"):
                self.add(client, file=path, resolve_held=True, pick=0, text=self.text())

    def _beside(self) -> None:
        if found := self.conflict():
            pick, what = self.pick(), self.draw.below(3)
            event: JsonObject = {"discard": True}
            if what == 0:
                event = {"touch": self.text()}
            elif what == 2:
                event = {"move": self.draw.pick((found[1], found[1], *PATHS))}
            self.add(found[0], file=found[1], pick=pick, **event)

    def _delete(self) -> None:
        client, path = self.place(Estimate.is_there)
        self.look_around(client, path)
        self.add(client, file=path, delete=True)

    def _undelete(self) -> None:
        client, path = self.place(partial(Estimate.is_there, deleted=True))
        if not self.files[path].is_there(client, deleted=True) and not self.chance("blind"):
            return self._solo()
        self.look_around(client, path)
        return self.add(client, file=path, undelete=self.text())

    def _rename(self) -> None:
        client, path = self.place(Estimate.is_there)
        self.add(client, file=path, rename=self.draw.pick(PATHS))

    def _removal_race(self) -> None:
        path = self.path()
        for client in self.some_clients():
            self.add(client, file=path, delete=True)

    def _away(self) -> None:
        if 2 * len(self.away) >= self.clients:
            return self._back()
        client = self.client()
        if client not in self.away:
            self.away.append(client)
        self.add(client, offline=True)
        return self.edit(client, self.path())

    def _back(self) -> None:
        if not self.away:
            return self._exchange()
        client = self.away.pop(self.draw.below(len(self.away)))
        self.add(client, online=True)
        if self.chance("checked"):
            self.add(client, poll_all=NICKNAMES[self.other(client)])
        return None

    def _join(self) -> None:
        if self.clients == len(NICKNAMES):
            return self._exchange()
        paths = sorted(self.draw.sample(self.paths, self.draw.between(0, len(self.paths))))
        self.add(self.clients, join={path: self.text() for path in paths})
        self.clients += 1
        return None

    def _subscriptions(self) -> None:
        if self.parted and self.draw.chance(3, 4):
            client, other = self.parted.pop(self.draw.below(len(self.parted)))
            return self.add(client, subscribe=NICKNAMES[other])
        client = self.client()
        other = self.other(client)
        if (client, other) not in self.parted:
            self.parted.append((client, other))
        return self.add(client, unsubscribe=NICKNAMES[other])

    def _collect(self) -> None:
        self.events.append({"collect_garbage": True})

    def _unsaved(self) -> None:
        if self.unnoticed and self.draw.chance(1, 3):
            return self.add(self.draw.pick(self.unnoticed), upload=True)
        client, path = self.client(), self.path()
        text = None if self.draw.chance(1, 4) else self.text()
        self.unnoticed.append(client)
        self.add(client, file=path, change=text)
        return self.look_around(client, path)

    def _stop(self) -> None:
        if 2 * len(self.away) >= self.clients:
            return self._back()
        other = self.client()
        client, path = self.place(_news(other))
        if client == other:
            return self._exchange()
        self.add(client, file=path, poll=NICKNAMES[other], stops=True)
        if client not in self.away:
            self.away.append(client)
        return self.edit(client, path) if self.draw.chance(1, 3) else None

    def _restore(self) -> None:
        if self.backed_up and self.draw.chance(1, 2):
            client = self.draw.pick(self.backed_up)
            self.add(client, set_back=True)
            return self.look_around(client, self.path())
        client = self.draw.below(self.clients)
        self.backed_up.append(client)
        return self.add(client, back_up=True)


def _news(other: int) -> Callable[[Estimate, int], bool]:
    """Return whether a client, by an estimate, would learn something from another one."""
    return lambda file, client: client != other and file.is_news(client, other)
