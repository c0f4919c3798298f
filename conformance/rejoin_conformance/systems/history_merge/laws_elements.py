"""One element of the sets: the premise of the claims about it, and a history of it alone.

The claims hold for an element if no addition of it is concurrent with a removal. Then concurrent
operations on it are of one kind. The last operations on the element before any set of nodes are
therefore all additions, or all removals, and they determine whether the merge contains it.
"""

from __future__ import annotations

from attrs import frozen

from rejoin_conformance.kit.draw import Draw
from rejoin_conformance.systems.history_merge.merges import Alone
from rejoin_conformance.systems.history_merge.run import Run


def counted(past: int) -> int:
    """Return the counter of a past in which every message added its own power of 16 once.

    If a counter differs, its hexadecimal digits show how often it counts each message.
    """
    return int(f"{past:b}", 16)


@frozen
class ElementAlone:
    """The same history, with one element of its states and a counter."""

    element: str
    messages: Alone


def element_alone(run: Run, draw: Draw) -> ElementAlone:
    """Return the history for one element that a message added or removed, if there is one."""
    element = draw.pick(sorted(run.operations) or [""])
    counts = [counted(message.past) for message in run.messages]
    return ElementAlone(element, run.merges.alone(element, counts))


def last_operations(run: Run, additions: list[int], removals: list[int]) -> bool | None:
    """Return whether the last operations on an element are additions.

    additions, removals: the ascending numbers of the messages with these operations in a past.

    Returns None if the premise does not hold. If it holds, all last operations are of one kind, and
    the operation that was posted last is one of them.
    """
    if not additions or not removals:
        return bool(additions)
    pasts = run.views.pasts
    for addition in additions:
        for removal in removals:
            later, earlier = max(addition, removal), min(addition, removal)
            if not pasts[later] >> earlier & 1:
                return None
    return additions[-1] > removals[-1]


def expected_by_premise(run: Run, past: int) -> tuple[dict[str, bool], list[str]]:
    """Return the state of every element that meets the premise in a past, and the other elements.

    The state is whether the merge contains the element. Elements without an addition in that past
    are left out.
    """
    expected: dict[str, bool] = {}
    others: list[str] = []
    for element, operations in run.operations.items():
        additions = [number for number in operations.additions if past >> number & 1]
        if not additions:
            continue
        removals = [number for number in operations.removals if past >> number & 1]
        state = last_operations(run, additions, removals)
        if state is None:
            others.append(element)
        else:
            expected[element] = state
    return expected, others
