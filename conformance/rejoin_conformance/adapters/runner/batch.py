"""A batch of requests whose answers are known: most replies agree with them and need no case.

A worker asks the requests in order and takes the replies in order. At the first reply that does not
agree, and if no line comes, it makes cases of the batch, and goes on with them as with any other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define

from rejoin_conformance.adapters.protocol import numbered
from rejoin_conformance.adapters.runner.cases import Case


@define(eq=False)
class Batch:
    """Requests, each after its ID, and what their replies must agree with.

    answer: place of a request -> its answer, computed when it is first needed. agrees: (place,
    number, reply) -> whether a reply agrees, if its bytes are not those of the answer. case: place
    -> the request as a case. heard: called when replies agree. first: the number of the first
    request. agreed: the number of replies that agree, which are the first ones.
    """

    requests: Sequence[bytes]
    answer: Callable[[int], bytes]
    agrees: Callable[[int, int, bytes], bool]
    case: Callable[[int], Case]
    heard: Callable[[], None]
    first: int = 1
    agreed: int = 0

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
                line == numbered(number, self.answer(place)) or self.agrees(place, number, line)
            ):
                return lines[place - start :]
            self.agreed += 1
        self.heard()
        return ()
