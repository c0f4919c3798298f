"""The premise of the claims about sets, element by element, and the state that follows from it.

The claims hold for an element if no addition of it is concurrent with a removal. Then whatever is
concurrent is of one kind, and the last operations on the element, seen from any set of nodes, are
all additions or all removals: that is its state.
"""

from __future__ import annotations

from rejoin_conformance.systems.history_merge.histories.run import Operations, Run


def last_operations(run: Run, operations: Operations, past: int) -> bool | None:
    """Whether the last operations on an element in a past are additions; None without the premise.

    With it, the operation that was posted last is one of the last, so it tells for all of them.
    """
    pasts = run.views.pasts
    additions = [number for number in operations.additions if past >> number & 1]
    removals = [number for number in operations.removals if past >> number & 1]
    for addition in additions:
        for removal in removals:
            later, earlier = max(addition, removal), min(addition, removal)
            if not pasts[later] >> earlier & 1:
                return None
    return bool(additions) and (not removals or additions[-1] > removals[-1])


def expected_by_premise(run: Run, past: int) -> tuple[dict[str, bool], list[str]]:
    """The state of every element that meets the premise in a past, and those that do not meet it.

    Elements that nothing was done to in that past are left out.
    """
    expected: dict[str, bool] = {}
    others: list[str] = []
    for element, operations in run.operations.items():
        if not any(past >> number & 1 for number in operations.additions):
            continue
        state = last_operations(run, operations, past)
        if state is None:
            others.append(element)
        else:
            expected[element] = state
    return expected, others
