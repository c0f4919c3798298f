"""What the machines share: whom they ask, what they expect, and how a failure reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from math import factorial
from typing import Any, ClassVar, Final, TypeAlias, TypeVar

from attrs import define, field
from hypothesis import HealthCheck, Phase, Verbosity, event, settings
from hypothesis import strategies as st
from hypothesis.database import DirectoryBasedExampleDatabase
from hypothesis.stateful import (
    RuleBasedStateMachine,
    precondition,
    rule,
    run_state_machine_as_test,
)

from rejoin_conformance.adapters.runner.declared import Declared
from rejoin_conformance.contract.explanation import explain_json
from rejoin_conformance.contract.feature import dropped
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.corpus.paragraph_text import render_paragraph
from rejoin_conformance.kit.json_types import JsonObject, canonical_json

Answer: TypeAlias = JsonObject
"""`{"output": ...}`, `{"rejected": ...}`, or whatever an adapter did instead."""

Ask: TypeAlias = Callable[[str, JsonObject], Answer]
"""(operation, input) -> answer."""

CI: Final = settings(
    max_examples=100,
    stateful_step_count=50,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
    report_multiple_bugs=False,
    verbosity=Verbosity.quiet,
)
"""The same code asks the same questions in every run."""

NIGHTLY: Final = settings(
    CI,
    max_examples=20 * CI.max_examples,
    derandomize=False,
    database=DirectoryBasedExampleDatabase(".hypothesis/laws"),
    phases=[Phase.reuse, Phase.generate, Phase.shrink],
)
"""Other questions in every run. The database keeps failures for the next run."""

_FEW: Final = 20
"""The number of values that can come first in a drawn order, of any number."""

T = TypeVar("T")


class LawBrokenError(AssertionError):
    """An answer breaks a law.

    paragraph: the question and the right answer, for `vectors add`. answer: how the answer differs.
    """

    def __init__(self, law: str, paragraph: str, answer: str) -> None:
        super().__init__(f"{law}\n\n{paragraph}\nanother answer came: {answer}")
        self.law, self.paragraph, self.answer = law, paragraph, answer


@define
class Asking:
    """An implementation that is held to the laws of one system, and what it was asked so far.

    ask: the implementation. again: another process of it. declared: what it can be asked; None for
    everything. asked: law -> number of answers that were compared. left_out: what is not declared
    -> number of questions. cases: what the questions were about -> number. seen: the IDs of the
    vectors that were reached. broken: the last failure.
    """

    system: System
    ask: Ask
    again: Ask
    declared: Declared | None = None
    asked: Counter[str] = field(factory=Counter)
    left_out: Counter[str] = field(factory=Counter)
    cases: Counter[str] = field(factory=Counter)
    seen: set[str] = field(factory=set)
    broken: LawBrokenError | None = None

    @property
    def reading(self) -> str:
        """Return the reading for which the laws hold: the system's default."""
        return self.system.default_reading

    def saw(self, case: str) -> None:
        """Count a case that the machine reached, also for Hypothesis."""
        self.cases[case] += 1
        event(case)

    def compare(
        self, law: str, operation: str, value: JsonObject, expected: Answer, *, again: bool = False
    ) -> None:
        """Ask a question, unless it is not declared. Raises LawBrokenError for a wrong answer."""
        if self.declared is not None:
            feature = self.declared.missing(operation, value)
            if feature or operation not in self.declared.operations:
                self.left_out[operation + (f" with {feature}" if feature else "")] += 1
                return
        answer = (self.again if again else self.ask)(operation, value)
        self.asked[law] += 1
        alike = self._compared(operation, answer) == self._compared(operation, expected)
        if not (alike or "rejected" in answer.keys() & expected.keys()):
            said = ("another process: " if again else "") + explain_json(expected, answer)
            paragraph = self._paragraph(law, operation, value, expected)
            self.broken = LawBrokenError(law, paragraph, said)
            raise self.broken

    def _compared(self, operation: str, answer: Answer) -> str:
        """Return the part of an answer that is compared; an adapter's can have any shape."""
        with suppress(Exception):
            output: Any = answer.get("output", {})
            left_out = self.declared.left_out(operation) if self.declared else ()
            return canonical_json({**answer, "output": dropped(left_out, output)})
        return ""

    def _paragraph(self, law: str, operation: str, value: JsonObject, expected: Answer) -> str:
        """Return a question with its answer as a paragraph of the corpus, or as JSON."""
        (clauses,) = (each.clauses for each in self.system.laws if each.name == law)
        vector = Vector(
            id=f"{self.system.name}/found/found-{law}",
            operation=operation,
            clauses=clauses,
            level="must",
            summary=f"Found by the law {law}.",
            input=value,
            expected={self.reading: expected},
            readings_differ=False,
        )
        written = None
        with suppress(Exception):  # the reference writes the text, and can itself be at fault
            written = render_paragraph(self.system, vector)
        return written or canonical_json(vector.to_json()) + "\n"


