"""Taking over another client's version: the version and the link follow the local file.

Source: "Overview", overwrite; "local cache purging policy"
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from attrs import evolve

from rejoin.conflict_detection.clients import (
    Begun,
    Draft,
    Folder,
    LocalFile,
    certain_after,
    conflict_map_left,
    held_by,
    with_file,
)
from rejoin.conflict_detection.conflict_files import Conflicts, drop_followed, let_go
from rejoin.conflict_detection.designs import Design, Found
from rejoin.conflict_detection.local_cache import Cache

V = TypeVar("V")


def finish_overwrite(
    folder: Folder[V],
    draft: Draft[V],
    path: str,
    file: LocalFile[V],
    begun: Begun[V],
    content: bytes | None,
) -> Draft[V]:
    """Return the draft after the downloaded version became our version and our directory links it.

    content: of the local file. It is that of this version, or of a later change of the user.

    Clauses: CD-OVERWRITE-APPLY, CD-LINK-DOWNLOAD, CD-CONFLICT-FILE-GONE, CD-RESOLVE-THIRD-PARTY,
        CD-MAP-OVERWRITE, CD-OVERWRITE-INTERRUPTED, CD-PURGE-WHEN
    Source: "Overview", overwrite
    """
    design, other, found = folder.design, begun.other, begun.found
    version = design.taken(draft.client.nickname, found.version)
    left = let_go(file.conflicts, other) if design.ends_when_seen() else file.conflicts
    left = drop_followed(left, lambda held: design.is_over(found.cache, version, held))
    links = design.reading.links_downloads
    file = evolve(
        file,
        version=version,
        is_deletion=found.content is None,
        is_own=False,
        content=content,
        certain=certain_after(file),
        conflicts=left,
        conflict_version_map=conflict_map_left(file, held_by(file, left)),
        linked=links or file.linked,
        begun=None,
    )
    if other in draft.client.subscriptions:
        file = with_seen(folder, file, other, found)
    else:
        held = held_by(file, file.conflicts)
        cache = purged_for(design, version, file.seen, held, found.cache)
        file = evolve(file, cache=cache)
    entries = {**draft.entries, path: begun.entry} if links else draft.entries
    return Draft(draft.grid, with_file(draft.client, path, file), entries, draft.operations)


def finish_begun(folder: Folder[V], draft: Draft[V]) -> Draft[V]:
    """Return the draft after the client finished every overwrite during which it stopped.

    Clauses: CD-OVERWRITE-INTERRUPTED
    """
    for path, file in sorted(draft.client.files.items()):
        if file.begun is not None:
            draft = finish_overwrite(folder, draft, path, file, file.begun, file.content)
    return draft


def with_seen(folder: Folder[V], file: LocalFile[V], other: str, found: Found[V]) -> LocalFile[V]:
    """Record the version that the other client links, and purge the cache accordingly.

    If nothing changes, the same file is returned.

    Clauses: CD-PURGE-WHEN, CD-DELETE-DROP-LINK
    Source: "local cache purging policy"
    """
    seen = {**file.seen, other: found.version}
    vanished, certain = file.vanished - {other}, file.certain
    is_ours = file.version is not None and folder.design.is_same(found.version, file.version)
    if certain is not None and (found.content is not None or is_ours):
        certain = certain | {other}
    held = held_by(file, file.conflicts)
    cache = purged_for(folder.design, file.version, seen, held, found.cache)
    if (seen, vanished, certain, cache) == (file.seen, file.vanished, file.certain, file.cache):
        return file
    return evolve(file, seen=seen, vanished=vanished, certain=certain, cache=cache)


def purged_for(
    design: Design[V], version: V | None, seen: Mapping[str, V], held: Conflicts[V], cache: Cache
) -> Cache:
    """Return the cache after purging it for the versions that count for a file.

    These are the client's own version, the other clients' versions as last seen, and the versions
    that the client holds as conflicts.

    Clauses: CD-PURGE-HELD
    Source: none
    """
    return design.purged(cache, version, (*seen.values(), *[each.version for each in held]))
