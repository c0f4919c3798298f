"""Both designs over numbered versions: the reference's functions, without grid, cache or contents.

What is left out cannot change a classification: a version's content, and which snapshots a client
has at hand. The tests hold these to the reference's whole clients.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from rejoin import conflict_detection as cd
from rejoin_conformance.systems.conflict_detection.exhaust.searches import Bounds, Search
from rejoin_conformance.systems.conflict_detection.exhaust.states import NONE, Form, Versions


class LeanDesign(Protocol):
    """What a search asks of a design; clients and versions are numbers."""

    @property
    def ends_when_seen(self) -> bool:
        """Whether a client's conflict file goes once its newest version does not conflict."""

    @property
    def one_file_per_version(self) -> bool:
        """Whether clients that have one version share a conflict file."""

    def classify(
        self, versions: Versions, client: int, current: int, theirs: int
    ) -> cd.Classification:
        """What `theirs` is to a client whose version is `current`, or `NONE`."""

    def is_over(self, versions: Versions, client: int, current: int, held: int) -> bool:
        """Whether a conflict with `held` is over for a client whose version is `current`."""

    def upload(
        self, versions: Versions, client: int, current: int, removed: Sequence[tuple[int, int]]
    ) -> Form:
        """The form of a client's next version.

        removed: (client, version) of the conflict files that go.
        """


class LeanSnapshots:
    """Leif's design: a version is known by its parents."""

    def __init__(self, reading: cd.Reading, bounds: Bounds) -> None:
        design = cd.SnapshotDesign(reading)
        self._reading = reading
        self._nicknames = bounds.nicknames
        self.ends_when_seen = design.ends_when_seen()
        self.one_file_per_version = design.one_file_per_version()

    def classify(
        self,
        versions: Versions,
        client: int,  # noqa: ARG002 - maps need it
        current: int,
        theirs: int,
    ) -> cd.Classification:
        """By the whole graph, which is what a walk comes to know where it matters."""
        local = None if current == NONE else current
        return cd.classify_by_graph(self._reading, _parents(versions), local, theirs)

    def is_over(
        self,
        versions: Versions,
        client: int,  # noqa: ARG002
        current: int,
        held: int,
    ) -> bool:
        """Whether the version is the one that conflicted, or descends from it."""
        return held == current or cd.is_descendant(_parents(versions), current, held)

    def upload(
        self,
        versions: Versions,
        client: int,  # noqa: ARG002
        current: int,
        removed: Sequence[tuple[int, int]],
    ) -> Form:
        """The parents, sorted, but for those that another parent descends from.

        Neither their order nor such a parent says anything about who descends from whom.
        """
        files = tuple(
            cd.ConflictFile((self._nicknames[other],), bytes([version]), None)
            for other, version in removed
        )
        named = cd.parents_of_upload(None if current == NONE else bytes([current]), files)
        parents = [parent[0] for parent in named]
        known = _parents(versions)
        return tuple(
            sorted(
                parent
                for parent in parents
                if not any(cd.is_descendant(known, other, parent) for other in parents)
            )
        )


class LeanMaps:
    """Zooko's design: a version is its version map."""

    def __init__(self, reading: cd.Reading, bounds: Bounds) -> None:
        design = cd.MapDesign(reading)
        self._reading = reading
        self._nicknames = bounds.nicknames
        self.ends_when_seen = design.ends_when_seen()
        self.one_file_per_version = design.one_file_per_version()

    def classify(
        self, versions: Versions, client: int, current: int, theirs: int
    ) -> cd.Classification:
        """By the client's local version map and the downloaded one."""
        local = None if current == NONE else self._local(versions, client, current)
        return cd.classify_by_maps(self._reading, local, self._map(versions, theirs))

    def is_over(self, versions: Versions, client: int, current: int, held: int) -> bool:
        """Whether the local version map covers the map that conflicted."""
        local = self._local(versions, client, current)
        return cd.is_resolved_by(self._reading, local, self._map(versions, held))

    def upload(
        self, versions: Versions, client: int, current: int, removed: Sequence[tuple[int, int]]
    ) -> Form:
        """The local version map after the conflict files went, the client's own number grown."""
        local = {} if current == NONE else self._local(versions, client, current)
        maps = {self._nicknames[other]: self._map(versions, version) for other, version in removed}
        conflict_map: cd.VersionMap = {}
        for nickname, held in maps.items():
            conflict_map = cd.conflict_map_after_conflict(conflict_map, nickname, held)
        resolved = cd.local_map_after_resolution(self._reading, local, conflict_map, maps)
        uploaded = cd.map_of_upload(resolved, self._nicknames[client])
        return tuple(uploaded.get(nickname, NONE) for nickname in self._nicknames)

    def _local(self, versions: Versions, client: int, current: int) -> Mapping[str, int]:
        """A client's local version map, which its current version determines."""
        downloaded = self._map(versions, current)
        return cd.local_map_after_overwrite(self._reading, self._nicknames[client], downloaded)

    def _map(self, versions: Versions, version: int) -> dict[str, int]:
        form = versions.forms[version]
        assert form is not None
        entries = zip(self._nicknames, form, strict=True)
        return {nickname: number for nickname, number in entries if number != NONE}


def _parents(versions: Versions) -> Callable[[int], Form]:
    """Version -> its parents."""
    forms = versions.forms
    return lambda version: forms[version] or ()


def lean_design(search: Search, bounds: Bounds) -> LeanDesign:
    """The design of a search, under its reading."""
    lean = LeanSnapshots if search.design == "snapshots" else LeanMaps
    return lean(search.reading, bounds)
