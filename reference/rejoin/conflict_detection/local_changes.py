"""Local changes: editing and renaming files, and being offline.

A client that is online uploads a change at once. A client that is offline uploads it when it comes
back. Each changed file then makes one new version, however often it changed in the meantime. A
client that is online may also notice a change late.

Source: "Summary and definitions", directly follows; "Overview"; "local changes"
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, TypeVar

from attrs import evolve

from rejoin.conflict_detection.clients import (
    Client,
    Draft,
    Folder,
    LocalFile,
    Outcome,
    certain_after,
    client_named,
    conflict_map_left,
    file_of,
    publish,
    with_file,
)
from rejoin.conflict_detection.conflict_files import (
    ConflictFile,
    Conflicts,
    drop_followed,
    naming,
    split_file_name,
)
from rejoin.conflict_detection.cost_model import plus
from rejoin.conflict_detection.definitions import check_path
from rejoin.conflict_detection.designs import Maker
from rejoin.conflict_detection.errors import ConflictDetectionError
from rejoin.conflict_detection.local_names import check_writable
from rejoin.conflict_detection.taking_over import finish_begun, purged_for

V = TypeVar("V")

Changes: TypeAlias = Mapping[str, tuple[bytes | None, Conflicts[V]]]
"""Relative path -> the new content of the file (None: no file), and the conflict files that went
away.
"""


def edit(folder: Folder[V], nickname: str, name: str, content: bytes) -> Outcome[V]:
    """Write a file: a new file, a deleted file, or an existing file.

    name: a relative path, or the name of a conflict file. A change to a conflict file stays local.
    Errors: "unknown-client", "bad-path", "no-file" (the conflict file does not exist),
    "path-blocked".

    Clauses: CD-SNAPSHOT-EDIT, CD-CONFLICT-FILE-UNTRACKED, CD-ALREADY-HAD, CD-DIRECTORY-LINK
    Source: "Overview"; "local changes"
    """
    client = client_named(folder, nickname)
    path, nicknames = split_file_name(name)
    check_path(path)
    if nicknames:
        file = file_of(client, path)
        held = conflict_file(file, name, nicknames)
        touched = tuple(
            evolve(each, content=content) if each is held else each for each in file.conflicts
        )
        client = with_file(client, path, evolve(file, conflicts=touched))
        return publish(folder, Draft(folder.grid, client))
    check_writable(client, path)
    return publish(folder, change(folder, client, {path: (content, ())}))


def change_unnoticed(
    folder: Folder[V], nickname: str, path: str, content: bytes | None
) -> Outcome[V]:
    """Write or delete a file, and let the client not notice it yet.

    The client uploads the change with `upload_changes`, or with its next action on the file.
    content: None deletes the file.
    Errors: "unknown-client", "bad-path", "no-file", "path-blocked".

    Clauses: CD-OVERWRITE-UNSAVED
    Source: "Summary and definitions", an initial overwrite that is reclassified
    """
    client = client_named(folder, nickname)
    check_path(path)
    file = file_of(client, path)
    if content is None:
        existing_content(file, nickname, path)
    else:
        check_writable(client, path)
    changed = evolve(file, content=content, waiting=file.waiting or ())
    return publish(folder, Draft(folder.grid, with_file(client, path, changed)))


def upload_changes(folder: Folder[V], nickname: str) -> Outcome[V]:
    """Let a client notice its waiting changes; it uploads one version of each changed file.

    A client that is offline does nothing.
    Errors: "unknown-client".

    Clauses: CD-OVERWRITE-UNSAVED, CD-COST-COMBINED
    Source: "Overview"
    """
    client = client_named(folder, nickname)
    if not client.online:
        return Outcome(folder)
    return publish(folder, _with_waiting(folder, Draft(folder.grid, client)))


def rename(folder: Folder[V], nickname: str, name: str, target: str) -> Outcome[V]:
    """Rename a file or a conflict file.

    A renamed file is deleted at its old path and is new at the other path, because versions of
    different paths never follow each other. Renaming a conflict file resolves its conflict.
    name: a relative path, or the name of a conflict file. target: a relative path without a file,
    or, for a conflict file, the path of the file that it stands beside.
    Errors: "unknown-client", "bad-path", "no-file", "file-exists", "path-blocked".

    Clauses: CD-RENAME, CD-RESOLVE-RENAME, CD-FOLLOWS-SEPARATE-FILES
    Source: "Overview", .conflict- files; "a possible UI for resolving conflicts"
    """
    client = client_named(folder, nickname)
    check_path(target)
    path, nicknames = split_file_name(name)
    file = file_of(client, path)
    into_place = bool(nicknames) and target == path
    if file_of(client, target).content is not None and not into_place:
        raise ConflictDetectionError("file-exists", f"{nickname} already has a file {target}")
    if not nicknames:
        content = existing_content(file, nickname, path)
        check_writable(client, target)
        return publish(folder, change(folder, client, {path: (None, ()), target: (content, ())}))
    held = conflict_file(file, name, nicknames)
    check_writable(client, target)
    if into_place:
        return publish(folder, change(folder, client, {path: (held.content, (held,))}))
    changes: Changes[V] = {path: (file.content, (held,)), target: (held.content, ())}
    return publish(folder, change(folder, client, changes))


def go_offline(folder: Folder[V], nickname: str) -> Outcome[V]:
    """Take a client offline: it sees no other client, and its changes wait.

    Errors: "unknown-client".

    Clauses: CD-OFFLINE-SEES-NOTHING, CD-OFFLINE-AGAIN
    Source: "conflict detection and local caching", being offline
    """
    return publish(folder, Draft(folder.grid, evolve(client_named(folder, nickname), online=False)))


def come_back(folder: Folder[V], nickname: str) -> Outcome[V]:
    """Bring a client back online; it uploads its waiting changes before it polls any other client.

    The client first finishes an overwrite during which it stopped. Each changed file then makes one
    version. Its parents are the version that was current before, and the versions whose conflicts
    were resolved. A file that was made and deleted offline makes no version.
    Errors: "unknown-client".

    Clauses: CD-OFFLINE-ONE-UPLOAD, CD-OFFLINE-AGAIN, CD-COST-COMBINED, CD-OVERWRITE-INTERRUPTED
    Source: "Summary and definitions", directly follows
    """
    client = client_named(folder, nickname)
    if client.online:
        return Outcome(folder)
    draft = finish_begun(folder, Draft(folder.grid, evolve(client, online=True)))
    return publish(folder, _with_waiting(folder, draft))


def _with_waiting(folder: Folder[V], draft: Draft[V]) -> Draft[V]:
    """Return the draft after the upload of every change that waits."""
    waiting: Changes[V] = {
        path: (file.content, ())
        for path, file in sorted(draft.client.files.items())
        if file.waiting is not None
    }
    return _changed(folder, draft, waiting)


def change(folder: Folder[V], client: Client[V], changes: Changes[V]) -> Draft[V]:
    """Return the client after changes to its files: uploaded if it is online, else waiting.

    If a file has changes that wait, they are uploaded with the new change.
    """
    return _changed(folder, Draft(folder.grid, client), changes)


def _changed(folder: Folder[V], draft: Draft[V], changes: Changes[V]) -> Draft[V]:
    online = draft.client.online
    for path, (content, removed) in changes.items():
        file = file_of(draft.client, path)
        left = tuple(each for each in file.conflicts if each not in removed)
        gone = (*(file.waiting or ()), *removed)
        if online:
            draft = upload_version(folder, draft, path, file, content, left, gone)
        else:
            changed = evolve(file, content=content, conflicts=left, waiting=gone)
            draft = evolve(draft, client=with_file(draft.client, path, changed))
    return draft


def conflict_file(file: LocalFile[V], name: str, nicknames: tuple[str, ...]) -> ConflictFile[V]:
    """Return the conflict file with exactly these nicknames.

    Errors: "no-file".
    """
    for held in naming(file.conflicts, nicknames):
        if held.named_after == nicknames and held.content is not None:
            return held
    raise ConflictDetectionError("no-file", f"the client has no conflict file {name}")


def existing_content(file: LocalFile[V], nickname: str, path: str) -> bytes:
    """Return the content of the client's local file.

    Errors: "no-file".
    """
    if file.content is None:
        raise ConflictDetectionError("no-file", f"{nickname} has no file {path}")
    return file.content


def upload_version(
    folder: Folder[V],
    draft: Draft[V],
    path: str,
    file: LocalFile[V],
    content: bytes | None,
    left: Conflicts[V],
    removed: Conflicts[V],
) -> Draft[V]:
    """Make a new version of a changed file, link it, and purge the cache.

    file: before the change. content: of the changed file. left, removed: its conflict files that
    are left, and those that went away.

    Clauses: CD-PURGE-WHEN, CD-DIRECTORY-LINK
    Source: "Overview"; "local cache purging policy"
    """
    if file.version is None and content is None and not removed:
        file = evolve(file, content=None, waiting=None)
        return evolve(draft, client=with_file(draft.client, path, file))
    design, client = folder.design, draft.client
    maker = Maker(client.nickname, client.signing_key)
    uploaded = design.upload(
        draft.grid,
        maker,
        file.version,
        removed,
        file.conflict_version_map,
        content,
        file.cache,
    )
    left = drop_followed(left, lambda held: design.is_over(uploaded.cache, uploaded.version, held))
    changed = evolve(
        file,
        version=uploaded.version,
        is_deletion=content is None,
        is_own=True,
        content=content,
        certain=certain_after(file),
        conflicts=left,
        conflict_version_map=conflict_map_left(file, left),
        linked=True,
        waiting=None,
        cache=purged_for(design, uploaded.version, file.seen, left, uploaded.cache),
    )
    return Draft(
        uploaded.grid,
        with_file(client, path, changed),
        {**draft.entries, path: uploaded.entry},
        plus(draft.operations, uploaded.operations),
    )
