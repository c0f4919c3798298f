"""Follow a campaign against an adapter while it runs: each history, and each new difference."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field


@define
class Watch:
    """Told of each examined history and of each difference, in the process of the command.

    found: called with the reading, the kind and the explanation of the first difference of a kind.
    tick: called some times a second. examined: the histories of the current block so far.
    """

    found: Callable[[str, str, str], None]
    tick: Callable[[], None] = field(default=lambda: None)
    examined: int = 0
    _seen: set[tuple[str, str]] = field(factory=set)

    def saw(self, reading: str, kind: str, explanation: str) -> None:
        """Take note of a difference."""
        if (reading, kind) not in self._seen:
            self._seen.add((reading, kind))
            self.found(reading, kind, explanation)

    def examined_some(self, histories: int) -> None:
        """Take note of the histories of the current block so far."""
        self.examined = histories
        self.tick()
