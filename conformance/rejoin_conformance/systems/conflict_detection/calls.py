"""A history as calls of operations: scenarios in the designs, and calls on its versions.

The latter take the snapshots of one file, the version maps of its uploads, and single snapshots.
The old design plays the edits and polls of one file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeVar

from attrs import define

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.history import Call
from rejoin_conformance.kit.draw import Draw, seed_of
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json
from rejoin_conformance.systems.conflict_detection.actions import NICKNAMES
from rejoin_conformance.systems.conflict_detection.ground_truth import FileTruth, dag_of
from rejoin_conformance.systems.conflict_detection.history import History, history_to_json
from rejoin_conformance.systems.conflict_detection.run import Run, map_run, snapshot_run
from rejoin_conformance.systems.conflict_detection.scenario import reported

T = TypeVar("T")
V = TypeVar("V")

SHORT: Final = 12
"""The most events of a history whose scenario is asked in both designs.

A longer history is asked in one drawn design. Scenarios cost more than all other calls, and a
failure in a long history is shrunk to a short one."""
SIGNED: Final = 8
"""One history in this number asks for signatures, which cost more than all other calls."""
REPORTS: Final = ("operations", "links", "versions", "conflicts", "cached")
"""The reports to ask. `origins` and `conflict_origins` replace two of them for an implementation
that leaves those out."""
_SEED: Final = bytes(range(32))


def calls_of(history: History, reading: cd.Reading) -> Iterator[Call]:
    """Yield the calls of a history under a reading."""
    draw = Draw(seed_of("calls", canonical_json(history_to_json(history))))
    in_snapshots, in_maps = True, True
    if len(history.events) > SHORT:
        in_snapshots = draw.chance(1, 2)
        in_maps = not in_snapshots
    snapshots = snapshot_run(reading, history.clients)
    if in_snapshots:
        yield from _scenarios(snapshots, history, draw)
    maps = map_run(reading, history.clients)
    if in_maps:
        yield from _scenarios(maps, history, draw)
    yield from _Versions(snapshots, maps, draw).calls()
    yield from _old_design(history)


def _scenarios(run: Run[V], history: History, draw: Draw) -> Iterator[Call]:
    """Yield the scenario of the whole history, and of its steps up to the first refused one.

    A short history asks for all reports, a long one for a drawn subset.
    """
    short = len(history.events) <= SHORT
    refused: JsonObject | None = None
    done = run.done = []
    for event in history.events:
        taken = run.take(event)
        if refused is None and taken.step is not None and taken.refused is not None:
            refused = run.scenario()
            steps = refused["steps"]
            assert isinstance(steps, list)
            steps.append(taken.step)
    chosen = REPORTS if short else draw.sample(REPORTS, draw.between(0, 2))
    report: list[Json] = [*sorted(chosen)]
    # A scenario has no step for a garbage collection, so its folder differs from that of the run.
    known = None if run.collections else partial(reported, run.steps, done, chosen)
    yield Call("conflict-detection/scenario", {**run.scenario(), "report": report}, known)
    if refused is not None and (short or draw.chance(1, 3)):
        yield Call("conflict-detection/scenario", refused)


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
    """The versions that a history made in both designs, and the draw that chooses the calls.

    The name of a version is its maker and the number of the maker's upload: `A1`.
    """

    snapshots: Run[bytes]
    maps: Run[cd.VersionMap]
    draw: Draw

    def calls(self) -> Iterator[Call]:
        """Yield the calls; none if nothing was uploaded."""
        truths = [*self.snapshots.truths.values(), *self.maps.truths.values()]
        if truths:
            yield from self._graphs(self.draw.pick(truths))
        if self.maps.truths:
            truth = self.draw.pick([*self.maps.truths.values()])
            keys = [key for key in truth.numbers if isinstance(key, frozenset)]
            yield from self._maps([dict(sorted(key)) for key in keys])
        if self.snapshots.truths:
            yield from self._objects(self.draw.pick([*self.snapshots.truths.values()]))

    def _graphs(self, truth: FileTruth) -> Iterator[Call]:
        names = truth.names
        if not names:
            return
        versions: list[JsonObject] = [
            {"id": names[number], "parents": [*(names[each] for each in parents)]}
            for number, parents in dag_of(truth).items()
        ]
        listed: list[Json] = [*self.draw.shuffled(versions)]
        for later, earlier in (self._two(names) for _ in range(2)):
            asked: JsonObject = {"versions": listed, "later": later, "earlier": earlier}
            yield Call("conflict-detection/follows", asked)
        for remote, local in (self._two(names) for _ in range(2)):
            asked = {"snapshots": listed, "local": local, "remote": remote}
            yield Call("conflict-detection/classify-snapshot", asked)
        for remote, local in (self._two(names) for _ in range(2)):
            cached: list[Json] = [*sorted(self.draw.sample(names, self.draw.below(4)))]
            held = local if self.draw.chance(7, 8) else None
            asked = {"snapshots": listed, "local": held, "remote": remote, "cached": cached}
            yield Call("conflict-detection/walk", asked)
        currents: JsonObject = {
            client: names[number] for client, number in sorted(truth.current.items())
        }
        if currents:
            yield Call("conflict-detection/purge", {"snapshots": listed, "currents": currents})
        yield Call("conflict-detection/collect-garbage", self._leases(listed, names))

    def _leases(self, listed: list[Json], names: Sequence[str]) -> JsonObject:
        renewals: list[Json] = [
            {"links": [*self.draw.sample(names, self.draw.between(0, 2))], "until": until}
            for until in self.draw.sample(range(1, 8), 3)
        ]
        return {"snapshots": listed, "renewals": renewals, "now": self.draw.between(1, 8)}

    def _maps(self, maps: Sequence[Mapping[str, int]]) -> Iterator[Call]:
        if not maps:
            return
        for remote, local in (self._two(maps) for _ in range(3)):
            known: Json = {**local} if self.draw.chance(7, 8) else None
            asked: JsonObject = {"local": known, "remote": {**remote}}
            yield Call("conflict-detection/classify-version-map", asked)
        some: list[Json] = [{**each} for each in self.draw.sample(maps, self.draw.between(0, 3))]
        yield Call("conflict-detection/join-version-maps", {"maps": some})
        held, local = self._two(maps)
        nickname, other = self._two(sorted(self.maps.folder.clients))
        asked = {"nickname": nickname, "local": {**local}}
        if nickname != other:
            asked["removed"] = {other: {**held}}
        yield Call("conflict-detection/upload-version-map", asked)

    def _objects(self, truth: FileTruth) -> Iterator[Call]:
        if not truth.contents:
            return
        dag = dag_of(truth)
        keys = [key.hex() for key in truth.numbers if isinstance(key, bytes)]
        number = self.draw.below(len(truth.contents))
        content = truth.contents[number]
        parents: list[Json] = [keys[each] for each in dag[number]]
        fields: JsonObject = {
            "content": None if content is None else content.hex(),
            "parents": parents,
        }
        yield Call("conflict-detection/snapshot-id", fields)
        if self.draw.chance(1, SIGNED):
            yield from self._signatures(fields, content)

    def _signatures(self, fields: JsonObject, content: bytes | None) -> Iterator[Call]:
        """Sign a snapshot, and verify a signature that can be of another snapshot."""
        signing: JsonObject = {**fields, "signing_key": _SEED.hex()}
        yield Call("conflict-detection/sign-snapshot", signing)
        listed: Any = fields["parents"]
        parents = [bytes.fromhex(each) for each in listed]
        capability = None if content is None else cd.content_capability(content)
        signed = cd.sign_snapshot(cd.new_snapshot(capability, parents), _SEED)
        claimed: JsonObject = {
            "author": (signed.author or b"").hex(),
            "signature": (signed.signature or b"").hex(),
        }
        if self.draw.chance(1, 4):
            claimed["content"] = b"another".hex()
        yield Call("conflict-detection/verify-snapshot", {**fields, **claimed})

    def _two(self, items: Sequence[T]) -> tuple[T, T]:
        """Return two drawn items, which can be the same."""
        return self.draw.pick(items), self.draw.pick(items)
