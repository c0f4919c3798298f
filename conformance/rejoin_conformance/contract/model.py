"""The interface of a system's formal model.

The TLA+ module is in `spec/<system>/model/`. Besides Init it defines three operators. Both
directions, model to code and code to model, use only these operators:

    Steps            the steps that are possible now: a set of records with a field `action` (a
                     string); the other fields are the action's arguments
    Take(step)       the action of a step; it is enabled for each of Steps, and disabled for a step
                     that the system does not allow
    Observed(step)   the value to compare after a step, evaluated in the state after it

Usually `Next == \\E step \\in Steps : Take(step)`. A value of Observed contains everything that the
step can change and that the code can return. It has one type for each kind of step.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar

from attrs import Factory, frozen

from rejoin_conformance.kit.locations import spec_directory
from rejoin_conformance.kit.tla_values import Function, Value, to_tla

H = TypeVar("H")

Constants: TypeAlias = Mapping[str, Value]
"""CONSTANT of the module -> its value."""


class CannotTranslateError(Exception):
    """A history that the model cannot express. The message is the reason in one line."""


@frozen
class Step:
    """A step, and the value observed after it.

    label: a record with the field `action` and a field for each argument.
    after: the value of Observed(label) after the step.
    """

    label: Function
    after: Value

    @property
    def action(self) -> str:
        """Return the name of the action."""
        return str(self.label["action"])

    def text(self) -> str:
        """Return the step as text, such as `post(author: "A", place: 1)`."""
        fields = {str(name): to_tla(value) for name, value in self.label.items()}
        arguments = (f"{name}: {value}" for name, value in fields.items() if name != "action")
        return f"{self.action}({', '.join(arguments)})"


@frozen
class Behaviour:
    """A run of the model or of the code as steps from the initial state."""

    steps: tuple[Step, ...]


@frozen(kw_only=True)
class Configuration:
    """One check of TLC: a .cfg file beside the module, and its expected result.

    The comments at the beginning of the file say all but its name; see `configurations`.

    name: the name of the file, without `.cfg`.
    module: the root module, if it is not the model's own.
    violates: the invariant or property that TLC must find violated; None if all must hold.
        `temporal properties` stands for any property that is not an invariant.
    size: the test suite runs small ones, `--all` runs large ones too.
    bounds: the bounds of the search in a few words, for the table.
    behaviours: 0 if TLC searches all states; otherwise the number of behaviours that it draws.
    """

    name: str
    summary: str
    bounds: str
    size: Literal["small", "large"] = "small"
    violates: str | None = None
    module: str | None = None
    behaviours: int = 0

    @property
    def file(self) -> str:
        """Return the name of the file, which is beside the module."""
        return f"{self.name}.cfg"


@frozen(kw_only=True)
class Model(Generic[H]):
    """A formal model, and the translations between its behaviours and the system's histories.

    module: the name of the module, without `.tla`.
    simulation_constants: reading -> the constants for random behaviours.
    exhaustive_constants: reading -> the constants for all behaviours up to a depth; smaller, so
        that there are fewer behaviours.
    weights: kind of action -> the weight with which random behaviours choose it; 1 if missing.
    trace_constants: (traces, reading) -> the constants under which TLC can check them together.
    replay: (behaviour, reading) -> runs the steps on the reference and yields, after each step, the
        abstraction of the concrete state. The caller compares it with the step's `after`.
    history_of: (behaviour, reading) -> the behaviour as a history of the system, for laws, coverage
        and adapters.
    trace_of: (history, reading) -> the run of the history on the reference as steps of the model.
        Raises CannotTranslateError if the model cannot express an event.
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
        """Return the configuration of this name, or None."""
        return next((each for each in self.configurations if each.name == name), None)


AnyModel: TypeAlias = Model[Any]


def model_folder(system_name: str) -> Path:
    """Return the folder of a system's modules and .cfg files."""
    return spec_directory() / system_name / "model"


_SAID: Final = re.compile(r"^\\\* (\w+): (.*(?:\n\\\*   .*)*)$", re.MULTILINE)


def configurations(system_name: str) -> tuple[Configuration, ...]:
    """Return the configurations of a system's model, the small ones first.

    A .cfg file begins with a comment for each field of `Configuration`, such as
    `\\* bounds: 2 clients, 3 uploads`; comments that are indented more continue it.
    """
    found = []
    for path in sorted(model_folder(system_name).glob("*.cfg")):
        said: dict[str, Any] = {
            name: text.replace("\n\\*  ", "")
            for name, text in _SAID.findall(path.read_text(encoding="utf-8"))
        }
        behaviours = int(said.pop("behaviours", 0))
        found.append(Configuration(name=path.stem, behaviours=behaviours, **said))
    return tuple(sorted(found, key=lambda each: each.size != "small"))
