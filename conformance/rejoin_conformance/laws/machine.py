"""What the machines share: how they draw, the vectors that they turn round, and how they run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from importlib import import_module
from typing import Any, ClassVar, Final, TypeAlias, TypeVar

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
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
    stateful_step_count=25,
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

_RUNS: Final = 10
"""The runs of a machine that are one test: after so many, Hypothesis repeats parts of them."""
_TURNS: Final = 30
"""A vector is turned round once for so many runs of the machine."""
_LARGE: Final = 64
"""The number of vectors, the largest ones, that the machine does not begin with."""
_FEW: Final = 12
"""The number of parts of a list that a drawn order is made of."""

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
    """A machine that asks one implementation. operations: those whose vectors it turns round.

    Hypothesis mixes constants of whatever modules are loaded among numbers above 127. No machine
    draws such numbers, so its questions do not depend on the modules.
    """

    asking: Asking
    operations: ClassVar[tuple[str, ...]]
    question: Question | None = None

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        """Begin with a vector, or with what users do."""
        self.draw = data.draw
        vectors = vectors_of(self.asking.system.name, self.operations)[:-_LARGE]
        some = vectors[self.one(range(_LARGE)) :: _LARGE]
        vector = self.one([None, *some])
        value, answer = (vector.input, self.expected(vector)) if vector else ({}, {})
        if not self.begun_with(value, answer.get("output", {})):
            self.users_work()

    def begun_with(self, value: Any, output: Any) -> bool:
        """Begin with a vector. Return False, and begin empty, if the oracle does not know it."""
        raise NotImplementedError

    def users_work(self) -> None:
        """Let users work, on top of what is there."""
        raise NotImplementedError

    def turned(self, vector: Vector) -> Question:
        """Return a question whose answer follows from a vector by a law."""
        raise NotImplementedError

    def turn_round(self, vector: Vector, data: st.DataObject) -> None:
        """Ask a vector in another order, or with more, and compare with what the corpus says."""
        self.draw = data.draw
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

    def one(self, values: Sequence[T]) -> T:
        """Return one of the values; of more than 128, one of the last ones."""
        return self.draw(st.sampled_from(values[-128:]))

    def shuffled(self, values: Iterable[T]) -> list[T]:
        """Return the values in a drawn order; of more than 12, each 12th one stays together."""
        waiting = list(values)
        order = self.draw(st.permutations(range(min(len(waiting), _FEW))))
        return [value for start in order for value in waiting[start::_FEW]]

    def some(self, values: Sequence[T], least: int = 0, most: int = _FEW) -> list[T]:
        """Return some of the last values, which differ; all, if there are no more than least."""
        last = values[-_FEW:]
        if len(last) <= least:
            return self.shuffled(last)
        each, most = st.sampled_from(last), min(most, len(last))
        return self.draw(st.lists(each, unique=True, min_size=least, max_size=most))


def machine_of(system: System) -> type[LawMachine]:
    """Return the machine of a system."""
    name = system.name.replace("-", "_")
    module = import_module(f"rejoin_conformance.laws.{name}")
    found: type[LawMachine] = getattr(module, name.title().replace("_", ""))
    return found


def hold_to_the_laws(asking: Asking, chosen: settings = CI) -> None:
    """Drive an implementation by the machine of its system, and turn every vector round.

    Raises LawBrokenError.
    """
    machine = machine_of(asking.system)
    driven = type(machine.__name__, (machine,), {"asking": asking})
    for number in range(chosen.max_examples // _RUNS):
        started = seed(number)(driven) if chosen.derandomize else driven
        run_state_machine_as_test(started, settings=settings(chosen, max_examples=_RUNS))
    for vector in vectors_of(asking.system.name, machine.operations):
        turned = given(st.just(driven()), st.just(vector), st.data())(LawMachine.turn_round)
        settings(chosen, max_examples=max(1, chosen.max_examples // _TURNS))(turned)()
