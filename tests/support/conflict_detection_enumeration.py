"""A plain, independent version of the exhaustive search: whole clients in a grid, and a witness.

This module shares no code with the search that it checks. The tests convert the states of both into
a common form and compare them.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from functools import reduce
from itertools import combinations
from typing import Generic, TypeAlias, TypeVar

from attrs import define, evolve, field, frozen

from rejoin import conflict_detection as cd
from rejoin_conformance.systems.conflict_detection.exhaust.searches import Search
from support.conflict_detection_witness import (
    Witness,
    witness_expects,
    witness_overwrite,
    witness_upload,
)

V = TypeVar("V")

PATH = "foo"

Key: TypeAlias = bytes | tuple[tuple[str, int], ...]
Pair: TypeAlias = tuple[str, str]
State: TypeAlias = tuple[object, ...]
"""(versions, clients).

A version: its name, the names that it follows, and its parents' names or its map.
A client: its version's name, the names that its next version will follow, and nickname -> name of
the version that it holds.
"""


@frozen
class World(Generic[V]):
    """Whole clients, the witness's records, and the names of versions such as `A2`."""

    folder: cd.Folder[V]
    witness: Witness[str] = field(factory=Witness)
    names: dict[Key, str] = field(factory=dict)

    @property
    def nicknames(self) -> list[str]:
        return sorted(self.folder.clients)


def new_snapshot_world(search: Search, clients: int) -> World[bytes]:
    folder = cd.Folder(cd.SnapshotDesign(search.reading))
    return World(reduce(cd.add_client, "ABCDE"[:clients], folder))


def new_map_world(search: Search, clients: int) -> World[cd.VersionMap]:
    folder = cd.Folder(cd.MapDesign(search.reading))
    return World(reduce(cd.add_client, "ABCDE"[:clients], folder))


def entry_of(world: World[V], nickname: str) -> cd.Entry | None:
    """Return the entry that a client's directory links."""
    capability = cd.read_capability(cd.client_named(world.folder, nickname).write_capability)
    return cd.read_directory(world.folder.grid, capability).entries.get(PATH)


def key_of(version: object) -> Key:
    """Return a snapshot's capability, or a version map's entries without a client's own zero."""
    if isinstance(version, bytes):
        return version
    assert isinstance(version, dict)
    return tuple(sorted(cd.without_zeros(version).items()))


def entry_name(world: World[V], entry: cd.Entry) -> str:
    version = entry.capability if entry.version_map is None else dict(entry.version_map)
    return world.names[key_of(version)]


def polled(world: World[V], nickname: str, other: str) -> tuple[World[V], Pair] | None:
    """Return the world after a poll, the witness's expected result and the design's result."""
    entry = entry_of(world, other)
    if entry is None:
        return None
    name = entry_name(world, entry)
    expected = witness_expects(world.witness, nickname, name)
    outcome = cd.poll(world.folder, nickname, other, PATH)
    assert outcome.classification is not None
    witness = world.witness
    if outcome.classification is cd.Classification.OVERWRITE:
        witness = witness_overwrite(witness, nickname, name)
    after = evolve(world, folder=outcome.folder, witness=witness)
    return after, (expected.value, outcome.classification.value)


def edited(world: World[V], nickname: str) -> World[V]:
    """Return the world after an edit that writes the new version's name."""
    name = _next_name(world, nickname)
    return _uploaded(world, cd.edit(world.folder, nickname, PATH, name.encode()).folder, nickname)


def resolved(world: World[V], nickname: str, others: tuple[str, ...]) -> World[V]:
    """Return the world after a client resolved its conflicts with some clients by a new text."""
    held = cd.file_of(cd.client_named(world.folder, nickname), PATH).conflicts
    removed = [each.version for each in held if set(each.nicknames) & set(others)]
    name = _next_name(world, nickname)
    folder = cd.resolve(world.folder, nickname, PATH, others, name.encode()).folder
    return _uploaded(world, folder, nickname, [world.names[key_of(each)] for each in removed])


def removable(world: World[V], nickname: str) -> Iterator[tuple[str, ...]]:
    """Yield every nonempty set of conflict files, as the clients that they come from."""
    held = cd.file_of(cd.client_named(world.folder, nickname), PATH).conflicts
    for count in range(1, len(held) + 1):
        for chosen in combinations(held, count):
            yield tuple(sorted(name for each in chosen for name in each.nicknames))


def state_of(world: World[V]) -> State:
    """Return the state in the form that is compared."""
    dag = {name: tuple(had) for name, had in world.witness.directly.items()}
    versions = tuple(
        (name, _followed(dag, dag[name]), _form(world, key))
        for key, name in sorted(world.names.items(), key=lambda pair: pair[1])
    )
    return (versions, tuple(_client_state(world, dag, each) for each in world.nicknames))


