"""Checks of the laws on the client that took a step, and on all clients at the end."""

from __future__ import annotations

from typing import TypeVar

from rejoin import conflict_detection as cd
from rejoin_conformance.systems.conflict_detection.ground_truth import key_of
from rejoin_conformance.systems.conflict_detection.judge import Judge
from rejoin_conformance.systems.conflict_detection.run import Run, Taken

V = TypeVar("V")


def check_client(judge: Judge[V], taken: Taken[V]) -> None:
    """Check every file that the step changed at its client."""
    assert taken.after is not None
    looked_at = taken.paths
    for path, before in taken.changed.items():
        file = taken.after.files[path]
        _check_held(judge, taken.after, path, file)
        if before is not None and path in looked_at:
            _check_gone(judge, taken, path, before)
    for path in taken.dropped:
        if judge.check("deletions-known", premise=not judge.run.set_back):
            _check_dropped(judge, taken.after, path)


def _check_held(judge: Judge[V], client: cd.Client[V], path: str, file: cd.LocalFile[V]) -> None:
    """Check that the client's own version neither is nor follows a version in conflict."""
    run = judge.run
    premise = file.version is not None and bool(file.conflicts) and not run.is_unsure
    if not judge.check("settled-conflicts-go", premise=premise):
        return
    truth, current = run.truth(path), run.number(path, file.version)
    for held in file.conflicts:
        number = run.number(path, held.version)
        if truth.is_behind(number, current):
            judge.broken(
                "settled-conflicts-go",
                f"{judge.step}: {client.nickname} has {truth.names[current]} of {path} "
                f"and still holds {truth.names[number]} of {', '.join(held.nicknames)}",
            )


def _check_gone(judge: Judge[V], taken: Taken[V], path: str, before: cd.LocalFile[V]) -> None:
    """Check that the client's own version is or follows every version that it no longer holds.

    A version in conflict that a poll found may replace the one of the same client.
    """
    assert taken.after is not None
    run, file = judge.run, taken.after.files[path]
    premise = file.version is not None and not run.numbers_repeat
    if not judge.check("only-settled-conflicts-go", premise=premise):
        return
    if not before.conflicts or file.conflicts is before.conflicts:
        return
    truth, current = run.truth(path), run.number(path, file.version)
    held = {(name, key_of(each.version)) for each in file.conflicts for name in each.nicknames}
    replaced = {
        each.other
        for each in taken.polled
        if each.path == path and each.found is cd.Classification.CONFLICT
    }
    for each in before.conflicts:
        key = key_of(each.version)
        gone = [name for name in each.nicknames if (name, key) not in held and name not in replaced]
        if gone and not truth.is_behind(truth.numbers[key], current):
            judge.broken(
                "only-settled-conflicts-go",
                f"{judge.step}: a client with {truth.names[current]} of {path} "
                f"no longer holds {truth.name(key)} of {', '.join(gone)}",
            )


def _check_dropped(judge: Judge[V], client: cd.Client[V], path: str) -> None:
    """Check that all clients that this client polls have had the deletion whose link it removed."""
    truth, this = judge.run.truth(path), judge.run.number(path, client.files[path].version)
    any_deletion = truth.deletions()
    for other in client.subscriptions:
        ended = judge.run.ended_subscription(other, client.nickname)
        if not truth.had.get(other, 0) & (any_deletion if ended else 1 << this):
            judge.broken(
                "deletions-known",
                f"{judge.step}: {client.nickname} removes its link to {path}, "
                f"but {other} has not had {truth.names[this]}",
            )


def check_end(judge: Judge[V]) -> None:
    """Check the files and the directories of all clients at the end of the history."""
    run = judge.run
    clients = [client for _, client in sorted(run.folder.clients.items())]
    for path, truth in sorted(run.truths.items()):
        kept = 0
        for client in clients:
            if path in client.files:
                kept |= _kept(judge, path, client.nickname, client.files[path])
        if judge.check("content-kept", premise=not run.set_back):
            lost = [name for number, name in enumerate(truth.names) if not kept >> number & 1]
            if lost:
                what = f"no client has {', '.join(lost)} of {path}, a follower"
                judge.broken("content-kept", f"{what}, or a conflict with it")
    for client in clients:
        if client.online:
            _check_links(judge, client)


def _kept(judge: Judge[V], path: str, nickname: str, file: cd.LocalFile[V]) -> int:
    """Return the bits of the versions that a client has, or follows, or holds in conflict."""
    run, truth = judge.run, judge.run.truth(path)
    if file.version is None:
        return 0
    current = run.number(path, file.version)
    behind = kept = truth.follows[current] | 1 << current
    if not judge.check("nothing-unlearned", premise=not run.numbers_repeat):
        return kept
    if truth.had[nickname] & ~behind:
        detail = f"{nickname} once had versions of {path} that its version does not follow"
        judge.broken("nothing-unlearned", detail)
    for held in file.conflicts:
        number = run.number(path, held.version)
        if (held.content is None) == (truth.contents[number] is None):
            kept |= 1 << number
    return kept


def _check_links(judge: Judge[V], client: cd.Client[V]) -> None:
    """Check that the client's directory links the content of each local file."""
    run = judge.run
    for path, entry in sorted(run.links(client).items()):
        file = cd.file_of(client, path)
        told = not run.set_back or (file.linked and not run.numbers_repeat)
        premise = path in client.files and file.waiting is None and told
        if judge.check("link-says-file", premise=premise):
            held = None if file.content is None else cd.content_capability(file.content)
            if _linked_content(run, entry) != held:
                detail = (
                    f"{client.nickname} links another content of {path} than its local file has"
                )
                judge.broken("link-says-file", detail)


def _linked_content(run: Run[V], entry: cd.Entry) -> bytes | None:
    if entry.version_map is not None or entry.capability is None:
        return entry.capability
    return cd.fetch_snapshot(run.folder.grid, entry.capability).content


def check_settled(judge: Judge[V]) -> None:
    """Check that all users see the same files and no conflict file."""
    if not judge.check("one-resolver-is-enough", premise=not judge.run.met_collected):
        return
    clients = [client for _, client in sorted(judge.run.folder.clients.items())]
    conflicts = any(file.conflicts for client in clients for file in client.files.values())
    seen = [cd.local_files(client) for client in clients]
    if conflicts or any(files != seen[0] for files in seen):
        what = "conflicts are left" if conflicts else "files differ"
        told = zip(clients, seen, strict=True)
        detail = "; ".join(
            f"{each.nickname} sees {dict(sorted(files.items()))}" for each, files in told
        )
        judge.broken("one-resolver-is-enough", detail, f"{judge.run.design.name}: {what}")
