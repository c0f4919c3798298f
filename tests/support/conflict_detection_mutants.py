"""Deliberate faults in the reference of conflict detection; the tests must find each of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import pytest
from attrs import evolve, frozen

from rejoin import conflict_detection as cd
from rejoin.conflict_detection import (
    directories_and_polling,
    garbage_collection,
    local_cache,
    local_changes,
    map_conflict_resolution,
    map_design,
    overwrite_and_conflict,
    reading,
    snapshot_design,
    taking_over,
)
from rejoin_conformance.systems.conflict_detection import READINGS


@frozen
class Mutant:
    """A faulty reference, and the laws that it must break.

    spoil: replaces functions of the reference by faulty ones.
    """

    name: str
    spoil: Callable[[pytest.MonkeyPatch], None]
    breaks: frozenset[str]


@contextmanager
def mutated(mutant: Mutant) -> Iterator[None]:
    """Apply the fault to the reference until the block ends."""
    with pytest.MonkeyPatch.context() as patch:
        mutant.spoil(patch)
        yield


def _real(module: ModuleType, name: str) -> Any:
    """Return the module's attribute of that name, its own or imported."""
    return getattr(module, name)


def _a_conflict_overwrites(patch: pytest.MonkeyPatch) -> None:
    real = _real(local_cache, "classify_by_graph")

    def spoilt(*arguments: Any) -> cd.Classification:
        found = real(*arguments)
        return cd.Classification.OVERWRITE if found is cd.Classification.CONFLICT else found

    patch.setattr(local_cache, "classify_by_graph", spoilt)


def _a_conflict_is_stale(patch: pytest.MonkeyPatch) -> None:
    real = _real(map_design, "classify_by_maps")

    def spoilt(*arguments: Any) -> cd.Classification:
        found = real(*arguments)
        return cd.Classification.STALE if found is cd.Classification.CONFLICT else found

    patch.setattr(map_design, "classify_by_maps", spoilt)


def _a_map_follows_if_one_entry_is_larger(patch: pytest.MonkeyPatch) -> None:
    def spoilt(
        _reading: object, local: Mapping[str, int] | None, remote: Mapping[str, int]
    ) -> object:
        if local is None or any(number > local.get(name, 0) for name, number in remote.items()):
            return cd.Classification.OVERWRITE
        return cd.Classification.SAME if local == remote else cd.Classification.STALE

    patch.setattr(map_design, "classify_by_maps", spoilt)


def _a_resolution_joins_nothing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(map_conflict_resolution, "join", lambda maps: dict(next(iter(maps))))


def _a_resolution_names_one_parent(patch: pytest.MonkeyPatch) -> None:
    real = _real(snapshot_design, "parents_of_upload")
    patch.setattr(snapshot_design, "parents_of_upload", lambda *arguments: real(*arguments)[:1])


def _an_upload_does_not_count(patch: pytest.MonkeyPatch) -> None:
    def spoilt(local: Mapping[str, int], nickname: str) -> dict[str, int]:
        return {**local, nickname: max(1, local.get(nickname, 0))}

    patch.setattr(map_design, "map_of_upload", spoilt)


def _conflict_files_stay_when_followed(patch: pytest.MonkeyPatch) -> None:
    def spoilt(conflicts: object, _is_followed: object) -> object:
        return conflicts

    patch.setattr(taking_over, "drop_followed", spoilt)


def _conflict_files_go_with_every_version(patch: pytest.MonkeyPatch) -> None:
    def spoilt(_conflicts: object, _is_followed: object) -> object:
        return ()

    patch.setattr(taking_over, "drop_followed", spoilt)
    patch.setattr(local_changes, "drop_followed", spoilt)


def _an_offline_resolution_is_forgotten(patch: pytest.MonkeyPatch) -> None:
    real = _real(local_changes, "_with_waiting")
    online = _real(local_changes, "change")

    def spoilt(folder: Any, draft: Any) -> Any:
        files = {
            path: evolve(file, waiting=None if file.waiting is None else ())
            for path, file in draft.client.files.items()
        }
        return real(folder, evolve(draft, client=evolve(draft.client, files=files)))

    def spoilt_online(folder: Any, client: Any, changes: Mapping[str, Any]) -> Any:
        return online(folder, client, {path: (each[0], ()) for path, each in changes.items()})

    patch.setattr(local_changes, "_with_waiting", spoilt)
    patch.setattr(local_changes, "change", spoilt_online)


def _a_conflict_file_is_not_updated(patch: pytest.MonkeyPatch) -> None:
    real = _real(directories_and_polling, "hold")

    def spoilt(conflicts: Any, nickname: str, *arguments: Any, **named: Any) -> Any:
        if any(nickname in held.nicknames for held in conflicts):
            return conflicts
        return real(conflicts, nickname, *arguments, **named)

    patch.setattr(directories_and_polling, "hold", spoilt)


def _a_download_is_not_linked(patch: pytest.MonkeyPatch) -> None:
    not_linking = evolve(reading.REPAIRED, links_downloads=False)
    patch.setitem(READINGS.lent, "repaired", not_linking)


