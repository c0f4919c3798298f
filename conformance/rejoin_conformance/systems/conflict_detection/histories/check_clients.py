"""Checks of the laws on the client that took a step, and on all clients at the end."""

from __future__ import annotations

from typing import TypeVar

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.ledger import Ledger
from rejoin_conformance.systems.conflict_detection.histories.check_polls import evidence_of
from rejoin_conformance.systems.conflict_detection.histories.run import Run, Taken
from rejoin_conformance.systems.conflict_detection.laws import (
    CONTENT_KEPT,
    COSTS,
    DELETIONS_KNOWN,
    LINK_SAYS_FILE,
    NOTHING_UNLEARNED,
    SETTLED_CONFLICTS_GO,
)

V = TypeVar("V")


def check_client(ledger: Ledger, run: Run[V], taken: Taken[V]) -> None:
    """Check every file that the step changed at its client."""
    if taken.after is None:
        return
    for path, before in taken.changed.items():
        file = taken.after.files[path]
        _check_held(ledger, run, taken.after, path, file)
        if before is not None and before.linked and not file.linked:
            _check_dropped(ledger, run, taken.after, path, file)


def _check_held(
    ledger: Ledger, run: Run[V], client: cd.Client[V], path: str, file: cd.LocalFile[V]
) -> None:
    """Check that the client's own version neither is nor follows a version in conflict."""
    if file.version is None or not file.conflicts:
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
        directory_read = taken.operations.directory_reads
        wrong = taken.operations != cd.Operations(
            directory_reads=directory_read, directory_updates=_dropped(taken)
        )
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
    files = [taken.after.files[each.path] for each in taken.uploaded]
    return cd.Operations(
        content_uploads=sum(file.content is not None for file in files),
        snapshot_uploads=len(files) if run.design.name == "snapshots" else 0,
        directory_updates=1,
    )


def _polls_cost_more(taken: Taken[V]) -> bool:
    """Return whether the polls cost more than claimed: contents, directory updates or uploads."""
    found = [polled.found for polled in taken.polled]
    overwrites = found.count(cd.Classification.OVERWRITE)
    contents = overwrites + found.count(cd.Classification.CONFLICT)
    updates = 1 if overwrites or _dropped(taken) else 0
    operations = taken.operations
    return (
        operations.content_downloads > contents
        or operations.directory_updates != updates
        or operations.directory_reads != 1
        or operations.content_uploads + operations.snapshot_uploads > 0
    )


def _dropped(taken: Taken[V]) -> int:
    """Return 1 if the client removed a link to a deletion, else 0."""
    assert taken.after is not None
    for path, before in taken.changed.items():
        if before is not None and before.linked and not taken.after.files[path].linked:
            return 1
    return 0


def check_end(ledger: Ledger, run: Run[V]) -> None:
    """Check the files and the directories of all clients at the end of the history."""
    for path, truth in sorted(run.truths.items()):
        files = {
            nickname: client.files[path]
            for nickname, client in sorted(run.folder.clients.items())
            if path in client.files
        }
        kept = _kept(ledger, run, path, files)
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
        ledger.check(LINK_SAYS_FILE)
        content = client.files[path].content
        held = None if content is None else cd.content_capability(content)
        if _linked_content(run, entry) != held:
            detail = f"{client.nickname} links another content of {path} than its local file has"
            ledger.broken(LINK_SAYS_FILE, run.design.name, detail, lambda: evidence_of(run))


def _linked_content(run: Run[V], entry: cd.Entry) -> bytes | None:
    if entry.version_map is not None or entry.capability is None:
        return entry.capability
    return cd.fetch_snapshot(run.folder.grid, entry.capability).content
