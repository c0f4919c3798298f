"""What the suite asks of a system's random histories.

A history is a pure function of (system, profile, seed), made of JSON-like events, so that it can be
stored, shortened and replayed. Examining it under a reading runs it on the reference and checks
the laws.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

from attrs import frozen

from rejoin_conformance.contract.law import Examination
from rejoin_conformance.kit.dag_drawing import Drawing
from rejoin_conformance.kit.draw import seed_of
from rejoin_conformance.kit.json_types import JsonObject

H = TypeVar("H")


@frozen
class Call:
    """One question that any implementation can be asked: an operation's full name, and its input.

    The input matches the operation's schema, whether or not the protocol accepts it.
    """

    operation: str
    input: JsonObject


class Histories(Protocol[H]):
    """The random histories of one system; `H` is that system's own type of a history."""

    @property
    def profiles(self) -> Mapping[str, str]:
        """Profile -> what its histories are like, in one line. `default` is one of them."""

    def generate(self, profile: str, seed: int) -> H:
        """The history of a seed: a pure function of its two arguments."""

    def examine(self, history: H, reading: str) -> Examination:
        """Run the history on the reference under a reading and check every law."""

    def calls(self, history: H, reading: str) -> Iterator[Call]:
        """What the history comes to in operations of the corpus: a pure function, in an order.

        Large histories give no more calls than some dozens: a sample of what they hold.
        """

    def outcome(self, history: H, reading: str) -> JsonObject:
        """What everybody holds and decides in the history, whatever the laws say of it.

        It is what readings are compared by: aspect -> data. Nothing in it may differ for another
        reason than that somebody could observe it: no names of readings, no caches, no counts.
        """

    def to_json(self, history: H) -> JsonObject:
        """The history as data, for files."""

    def from_json(self, value: JsonObject) -> H:
        """The inverse of `to_json`."""

    def tell(self, history: H, reading: str) -> str:
        """The history as lines for a person: a picture of its shape, and what happened."""

    def drawings(self, history: H, reading: str) -> Sequence[Drawing]:
        """The pictures alone, to be drawn otherwise than as letters."""


def history_seed(campaign_seed: int, system: str, profile: str, index: int) -> int:
    """The seed of history `index` of a campaign, from which it can be made alone."""
    return seed_of("history", campaign_seed, system, profile, index)
