"""Checks of the laws on the client that took a step, and on all clients at the end."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeVar

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.ledger import Ledger
from rejoin_conformance.systems.conflict_detection.laws import (
    CONTENT_KEPT,
    COSTS,
    DELETIONS_KNOWN,
    LINK_SAYS_FILE,
    NOTHING_UNLEARNED,
    ONLY_SETTLED_CONFLICTS_GO,
    SETTLED_CONFLICTS_GO,
)
from rejoin_conformance.systems.conflict_detection.laws_polls import evidence_of
from rejoin_conformance.systems.conflict_detection.run import (
    Run,
    Taken,
    finished_overwrite,
)

V = TypeVar("V")


def check_client(ledger: Ledger, run: Run[V], taken: Taken[V]) -> None:
    """Check every file that the step changed at its client."""
    assert taken.after is not None
    looked_at = {each.path for each in taken.polled} | {each.path for each in taken.uploaded}
    for path, before in taken.changed.items():
        file = taken.after.files[path]
        _check_held(ledger, run, taken.after, path, file)
        if before is not None and path in looked_at:
            _check_gone(ledger, run, taken, path, before, file)
        if before is None or not before.linked or file.linked:
            continue
        if run.set_back:
            ledger.not_met(DELETIONS_KNOWN)
        else:
            _check_dropped(ledger, run, taken.after, path, file)


def _check_held(
    ledger: Ledger, run: Run[V], client: cd.Client[V], path: str, file: cd.LocalFile[V]
) -> None:
    """Check that the client's own version neither is nor follows a version in conflict."""
    if file.version is None or not file.conflicts or run.numbers_repeat or run.misses_objects:
        ledger.not_met(SETTLED_CONFLICTS_GO)
        return
    truth = run.truth(path)
    current = truth.numbers[run.key(file.version)]
    ledger.check(SETTLED_CONFLICTS_GO)
    for held in file.conflicts:
        number = truth.numbers[run.key(held.version)]
        if truth.is_behind(number, current):
            detail = (
                f"step {len(run.steps)}: {client.nickname} has {truth.names[current]} of {path} "
                f"and still holds {truth.names[number]} of {', '.join(held.nicknames)}"
            )
            kind = run.design.name
            ledger.broken(SETTLED_CONFLICTS_GO, kind, detail, lambda: evidence_of(run))


def _check_gone(
    ledger: Ledger,
    run: Run[V],
    taken: Taken[V],
    path: str,
    before: cd.LocalFile[V],
    file: cd.LocalFile[V],
) -> None:
    """Check that the client's own version is or follows every version that it no longer holds.

    A version in conflict that a poll found may replace the one of the same client.
    """
    if file.version is None or run.numbers_repeat:
        ledger.not_met(ONLY_SETTLED_CONFLICTS_GO)
        return
    ledger.check(ONLY_SETTLED_CONFLICTS_GO)
    if not before.conflicts or file.conflicts is before.conflicts:
        return
    truth = run.truth(path)
    current = truth.numbers[run.key(file.version)]
    held = {(name, run.key(each.version)) for each in file.conflicts for name in each.nicknames}
    replaced = {
        each.other
        for each in taken.polled
        if each.path == path and each.found is cd.Classification.CONFLICT
    }
    for each in before.conflicts:
        key = run.key(each.version)
        gone = [name for name in each.nicknames if (name, key) not in held and name not in replaced]
        if gone and not truth.is_behind(truth.numbers[key], current):
            detail = (
                f"step {len(run.steps)}: a client with {truth.names[current]} of {path} "
                f"no longer holds {truth.name(key)} of {', '.join(gone)}"
            )
            kind = run.design.name
            ledger.broken(ONLY_SETTLED_CONFLICTS_GO, kind, detail, lambda: evidence_of(run))


def _check_dropped(
    ledger: Ledger, run: Run[V], client: cd.Client[V], path: str, file: cd.LocalFile[V]
) -> None:
    """Check that all clients that this client polls have had the deletion whose link it removed."""
    truth = run.truth(path)
    ledger.check(DELETIONS_KNOWN)
    assert file.version is not None
    this = truth.numbers[run.key(file.version)]
    any_deletion = truth.deletions()
    for other in client.subscriptions:
        enough = any_deletion if run.ended_subscription(other, client.nickname) else 1 << this
        if not truth.had.get(other, 0) & enough:
            detail = (
                f"step {len(run.steps)}: {client.nickname} removes its link to {path}, "
                f"but {other} has not had {truth.names[this]}"
            )
            ledger.broken(DELETIONS_KNOWN, run.design.name, detail, lambda: evidence_of(run))


def check_costs(ledger: Ledger, run: Run[V], taken: Taken[V]) -> None:
    """Compare the remote operations of a step with the claims of the document."""
    if taken.refused is not None or taken.after is None:
        return
    ledger.check(COSTS)
    if taken.uploaded:
        wrong = taken.operations != _cost_of_uploads(run, taken)
    elif taken.polled:
        wrong = _polls_cost_more(taken)
    else:
        reads = taken.operations.directory_reads
        updates = int(_finished(taken) or _dropped(taken))
        wrong = taken.operations != _cost(0, 0, updates, reads)
    if wrong:
        detail = f"step {len(run.steps)}: {taken.operations}"
        kind = f"{run.design.name}: {_kind_of_cost(taken)}"
        ledger.broken(COSTS, kind, detail, lambda: evidence_of(run))


def _kind_of_cost(taken: Taken[V]) -> str:
    if taken.uploaded:
        return "local change"
    return " and ".join(sorted({polled.found.value for polled in taken.polled})) or "nothing"


