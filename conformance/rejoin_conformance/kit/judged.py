"""The exit code of a command that judges, from its questions and their results."""

from __future__ import annotations

from typing import Final

from attrs import asdict, frozen

BROKEN: Final = 1
INCOMPLETE: Final = 3
UNUSABLE: Final = 4
OWN_FAULT: Final = 5


@frozen(kw_only=True)
class Judged:
    """The questions of a command: vectors, calls, histories, mutants, or whatever it judges.

    asked: those that it asked. unanswered: those of them that got no answer at all. left_out: those
        that it was to ask and did not. broken: faults that were found and not expected. own: faults
        of Rejoin itself.
    """

    asked: int
    unanswered: int = 0
    left_out: int = 0
    broken: int = 0
    own: int = 0

    def __add__(self, other: Judged) -> Judged:
        theirs = asdict(other)
        return Judged(**{name: count + theirs[name] for name, count in asdict(self).items()})

    @property
    def exit_code(self) -> int:
        """Return the exit code. 0 means that something was asked, all of it, and nothing broke.

        If nothing was answered and the command gave up, the adapter cannot be used. A fault of
        Rejoin comes before all, because it can hide or cause the others.
        """
        if self.own:
            return OWN_FAULT
        if self.left_out and self.asked and self.unanswered == self.asked:
            return UNUSABLE
        if self.broken:
            return BROKEN
        return INCOMPLETE if self.left_out or not self.asked else 0
