"""What the machines share: how they draw, the vectors that they turn round, and how they run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from importlib import import_module
from math import factorial
from typing import Any, ClassVar, Final, TypeAlias, TypeVar

from hypothesis import HealthCheck, Phase, Verbosity, settings
from hypothesis import strategies as st
from hypothesis.database import DirectoryBasedExampleDatabase
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.kit.json_types import canonical_json
from rejoin_conformance.laws.asking import Asking

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

_AT_ONCE: Final = 9
"""The least number of vectors, of all sizes, that are turned round together."""
_DIGIT: Final = 64
_FEW: Final = 20
"""The number of values that can come first in a drawn order, of any number."""

Question: TypeAlias = tuple[str, str, Any, Any]
"""A law, an operation without its system, the input, and the answer that the law demands."""

T = TypeVar("T")


@cache
def vectors_of(system: str, operations: tuple[str, ...]) -> Sequence[Vector]:
    """Return the vectors of some operations in the default reading, the smallest first."""
    reading, names = system_named(system).default_reading, {f"{system}/{o}" for o in operations}
    some = [v for v in load_system(system) if v.operation in names and reading in v.expected]
    return sorted(some, key=lambda each: len(canonical_json(each.input)))


class LawMachine(RuleBasedStateMachine):
    """A machine that asks one implementation. operations: those whose vectors it turns round."""

    asking: Asking
    operations: ClassVar[tuple[str, ...]]
    question: Question | None = None

    @initialize(data=st.data(), fresh=st.booleans())
    def begin(self, data: st.DataObject, fresh: bool) -> None:  # noqa: FBT001 - drawn
        """Begin with what users do, or with a vector that is not among the largest."""
        self.draw = data.draw
        if not self.begun_with(None if fresh else self.one(self.vectors[:-_DIGIT])):
            self.users_work()

    def begun_with(self, vector: Vector | None) -> bool:
        """Begin with a vector. Return False if there is none that the oracle knows in full."""
        raise NotImplementedError

    def users_work(self) -> None:
        """Let users work, on top of what is there."""
        raise NotImplementedError

    def turned(self, vector: Vector) -> Question:
        """Return a question whose answer follows from a vector by a law."""
        raise NotImplementedError

    @rule()
    def vectors_turned_round(self) -> None:
        """Ask vectors in another order, or with more, and compare with what the corpus says."""
        apart = min(_DIGIT, len(self.vectors) // _AT_ONCE)
        for vector in self.vectors[self.number(apart) :: apart]:
            self.asking.seen.add(vector.id)
            question = self.turned(vector)
            self.asking.saw(f"a vector by the law {question[0]}")
            self.expect(*question)

    @precondition(lambda self: self.question is not None)
    @rule()
    def determinism(self) -> None:
        """Ask another process the last question."""
        assert self.question is not None
        self.asking.saw("determinism")
        self.asking.compare(*self.question, again=True)

    def expect(self, law: str, operation: str, value: Any, expected: Any) -> None:
        """Ask a question with this answer by the oracle or the corpus."""
        self.question = (law, f"{self.asking.system.name}/{operation}", value, expected)
        self.asking.compare(*self.question)

    def expected(self, vector: Vector) -> Any:
        """Return what the corpus says of a vector."""
        return vector.expected[self.asking.system.default_reading]

    @property
    def vectors(self) -> Sequence[Vector]:
        """Return the vectors that the machine can begin with and turn round."""
        return vectors_of(self.asking.system.name, self.operations)

    def number(self, below: int) -> int:
        """Return a number, drawn by digits.

        Among larger numbers, Hypothesis mixes constants of whatever modules are loaded, and so the
        questions would depend on these.
        """
        drawn, bound = 0, 1
        while bound < below:
            drawn = _DIGIT * drawn + self.draw(st.integers(0, min(below, _DIGIT) - 1))
            bound *= _DIGIT
        return drawn % below

    def one(self, values: Sequence[T]) -> T:
        """Return one of the values."""
        return values[self.number(len(values))]

    def shuffled(self, values: Iterable[T]) -> list[T]:
        """Return the values in a drawn order: one number says it, and 0 is the order as it is."""
        waiting, order = list(values), []
        code = self.number(factorial(min(len(waiting), _FEW)))
        while waiting:
            code, place = divmod(code, len(waiting))
            order.append(waiting.pop(place))
        return order

    def some(self, values: Sequence[T]) -> list[T]:
        """Return some of the values in their order: one number says which."""
        bits = self.number(2 ** len(values))
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
