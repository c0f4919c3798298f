"""What a system says of its formal model, and what its module has to define.

The module lies in `spec/<system>/model/`. Besides Init it defines three operators, which are all
that both directions know of it:

    Steps            the steps that can be taken now: a set of records with a field `action` (a
                     string); the other fields are the action's arguments
    Take(step)       the action that a step stands for; it can be taken for each of Steps, and says
                     no to what the system does not allow
    Observed(step)   what is compared after a step, told in the state after it

Usually `Next == \\E step \\in Steps : Take(step)`. A value of Observed is everything that the step
may have changed and that the code can be asked; it keeps to one type for each kind of step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from attrs import Factory, frozen

from rejoin_conformance.kit.locations import spec_directory
from rejoin_conformance.kit.tla_values import Function, Value, to_tla

H = TypeVar("H")

Constants: TypeAlias = Mapping[str, Value]
"""CONSTANT of the module -> its value."""


class CannotTranslateError(Exception):
    """A history that the model cannot say, with the reason in one line."""


@frozen
class Step:
    """A step, and what is observed after it.

    label: a record with the field `action` and a field for each argument.
    after: the value of Observed(label) after the step.
    """

    label: Function
    after: Value

    @property
    def action(self) -> str:
        """The name of the action."""
        return str(self.label["action"])

    def told(self) -> str:
        """The step as a person writes it: post(author: "A", place: 1)."""
        told = {str(name): to_tla(value) for name, value in self.label.items()}
        fields = (f"{name}: {value}" for name, value in told.items() if name != "action")
        return f"{self.action}({', '.join(fields)})"


@frozen
class Behaviour:
    """A run of the model or of the code, step by step, from the initial state on."""

    steps: tuple[Step, ...]


@frozen(kw_only=True)
class Configuration:
    """One thing that TLC checks: a .cfg file beside the module, and what shall come of it.

    name: also that of the file, without `.cfg`.
    module: the root module, where it is not the model's own.
    violates: the invariant or property that TLC shall find violated; None where all shall hold.
        `temporal properties` stands for any that is no invariant.
    size: small ones run in the test suite, large ones by `make models`.
    bounds: what the configuration explores, in a few words, for the table.
    """

    name: str
    summary: str
    bounds: str
    size: Literal["small", "large"] = "small"
    violates: str | None = None
    module: str | None = None

    @property
    def file(self) -> str:
        """The name of its file, which lies beside the module."""
        return f"{self.name}.cfg"


@frozen(kw_only=True)
class Model(Generic[H]):
    """A formal model, and how its behaviours and the system's histories become each other.

    module: the name of the module, without `.tla`.
    simulation_constants: for a reading, the constants under which random behaviours are made.
    exhaustive_constants: the same for every behaviour up to a depth: as small as still tells much.
    weights: kind of action -> how likely random behaviours choose it, where others can be taken,
        too; 1 where it is left out.
    trace_constants: the constants under which these traces can be judged together.
    replay: carry out a behaviour's steps on the reference under a reading; yields after each step
        the abstraction of the concrete state, to be compared with the step's `after`.
    history_of: the behaviour as a history of the system, for laws, coverage and adapters.
    trace_of: run a history on the reference under a reading and tell it in the model's terms.
        Raises CannotTranslateError where the model has no words for what happens.
    """

    module: str
    configurations: tuple[Configuration, ...]
    simulation_constants: Callable[[str], Constants]
    exhaustive_constants: Callable[[str], Constants]
    trace_constants: Callable[[Sequence[Behaviour], str], Constants]
    replay: Callable[[Behaviour, str], Iterator[Value]]
    history_of: Callable[[Behaviour, str], H]
    trace_of: Callable[[H, str], Behaviour]
    weights: Mapping[str, int] = Factory(dict)

    def configuration(self, name: str) -> Configuration | None:
        """The configuration of that name, or None."""
        return next((each for each in self.configurations if each.name == name), None)


AnyModel: TypeAlias = Model[Any]


def model_folder(system_name: str) -> Path:
    """Where the modules and .cfg files of a system lie."""
    return spec_directory() / system_name / "model"
