"""What the suite asks of a system's random histories.

A history is a pure function of (system, profile, seed), made of JSON-like events, so that it can be
stored, shortened and replayed. Examining it under a reading runs it on the reference and checks
the laws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from attrs import frozen

from rejoin_conformance.contract.law import Examination
from rejoin_conformance.kit.draw import seed_of
from rejoin_conformance.kit.json_types import JsonObject

if TYPE_CHECKING:  # a campaign does not depend on how its histories are drawn
    from rejoin_conformance.kit.dag_drawing import Drawing

H = TypeVar("H")


class NotAHistoryError(ValueError):
    """JSON that is not a history of the system: one line on what is wrong and where."""


@frozen
class Call:
    """One question that any implementation can be asked: an operation's full name, and its input.

    The input matches the operation's schema, whether or not the protocol accepts it.
    """

    operation: str
    input: JsonObject


@frozen(kw_only=True)
class Histories(Generic[H]):
    """The random histories of one system; `H` is that system's own type of a history.

    A reading is given as its name or expression. Every function is pure.

    profiles: profile -> its histories in one line. `default` is one of them.
    generate: (profile, seed) -> the history of a seed.
    examine: (history, reading) -> the run of the history on the reference, with every law checked.
    calls: (history, reading) -> the history as operations of the corpus, in an order. A large
        history gives a sample of at most some dozens of calls.
    outcome: (history, reading) -> aspect -> what every client holds and decides, whatever the laws
        say. Readings are compared by it, so it contains only what a client could observe: no names
        of readings, no caches, no counts.
    to_json: a history as data, for files.
    from_json: the inverse of `to_json`; raises NotAHistoryError for any other data.
    """

    profiles: Mapping[str, str]
    generate: Callable[[str, int], H]
    examine: Callable[[H, str], Examination]
    calls: Callable[[H, str], Iterator[Call]]
    outcome: Callable[[H, str], JsonObject]
    to_json: Callable[[H], JsonObject]
    from_json: Callable[[JsonObject], H]


@frozen(kw_only=True)
class Pictures(Generic[H]):
    """How the histories of one system are shown to a person.

    tell: (history, reading) -> lines of text: a picture of the history's shape, and its events.
    drawings: (history, reading) -> the pictures alone, to be drawn in another way than as text.
    """

    tell: Callable[[H, str], str]
    drawings: Callable[[H, str], Sequence[Drawing]]


def history_seed(campaign_seed: int, system: str, profile: str, index: int) -> int:
    """The seed of history `index` of a campaign, from which it can be made alone."""
    return seed_of("history", campaign_seed, system, profile, index)