def _a_link_to_a_deletion_goes_at_once(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(directories_and_polling, "may_drop_link", lambda *_arguments: True)


def _a_link_to_a_deletion_stays(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(directories_and_polling, "may_drop_link", lambda *_arguments: False)


def _a_missing_link_never_counts(patch: pytest.MonkeyPatch) -> None:
    real = _real(directories_and_polling, "may_drop_link")
    patch.setattr(
        directories_and_polling, "may_drop_link", lambda *arguments: real(*arguments[:4], ())
    )


def _only_the_current_snapshot_is_cached(patch: pytest.MonkeyPatch) -> None:
    def spoilt(
        _parents_of: object, currents: Collection[bytes], _common: object
    ) -> frozenset[bytes]:
        return frozenset(list(currents)[:1])

    patch.setattr(local_cache, "snapshots_to_keep", spoilt)


def _nothing_is_purged(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(snapshot_design, "purge", lambda cache, _own, _others: cache)


def _the_rest_of_the_history_is_not_fetched(patch: pytest.MonkeyPatch) -> None:
    real = _real(local_cache, "fetch_for_poll")

    def spoilt(cached: Any, parents_of: Any, local: Any, remote: Any) -> Any:
        if local is None:
            return real(cached, parents_of, local, remote)
        return overwrite_and_conflict.walk(cached, parents_of, [remote])

    patch.setattr(local_cache, "fetch_for_poll", spoilt)


def _a_walk_forgets_where_it_was(patch: pytest.MonkeyPatch) -> None:
    def spoilt(known: Any, parents_of: Any, start: Iterable[Any]) -> Any:
        pending, downloaded, met_root = list(start), [], False
        while pending:
            snapshot = pending.pop()
            if snapshot not in known:
                downloaded.append(snapshot)
                parents = list(parents_of(snapshot))
                met_root |= not parents
                pending += parents
        return overwrite_and_conflict.Walk(tuple(downloaded), met_root)

    patch.setattr(overwrite_and_conflict, "walk", spoilt)


def _an_upload_is_not_counted(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(
        snapshot_design, "local_change", lambda **_named: cd.Operations(content_uploads=1)
    )


def _leases_are_renewed_for_what_is_linked_directly(patch: pytest.MonkeyPatch) -> None:
    def spoilt(_links_of: object, roots: Iterable[bytes]) -> frozenset[bytes]:
        return frozenset(roots)

    patch.setattr(garbage_collection, "linked", spoilt)


MUTANTS = (
    Mutant(
        "a conflict overwrites",
        _a_conflict_overwrites,
        frozenset({"no-false-overwrite", "content-kept", "nothing-unlearned"}),
    ),
    Mutant(
        "a conflict is stale", _a_conflict_is_stale, frozenset({"no-news-missed", "designs-agree"})
    ),
    Mutant(
        "a map follows if one entry is larger",
        _a_map_follows_if_one_entry_is_larger,
        frozenset({"no-false-overwrite", "content-kept"}),
    ),
    Mutant(
        "a resolution joins nothing",
        _a_resolution_joins_nothing,
        frozenset({"no-false-conflict", "one-resolver-is-enough"}),
    ),
    Mutant(
        "a resolution names one parent",
        _a_resolution_names_one_parent,
        frozenset({"no-false-conflict", "one-resolver-is-enough", "settled-conflicts-go"}),
    ),
    Mutant("an upload does not count", _an_upload_does_not_count, frozenset({"uploads-differ"})),
    Mutant(
        "conflict files stay when followed",
        _conflict_files_stay_when_followed,
        frozenset({"settled-conflicts-go", "one-resolver-is-enough"}),
    ),
    Mutant(
        "conflict files go with every version",
        _conflict_files_go_with_every_version,
        frozenset({"only-settled-conflicts-go"}),
    ),
    Mutant(
        "a conflict file is not updated",
        _a_conflict_file_is_not_updated,
        frozenset({"polls-are-acted-on"}),
    ),
    Mutant(
        "a download is not linked",
        _a_download_is_not_linked,
        frozenset({"link-says-file", "costs"}),
    ),
    Mutant(
        "a link to a deletion goes at once",
        _a_link_to_a_deletion_goes_at_once,
        frozenset({"deletions-known", "links-dropped-exactly"}),
    ),
    Mutant(
        "a link to a deletion stays",
        _a_link_to_a_deletion_stays,
        frozenset({"links-dropped-exactly"}),
    ),
    Mutant(
        "a missing link never counts",
        _a_missing_link_never_counts,
        frozenset({"links-dropped-exactly"}),
    ),
    Mutant(
        "only the current snapshot is cached",
        _only_the_current_snapshot_is_cached,
        frozenset({"cache-as-demanded"}),
    ),
    Mutant("nothing is purged", _nothing_is_purged, frozenset({"cache-as-demanded"})),
    Mutant(
        "the rest of the history is not fetched",
        _the_rest_of_the_history_is_not_fetched,
        frozenset({"purging-harmless", "no-false-conflict"}),
    ),
    Mutant("a walk forgets where it was", _a_walk_forgets_where_it_was, frozenset({"walk-once"})),
    Mutant(
        "an offline resolution is forgotten",
        _an_offline_resolution_is_forgotten,
        frozenset({"no-false-conflict"}),
    ),
    Mutant("an upload is not counted", _an_upload_is_not_counted, frozenset({"costs"})),
    Mutant(
        "leases are renewed for what is linked directly",
        _leases_are_renewed_for_what_is_linked_directly,
        frozenset({"garbage-harmless"}),
    ),
)
