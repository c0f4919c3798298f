"""Directories and polling: a client reads another client's directory and acts on the version there.

Source: "Overview"; "Deletion propagation and eventual Garbage Collection"
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Generic, TypeVar

from attrs import evolve, field, frozen

from rejoin.conflict_detection.alternatives import PREVIOUS, is_previous_taken
from rejoin.conflict_detection.clients import (
    Begun,
    Client,
    Draft,
    Folder,
    LocalFile,
    Outcome,
    client_named,
    counting,
    file_of,
    publish,
    with_file,
)
from rejoin.conflict_detection.conflict_files import conflict_file_name, hold, let_go, with_content
from rejoin.conflict_detection.cost_model import NO_OPERATIONS, Operations
from rejoin.conflict_detection.definitions import Classification, check_path
from rejoin.conflict_detection.deletion import may_drop_link
from rejoin.conflict_detection.designs import Found
from rejoin.conflict_detection.errors import ConflictDetectionError
from rejoin.conflict_detection.grid import Directory, Entry, fetch_content, read_directory
from rejoin.conflict_detection.local_names import is_blocked
from rejoin.conflict_detection.snapshots import content_capability
from rejoin.conflict_detection.taking_over import finish_overwrite, with_seen

V = TypeVar("V")

_ONE_LOOK: Final = Operations(directory_reads=1)
_ONE_CONTENT: Final = Operations(content_downloads=1)


@frozen
class PollOfAll(Generic[V]):
    """The result of polling all files of another client.

    classifications: relative path -> classification, for the files that the other client links.
    """

    folder: Folder[V]
    classifications: Mapping[str, Classification] = field(factory=dict)
    operations: Operations = NO_OPERATIONS


def poll(
    folder: Folder[V], nickname: str, other: str, path: str, *, stops: bool = False
) -> Outcome[V]:
    """Poll one path in another client's directory: classify the version there, and act on it.

    The outcome has no classification if the client is offline, or if nothing is linked at the path.
    stops: whether the client stops at the end of the poll and is then offline. During an overwrite,
        it stops after it wrote the local file and before it records or links the version.
    Errors: "unknown-client", "own-directory", "not-subscribed", "bad-path"; those of
    `fetch_snapshot`.

    Clauses: CD-POLL-NOTHING, CD-POLL-SUBSCRIBED, CD-OFFLINE-SEES-NOTHING, CD-OVERWRITE-INTERRUPTED
    Source: "Overview", polling
    """
    check_path(path)
    client = client_named(folder, nickname)
    directory = _other_directory(folder, client, other)
    if directory is None:
        return Outcome(folder)
    draft = Draft(folder.grid, client, operations=_ONE_LOOK)
    entry = directory.entries.get(path)
    classification, draft = poll_file(folder, draft, other, path, entry, stops=stops)
    if stops:
        draft = evolve(draft, client=evolve(draft.client, online=False))
    return publish(folder, draft, classification)


def poll_all(folder: Folder[V], nickname: str, other: str) -> PollOfAll[V]:
    """Poll every path in another client's directory, with one update of the client's own directory.

    Errors: as for `poll`.

    Clauses: CD-COST-COMBINED, CD-FOLLOWS-SEPARATE-FILES, CD-POLL-ALL-ORDER
    Source: "Overview", polling; "remote changes", combined updates
    """
    client = client_named(folder, nickname)
    directory = _other_directory(folder, client, other)
    if directory is None:
        return PollOfAll(folder)
    draft = Draft(folder.grid, client, operations=_ONE_LOOK)
    classifications: dict[str, Classification] = {}
    for path in sorted({*directory.entries, *client.files}):
        classification, draft = poll_file(folder, draft, other, path, directory.entries.get(path))
        if classification is not None:
            classifications[path] = classification
    outcome = publish(folder, draft)
    return PollOfAll(outcome.folder, classifications, outcome.operations)


def _other_directory(folder: Folder[V], client: Client[V], other: str) -> Directory | None:
    """Return the directory of another client, or None if the polling client is offline."""
    if other == client.nickname:
        raise ConflictDetectionError("own-directory", f"{other} cannot poll itself")
    client_named(folder, other)
    if other not in client.subscriptions:
        raise ConflictDetectionError(
            "not-subscribed", f"{client.nickname} does not subscribe to {other}"
        )
    if not client.online:
        return None
    return read_directory(folder.grid, client.subscriptions[other])


def poll_file(
    folder: Folder[V],
    draft: Draft[V],
    other: str,
    path: str,
    entry: Entry | None,
    *,
    stops: bool = False,
) -> tuple[Classification | None, Draft[V]]:
    """Classify one entry of another client's directory, and act on it.

    A client without a version that holds a conflict fetches all ancestors, as a client with a
    version of its own does that follows nothing.

    Clauses: CD-WALK-FIRST, CD-WALK-HELD
    Source: "Overview", polling
    """
    file = file_of(draft.client, path)
    if entry is None:
        if other not in file.seen:
            return None, draft
        file = evolve(file, vanished=file.vanished | {other})
        return None, _drop_deletion(folder, draft, path, file)
    found = folder.design.find(draft.grid, file.version, entry, file.cache)
    draft = counting(draft, found.operations)
    classification = with_local_state(draft.client, path, file, found)
    if file.version is None and (file.conflicts or classification is Classification.CONFLICT):
        found = folder.design.with_ancestors(draft.grid, found)
        draft = counting(draft, found.operations)
    if classification is Classification.OVERWRITE:
        begun = Begun(other, entry, found)
        return classification, _overwrite(folder, draft, path, file, begun, stops=stops)
    if classification is Classification.CONFLICT:
        draft, file = _keep_beside(folder, draft, other, path, file, found)
    elif folder.design.ends_when_seen():
        file = evolve(file, conflicts=let_go(file.conflicts, other))
    file = with_seen(folder, file, other, found)
    return classification, _drop_deletion(folder, draft, path, file)


def with_local_state(
    client: Client[V], path: str, file: LocalFile[V], found: Found[V]
) -> Classification:
    """Return the classification after a look at the local files: an overwrite may be a conflict.

    It is one if the local file has a change that the client has not uploaded, or if a local file
    stands in the way of the content.

    Clauses: CD-OVERWRITE-UNSAVED, CD-PATH-BLOCKED
    Source: "Summary and definitions", an initial overwrite that is reclassified
    """
    if found.classification is not Classification.OVERWRITE:
        return found.classification
    if file.waiting is not None or (found.content is not None and is_blocked(client, path)):
        return Classification.CONFLICT
    return found.classification


def _overwrite(
    folder: Folder[V],
    draft: Draft[V],
    path: str,
    file: LocalFile[V],
    begun: Begun[V],
    *,
    stops: bool,
) -> Draft[V]:
    """Replace our local file, and then our version and our link unless the client stops before.

    Clauses: CD-OVERWRITE-APPLY, CD-COST-OVERWRITE, CD-OVERWRITE-INTERRUPTED
    Source: "Overview", overwrite
    """
    draft, content = _download(draft, file, begun.found)
    if stops:
        file = evolve(file, content=content, begun=begun)
        return evolve(draft, client=with_file(draft.client, path, file))
    return finish_overwrite(folder, draft, path, file, begun, content)


def _keep_beside(
    folder: Folder[V], draft: Draft[V], other: str, path: str, file: LocalFile[V], found: Found[V]
) -> tuple[Draft[V], LocalFile[V]]:
    """Put the downloaded version into a conflict file; our file and our link do not change.

    If a conflict file of another client has this version and serves both clients, only its name
    changes, and nothing is downloaded. If a local file stands in the way of the conflict file, or
    another version has its name, the version is held without one until a later poll can write it.

    Clauses: CD-CONFLICT-APPLY, CD-COST-CONFLICT, CD-CONFLICT-FILE-UPDATED,
        CD-CONFLICT-FILE-DELETION, CD-MAP-CONFLICT, CD-COST-CONTENT-AT-HAND, CD-PATH-BLOCKED
    Source: "Overview", conflict
    """
    design = folder.design
    label = PREVIOUS if file.is_own and design.reading.conflict_names == "previous" else ""
    writes = found.content is not None and not is_blocked(
        draft.client, conflict_file_name(path, [label or other])
    )
    if label and is_previous_taken(file.conflicts, other):
        writes = False
    held = [each for each in file.conflicts if design.is_same(each.version, found.version)]
    complete = [each for each in held if each.content is not None or not writes]
    if any(other in each.nicknames for each in complete):
        return draft, file
    if complete and design.one_file_per_version():
        content = complete[0].content
    else:
        draft, content = _download(draft, file, found) if writes else (draft, None)
    conflicts = hold(
        file.conflicts,
        other,
        found.version,
        content,
        one_per_version=design.one_file_per_version(),
        label=label,
    )
    conflicts = with_content(conflicts, other, content)
    conflict_map = design.noted(file.conflict_version_map, other, found.version)
    return draft, evolve(file, conflicts=conflicts, conflict_version_map=conflict_map)


def _download(
    draft: Draft[V], file: LocalFile[V], found: Found[V]
) -> tuple[Draft[V], bytes | None]:
    """Return the content of a version, or None for a deletion.

    A content that the client already has is not downloaded.

    Clauses: CD-COST-CONTENT-AT-HAND
    Source: "remote changes"
    """
    if found.content is None:
        return draft, None
    for content in (file.content, *(each.content for each in file.conflicts)):
        if content is not None and content_capability(content) == found.content:
            return draft, content
    return counting(draft, _ONE_CONTENT), fetch_content(draft.grid, found.content)


def _drop_deletion(folder: Folder[V], draft: Draft[V], path: str, file: LocalFile[V]) -> Draft[V]:
    """Remove our link to a deletion that everyone has; the version stays the current version.

    Clauses: CD-DELETE-DROP-LINK, CD-DELETE-KEEP-VERSION
    Source: "Deletion propagation and eventual Garbage Collection"
    """
    client = draft.client
    entries = draft.entries
    if (
        file.linked
        and file.is_deletion
        and file.version is not None
        and folder.design.reading.links_downloads
        and may_drop_link(
            folder.design,
            file.version,
            client.subscriptions,
            file.seen,
            file.vanished if file.certain is None else file.vanished & file.certain,
        )
    ):
        file = evolve(file, linked=False)
        entries = {**entries, path: None}
    elif client.files.get(path) is file:
        return draft
    return Draft(draft.grid, with_file(client, path, file), entries, draft.operations)
