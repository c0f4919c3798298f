"""A history as calls of operations: its scenario in the designs, and drawn versions of a file.

The versions, version maps and leases are drawn, because a history makes only a few of them. The old
design plays the edits and polls of one file.

The steps of its scenario are those that it probably becomes, without running it. An event states an
intention: which conflict files a user resolves is an estimate here, and only who answers the
scenario knows whether each step is possible.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import define, field

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.history import Ask, Call
from rejoin_conformance.kit.codec import plain
from rejoin_conformance.kit.draw import Draw, seed_of
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json
from rejoin_conformance.systems.conflict_detection.actions import (
    NICKNAMES,
    Action,
    polled_by,
    row_of,
)
from rejoin_conformance.systems.conflict_detection.estimate import Estimates
from rejoin_conformance.systems.conflict_detection.history import History


@define
class _Folder:
    """Who is there, and what the clients probably have.

    away: the clients that are offline. ended: pairs of a client and another one to which it is not
    subscribed. backed_up: the clients with a backup.
    """

    there: set[str]
    estimates: Estimates = field(factory=Estimates)
    away: set[str] = field(factory=set)
    ended: set[tuple[str, str]] = field(factory=set)
    backed_up: set[str] = field(factory=set)

    def step(self, row: Action, event: Any) -> JsonObject | None:
        """Return the step that an event probably becomes; None if it probably has no effect."""
        name = str(event.get("client"))
        if row.key == "collect_garbage" or (name in self.there) == (row.key == "join"):
            return None
        other = polled_by(event)
        if other is not None and (other not in self.there or name in self.away):
            return None
        if other is not None and (name, other) in self.ended:
            return None
        return self._possible(row.key, name, event)

    def _possible(self, key: str, name: str, event: Any) -> JsonObject | None:
        client, path = NICKNAMES.index(name), event.get("file", "")
        file = self.estimates.files[path]
        match key:
            case "edit" | "change" if file.is_there(client, deleted=True):
                return None
            case "delete" if not file.is_there(client):
                return None
            case "undelete" if not file.is_there(client, deleted=True):
                return None
            case "rename":
                there = self.estimates.files[event["rename"]].is_there(client)
                return None if there or not file.is_there(client) else event
            case "set_back" if name not in self.backed_up:
                return None
            case "subscribe" | "unsubscribe":
                other = event[key]
                known = other in self.there and other != name
                ended = (name, other) in self.ended
                return event if known and ended == (key == "subscribe") else None
            case "resolve_held":
                held = file.picked(client, event["pick"])
                rest = {each: value for each, value in event.items() if each not in ("pick", key)}
                return {**rest, "resolve": [NICKNAMES[each] for each in held]} if held else None
            case "touch" | "discard" | "move":
                held = file.picked(client, event["pick"])[:1]
                if not held:
                    return None
                beside = cd.conflict_file_name(path, [NICKNAMES[each] for each in held])
                action = {"touch": "edit", "discard": "delete", "move": "rename"}[key]
                return {"client": name, "file": beside, action: event[key]}
        return event  # type: ignore[no-any-return]  # it is a JSON object

    def note(self, row: Action, event: Any) -> None:
        """Note the probable effect of an event that became a step."""
        name = event["client"]
        self.estimates.note(row.effect, event)
        match row.key:
            case "join":
                self.there.add(name)
            case "offline":
                self.away.add(name)
            case "poll" if "stops" in event:
                self.away.add(name)
            case "online":
                self.away.discard(name)
            case "back_up":
                self.backed_up.add(name)
            case "subscribe":
                self.ended.discard((name, event["subscribe"]))
            case "unsubscribe":
                self.ended.add((name, event["unsubscribe"]))


def steps_of(history: History) -> Iterator[JsonObject]:
    """Yield the steps that the events of a history probably become."""
    folder = _Folder({*NICKNAMES[: history.clients]})
    for event in history.events:
        row = row_of(event)
        step = folder.step(row, event)
        if step is not None:
            folder.note(row, event)
            yield step


SHORT: Final = 12
"""The most events of a history whose scenario is asked in both designs.