@define
class Enumerated:
    """The counts of the enumeration.

    polls: counts for each pair (the witness's expectation, the design's result). traces: for each
    pair, the steps that first led to it, breadth first, edits before polls before resolutions.
    """

    states: int = 1
    uploads: int = 0
    polls: Counter[Pair] = field(factory=Counter)
    traces: dict[Pair, tuple[str, ...]] = field(factory=dict)


def enumerate_plainly(search: Search, clients: int, uploads: int) -> Enumerated:
    """Enumerate every interleaving of that many clients and uploads."""
    if search.design == "snapshots":
        return _enumerate(new_snapshot_world(search, clients), uploads)
    return _enumerate(new_map_world(search, clients), uploads)


def _enumerate(start: World[V], uploads: int) -> Enumerated:
    enumerated = Enumerated()
    seen = {state_of(start)}
    pending: deque[tuple[World[V], tuple[str, ...]]] = deque([(start, ())])
    while pending:
        world, trace = pending.popleft()
        for step, after, pair in _steps(world, uploads):
            if pair is None:
                enumerated.uploads += 1
            else:
                enumerated.polls[pair] += 1
                enumerated.traces.setdefault(pair, (*trace, step))
            state = state_of(after)
            if state not in seen:
                seen.add(state)
                pending.append((after, (*trace, step)))
    enumerated.states = len(seen)
    return enumerated


def _steps(world: World[V], uploads: int) -> Iterator[tuple[str, World[V], Pair | None]]:
    """Yield every possible step: its name, the world after it, and the pair that a poll found."""
    may_upload = len(world.names) < uploads
    if may_upload:
        for nickname in world.nicknames:
            yield f"{nickname} edits", edited(world, nickname), None
    for nickname in world.nicknames:
        for other in world.nicknames:
            outcome = polled(world, nickname, other) if other != nickname else None
            if outcome is not None:
                yield f"{nickname} polls {other}", *outcome
    if may_upload:
        for nickname in world.nicknames:
            for others in sorted(removable(world, nickname), key=_as_bits):
                name = f"{nickname} resolves {' '.join(others)}"
                yield name, resolved(world, nickname, others), None


def _as_bits(nicknames: tuple[str, ...]) -> int:
    return sum(1 << "ABCDE".index(each) for each in nicknames)


def _next_name(world: World[V], nickname: str) -> str:
    return f"{nickname}{1 + sum(name[0] == nickname for name in world.names.values())}"


def _uploaded(
    world: World[V], folder: cd.Folder[V], nickname: str, removed: list[str] | None = None
) -> World[V]:
    name = _next_name(world, nickname)
    version = cd.file_of(cd.client_named(folder, nickname), PATH).version
    assert key_of(version) not in world.names, "every upload is a version of its own"
    if isinstance(version, dict):
        assert 0 not in version.values(), "an upload's map has no entry of zero"
    return World(
        folder,
        witness_upload(world.witness, nickname, name, removed or ()),
        {**world.names, key_of(version): name},
    )


def _followed(dag: dict[str, tuple[str, ...]], had: tuple[str, ...]) -> tuple[str, ...]:
    """Return the versions, and all versions that they follow."""
    followed = {name for name in dag if any(cd.follows(dag, each, name) for each in had)}
    return tuple(sorted(followed.union(had)))


def _form(world: World[V], key: Key) -> object:
    """Return a version map as it is, or a snapshot's parents without ancestors of other parents."""
    if isinstance(key, bytes):
        parents = cd.fetch_snapshot(world.folder.grid, key).parents
        above = [ancestor for parent in parents for ancestor in _ancestors(world, parent)]
        return tuple(sorted(world.names[parent] for parent in parents if parent not in above))
    return key


def _ancestors(world: World[V], snapshot: bytes) -> set[bytes]:
    parents = cd.fetch_snapshot(world.folder.grid, snapshot).parents
    return set(parents).union(*(_ancestors(world, parent) for parent in parents))


def _client_state(world: World[V], dag: dict[str, tuple[str, ...]], nickname: str) -> object:
    file = cd.file_of(cd.client_named(world.folder, nickname), PATH)
    current = None if file.version is None else world.names[key_of(file.version)]
    assert current == world.witness.current.get(nickname)
    held = {
        name: world.names[key_of(each.version)]
        for each in file.conflicts
        for name in each.nicknames
    }
    had = tuple(world.witness.had.get(nickname, ()))
    return (current, _followed(dag, had), tuple(sorted(held.items())))
