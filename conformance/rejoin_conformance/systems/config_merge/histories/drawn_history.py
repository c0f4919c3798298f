"""A history under construction: its events, and an estimate of which clients are up to date."""

from __future__ import annotations

from typing import Final

from attrs import define, field

from rejoin_conformance.kit.draw import Draw
from rejoin_conformance.systems.config_merge.histories import events as ev
from rejoin_conformance.systems.config_merge.histories.profiles import Profile

SCALAR_PATHS: Final[tuple[ev.Path, ...]] = (
    (b"a",),
    (b"b",),
    (b"",),
    (b"d", b"x"),
    (b"d", b"y"),
    (b"d", b"e", b"z"),
    (b"f", b"\xff\x00"),
)
SET_PATHS: Final[tuple[ev.Path, ...]] = ((b"s",), (b"t",), (b"d", b"m"))
DICT_PATHS: Final[tuple[ev.Path, ...]] = ((b"d",), (b"d", b"e"), (b"f",))
ELEMENTS: Final[tuple[ev.Scalar, ...]] = (1, 2, -7, b"", b"1", b"p\x80")
REPEATED: Final[tuple[ev.Scalar, ...]] = (0, 1, b"1", b"same")
EXTREMES: Final[tuple[ev.Scalar, ...]] = (
    -(2**63),
    2**63 - 1,
    -1,
    b"",
    b"-",
    b"\x00\xff\xfe",
    b"d1:#i1ee",
    b"L" * 4096,
)
MORE_CHANGES: Final = (0, 0, 1, 1, 2)
LONG_KEY: Final = b"k" * 128


@define
class DrawnHistory:
    """A history under construction, and an estimate of which clients are up to date.

    edits: the number of pushed edits so far. wanted: the number of edits to push. news: the number
    of ciphertexts that entered the swarm. seen: client -> the value of news at its last catch-up.
    conflicts: whether a client pushed without knowing all news since the last merge.
    """

    draw: Draw
    profile: Profile
    clients: int
    writers: list[int]
    events: list[ev.Event] = field(factory=list)
    edits: int = 0
    wanted: int = 0
    value: int = 1000
    news: int = 0
    conflicts: bool = False
    seen: dict[int, int] = field(factory=dict)

    def catch_up(self, client: int) -> None:
        """Fetch, perhaps not everything, and resolve. Rarely do so if there is nothing new."""
        if self.seen.get(client) == self.news and not self.draw.chance(1, 8):
            return
        partial = self.draw.chance(self.profile.partial, 100)
        # Never leave out the oldest: a client that fetches nothing would start its own config.
        self.events.append(ev.Fetch(client, self.draw.below(1 << 15) << 1 if partial else 0))
        if self.draw.chance(self.profile.unresolved, 100):
            return
        self.events.append(ev.Resolve(client))
        if not partial:
            self.seen[client] = self.news

    def edit(self, client: int, changes: tuple[ev.Change, ...] | None = None) -> None:
        """Add an edit. Without given changes, it contains an assignment of a unique value."""
        if changes is None:
            drawn = [self.change() for _ in range(self.draw.pick(MORE_CHANGES))]
            changes = (*drawn, self.fresh_assignment(self.draw.pick(SCALAR_PATHS)))
        self.events.append(ev.Edit(client, changes))

    def push(self, client: int) -> None:
        """Add a push, with or without permission to delete, immediate or delayed."""
        up_to_date = self.seen.get(client) == self.news
        self.news += 1
        if up_to_date:
            self.seen[client] = self.news
        else:
            self.conflicts = True
        delete = not self.draw.chance(self.profile.refused, 100)
        self.events.append(ev.Push(client, delete, self.draw.chance(self.profile.delayed, 100)))

    def edit_and_push(self, client: int) -> None:
        """Add an edit and a push, which always make a message if the client can sign."""
        self.edit(client)
        self.push(client)
        self.edits += 1

    def fresh_assignment(self, path: ev.Path) -> ev.Assign:
        """Return an assignment of a value that occurs nowhere else in the history."""
        self.value += 1
        value: ev.Scalar = self.value if self.value % 3 else b"v%d" % self.value
        return ev.Assign(path, value)

    def assignment(self, path: ev.Path) -> ev.Assign:
        """Return an assignment, sometimes of a value from a shared pool or of an extreme value."""
        if self.draw.chance(self.profile.repeated_value, 100):
            return ev.Assign(path, self.draw.pick(REPEATED))
        if self.draw.chance(self.profile.extreme_value, 100):
            key = LONG_KEY if self.draw.chance(1, 8) else path[-1]
            return ev.Assign((*path[:-1], key), self.draw.pick(EXTREMES))
        return self.fresh_assignment(path)

    def change(self) -> ev.Change:
        """Return one change of any kind."""
        draw, profile = self.draw, self.profile
        kind = draw.weighted(
            (
                (profile.assign, "assign"),
                (profile.remove, "remove"),
                (profile.add, "add"),
                (profile.discard, "discard"),
                (profile.reshape, "reshape"),
                (profile.clear, "clear"),
            )
        )
        if kind == "assign":
            return self.assignment(draw.pick(SCALAR_PATHS))
        if kind == "remove":
            return ev.Remove(draw.pick(SCALAR_PATHS))
        if kind == "add":
            return ev.Add(draw.pick(SET_PATHS), draw.pick(ELEMENTS))
        if kind == "discard":
            return ev.Discard(draw.pick(SET_PATHS), draw.pick(ELEMENTS))
        if kind == "clear":
            return ev.Remove(draw.pick(DICT_PATHS + SET_PATHS))
        return self.reshaping()

    def reshaping(self) -> ev.Change:
        """Return a change that assigns a value of an unusual kind for its path."""
        draw = self.draw
        choice = draw.below(4)
        if choice == 0:
            return self.assignment(draw.pick(DICT_PATHS + SET_PATHS))
        if choice == 1:
            return ev.Add(draw.pick(SCALAR_PATHS + DICT_PATHS), draw.pick(ELEMENTS))
        if choice == 2:
            return self.assignment((*draw.pick(SCALAR_PATHS + SET_PATHS), b"in"))
        return ev.Add((*draw.pick(SCALAR_PATHS + SET_PATHS), b"in"), draw.pick(ELEMENTS))
