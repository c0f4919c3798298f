"""Taking over another client's version: the version and the link follow the local file.

Source: "Overview", overwrite; "local cache purging policy"
"""

from __future__ import annotations

from typing import TypeVar

from attrs import evolve

from rejoin.conflict_detection.clients import (
    Begun,
    Draft,
    Folder,
    LocalFile,
    certain_after,
    conflict_map_left,
    with_file,
)
from rejoin.conflict_detection.conflict_files import drop_followed, let_go
from rejoin.conflict_detection.designs import Design, Found
from rejoin.conflict_detection.local_cache import Cache

V = TypeVar("V")


def finish_overwrite(
    folder: Folder[V], draft: Draft[V], path: str, file: LocalFile[V], begun: Begun[V]
) -> Draft[V]:
    """Return the draft after the downloaded version became our version and our directory links it.

    The local file already has the content of this version, or a later change of the user.

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
        certain=certain_after(file),
        conflicts=left,
        conflict_version_map=conflict_map_left(file, left),
        linked=links or file.linked,
        begun=None,
    )
    if other in draft.client.subscriptions:
        file = with_seen(folder, file, other, found)
    else:
        file = evolve(file, cache=purged_for(design, file, found.cache))
    entries = {**draft.entries, path: begun.entry} if links else draft.entries
    return Draft(draft.grid, with_file(draft.client, path, file), entries, draft.operations)


def finish_begun(folder: Folder[V], draft: Draft[V]) -> Draft[V]:
    """Return the draft after the client finished every overwrite during which it stopped.

    Clauses: CD-OVERWRITE-INTERRUPTED
    """
    for path, file in sorted(draft.client.files.items()):
        if file.begun is not None:
            draft = finish_overwrite(folder, draft, path, file, file.begun)
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
    cache = purged_for(folder.design, evolve(file, seen=seen), found.cache)
    if (seen, vanished, certain, cache) == (file.seen, file.vanished, file.certain, file.cache):
        return file
    return evolve(file, seen=seen, vanished=vanished, certain=certain, cache=cache)


def purged_for(design: Design[V], file: LocalFile[V], cache: Cache) -> Cache:
    """Return the cache after purging it for the versions that count for a file.

    These are the client's own version, the other clients' versions as last seen, and the versions
    that the client holds as conflicts. A conflict that the user has resolved counts until the
    resolution is uploaded, because its version becomes a parent.

    Clauses: CD-PURGE-HELD
    Source: none
    """
    held = (each.version for each in (*file.conflicts, *(file.waiting or ())))
    return design.purged(cache, file.version, (*file.seen.values(), *held))