A longer history is asked in one drawn design. Scenarios cost more than all other calls, and a
failure in a long history is shrunk to a short one."""
MOST_REFUSED: Final = 4
"""The most refused steps that a scenario is asked without. It ends at the next one."""
SIGNED: Final = 8
"""One history in this number asks for signatures, which cost more than all other calls."""
REPORTS: Final = ("operations", "links", "versions", "conflicts", "cached")
"""The reports to ask. `origins` and `conflict_origins` replace two of them for an implementation
that leaves those out."""
_SEED: Final = bytes(range(32)).hex()
_PARENTS: Final = ((1, 0), (5, 1), (3, 2))


def calls_of(history: History, ask: Ask) -> Iterator[Call]:
    """Yield the calls of a history."""
    draw = Draw(seed_of("calls", canonical_json(plain(history))))
    yield from _scenarios(history, ask, draw)
    yield from _old_design(history)
    drawn = _Versions(draw, NICKNAMES[: history.clients])
    yield from drawn.graphs()
    yield from drawn.maps()
    yield from drawn.snapshots(ask)


def _scenarios(history: History, ask: Ask, draw: Draw) -> Iterator[Call]:
    """Yield the scenario of the history, and that of its steps up to the first refused one.

    A short history asks for all reports in both designs, a long one for some in one of them.
    """
    short = len(history.events) <= SHORT
    designs, possible = ("snapshots", "version-maps"), [*steps_of(history)]
    for design in designs if short else (draw.pick(designs),):
        chosen = REPORTS if short else draw.sample(REPORTS, draw.between(0, 2))
        scenario: JsonObject = {
            "clients": [*NICKNAMES[: history.clients]],
            "design": design,
            "report": [*sorted(chosen)],
        }
        steps = [*possible]
        whole = _scenario(scenario, steps)
        for refused in range(MOST_REFUSED + 1):
            place = _refused(whole, ask)
            if place is None:
                break
            if not refused and (short or draw.chance(1, 3)):
                yield _scenario(scenario, steps[: place + 1])
            del steps[place : None if refused == MOST_REFUSED else place + 1]
            whole = _scenario(scenario, steps)
        yield whole


def _refused(whole: Call, ask: Ask) -> int | None:
    """Return the place of the first refused step of a scenario, or None if there is none."""
    steps: Any = whole.input["steps"]

    def refused(count: int) -> bool:
        return ask.refuses(_scenario(whole.input, steps[:count]))

    return bisect_left(range(1, len(steps)), x=True, key=refused) if ask.refuses(whole) else None


def _scenario(scenario: JsonObject, steps: Sequence[JsonObject]) -> Call:
    return Call("conflict-detection/scenario", {**scenario, "steps": [*steps]})


def _old_design(history: History) -> Iterator[Call]:
    """Yield the edits and polls of the first edited file; nothing if no file is edited.

    A client that joined later is unknown to the old design, and refused.
    """
    path = next((each["file"] for each in history.events if "edit" in each), None)
    steps: list[Json] = [
        {name: each[name] for name in ("client", "edit", "poll") if name in each}
        for each in history.events
        if ("edit" in each or ("poll" in each and "stops" not in each)) and each["file"] == path
    ]
    if steps:
        clients: list[Json] = [*NICKNAMES[: history.clients]]
        yield Call("conflict-detection/old-design", {"clients": clients, "steps": steps})


@define
class _Versions:
    """Drawn versions of a file, each with the name of its maker and a number: `A1`."""

    draw: Draw
    clients: str
    names: list[str] = field(init=False)
    listed: list[Json] = field(init=False)

    def __attrs_post_init__(self) -> None:
        draw = self.draw
        self.names = [f"{draw.pick(self.clients)}{n + 1}" for n in range(draw.between(2, 9))]
        versions: list[JsonObject] = [
            {"id": name, "parents": [*draw.sample(self.names[:n], draw.weighted(_PARENTS))]}
            for n, name in enumerate(self.names)
        ]
        self.listed = [*draw.shuffled(versions)]

    def graphs(self) -> Iterator[Call]:
        """Yield calls on a graph of versions."""
        draw = self.draw
        for _ in range(2):
            later, earlier = self._one(), self._one()
            asked: JsonObject = {"versions": self.listed, "later": later, "earlier": earlier}
            yield Call("conflict-detection/follows", asked)
            yield self._on_graph("classify-snapshot", local=self._one(), remote=self._one())
            cached: list[Json] = [*sorted(draw.sample(self.names, draw.below(4)))]
            held = self._one() if draw.chance(7, 8) else None
            yield self._on_graph("walk", local=held, remote=self._one(), cached=cached)
        yield self._on_graph("purge", currents={name: self._one() for name in self.clients})
        renewals: list[Json] = [
            {"links": [*draw.sample(self.names, draw.between(0, 2))], "until": until}
            for until in draw.sample(range(1, 8), 3)
        ]
        yield self._on_graph("collect-garbage", renewals=renewals, now=draw.between(1, 8))

    def maps(self) -> Iterator[Call]:
        """Yield calls on version maps, most of which follow the same one."""
        draw, base = self.draw, self._map({})
        maps = [base, self._map(base), self._map(base), self._map({})]
        for _ in range(3):
            local: Json = {**draw.pick(maps)} if draw.chance(7, 8) else None
            asked: JsonObject = {"local": local, "remote": {**draw.pick(maps)}}
            yield Call("conflict-detection/classify-version-map", asked)
        some: list[Json] = [{**each} for each in draw.sample(maps, draw.between(0, 3))]
        yield Call("conflict-detection/join-version-maps", {"maps": some})
        nickname, other = draw.pick(self.clients), draw.pick(self.clients)
        asked = {"nickname": nickname, "local": {**draw.pick(maps)}}
        if nickname != other:
            asked["removed"] = {other: {**draw.pick(maps)}}
        yield Call("conflict-detection/upload-version-map", asked)

    def snapshots(self, ask: Ask) -> Iterator[Call]:
        """Yield calls on one snapshot, and sometimes on its signature or another one's."""
        draw = self.draw
        parents: list[Json] = [draw.data(32).hex() for _ in range(draw.below(3))]
        content = str(draw.below(100)).encode().hex() if draw.chance(7, 8) else None
        fields: JsonObject = {"content": content, "parents": parents}
        yield Call("conflict-detection/snapshot-id", fields)
        if not draw.chance(1, SIGNED):
            return
        signing = Call("conflict-detection/sign-snapshot", {**fields, "signing_key": _SEED})
        yield signing
        signed: Any = ask.output(signing)
        if signed is not None:
            claimed = {**fields, "author": signed["author"], "signature": signed["signature"]}
            if draw.chance(1, 4):
                claimed["content"] = b"another".hex()
            yield Call("conflict-detection/verify-snapshot", claimed)

    def _on_graph(self, operation: str, **given: Json) -> Call:
        return Call(f"conflict-detection/{operation}", {"snapshots": self.listed, **given})

    def _one(self) -> str:
        return self.draw.pick(self.names)

    def _map(self, base: Mapping[str, int]) -> dict[str, int]:
        """Return a version map that probably follows another one."""
        entries = dict(base)
        for name in self.clients:
            if self.draw.chance(1, 2):
                entries[name] = entries.get(name, 0) + self.draw.between(0, 2)
        return {name: number for name, number in entries.items() if number}
