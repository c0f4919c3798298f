"""Draw a history: a pure function of a profile and a seed.

A history is drawn scene by scene. A scene is a few events that make a situation from the document
likely: a race, a straggler, a merge with a change on top, a partition.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rejoin_conformance.contract.profiles import Weights
from rejoin_conformance.kit.draw import Draw
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.config_merge import PROFILES
from rejoin_conformance.systems.config_merge.actions import NAMES
from rejoin_conformance.systems.config_merge.changes import Path, change_json
from rejoin_conformance.systems.config_merge.drawn import (
    DICT_PATHS,
    ELEMENTS,
    EXTREMES,
    LONG_KEY,
    MORE_CHANGES,
    REPEATED,
    SCALAR_PATHS,
    SET_PATHS,
    chosen,
    flags,
    injection,
    partition,
    uniform_events,
)
from rejoin_conformance.systems.config_merge.records import History

SCENES: Final = PROFILES.group("solo", "noise")
"""The methods of `Drawing` that draw a scene."""

CHANGES: Final = PROFILES.group("assign", "clear")
"""Changes of the usual kind for a path, a value of an unusual kind (reshape), and the removal of a
whole dict or set (clear)."""

NOISE: Final = PROFILES.group("again", "last-seqno")
"""Injections. Those up to `signed-copy` come from honest programs."""


def generate_history(profile: Weights, seed: int) -> History:
    """Return the history for a seed under a profile."""
    draw = Draw(seed)
    names = NAMES[: draw.weighted(profile["clients"])]
    signed = draw.chance(profile["signed"], 100)
    readers = chosen(names, draw.below(1 << len(names)) & ~1) if signed else []
    drawing = Drawing(draw, profile, names, [name for name in names if name not in readers])
    window = draw.weighted(profile["windows"])
    if profile["uniform"]:
        drawing.events += uniform_events(draw, names)
    else:
        drawing.draw_scenes()
    return History(seed, len(names), window, signed, tuple(readers), tuple(drawing.events))


class Drawing:
    """A history under construction, and an estimate of which clients are up to date.

    edits: the number of pushed edits so far. wanted: the number of edits to push. news: the number
    of ciphertexts that entered the swarm. caught_up: client -> the value of news at its last
    catch-up. conflicts: whether a client pushed without knowing all news since the last merge.
    """

    def __init__(self, draw: Draw, profile: Weights, names: str, writers: Sequence[str]) -> None:
        self.draw, self.profile, self.names, self.writers = draw, profile, names, writers
        self.scenes = [(profile[name], name) for name in SCENES]
        self.changes = [(profile[name], name) for name in CHANGES]
        self.events: list[JsonObject] = []
        self.edits = self.wanted = self.news = 0
        self.value = 1000
        self.conflicts = False
        self.caught_up: dict[str, int] = {}

    def draw_scenes(self) -> None:
        """Draw a beginning, and then scenes until there are enough edits."""
        self.begin()
        self.wanted = self.draw.between(*self.profile["edits"])
        while self.edits < self.wanted:
            getattr(self, self.draw.weighted(self.scenes))()

    def chance(self, what: str) -> bool:
        """Return whether something happens that has a percentage."""
        return self.draw.chance(self.profile[what], 100)

    def add(self, client: str, **fields: Json) -> None:
        """Add an event of a client."""
        self.events.append({"client": client, **fields})

    # the parts of scenes

    def catch_up(self, client: str) -> None:
        """Fetch, perhaps not everything, and resolve. Rarely do so if there is nothing new."""
        if self.caught_up.get(client) == self.news and not self.draw.chance(1, 8):
            return
        partial = self.chance("partial")
        # Never leave out the oldest: a client that fetches nothing would start its own config.
        skip = self.draw.below(1 << 15) << 1 if partial else 0
        self.add(client, fetch=True, **({"skip": skip} if skip else {}))
        if self.chance("unresolved"):
            return
        self.add(client, resolve=True)
        if not partial:
            self.caught_up[client] = self.news

    def edit(self, client: str) -> None:
        """Add an edit that contains an assignment of a unique value."""
        drawn = [self.change() for _ in range(self.draw.pick(MORE_CHANGES))]
        self.add(client, changes=[*drawn, self.fresh_assignment(self.draw.pick(SCALAR_PATHS))])

    def push(self, client: str) -> None:
        """Add a push, with or without permission to delete, immediate or delayed."""
        up_to_date = self.caught_up.get(client) == self.news
        self.news += 1
        if up_to_date:
            self.caught_up[client] = self.news
        else:
            self.conflicts = True
        refused, delayed = self.chance("refused"), self.chance("delayed")
        self.add(client, push=True, **flags(deletes_nothing=refused, delayed=delayed))

    def edit_and_push(self, client: str) -> None:
        """Add an edit and a push, which always make a message if the client can sign."""
        self.edit(client)
        self.push(client)
        self.edits += 1

    def starter(self) -> str:
        """Return a client to edit its data. If it has no data yet, it usually catches up first."""
        client = self.draw.pick(self.writers)
        if client not in self.caught_up and not self.draw.chance(1, 8):
            self.catch_up(client)
        return client

    def some_writers(self, at_least: int) -> list[str]:
        """Return some clients that can sign, in random order, or all if there are too few."""
        count = self.draw.between(at_least, max(at_least, len(self.writers)))
        return self.draw.sample(self.writers, count)

    # changes

    def fresh_assignment(self, path: Path) -> JsonObject:
        """Return an assignment of a value that occurs nowhere else in the history."""
        self.value += 1
        return change_json("assign", path, self.value if self.value % 3 else b"v%d" % self.value)

    def assignment(self, path: Path) -> JsonObject:
        """Return an assignment, sometimes of a value from a shared pool or of an extreme value."""
        if self.chance("repeated_value"):
            return change_json("assign", path, self.draw.pick(REPEATED))
        if self.chance("extreme_value"):
            key = LONG_KEY if self.draw.chance(1, 8) else path[-1]
            return change_json("assign", (*path[:-1], key), self.draw.pick(EXTREMES))
        return self.fresh_assignment(path)

    def change(self) -> JsonObject:
        """Return one change of any kind."""
        draw = self.draw
        match draw.weighted(self.changes):
            case "assign":
                return self.assignment(draw.pick(SCALAR_PATHS))
            case "remove":
                return change_json("remove", draw.pick(SCALAR_PATHS))
            case "clear":
                return change_json("remove", draw.pick(DICT_PATHS + SET_PATHS))
            case "reshape":
                return self.reshaping()
            case kind:
                return change_json(kind, draw.pick(SET_PATHS), draw.pick(ELEMENTS))

    def reshaping(self) -> JsonObject:
        """Return a change that assigns a value of an unusual kind for its path."""
        draw = self.draw
        match draw.below(4):
            case 0:
                return self.assignment(draw.pick(DICT_PATHS + SET_PATHS))
            case 1:
                path = draw.pick(SCALAR_PATHS + DICT_PATHS)
            case 2:
                return self.assignment((*draw.pick(SCALAR_PATHS + SET_PATHS), b"in"))
            case _:
                path = (*draw.pick(SCALAR_PATHS + SET_PATHS), b"in")
        return change_json("add", path, draw.pick(ELEMENTS))

    # scenes, by the names of their weights

    def begin(self) -> None:
        """Draw the first message. In some histories two clients start independently."""
        for client in self.writers[: 2 if self.draw.chance(1, 8) else 1]:
            changes: list[Json] = []
            for _ in range(self.draw.between(*self.profile["first_keys"])):
                if self.draw.chance(1, 3):
                    path = self.draw.pick(SET_PATHS)
                    changes.append(change_json("add", path, self.draw.pick(ELEMENTS)))
                else:
                    changes.append(self.fresh_assignment(self.draw.pick(SCALAR_PATHS)))
            self.add(client, changes=changes)
            self.add(client, push=True)
            self.edits += 1

    def solo(self) -> None:
        """A client catches up and edits."""
        client = self.draw.pick(self.writers)
        self.catch_up(client)
        self.edit_and_push(client)

    def race(self) -> None:
        """Several clients catch up, then all edit and push."""
        racers = self.some_writers(2)[: max(2, self.wanted - self.edits)]
        for client in racers:
            self.catch_up(client)
        for client in racers:
            self.edit_and_push(client)

    def straggle(self) -> None:
        """A client edits without catching up first."""
        self.edit_and_push(self.starter())

    def merge(self, *, edit: bool = False) -> None:
        """Clients catch up, resolve, and push their merges. edit: most of them with an edit."""
        if not self.conflicts:
            return self.race()
        self.conflicts = edit
        mergers = self.some_writers(1)
        for client in mergers:
            self.catch_up(client)
        for client in mergers:
            if edit and self.edits < self.wanted and self.draw.chance(2, 3):
                self.edit_and_push(client)
            else:
                self.push(client)
        return None

    def merge_and_edit(self) -> None:
        """Clients merge, most of them with an edit on top."""
        self.merge(edit=True)

    def rebase(self) -> None:
        """A client resolves while it has an edit that it has not pushed."""
        client = self.starter()
        self.edit(client)
        for _ in range(self.draw.between(1, 2)):
            self.catch_up(client)
        if self.draw.chance(1, 3):
            self.edit(client)
        self.push(client)
        self.edits += 1

    def powerless(self) -> None:
        """A client that cannot sign edits and pushes, which must have no effect."""
        readers = [name for name in self.names if name not in self.writers]
        if not readers:
            return self.solo()
        client = self.draw.pick(readers)
        self.catch_up(client)
        self.edit(client)
        return self.add(client, push=True)

    def cut(self) -> None:
        """The network splits."""
        self.events.append(partition(self.draw, self.names))

    def heal(self) -> None:
        """The parts of the network join again."""
        self.events.append({"heal": True})
        self.news += 1

    def deliver(self) -> None:
        """Delayed batches arrive."""
        self.events.append({"deliver": True})
        self.news += 1

    def noise(self) -> None:
        """The swarm gets a ciphertext that no client pushed."""
        kind = self.draw.weighted([(self.profile[name], name) for name in NOISE])
        # Injections made from the last few messages matter most; sometimes use an older message.
        reach = 4 if self.draw.chance(2, 3) else 64
        self.events.append(injection(self.draw, kind, reach))
        self.news += 1