def _cost_of_uploads(run: Run[V], taken: Taken[V]) -> cd.Operations:
    """Return the expected operations: each content, each snapshot and the directory once."""
    assert taken.after is not None
    contents = 0
    for each in taken.uploaded:
        if taken.after.files[each.path].content is not None:
            contents += 1
    snapshots = len(taken.uploaded) if run.design.name == "snapshots" else 0
    return _cost(contents, snapshots, 1, 0)


@lru_cache(maxsize=256)
def _cost(contents: int, snapshots: int, updates: int, reads: int) -> cd.Operations:
    """Return the cost of a step that downloads nothing, by the numbers of its operations."""
    return cd.Operations(
        content_uploads=contents,
        snapshot_uploads=snapshots,
        directory_updates=updates,
        directory_reads=reads,
    )


def _polls_cost_more(taken: Taken[V]) -> bool:
    """Return whether the polls cost more than claimed: contents, directory updates or uploads."""
    overwrites = contents = 0
    for polled in taken.polled:
        if polled.found is cd.Classification.OVERWRITE:
            overwrites += 1
            contents += 1
        elif polled.found is cd.Classification.CONFLICT:
            contents += 1
    updates = int(_dropped(taken) or (overwrites > 0 and not _stopped(taken)))
    operations = taken.operations
    return (
        operations.content_downloads > contents
        or operations.directory_updates != updates
        or operations.directory_reads != 1
        or operations.content_uploads + operations.snapshot_uploads > 0
    )


def _dropped(taken: Taken[V]) -> bool:
    """Return whether the client removed a link to a deletion."""
    assert taken.after is not None
    if "set_back" in taken.event:
        return False
    for path, before in taken.changed.items():
        if before is not None and before.linked and not taken.after.files[path].linked:
            return True
    return False


def _stopped(taken: Taken[V]) -> bool:
    """Return whether the client stopped during an overwrite."""
    return any(polled.after.begun is not None for polled in taken.polled)


def _finished(taken: Taken[V]) -> bool:
    """Return whether the client finished an overwrite that was interrupted before."""
    assert taken.after is not None
    if "set_back" in taken.event:
        assert taken.before is not None
        backup = taken.before.backup or {}
        return taken.after.online and any(file.begun is not None for file in backup.values())
    for path, before in taken.changed.items():
        if finished_overwrite(before, taken.after.files[path]) is not None:
            return True
    return False


def check_end(ledger: Ledger, run: Run[V]) -> None:
    """Check the files and the directories of all clients at the end of the history."""
    for path, truth in sorted(run.truths.items()):
        files = {
            nickname: client.files[path]
            for nickname, client in sorted(run.folder.clients.items())
            if path in client.files
        }
        kept = _kept(ledger, run, path, files)
        if run.set_back:
            ledger.not_met(CONTENT_KEPT)
            continue
        ledger.check(CONTENT_KEPT)
        lost = [name for number, name in enumerate(truth.names) if not kept >> number & 1]
        if lost:
            detail = f"no client has {', '.join(lost)} of {path}, a follower, or a conflict with it"
            ledger.broken(CONTENT_KEPT, run.design.name, detail, lambda: evidence_of(run))
    for _, client in sorted(run.folder.clients.items()):
        if client.online:
            _check_links(ledger, run, client)


def _kept(ledger: Ledger, run: Run[V], path: str, files: dict[str, cd.LocalFile[V]]) -> int:
    """Return the bits of the versions that a client has, or follows, or holds in conflict."""
    truth = run.truth(path)
    kept = 0
    for nickname, file in files.items():
        if file.version is None:
            continue
        current = truth.numbers[run.key(file.version)]
        behind = truth.follows[current] | 1 << current
        kept |= behind
        if run.numbers_repeat:
            ledger.not_met(NOTHING_UNLEARNED)
            continue
        ledger.check(NOTHING_UNLEARNED)
        if truth.had[nickname] & ~behind:
            detail = f"{nickname} once had versions of {path} that its version does not follow"
            ledger.broken(NOTHING_UNLEARNED, run.design.name, detail, lambda: evidence_of(run))
        for held in file.conflicts:
            number = truth.numbers[run.key(held.version)]
            if (held.content is None) == (truth.contents[number] is None):
                kept |= 1 << number
    return kept


def _check_links(ledger: Ledger, run: Run[V], client: cd.Client[V]) -> None:
    """Check that the client's directory links the content of each local file."""
    readable = cd.read_capability(client.write_capability)
    for path, entry in sorted(cd.read_directory(run.folder.grid, readable).entries.items()):
        file = client.files.get(path)
        if file is None or file.waiting is not None or (run.set_back and not _is_told(run, file)):
            ledger.not_met(LINK_SAYS_FILE)
            continue
        ledger.check(LINK_SAYS_FILE)
        content = file.content
        held = None if content is None else cd.content_capability(content)
        if _linked_content(run, entry) != held:
            detail = f"{client.nickname} links another content of {path} than its local file has"
            ledger.broken(LINK_SAYS_FILE, run.design.name, detail, lambda: evidence_of(run))


def _is_told(run: Run[V], file: cd.LocalFile[V]) -> bool:
    """Return whether the directory links the file's version, although clients were set back."""
    return file.linked and not run.numbers_repeat


def _linked_content(run: Run[V], entry: cd.Entry) -> bytes | None:
    if entry.version_map is not None or entry.capability is None:
        return entry.capability
    return cd.fetch_snapshot(run.folder.grid, entry.capability).content