@cache
def vectors_of(system: str, operations: tuple[str, ...], reading: str) -> Sequence[Vector]:
    """Return the vectors of some operations with a result in a reading, the smallest first."""
    wanted = {f"{system}/{each}" for each in operations}
    some = [v for v in load_system(system) if v.operation in wanted and reading in v.expected]
    return sorted(some, key=lambda each: len(canonical_json(each.input)))


class LawMachine(RuleBasedStateMachine):
    """A machine that asks one implementation. operations: those whose vectors it turns round."""

    asking: Asking
    operations: ClassVar[tuple[str, ...]]
    question: tuple[str, str, Any, Any] | None = None

    def expect(self, law: str, operation: str, value: Any, expected: Any) -> None:
        """Ask a question with this answer by the oracle or the corpus."""
        self.question = (law, f"{self.asking.system.name}/{operation}", value, expected)
        self.asking.compare(*self.question)

    @precondition(lambda self: self.question is not None)
    @rule()
    def determinism(self) -> None:
        """Ask another process the last question."""
        assert self.question is not None
        self.asking.saw("determinism")
        self.asking.compare(*self.question, again=True)

    @rule(data=st.data())
    def vectors_turned_round(self, data: st.DataObject) -> None:
        """Ask vectors in another order, or with more, and compare with what the corpus says."""
        for vector in self.drawn(data, 7):
            self.asking.seen.add(vector.id)
            self.expect(*self.turned(data, vector))

    def drawn(self, data: st.DataObject, count: int) -> Sequence[Vector]:
        """Return some vectors of similar size."""
        asking = self.asking
        vectors = vectors_of(asking.system.name, self.operations, asking.reading)
        first = data.draw(st.integers(0, len(vectors) - 1))
        return vectors[first : first + count]

    def expected(self, vector: Vector) -> Answer:
        """Return what the corpus says of a vector."""
        return vector.expected[self.asking.reading]

    def turned(self, data: st.DataObject, vector: Vector) -> tuple[str, str, Any, Any]:
        """Return a law, and a question whose answer follows from a vector by this law."""
        raise NotImplementedError


def shuffled(data: st.DataObject, values: Sequence[T]) -> list[T]:
    """Return the values in a drawn order: one number says it, and 0 is the order as it is."""
    waiting, order = list(values), []
    code = data.draw(st.integers(0, factorial(min(len(waiting), _FEW)) - 1))
    while waiting:
        code, place = divmod(code, len(waiting))
        order.append(waiting.pop(place))
    return order


def chosen(data: st.DataObject, values: Sequence[T]) -> list[T]:
    """Return some of the values in their order: one number says which."""
    bits = data.draw(st.integers(0, 2 ** len(values) - 1))
    return [value for place, value in enumerate(values) if bits >> place & 1]


def machine_of(system: System) -> type[LawMachine]:
    """Return the machine of a system."""
    name = system.name.replace("-", "_")
    module = import_module(f"rejoin_conformance.laws.{name}")
    found: type[LawMachine] = getattr(module, name.title().replace("_", ""))
    return found


def hold_to_the_laws(asking: Asking, chosen: settings = CI) -> None:
    """Drive an implementation by the machine of its system. Raises LawBrokenError."""
    machine = machine_of(asking.system)
    driven = type(machine.__name__, (machine,), {"asking": asking})
    run_state_machine_as_test(driven, settings=chosen)
