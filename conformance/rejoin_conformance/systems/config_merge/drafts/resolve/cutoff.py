"""How far back rows are replayed, and how far back they are kept."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Tree
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import (
    Data,
    Message,
    merge_of,
)
from rejoin_conformance.systems.config_merge.drafts.resolve.resolving import merged

HIGH: Final = Message(seqno=20, data={"h": 1, "r": 1}, diff={"h": ""})


def low(seqno: int, row_seqno: int, diff: Tree) -> Message:
    """A survivor with one row further back; it has `z` and no `r`."""
    row = (row_seqno, bytes([row_seqno]) * 32, diff)
    return Message(seqno=seqno, data={"l": 1, "z": 1}, rows=(row,), diff={"l": ""})


def drafts() -> tuple[Draft, ...]:
    """Rows around newseqno - N, in windows of 5, 3 and 10."""
    replay = "CM-RESOLVE-REPLAY-CUTOFF"
    keep = "CM-RESOLVE-LAGGED"
    assigned: Data = {"h": 1, "l": 1, "r": 1, "z": 1}
    ignored: Data = {"h": 1, "l": 1, "r": 1}
    removed: Data = {"h": 1, "l": 1}
    below = low(17, 15, {"z": ""})
    below_removing = low(17, 15, {"r": "-"})
    at = low(17, 16, {"z": ""})
    at_removing = low(17, 16, {"r": "-"})
    over = low(18, 17, {"z": ""})
    edge = Message(seqno=16, data={"l": 1}, diff={"l": ""})
    narrow = low(19, 17, {"z": ""})
    wide = low(12, 11, {"z": ""})
    too_wide = low(12, 10, {"z": ""})
    return (
        merged(
            "row-below-the-cutoff",
            "Max 20 and N 5: a row of seqno 15 is not replayed",
            replay,
            [below, HIGH],
            merge_of(below, HIGH, data=ignored),
            libsession=merge_of(below, HIGH, data=assigned),
        ),
        merged(
            "removal-below-the-cutoff",
            "Nor does a row of seqno 15 remove anything",
            replay,
            [below_removing, HIGH],
            merge_of(below_removing, HIGH, data=ignored),
            libsession=merge_of(below_removing, HIGH, data=removed),
        ),
        merged(
            "row-at-the-cutoff",
            "A row of seqno 16, newseqno - N, is replayed and not kept",
            f"{replay} {keep}",
            [at, HIGH],
            merge_of(at, HIGH, data=assigned),
        ),
        merged(
            "removal-at-the-cutoff",
            "A removal of seqno 16 is replayed and not kept",
            f"{replay} {keep}",
            [at_removing, HIGH],
            merge_of(at_removing, HIGH, data=removed),
        ),
        merged(
            "row-above-the-cutoff",
            "A row of seqno 17 is replayed and kept",
            f"{replay} {keep}",
            [over, HIGH],
            merge_of(over, HIGH, data=assigned),
        ),
        merged(
            "survivor-at-the-cutoff",
            "A survivor of seqno 16 is replayed, and no row of the merge",
            f"{keep} CM-RESOLVE-REPLAY-OWN",
            [edge, HIGH],
            merge_of(edge, HIGH, data=ignored),
        ),
        merged(
            "cutoff-follows-the-window",
            "With N 3 a row of seqno 17 is below the cutoff",
            replay,
            [narrow, HIGH],
            merge_of(narrow, HIGH, data=ignored, window=3),
            libsession=merge_of(narrow, HIGH, data=assigned, window=3),
            window=3,
        ),
        merged(
            "cutoff-of-a-window-of-ten",
            "With N 10 a row of seqno 11 is at the cutoff",
            f"{replay} {keep}",
            [wide, HIGH],
            merge_of(wide, HIGH, data=assigned, window=10),
            window=10,
        ),
        merged(
            "below-the-cutoff-of-a-window-of-ten",
            "With N 10 a row of seqno 10 is below the cutoff",
            replay,
            [too_wide, HIGH],
            merge_of(too_wide, HIGH, data=ignored, window=10),
            libsession=merge_of(too_wide, HIGH, data=assigned, window=10),
            window=10,
        ),
    )
