"""How often vectors or histories call what a side changes, and whether it could matter.

The counts of calls are `called`; `differed`: those whose answer differs under the other value;
`uncompared`: those whose answers cannot be compared, because they are generators or the call
changes its arguments; `fast`: calls of fast functions, which answer without the changed function.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, TypeAlias

from attrs import field, frozen

from rejoin_conformance.kit.text import counted

Called: TypeAlias = Counter[str]
"""Kind of count -> count."""

_FRAMES: Final = 9
"""The number of frames that an overridden call takes at most, with its counting and comparing."""

_IN_FORCE: Final[dict[str, Called]] = {}
"""What is overridden or watched now, by dotted name or choice point, with its calls."""


@contextmanager
def counting(counts: Mapping[str, Called]) -> Iterator[None]:
    """Let `tried` return these counts while the block runs. They start at 0.

    Calls can nest as deep as without overrides, although each of them takes more frames.
    """
    before, limit = dict(_IN_FORCE), sys.getrecursionlimit()
    for each in counts.values():
        each.clear()
    _IN_FORCE.clear()
    _IN_FORCE.update(counts)
    sys.setrecursionlimit(limit if before else limit * _FRAMES)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
        _IN_FORCE.clear()
        _IN_FORCE.update(before)


def overridden() -> tuple[str, ...]:
    """Return the dotted names of the functions that are overridden in this process now."""
    return tuple(_IN_FORCE)


def tried() -> dict[str, Called]:
    """Return the calls of each overridden function since it was put in force."""
    return {name: each.copy() for name, each in _IN_FORCE.items()}


def calls_since(before: Mapping[str, Called]) -> dict[str, Called]:
    """Return the calls of each overridden function since `tried` returned `before`."""
    return {name: each - before.get(name, Counter()) for name, each in _IN_FORCE.items()}


@frozen
class Reach:
    """The calls of one overridden function in a number of cases: vectors or histories.

    counts: of calls; `cases`: the cases that call it; `differing`: those in which an answer differs
    from the original's; `unknown`: the other ones with an answer that cannot be compared;
    `bypassing`: those that call a fast function, which answers without the changed one.
    """

    counts: Called = field(factory=Counter)

    @property
    def could_matter(self) -> int:
        """Return the number of cases in which an answer differs, or may differ."""
        return self.counts["differing"] + self.counts["unknown"]

    def count(self, calls: Called) -> None:
        """Count one case."""
        of_cases = {
            "cases": calls["called"] > 0,
            "differing": calls["differed"] > 0,
            "unknown": calls["uncompared"] > 0 and not calls["differed"],
            "bypassing": calls["fast"] > 0,
        }
        self.counts.update(calls)
        self.counts.update({name: int(is_one) for name, is_one in of_cases.items()})

    def text(self, case: str, plural: str | None = None) -> str:
        """Return the counts as text. case: the name of one case, `vector` or `history`."""
        counts = self.counts
        if not counts["called"]:
            return "not tried: 0 calls"
        in_cases = counted(counts["cases"], case, plural)
        called = f"called {counted(counts['called'], 'time')} in {in_cases}"
        if counts["uncompared"] == counts["called"]:
            return f"{called}; its answers cannot be compared with the original's"
        answers = (
            f"{called}; the answer differed from the original's "
            f"{counted(counts['differed'], 'time')} in "
            f"{counted(counts['differing'], case, plural)}"
        )
        if counts["uncompared"]:
            answers += f"; {counted(counts['uncompared'], 'answer')} cannot be compared"
        return answers


@contextmanager
def one_case(reached: dict[str, Reach], names: Collection[str] | None = None) -> Iterator[None]:
    """Count the calls that are made while the block runs as those of one case.

    names: the overridden functions to count; all of them by default.
    """
    before = tried()
    try:
        yield
    finally:
        for name, calls in calls_since(before).items():
            if names is None or name in names:
                reached.setdefault(name, Reach()).count(calls)
