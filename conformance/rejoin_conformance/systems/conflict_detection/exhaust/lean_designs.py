"""Both designs over numbered versions: the reference's functions, without grid, cache or contents.

The contents of versions and the snapshots in a client's cache cannot change a classification. Tests
compare these designs with the clients of the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from rejoin import conflict_detection as cd
from rejoin_conformance.systems.conflict_detection.exhaust.searches import Bounds, Search
from rejoin_conformance.systems.conflict_detection.exhaust.states import NONE, Form, Versions


class LeanDesign(Protocol):
    """The functions of a design that a search uses. Clients and versions are numbers."""

    @property
    def ends_when_seen(self) -> bool:
        """Return whether a poll that finds no conflict ends the conflict with the polled client."""

    @property
    def one_file_per_version(self) -> bool:
        """Return whether clients with the same version share a conflict file."""

    def classify(
        self, versions: Versions, client: int, current: int, theirs: int
    ) -> cd.Classification:
        """Return the classification of `theirs` by a client that has `current`, or `NONE`."""

    def is_over(self, versions: Versions, client: int, current: int, held: int) -> bool:
        """Return whether a conflict with `held` is over for a client with the version `current`."""

    def upload(
        self, versions: Versions, client: int, current: int, removed: Sequence[tuple[int, int]]
    ) -> Form:
        """Return the form of a client's next version.

        removed: (client, version) of the conflict files that the upload removes.
        """


class LeanSnapshots:
    """The design of snapshots: the form of a version is its parents."""

    def __init__(self, reading: cd.Reading, bounds: Bounds) -> None:
        design = cd.SnapshotDesign(reading)
        self._reading = reading
        self._nicknames = bounds.nicknames
        self.ends_when_seen = design.ends_when_seen()
        self.one_file_per_version = design.one_file_per_version()

    def classify(
        self,
        versions: Versions,
        client: int,  # noqa: ARG002 - version maps need it
        current: int,
        theirs: int,
    ) -> cd.Classification:
        """Classify by the whole graph. A walk gives the same classification."""
        local = None if current == NONE else current
        return cd.classify_by_graph(self._reading, _parents(versions), local, theirs)

    def is_over(
        self,
        versions: Versions,
        client: int,  # noqa: ARG002
        current: int,
        held: int,
    ) -> bool:
        """Return whether the version is the conflicting one or descends from it."""
        return held == current or cd.is_descendant(_parents(versions), current, held)

    def upload(
        self,
        versions: Versions,
        client: int,  # noqa: ARG002
        current: int,
        removed: Sequence[tuple[int, int]],
    ) -> Form:
        """Return the sorted parents, without parents that another parent descends from.

        The order of parents and such redundant parents do not change which version descends from
        which.
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
    """The design of version maps: the form of a version is its version map."""

    def __init__(self, reading: cd.Reading, bounds: Bounds) -> None:
        design = cd.MapDesign(reading)
        self._reading = reading
        self._nicknames = bounds.nicknames
        self.ends_when_seen = design.ends_when_seen()
        self.one_file_per_version = design.one_file_per_version()

    def classify(
        self, versions: Versions, client: int, current: int, theirs: int
    ) -> cd.Classification:
        """Classify by the client's local version map and the downloaded one."""
        local = None if current == NONE else self._local(versions, client, current)
        return cd.classify_by_maps(self._reading, local, self._map(versions, theirs))

    def is_over(self, versions: Versions, client: int, current: int, held: int) -> bool:
        """Return whether the local version map covers the conflicting map."""
        local = self._local(versions, client, current)
        return cd.is_resolved_by(self._reading, local, self._map(versions, held))

    def upload(
        self, versions: Versions, client: int, current: int, removed: Sequence[tuple[int, int]]
    ) -> Form:
        """Return the local map after the conflict files are removed, its own entry increased."""
        local = {} if current == NONE else self._local(versions, client, current)
        maps = {self._nicknames[other]: self._map(versions, version) for other, version in removed}
        conflict_map: cd.VersionMap = {}
        for nickname, held in maps.items():
            conflict_map = cd.conflict_map_after_conflict(conflict_map, nickname, held)
        resolved = cd.local_map_after_resolution(self._reading, local, conflict_map, maps)
        uploaded = cd.map_of_upload(resolved, self._nicknames[client])
        return tuple(uploaded.get(nickname, NONE) for nickname in self._nicknames)

    def _local(self, versions: Versions, client: int, current: int) -> Mapping[str, int]:
        """Return a client's local version map. Its current version determines it."""
        downloaded = self._map(versions, current)
        return cd.local_map_after_overwrite(self._reading, self._nicknames[client], downloaded)

    def _map(self, versions: Versions, version: int) -> dict[str, int]:
        form = versions.forms[version]
        assert form is not None
        entries = zip(self._nicknames, form, strict=True)
        return {nickname: number for nickname, number in entries if number != NONE}


def _parents(versions: Versions) -> Callable[[int], Form]:
    """Return a function from a version to its parents."""
    forms = versions.forms
    return lambda version: forms[version] or ()


def lean_design(search: Search, bounds: Bounds) -> LeanDesign:
    """Return the design of a search, under its reading."""
    lean = LeanSnapshots if search.design == "snapshots" else LeanMaps
    return lean(search.reading, bounds)
