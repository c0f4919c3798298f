"""What the machines share: whom they ask, how they draw and run, and how a failure reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar, Final, TypeVar

from attrs import define, field

from rejoin_conformance.adapters.protocol import Hello
from rejoin_conformance.adapters.run_options import Selection
from rejoin_conformance.adapters.runner.cases import Case, Outcome, cases_of, with_feature
from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.system import System
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.corpus.paragraph_text import render_paragraph
from rejoin_conformance.kit.errors import IncompleteError
from rejoin_conformance.kit.installing import install_hint
from rejoin_conformance.kit.json_types import canonical_json

if find_spec("hypothesis") is None:
    raise IncompleteError(f"Hypothesis is not installed; run: {install_hint('laws')}")

from hypothesis import HealthCheck, Phase, Verbosity, event, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

T = TypeVar("T")

CI: Final = settings(
    max_examples=60,
    stateful_step_count=15,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.reuse, Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
    report_multiple_bugs=False,
    verbosity=Verbosity.quiet,
)
"""The same code asks the same questions in every run."""

_RUNS: Final = 10
"""The runs of a machine that are one test: after so many, Hypothesis repeats parts of them."""
_TURNS: Final = 30
"""A vector is turned round once for so many runs of the machine."""
_LARGE: Final = 64
"""The number of vectors, the largest ones, that the machine does not begin with."""
_FEW: Final = 12
"""The number of parts of a list that a drawn order is made of."""


@define
class LawBrokenError(AssertionError):
    """An answer breaks a law. answer: how it differs.

    paragraph: the question with the right answer, for `vectors add`; as JSON if it is long.
    """

    law: str
    paragraph: str
    answer: str

    def __str__(self) -> str:
        return f"{self.paragraph}\nanother answer came: {self.answer}"


BROKEN: Final = (LawBrokenError, Flaky)
"""What ends the machines of a wrong implementation; flaky: other answers to the same questions."""


@define
class Asking:
    """An implementation that is held to the laws of one system, and what it was asked so far.

    hello: what it declares. ask: the implementation. asked: law -> number of answers that were
    compared. left_out: what is not declared -> number of questions. cases: what the questions were
    about -> number. question: the last one. broken: the last failure.
    """

    system: System
    hello: Hello
    ask: Callable[[Case], Outcome]
    asked: Counter[str] = field(factory=Counter)
    left_out: Counter[str] = field(factory=Counter)
    cases: Counter[str] = field(factory=Counter)
    question: tuple[Any, ...] = ()
    broken: LawBrokenError | None = None

    def saw(self, case: str) -> None:
        """Count a case that the machine reached, also for Hypothesis."""
        self.cases[case] += 1
        event(case)

    def compare(self, law: str, operation: str, value: Any, output: Any) -> None:
        """Ask a question, unless it is not declared. Without an output, it must be rejected.

        Raises LawBrokenError for a wrong answer.
        """
        self.question = (law, operation, value, output)
        name, reading = f"{self.system.name}/{operation}", self.system.default_reading
        vector = Call(name, value).as_vector(
            {reading: {"output": output} if output else {"rejected": {}}},
            id=f"{self.system.name}/found/found-{law}",
            clauses=next(each.clauses for each in self.system.laws if each.name == law),
            summary=f"Found by the law {law}, which has these clauses.",
        )
        (case,) = cases_of([self.system], {self.system.name: [vector]}, Selection(), self.hello)
        if case.missing or name not in self.hello.operations:
            self.left_out[with_feature(name, case.missing)] += 1
            return
        self.asked[law] += 1
        outcome = self.ask(case)
        if outcome.verdict != "pass" or outcome.restarted:
            text = render_paragraph(self.system, vector) or canonical_json(vector.to_json())
            why = outcome.explanation or outcome.first_attempt
            self.broken = LawBrokenError(law, f"{text.strip()}\n", why)
            raise self.broken


@cache
def vectors_of(system: str, operations: tuple[str, ...]) -> Sequence[tuple[str, Any, Any]]:
    """Return operation, input and output of the vectors of operations, the smallest first."""
    reading = system_named(system).default_reading
    chosen = [
        (each.operation.partition("/")[2], each.input, each.expected[reading].get("output", {}))
        for each in load_system(system)
        if reading in each.expected and each.operation.partition("/")[2] in operations
    ]
    return sorted(chosen, key=lambda each: len(canonical_json(each[1])))


class LawMachine(RuleBasedStateMachine):
    """A machine that asks one implementation. operations: those whose vectors it turns round.

    Hypothesis mixes constants of whatever modules are loaded among large numbers. No machine draws
    numbers above 127. Hypothesis draws one of up to 254 for the rules that a run leaves out.
    """

    operations: ClassVar[tuple[str, ...]]
    asking: ClassVar[Asking]

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        """Begin with a vector, or with what users do."""
        self.draw, self.asking.question = data.draw, ()
        vectors = vectors_of(self.asking.system.name, self.operations)[:-_LARGE]
        _, value, output = self.one(vectors[self.one(range(_LARGE)) :: _LARGE])
        self.begin_with(value, output)

    def begin_with(self, value: Any, output: Any) -> None:
        """Begin with a vector, or with what users do if the oracle does not know the vector."""
        raise NotImplementedError

    def turn_round(self, operation: str, value: Any, output: Any) -> None:
        """Ask a vector in another order, or with more: its answer follows by a law."""
        raise NotImplementedError

    @rule()
    def determinism(self) -> None:
        """Ask the last question again. Two processes of an adapter take turns."""
        if self.asking.question:
            self.asking.saw("determinism")
            self.asking.compare(*self.asking.question)

    def expect(self, law: str, operation: str, value: Any, **output: Any) -> None:
        """Ask a question with this output by the oracle; without one, it must be rejected."""
        self.asking.compare(law, operation, value, output)

    def one(self, values: Sequence[T]) -> T:
        """Return one of the values; of more than 128, one of the last ones."""
        return self.draw(st.sampled_from(values[-128:]))

    def shuffled(self, values: Iterable[T]) -> list[T]:
        """Return the values in a drawn order; of more than 12, each 12th one stays together."""
        waiting = list(values)
        order = self.draw(st.permutations(range(min(len(waiting), _FEW))))
        return [value for start in order for value in waiting[start::_FEW]]

    def some(self, values: Sequence[T], least: int = 0, most: int = _FEW) -> list[T]:
        """Return some of the last values in a drawn order; all, if there are no more than least."""
        last = self.shuffled(values[-_FEW:])
        numbers = range(min(least, len(last)), min(most, len(last)) + 1)
        return last[: self.one(numbers)]


def hold_to_the_laws(asking: Asking, chosen: settings = CI) -> None:
    """Drive an implementation by the machine of its system, and turn every vector round.

    Raises an exception of BROKEN.
    """
    name = asking.system.name.replace("-", "_")
    module = import_module(f"rejoin_conformance.laws.{name}")
    machine: type[LawMachine] = getattr(module, name.title().replace("_", ""))
    driven = type(machine.__name__, (machine,), {"asking": asking})
    for number in range(chosen.max_examples // _RUNS):
        started = seed(number)(driven) if chosen.derandomize else driven
        run_state_machine_as_test(started, settings=settings(chosen, max_examples=_RUNS))
    turned = driven()

    def turn(vector: tuple[str, Any, Any], data: st.DataObject) -> None:
        turned.draw = data.draw
        turned.turn_round(*vector)

    for vector in vectors_of(asking.system.name, machine.operations):
        often = settings(chosen, max_examples=max(1, chosen.max_examples // _TURNS))
        often(given(st.just(vector), st.data())(turn))()
        asking.cases["vectors reached"] += 1
