"""The interface of a system: everything that a protocol provides to the suite."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from textwrap import indent
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import frozen

from rejoin_conformance.contract.choices import Readings
from rejoin_conformance.contract.history import (
    Call,
    Histories,
    Pictures,
    asks_reference,
    history_seed,
)
from rejoin_conformance.contract.law import Law
from rejoin_conformance.contract.operation import Asked, Operation
from rejoin_conformance.kit.json_types import JsonObject

if TYPE_CHECKING:  # the outcome of a history does not depend on these, so no campaign digests them
    from rejoin_conformance.contract.explanation import Explain
    from rejoin_conformance.contract.model import AnyModel
    from rejoin_conformance.contract.notation import Notation
    from rejoin_conformance.contract.spread import Spread
    from rejoin_conformance.contract.vector import Topic
    from rejoin_conformance.kit.dag_drawing import Drawing

Draw: TypeAlias = "Callable[[Asked, Sequence[JsonObject]], Iterator[Drawing]]"
"""(a question, the steps at which two implementations part, or none) -> its drawings. The nodes at
which the steps or the two outputs part are marked. It can raise any exception."""


def drawings_of(
    draw: Draw | None, asked: Asked, steps: Sequence[JsonObject] = ()
) -> tuple[Drawing, ...]:
    """Return the drawings of a question; none if the system has none, or cannot draw this one."""
    if draw is None:
        return ()
    try:
        return tuple(draw(asked, steps))
    except Exception:  # noqa: BLE001 - the values are untrusted, and a drawing is an extra
        return ()


@frozen(kw_only=True)
class Bound:
    """One integer bound of an exhaustive check, given as `--name` on the command line."""

    name: str
    summary: str
    default: int
    minimum: int
    maximum: int


@frozen(kw_only=True)
class ExhaustiveCheck:
    """A check of every history up to a bound.

    summary: one line of help, at most 60 characters. description: the rest of the help.
    run: (bounds, spread) -> the report as data. It does not depend on where the work runs.
    render: report -> the report as text.
    in_pieces: whether all its work is in pieces, whose results can be kept (`Spread.pieces`).
    """

    summary: str
    description: str
    bounds: tuple[Bound, ...]
    run: Callable[[Mapping[str, int], Spread], JsonObject]
    render: Callable[[JsonObject], str]
    in_pieces: bool = False


@frozen(kw_only=True)
class System:
    """One protocol: its operations, vectors, random histories, laws and exhaustive check.

    title: its name in headings. summary: its purpose, in at most 60 characters.
    readings: the names of its readings, the default first.
    choices: the readings as values, for expressions that switch choice points; None if the system
        has no choice points.
    topics: returns the drafts of the corpus that are written in Python, by topic.
    explain: explains a wrong output in the protocol's terms. Without it, the explanation is the
        first difference.
    model: the formal model, or None.
    notation: the text notation of its questions, answers and histories, or None.
    draw: draws its questions; or None.
    variants: further readings; only the vectors that name such a reading have a result for it.
    """

    name: str
    prefix: str
    title: str
    summary: str
    readings: tuple[str, ...]
    operations: tuple[Operation, ...]
    topics: Callable[[], tuple[Topic, ...]]
    laws: tuple[Law, ...]
    histories: Histories[Any]
    pictures: Pictures[Any]
    choices: Readings[Any] | None = None
    exhaustive: ExhaustiveCheck | None = None
    explain: Explain | None = None
    model: AnyModel | None = None
    notation: Notation | None = None
    draw: Draw | None = None
    variants: tuple[str, ...] = ()

    @property
    def every_reading(self) -> tuple[str, ...]:
        """Return the readings that a request or a vector can name."""
        return (*self.readings, *self.variants)

    @property
    def default_reading(self) -> str:
        """Return the reading to use if a request names none."""
        return self.readings[0]

    def history(self, profile: str, seed: int, index: int) -> Any:
        """Return the history `index` of a campaign of this profile and seed."""
        return self.histories.generate(profile, history_seed(seed, self.name, profile, index))

    def describe(self, history: Any, reading: str) -> str:
        """Return a history as lines of text: its drawing, its events, and its notation if any.

        The notation parses back to the history (`Notation.parse_history`).
        """
        pictured = self.pictures.describe(history, reading)
        if self.notation is None:
            return pictured
        text = indent(self.notation.render_history(history), "  ")
        return f"{pictured}\n\nthe history as text\n{text}"

    def in_one_text(self, history: Any, reading: str) -> str:
        """Return a history in its notation; a system without one draws it."""
        if self.notation is None:
            return self.pictures.describe(history, reading)
        return self.notation.render_history(history)

    def calls(self, history: Any, reading: str) -> Iterator[Call]:
        """Yield the calls of a history as the answers of the reference lead to them."""
        return self.histories.calls(history, asks_reference(self.operations, reading))

    def operation(self, name: str) -> Operation | None:
        """Return the operation of this full name, or None."""
        return next((each for each in self.operations if each.name == name), None)

    def steps_operation(self, name: str) -> Operation | None:
        """Return the operation that lists the steps of the one with this full name, or None."""
        return next((each for each in self.operations if each.steps_of == name), None)
