"""Check of the law on costs: the remote operations of each step."""

from __future__ import annotations

from functools import cache
from typing import TypeVar

from rejoin import conflict_detection as cd
from rejoin_conformance.systems.conflict_detection.judge import Judge
from rejoin_conformance.systems.conflict_detection.run import Taken

V = TypeVar("V")


def check_costs(judge: Judge[V], taken: Taken[V]) -> None:
    """Compare the remote operations of a step with the claims of the document."""
    if taken.refused is not None or taken.after is None:
        return
    judge.check("costs")
    what = "nothing"
    if taken.uploaded:
        what = "local change"
        contents = [taken.after.files[each.path].content for each in taken.uploaded]
        snapshots = len(contents) if judge.run.design.name == "snapshots" else 0
        due = _cost(len(contents) - contents.count(None), snapshots, 1, 0)
        wrong = taken.operations != due
    elif taken.polled:
        what = " and ".join(sorted({polled.found.value for polled in taken.polled}))
        wrong = _polls_cost_more(taken)
    else:
        updates = int(_finishes_or_drops(taken))
        wrong = taken.operations != _cost(0, 0, updates, taken.operations.directory_reads)
    if wrong:
        kind = f"{judge.run.design.name}: {what}"
        judge.broken("costs", f"{judge.step}: {taken.operations}", kind)


@cache
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
    found = [polled.found for polled in taken.polled]
    overwrites = found.count(cd.Classification.OVERWRITE)
    stopped = any(polled.after.begun is not None for polled in taken.polled)
    operations = taken.operations
    return (
        operations.content_downloads > overwrites + found.count(cd.Classification.CONFLICT)
        or operations.directory_updates
        != int(bool(taken.dropped) or (overwrites > 0 and not stopped))
        or operations.directory_reads != 1
        or operations.content_uploads + operations.snapshot_uploads > 0
    )


def _finishes_or_drops(taken: Taken[V]) -> bool:
    """Return whether the client finished an interrupted overwrite, or removed a link."""
    if "set_back" not in taken.event:
        return bool(taken.finished or taken.dropped)
    assert taken.after is not None
    assert taken.before is not None
    backup = taken.before.backup or {}
    return taken.after.online and any(file.begun is not None for file in backup.values())
