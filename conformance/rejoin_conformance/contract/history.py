"""The interface of a system's random histories.

A history is a pure function of (system, profile, seed), made of JSON-like events, so that it can be
stored, shortened and replayed. Examining it under a reading runs it on the reference and checks
the laws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from attrs import field, frozen

from rejoin_conformance.contract.law import Examination
from rejoin_conformance.contract.operation import Operation, Output
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.kit.codec import plain
from rejoin_conformance.kit.draw import seed_of
from rejoin_conformance.kit.json_types import JsonObject, canonical_json

if TYPE_CHECKING:  # a campaign does not depend on how its histories are drawn
    from rejoin_conformance.kit.dag_drawing import Drawing

H = TypeVar("H")


class NotAHistoryError(ValueError):
    """JSON that is not a history of the system: one line on what is wrong and where."""


@frozen
class Call:
    """One call of an operation, by its full name, with its input.

    Any implementation can answer it. The input matches the operation's schema, whether or not the
    protocol accepts it.
    """

    operation: str
    input: JsonObject

    @property
    def text(self) -> str:
        """Return the canonical text of the input."""
        return canonical_json(self.input)

    def as_vector(self, expected: Mapping[str, JsonObject], **more: Any) -> Vector:
        """Return the call as a vector. expected: reading -> result. more: other attributes."""
        fields: dict[str, Any] = {
            "id": f"{self.operation.partition('/')[0]}/found/call",
            "clauses": (),
            "level": "must",
            "summary": "",
            "readings_differ": False,
        }
        given = {"operation": self.operation, "input": self.input, "expected": expected}
        return Vector(**{**fields, **given, **more})


@frozen
class Ask:
    """Something that answers calls under one reading: the reference, or another implementation.

    output: a call -> the output, or None if the call is rejected. refuses: a call -> whether it is
    rejected.
    """

    reading: str
    output: Callable[[Call], JsonObject | None]
    refuses: Callable[[Call], bool]


def asks_reference(operations: Iterable[Operation], reading: str) -> Ask:
    """Return the answers of the reference to the calls of some operations."""
    performs = {operation.name: operation for operation in operations}

    def output(call: Call) -> JsonObject | None:
        answer = performs[call.operation].answer(call.input, reading)
        return answer.value if isinstance(answer, Output) else None

    return Ask(reading, output, lambda call: output(call) is None)


@frozen
class Cost:
    """A quantity that histories cost, as a share: `per * total / of`."""

    total: int
    of: int
    per: int = field(default=1, kw_only=True)

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.total + other.total, self.of + other.of, per=self.per)

    @property
    def share(self) -> float | None:
        """Return the share, or None if it is a share of nothing."""
        return self.per * self.total / self.of if self.of else None


@frozen(kw_only=True)
class Histories(Generic[H]):
    """The random histories of one system. `H` is the system's type of a history.

    A reading is given by its name or expression. Every function is pure.

    profiles: profile -> a description of its histories in one line. `default` is one of them.
    large: the profiles whose histories take many times as long as those of `default`. A search that
        needs many histories tries these profiles last.
    generate: (profile, seed) -> the history of this seed.
    examine: (history, reading) -> the run of the history on the reference, with every law checked.
    examine_by: (history, the oracle's module, reading) -> the same by a run on the oracle; None if
        the oracle cannot run histories.
    oracle_needs: the dotted name that the oracle's module has if it is new enough for this.
    calls: (history, ask) -> the history as calls of operations, in order. It asks for the output
        of a call if further calls depend on it. A large history yields a sample of some dozens of
        calls.
    outcome: (history, reading) -> aspect -> the data and decisions of every client. The comparison
        of readings uses it, so it contains only observable values: no names of readings, no caches,
        no counts and no law verdicts.
    costs: (history, reading) -> name of a quantity -> what the history costs, for the comparison of
        readings; None if the system has no such quantities.
    to_json: a history as data, for files.
    from_json: the inverse of `to_json`; raises NotAHistoryError for any other data.
    """

    profiles: Mapping[str, str]
    large: tuple[str, ...] = ()
    generate: Callable[[str, int], H]
    examine: Callable[[H, str], Examination]
    calls: Callable[[H, Ask], Iterator[Call]]
    outcome: Callable[[H, str], JsonObject]
    to_json: Callable[[H], JsonObject] = plain
    from_json: Callable[[JsonObject], H]
    examine_by: Callable[[H, Any, str], Examination] | None = None
    oracle_needs: str = ""
    costs: Callable[[H, str], Mapping[str, Cost]] | None = None


@frozen(kw_only=True)
class Pictures(Generic[H]):
    """The text and the drawings of one system's histories.

    describe: (history, reading) -> lines of text: a drawing of the history's shape, and its events.
    drawings: (history, reading) -> the drawings alone, to render in another form than text.
    """

    describe: Callable[[H, str], str]
    drawings: Callable[[H, str], Sequence[Drawing]]


def history_seed(campaign_seed: int, system: str, profile: str, index: int) -> int:
    """Return the seed of history `index` of a campaign. It reproduces this history alone."""
    return seed_of("history", campaign_seed, system, profile, index)
