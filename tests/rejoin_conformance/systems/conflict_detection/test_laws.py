"""Every law can fail: the reference is spoilt in one place, and some history shows it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from types import ModuleType
from typing import Any

import pytest
from attrs import evolve

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
)
from rejoin.conflict_detection.cost_model import Operations
from rejoin.conflict_detection.definitions import Classification
from rejoin_conformance.histories import history_seed
from rejoin_conformance.readings import Readings
from rejoin_conformance.systems.conflict_detection.histories import HISTORIES
from rejoin_conformance.systems.conflict_detection.histories.examine import examine
from rejoin_conformance.systems.conflict_detection.laws import LAWS

Spoil = Callable[[pytest.MonkeyPatch], None]


def real_one(module: ModuleType, name: str) -> Any:
    """What a module knows under that name, its own or imported."""
    return getattr(module, name)


def broken_laws(profile: str = "default", histories: int = 120) -> set[str]:
    """The laws that some of the first histories break in the reading `repaired`."""
    laws: set[str] = set()
    for index in range(histories):
        seed = history_seed(1, "conflict-detection", profile, index)
        history = HISTORIES.generate(profile, seed)
        laws |= {each.law for each in examine(history, "repaired").violations}
    return laws


def _a_conflict_overwrites(patch: pytest.MonkeyPatch) -> None:
    real = real_one(local_cache, "classify_by_graph")

    def spoilt(*arguments: Any) -> Classification:
        found = real(*arguments)
        return Classification.OVERWRITE if found is Classification.CONFLICT else found

    patch.setattr(local_cache, "classify_by_graph", spoilt)


def _a_conflict_is_stale(patch: pytest.MonkeyPatch) -> None:
    real = real_one(map_design, "classify_by_maps")

    def spoilt(*arguments: Any) -> Classification:
        found = real(*arguments)
        return Classification.STALE if found is Classification.CONFLICT else found

    patch.setattr(map_design, "classify_by_maps", spoilt)


def _a_map_follows_if_one_entry_is_larger(patch: pytest.MonkeyPatch) -> None:
    def spoilt(
        _reading: object, local: Mapping[str, int] | None, remote: Mapping[str, int]
    ) -> object:
        if local is None or any(number > local.get(name, 0) for name, number in remote.items()):
            return Classification.OVERWRITE
        return Classification.SAME if local == remote else Classification.STALE

    patch.setattr(map_design, "classify_by_maps", spoilt)


def _a_resolution_joins_nothing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(map_conflict_resolution, "join", lambda maps: dict(next(iter(maps))))


def _a_resolution_names_one_parent(patch: pytest.MonkeyPatch) -> None:
    real = real_one(snapshot_design, "parents_of_upload")
    patch.setattr(snapshot_design, "parents_of_upload", lambda *arguments: real(*arguments)[:1])


def _an_upload_does_not_count(patch: pytest.MonkeyPatch) -> None:
    def spoilt(local: Mapping[str, int], nickname: str) -> dict[str, int]:
        return {**local, nickname: max(1, local.get(nickname, 0))}

    patch.setattr(map_design, "map_of_upload", spoilt)


def _conflict_files_stay_when_followed(patch: pytest.MonkeyPatch) -> None:
    def spoilt(conflicts: object, _is_followed: object) -> object:
        return conflicts

    patch.setattr(directories_and_polling, "drop_followed", spoilt)


def _an_offline_resolution_is_forgotten(patch: pytest.MonkeyPatch) -> None:
    real = real_one(local_changes, "change")

    def spoilt(folder: Any, client: Any, changes: Mapping[str, Any]) -> Any:
        changes = {path: (content, ()) for path, (content, _) in changes.items()}
        return real(folder, client, changes)

    patch.setattr(local_changes, "change", spoilt)


def _a_conflict_file_is_not_updated(patch: pytest.MonkeyPatch) -> None:
    real = real_one(directories_and_polling, "hold")

    def spoilt(conflicts: Any, nickname: str, *arguments: Any, **named: Any) -> Any:
        if any(nickname in held.nicknames for held in conflicts):
            return conflicts
        return real(conflicts, nickname, *arguments, **named)

    patch.setattr(directories_and_polling, "hold", spoilt)


def _a_download_is_not_linked(patch: pytest.MonkeyPatch) -> None:
    not_linking = Readings({"repaired": evolve(reading.REPAIRED, links_downloads=False)})
    patch.setattr(sys.modules[examine.__module__], "READINGS", not_linking)


def _a_link_to_a_deletion_goes_at_once(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(directories_and_polling, "may_drop_link", lambda *_arguments: True)


def _only_the_current_snapshot_is_cached(patch: pytest.MonkeyPatch) -> None:
    def spoilt(
        _parents_of: object, currents: Collection[bytes], _common: object
    ) -> frozenset[bytes]:
        return frozenset(list(currents)[:1])

    patch.setattr(local_cache, "snapshots_to_keep", spoilt)


def _nothing_is_purged(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(snapshot_design, "purge", lambda cache, _currents: cache)


def _the_rest_of_the_history_is_not_fetched(patch: pytest.MonkeyPatch) -> None:
    real = real_one(local_cache, "fetch_for_poll")

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
    patch.setattr(snapshot_design, "local_change", lambda **_named: Operations(content_uploads=1))


def _leases_are_renewed_for_what_is_linked_directly(patch: pytest.MonkeyPatch) -> None:
    def spoilt(_links_of: object, roots: Iterable[bytes]) -> frozenset[bytes]:
        return frozenset(roots)

    patch.setattr(garbage_collection, "linked", spoilt)


SPOILT: dict[str, tuple[Spoil, set[str]]] = {
    "a conflict overwrites": (
        _a_conflict_overwrites,
        {"no-false-overwrite", "content-kept", "nothing-unlearned"},
    ),
    "a conflict is stale": (_a_conflict_is_stale, {"no-news-missed", "designs-agree"}),
    "a map follows if one entry is larger": (
        _a_map_follows_if_one_entry_is_larger,
        {"no-false-overwrite", "content-kept"},
    ),
    "a resolution joins nothing": (
        _a_resolution_joins_nothing,
        {"no-false-conflict", "one-resolver-is-enough"},
    ),
    "a resolution names one parent": (
        _a_resolution_names_one_parent,
        {"no-false-conflict", "one-resolver-is-enough", "settled-conflicts-go"},
    ),
    "an upload does not count": (_an_upload_does_not_count, {"uploads-differ"}),
    "conflict files stay when followed": (
        _conflict_files_stay_when_followed,
        {"settled-conflicts-go", "one-resolver-is-enough"},
    ),
    "a conflict file is not updated": (_a_conflict_file_is_not_updated, {"polls-are-acted-on"}),
    "a download is not linked": (_a_download_is_not_linked, {"link-says-file", "costs"}),
    "a link to a deletion goes at once": (_a_link_to_a_deletion_goes_at_once, {"deletions-known"}),
    "only the current snapshot is cached": (
        _only_the_current_snapshot_is_cached,
        {"cache-as-demanded"},
    ),
    "nothing is purged": (_nothing_is_purged, {"cache-as-demanded"}),
    "the rest of the history is not fetched": (
        _the_rest_of_the_history_is_not_fetched,
        {"purging-harmless", "no-false-conflict"},
    ),
    "a walk forgets where it was": (_a_walk_forgets_where_it_was, {"walk-once"}),
    "an offline resolution is forgotten": (
        _an_offline_resolution_is_forgotten,
        {"no-false-conflict"},
    ),
    "an upload is not counted": (_an_upload_is_not_counted, {"costs"}),
    "leases are renewed for what is linked directly": (
        _leases_are_renewed_for_what_is_linked_directly,
        {"garbage-harmless"},
    ),
}
"""What is spoilt -> how, and laws that show it."""


HARD_TO_SHOW: dict[str, tuple[str, int]] = {
    "the rest of the history is not fetched": ("long", 40),
    "an offline resolution is forgotten": ("partitioned", 200),
}
"""What takes another profile, or more histories, than the rest."""


@pytest.mark.parametrize("what", list(SPOILT))
def test_a_spoilt_reference_breaks_these_laws(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spoil, laws = SPOILT[what]
    spoil(monkeypatch)
    assert laws - broken_laws(*HARD_TO_SHOW.get(what, ())) == set()


def test_every_law_is_broken_by_some_spoilt_reference() -> None:
    assert set().union(*(laws for _, laws in SPOILT.values())) == {law.name for law in LAWS}


def test_laws_have_names_and_clauses_of_their_own() -> None:
    assert len({law.name for law in LAWS}) == len(LAWS)
    assert all(law.clauses and law.premises and law.statement for law in LAWS)
