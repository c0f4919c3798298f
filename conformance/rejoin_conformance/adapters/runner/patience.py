"""End a run early: after too many failures, or if the adapter hangs or never gives a valid reply.

An adapter that hangs costs two timeouts for each vector, and one that crashes or prints something
else costs two processes. Without an end, a run of the whole corpus against it would take hours.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from attrs import define, field

from rejoin_conformance.adapters.runner.cases import BREAKS, FAILURES, Outcome
from rejoin_conformance.adapters.runner.known_failures import KnownFailures
from rejoin_conformance.kit.text import counted

MAX_TIMEOUTS: Final = 5
"""The default number of requests in a row without a valid reply after which a run ends."""

Limit: TypeAlias = Literal["failures", "breaks"]


class GaveUpError(Exception):
    """The run ends early. The message is one line with the reason. limit: the limit reached."""

    def __init__(self, limit: Limit, message: str) -> None:
        super().__init__(message)
        self.limit = limit


@define(kw_only=True)
class Patience:
    """The limits of a run, and the outcomes that count against them.

    max_failures, max_timeouts: 0 for no limit. A known failure does not count. After the first
    valid reply, only timeouts make a row: one operation that always crashes must not hide the rest.
    """

    known: KnownFailures = field(factory=KnownFailures)
    max_failures: int = 0
    max_timeouts: int = MAX_TIMEOUTS
    _failed: set[tuple[str, str]] = field(factory=set)
    _in_a_row: int = 0
    _has_replied: bool = False

    def take(self, outcome: Outcome) -> None:
        """Count an outcome. Raises GaveUpError if a limit is reached."""
        key, verdict = outcome.case.key, outcome.verdict
        if self.known.of(*key) is not None:
            return
        if verdict == "timeout" or (verdict in BREAKS and not self._has_replied):
            self._in_a_row += 1
            if self._in_a_row == self.max_timeouts:
                number = counted(self._in_a_row, "request")
                raise GaveUpError("breaks", f"{number} in a row had no valid reply in time")
        elif verdict != "not-declared":
            self._in_a_row = 0
            self._has_replied = self._has_replied or verdict not in BREAKS
        if verdict in FAILURES:
            self._failed.add(key)
            if len(self._failed) == self.max_failures:
                raise GaveUpError("failures", counted(self.max_failures, "vector") + " failed")
        else:
            self._failed.discard(key)
