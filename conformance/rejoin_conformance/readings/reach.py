"""How often vectors or histories call the overridden functions."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Final

from attrs import define, field

from rejoin_conformance.kit.text import counted
from rejoin_conformance.readings.overriding import Tried, calls_since, tried

RETYPED: Final = "each answer is of another type than the original's"


@define
class Reach:
    """The calls of one overridden function in a number of cases: vectors or histories.

    cases: the cases that call it. differing: the cases in which an answer differs from the
    original's. unknown: the other cases with an answer that cannot be compared.
    """

    calls: Tried = field(factory=Tried)
    cases: int = 0
    differing: int = 0
    unknown: int = 0

    @property
    def could_matter(self) -> int:
        """Return the number of cases in which an answer differs, or may differ."""
        return self.differing + self.unknown

    @property
    def retyped(self) -> bool:
        """Return whether each answer is of another type than the original's."""
        return self.calls.retyped == self.calls.calls > 0

    def count(self, calls: Tried) -> None:
        """Count one case."""
        self.calls.add(calls)
        self.cases += calls.calls > 0
        self.differing += calls.differed > 0
        self.unknown += calls.uncompared > 0 and not calls.differed

    def text(self, case: str, plural: str | None = None) -> str:
        """Return the counts as text. case: the name of one case, `vector` or `history`."""
        if not self.calls.calls:
            return "not tried: 0 calls"
        called = (
            f"called {counted(self.calls.calls, 'time')} in {counted(self.cases, case, plural)}"
        )
        if self.calls.uncompared == self.calls.calls:
            return f"{called}; its answers cannot be compared with the original's"
        if self.retyped:
            return f"{called}; {RETYPED}"
        answers = (
            f"{called}; the answer differed from the original's "
            f"{counted(self.calls.differed, 'time')} in {counted(self.differing, case, plural)}"
        )
        if self.calls.uncompared:
            answers += f"; {counted(self.calls.uncompared, 'answer')} cannot be compared"
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
