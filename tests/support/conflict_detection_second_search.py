"""A second exhaustive search: whole clients in a grid, one state after the other, and a witness.

It shares no code with the search that it checks, only the page search-rules.md.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import combinations
from typing import Any, TypeAlias

from attrs import define, evolve, field, frozen

from rejoin import conflict_detection as cd

PATH = "foo"
Step: TypeAlias = dict[str, Any]
Pair: TypeAlias = tuple[cd.Classification, cd.Classification]


@frozen
class World:
    """Whole clients, and a witness beside them, which depends on no design.

    names: version -> its name, such as `A2`. directly: version -> the versions that its maker had
    when it made the change. had: client -> every version that was ever in its local file, or with
    which it resolved a conflict. A version that is only in a conflict file does not count (CD-E11).
    current: client -> the version that its local file has now.
    """

    folder: cd.Folder[Any]
    names: Mapping[object, str] = field(factory=dict)
    directly: Mapping[str, frozenset[str]] = field(factory=dict)
    had: Mapping[str, frozenset[str]] = field(factory=dict)
    current: Mapping[str, str] = field(factory=dict)

    def name(self, version: Any) -> str:
        return self.names[key_of(version)]

    def with_version(self, folder: cd.Folder[Any], client: str, name: str) -> World:
        """Return the world with this folder, in which a client has another version."""
        had = self.had.get(client, frozenset()) | {name}
        return evolve(
            self,
            folder=folder,
            had={**self.had, client: had},
            current={**self.current, client: name},
        )

    def file(self, nickname: str) -> cd.LocalFile[Any]:
        return cd.file_of(self.folder.clients[nickname], PATH)


@define
class Counted:
    """The counts. traces: pair of classifications -> the steps that first led to it."""

    states: int = 1
    uploads: int = 0
    polls: Counter[Pair] = field(factory=Counter)
    traces: dict[Pair, list[Step]] = field(factory=dict)


def counted(design: cd.Design[Any], nicknames: str, uploads: int) -> Counted:
    """Count every interleaving of some clients, and of that many uploads in all."""
    start = World(reduce(cd.add_client, nicknames, cd.Folder(design)))
    counts, seen = Counted(), {state_of(start)}
    pending: deque[tuple[World, list[Step]]] = deque([(start, [])])
    while pending:
        world, trace = pending.popleft()
        for step in steps(world, uploads):
            after, pair = taken(world, step)
            if pair is None:
                counts.uploads += 1
            else:
                counts.polls[pair] += 1
                counts.traces.setdefault(pair, [*trace, step])
            state = state_of(after)
            if state not in seen:
                seen.add(state)
                pending.append((after, [*trace, step]))
    counts.states = len(seen)
    return counts


def steps(world: World, uploads: int) -> Iterator[Step]:
    """Yield every possible step in the order of traces."""
    clients = sorted(world.folder.clients)
    names = {
        each: f"{each}{1 + sum(n[0] == each for n in world.names.values())}" for each in clients
    }
    may_upload = len(world.names) < uploads
    if may_upload:
        yield from ({"client": each, "edit": names[each]} for each in clients)
    for client in clients:
        for other in clients:
            if other != client and linked(world, other) is not None:
                yield {"client": client, "poll": other}
    for client in clients if may_upload else ():
        held = [each.nicknames for each in world.file(client).conflicts]
        some = [sorted(sum(c, ())) for n in range(len(held)) for c in combinations(held, n + 1)]
        for others in sorted(some, key=lambda listed: [*reversed(listed)]):
            yield {"client": client, "resolve": others, "text": names[client]}


def taken(world: World, step: Step) -> tuple[World, Pair | None]:
    """Return the world after a step, and the pair of classifications of a poll."""
    folder, client = world.folder, step["client"]
    if "poll" in step:
        name = world.name(linked(world, step["poll"]))
        outcome = cd.poll(folder, client, step["poll"], PATH)
        found = outcome.classification
        assert found is not None
        dag = {version: tuple(parents) for version, parents in world.directly.items()}
        expected = cd.desired_classification(dag, world.current.get(client), name)
        if found is cd.Classification.OVERWRITE:
            return world.with_version(outcome.folder, client, name), (expected, found)
        return evolve(world, folder=outcome.folder), (expected, found)
    others, name = step.get("resolve", ()), step.get("edit") or step["text"]
    removed = cd.naming(world.file(client).conflicts, others)
    had = world.had.get(client, frozenset()) | {world.name(each.version) for each in removed}
    if others:
        folder = cd.resolve(folder, client, PATH, others, name.encode()).folder
    else:
        folder = cd.edit(folder, client, PATH, name.encode()).folder
    key = key_of(cd.file_of(folder.clients[client], PATH).version)
    assert key not in world.names, "every upload is a version of its own"
    after = evolve(
        world,
        names={**world.names, key: name},
        directly={**world.directly, name: had},
        had={**world.had, client: had},
    )
    return after.with_version(folder, client, name), None


def linked(world: World, nickname: str) -> Any:
    """Return the version that a client's directory links, or None."""
    capability = cd.read_capability(world.folder.clients[nickname].write_capability)
    entry = cd.read_directory(world.folder.grid, capability).entries.get(PATH)
    return entry and (entry.version_map or entry.capability)


def key_of(version: Any) -> object:
    """Return a snapshot's capability, or the entries of a version map but zeros."""
    return version if isinstance(version, bytes) else frozenset(cd.without_zeros(version).items())


def state_of(world: World) -> object:
    """Return what makes states different."""
    directly = world.directly
    versions = {
        (name, _followed(directly, directly[name]), _form(world, key))
        for key, name in world.names.items()
    }
    clients = [
        (
            world.current.get(nickname),
            _followed(directly, world.had.get(nickname, frozenset())),
            frozenset(
                (other, world.name(each.version))
                for each in world.file(nickname).conflicts
                for other in each.nicknames
            ),
        )
        for nickname in sorted(world.folder.clients)
    ]
    return frozenset(versions), tuple(clients)


def _followed(directly: Mapping[str, frozenset[str]], had: frozenset[str]) -> frozenset[str]:
    """Return the versions, and all versions that they follow."""
    return had.union(*(_followed(directly, directly[each] - {each}) for each in had))


def _form(world: World, key: object) -> object:
    """Return a version map as it is, or a snapshot's parents without ancestors of other parents."""
    if not isinstance(key, bytes):
        return key
    parents = {*cd.fetch_snapshot(world.folder.grid, key).parents}
    behind = frozenset[bytes]().union(*(_ancestors(world, each) for each in parents))
    return frozenset(world.names[each] for each in parents - behind)


def _ancestors(world: World, snapshot: bytes) -> frozenset[bytes]:
    parents = frozenset(cd.fetch_snapshot(world.folder.grid, snapshot).parents)
    return parents.union(*(_ancestors(world, each) for each in parents))
