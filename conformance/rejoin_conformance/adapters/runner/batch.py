"""A batch of requests whose answers are known: most replies agree with them and need no case.

A worker asks the requests in order and takes the replies in order. At the first reply that does not
agree, and if no line comes, it makes cases of the batch, and goes on with them as with any other.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from rejoin_conformance.adapters.protocol import numbered
from rejoin_conformance.adapters.runner.cases import Case


class Batch(ABC):
    """Requests, each after its ID, and what their replies must agree with.

    heard: called when replies agree. first: the number of the first request. answers: the answers
    to the first requests, as far as they are computed. agreed: the number of replies that agree,
    which are the first ones.
    """

    def __init__(self, requests: Sequence[bytes], heard: Callable[[], None]) -> None:
        self.requests = requests
        self.heard = heard
        self.first = 1
        self.answers: list[bytes] = []
        self.agreed = 0

    @abstractmethod
    def prepare(self, end: int) -> None:
        """Compute the answers to the first requests, up to `end`."""

    @abstractmethod
    def agrees(self, place: int, number: int, reply: bytes) -> bool:
        """Return whether a reply agrees, if its bytes are not those of the answer."""

    @abstractmethod
    def case(self, place: int) -> Case:
        """Return a request as a case."""

    def lines(self, start: int, end: int) -> bytes:
        """Return some of the requests, as lines."""
        places = range(start, end)
        return b"".join([numbered(self.first + place, self.requests[place]) for place in places])

    def take(self, lines: Sequence[bytes], sent: int) -> Sequence[bytes]:
        """Count the replies that agree. Return the lines from the first that does not agree."""
        start = self.agreed
        for place, line in enumerate(lines, start):
            number = self.first + place
            if place == sent or not (
                line == numbered(number, self.answers[place]) or self.agrees(place, number, line)
            ):
                return lines[place - start :]
            self.agreed += 1
        self.heard()
        return ()
