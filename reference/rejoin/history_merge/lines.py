"""Lists of lines: the type of state of version-control systems, whose 3-way merge conflicts easily.

The document names this type and does not define its merge. The merge here is the diff3 of
version-control systems. It matches the lines of each side with those of the origin, keeps the lines
that both sides matched, and merges each part between kept lines as one value.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from rejoin.history_merge.errors import HistoryMergeError
from rejoin.history_merge.three_way_merge import StateType

Lines: TypeAlias = tuple[str, ...]
"""A list of lines. Lines can be equal or empty."""

Matching: TypeAlias = dict[int, int]
"""Place of a line of the origin -> place of the same line in a side. Both ascend."""


def longest_common(o: Lines, a: Lines) -> list[list[int]]:
    """Return the length of the longest matching of o[i:] and a[j:], for all places i and j.

    The row i has the lengths for each j. Time and memory grow with len(o) * len(a).

    Clauses: HM-3WAY-LINES-MATCHING
    """
    lengths = [[0] * (len(a) + 1) for _ in range(len(o) + 1)]
    for i in reversed(range(len(o))):
        for j in reversed(range(len(a))):
            lengths[i][j] = (
                lengths[i + 1][j + 1] + 1
                if o[i] == a[j]
                else max(lengths[i + 1][j], lengths[i][j + 1])
            )
    return lengths


def matching(o: Lines, a: Lines) -> Matching:
    """Return the longest matching of two lists of lines; of several, the one with earliest pairs.

    A line of the origin is matched with the next equal line of the side, if the other lines then
    still have a longest matching.

    Clauses: HM-3WAY-LINES-MATCHING
    """
    lengths = longest_common(o, a)
    pairs: Matching = {}
    j = 0
    for i, line in enumerate(o):
        if line not in a[j:]:
            continue
        place = a.index(line, j)
        if lengths[i + 1][place + 1] + 1 == lengths[i][j]:
            pairs[i] = place
            j = place + 1
    return pairs


def part_three_way_merge(o: Lines, a: Lines, b: Lines) -> Lines:
    """Return the merge of the parts between two kept lines: the changed part.

    Errors: `conflict` if both sides changed the part, in different ways.
    Clauses: HM-3WAY-LINES-PARTS, HM-3WAY-CONFLICT
    Source: "3-way-merge", the result ⊥
    """
    if a in (o, b):
        return b
    if b == o:
        return a
    message = f"the lines {[*o]} became {[*a]} on one side and {[*b]} on the other"
    raise HistoryMergeError("conflict", message)


def lines_three_way_merge(o: Lines, a: Lines, b: Lines) -> Lines:
    """Return the merge of two lists of lines: kept lines, and the merged parts between them.

    A line of the origin is kept if both sides matched it.

    Errors: `conflict`.
    Clauses: HM-3WAY-LINES, HM-3WAY-LINES-KEPT, HM-3WAY-LINES-PARTS, HM-3WAY-IDENTITY,
        HM-3WAY-COMMUTATIVE, HM-3WAY-IDEMPOTENT
    Source: "3-way-merge", lists of lines
    """
    in_a, in_b = matching(o, a), matching(o, b)
    kept = [(i, in_a[i], in_b[i]) for i in in_a if i in in_b]
    merged: Lines = ()
    after_o = after_a = after_b = 0
    for i, j, k in [*kept, (len(o), len(a), len(b))]:
        merged += part_three_way_merge(o[after_o:i], a[after_a:j], b[after_b:k])
        merged += o[i : i + 1]
        after_o, after_a, after_b = i + 1, j + 1, k + 1
    return merged


LINES: Final[StateType[Lines]] = StateType("lines", (), lines_three_way_merge)
"""Lists of lines, as a type whose merge conflicts easily."""
