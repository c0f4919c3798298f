"""What the machines share: whom they ask, what they expect, and how a failure reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from random import Random
from typing import Any, Final, TypeAlias, TypeVar

from attrs import define, field
from hypothesis import HealthCheck, Phase, event, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.corpus.paragraph_text import render_paragraph
from rejoin_conformance.kit.json_types import JsonObject, canonical_json

Answer: TypeAlias = JsonObject
"""`{"output": ...}` or `{"rejected": ...}`."""

Ask: TypeAlias = Callable[[str, JsonObject], Answer]
"""(operation, input) -> answer. Raises NotAskedError for what is not declared."""

EXAMPLES: Final = 100
"""The number of runs of a machine, of up to 50 steps each."""

_FEW: Final = 8
"""The number of values whose order Hypothesis draws itself, and so can shrink."""

T = TypeVar("T")


class NotAskedError(Exception):
    """The implementation does not declare this operation, or not this part of it."""


class LawBrokenError(AssertionError):
    """An answer breaks a law. The message is the law's ID and a paragraph for `vectors add`."""


@define
class Asking:
    """An implementation that is held to the laws of one system, and what it was asked so far.

    ask: the implementation. again: another process of it, for the same questions.
    asked: law -> number of answers that were compared. left_out: what is not declared -> number.
    seen: the IDs of the vectors that were reached.
    """

    system: str
    ask: Ask
    again: Ask
    asked: Counter[str] = field(factory=Counter)
    left_out: Counter[str] = field(factory=Counter)
    seen: set[str] = field(factory=set)

    @property
    def reading(self) -> str:
        """Return the reading for which the laws hold: the system's default."""
        return system_named(self.system).default_reading

    def vectors(self, *operations: str) -> Sequence[Vector]:
        """Return the vectors of some operations that have a result in the reading."""
        return _vectors(self.system, operations, self.reading)

    def expect(self, law: str, operation: str, value: Any, expected: Any = None) -> None:
        """Ask a question. Raises LawBrokenError if the answer is another one.

        expected: the answer by the oracle or the corpus; None for that of another process.
        """
        name = f"{self.system}/{operation}"
        try:
            answer = self.ask(name, value)
            expected = self.again(name, value) if expected is None else expected
        except NotAskedError as missing:
            self.left_out[str(missing)] += 1
            return
        self.asked[law] += 1
        event(law)
        if not _agree(answer, expected):
            raise LawBrokenError(self._failure(law, name, value, expected, answer))

    def _failure(self, law: str, name: str, value: JsonObject, expected: Any, answer: Any) -> str:
        """Return the law, both answers, and the question as a paragraph of the corpus."""
        system = system_named(self.system)
        vector = Vector(
            id=f"{self.system}/found/{law}",
            operation=name,
            clauses=tuple(
                each for known in system.laws if known.name == law for each in known.clauses
            ),
            level="must",
            summary=f"Found by the law {law}.",
            input=value,
            expected={self.reading: expected},
            readings_differ=False,
        )
        written = None
        with suppress(Exception):  # the reference writes the text, and can itself be at fault
            written = render_paragraph(system, vector)
        written = written or f"{name} {canonical_json(value)}\n"
        return f"{law}\n\n{written}\nbut the answer is {canonical_json(answer)[:2000]}"


def _agree(answer: Any, expected: Any) -> bool:
    """Return whether two answers are equal, apart from reasons, which can be left out."""
    if "rejected" in expected:
        return "rejected" in answer
    return _without_reasons(answer) == _without_reasons(expected)


def _without_reasons(answer: Any) -> str:
    output = answer.get("output", {})
    ignored: list[Any] = [{"index": each["index"]} for each in output.get("ignored", ())]
    return canonical_json({**answer, "output": {**output, "ignored": ignored}})


@cache
def _vectors(system: str, operations: tuple[str, ...], reading: str) -> Sequence[Vector]:
    wanted = {f"{system}/{each}" for each in operations}
    every = load_system(system)
    return tuple(v for v in every if v.operation in wanted and reading in v.expected)


class LawMachine(RuleBasedStateMachine):
    """A machine that asks one implementation."""

    asking: Asking

    def drawn(self, data: st.DataObject, *operations: str, count: int = 5) -> list[Vector]:
        """Return some vectors that follow each other in the corpus."""
        vectors = self.asking.vectors(*operations)
        first = data.draw(st.integers(0, len(vectors) - 1))
        drawn = [*vectors[first : first + count]]
        note(f"{count} vectors from {drawn[0].id}")
        return drawn

    def ask_turned(self, law: str, vector: Vector, value: Any, answer: Any = None) -> None:
        """Ask an input that a vector was turned into, and count the vector as reached.

        answer: what follows from the vector; by default the vector's own answer.
        """
        self.asking.seen.add(vector.id)
        operation = vector.operation.partition("/")[2]
        self.asking.expect(
            law, operation, value, self.expected(vector) if answer is None else answer
        )

    def expected(self, vector: Vector) -> Answer:
        """Return what the corpus says of a vector."""
        return vector.expected[self.asking.reading]


def shuffled(data: st.DataObject, values: Sequence[T]) -> list[T]:
    """Return the values in a drawn order."""
    if len(values) <= _FEW:
        return data.draw(st.permutations(list(values)))
    mixed = list(values)
    Random(data.draw(st.integers(0, 2**32))).shuffle(mixed)  # noqa: S311 - not a secret
    return mixed


def the_reference(system: str) -> Ask:
    """Return the reference as an implementation that can be asked."""

    def ask(operation: str, value: JsonObject) -> Answer:
        found = system_named(system).operation(operation)
        assert found is not None, operation
        return found.run(value, system_named(system).default_reading).to_json()

    return ask


def hold_to_the_laws(asking: Asking, examples: int = EXAMPLES, **changed: Any) -> None:
    """Drive an implementation by the machine of its system. Raises LawBrokenError.

    examples: the number of runs of the machine. changed: other settings of Hypothesis; by default
    the same code asks the same questions in every run.
    """
    name = asking.system.replace("-", "_")
    module = import_module(f"rejoin_conformance.laws.{name}")
    machine = getattr(module, name.title().replace("_", ""))
    chosen: dict[str, Any] = {
        "max_examples": examples,
        "stateful_step_count": 50,
        "derandomize": True,
        "deadline": None,
        "database": None,
        "print_blob": False,
        "phases": [Phase.generate, Phase.shrink],
        "suppress_health_check": list(HealthCheck),
    }
    driven = type(machine.__name__, (machine,), {"asking": asking})
    run_state_machine_as_test(driven, settings=settings(**{**chosen, **changed}))
