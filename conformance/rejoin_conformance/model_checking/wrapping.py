"""The modules with which TLC generates behaviours and judges traces; each extends a model.

Their own names begin with `rejoin`, so that they do not clash with the model's names. They print a
behaviour as one line; `ToString` keeps TLC from breaking the line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from string import Template
from typing import Final

from rejoin_conformance.contract.model import Behaviour, Constants
from rejoin_conformance.kit.tla_values import function, to_tla

ROOT: Final = "RejoinRun"
"""The name of every generated root module."""

_CONFIGURATION: Final = "INIT rejoinInit\nNEXT rejoinNext\n"

_PRINT_OBSERVED: Final = """
       /\\ PrintT(<<"observed", rejoinTrace, rejoinAt + 1, ToString(Observed(rejoinLine[1])')>>)"""


def every_behaviour(model: str, constants: Constants, depth: int) -> tuple[str, str]:
    """Return the module and the configuration that print every behaviour of `depth` steps."""
    return _wrapped(model, constants, _body("every", depth=depth))


def random_behaviours(
    model: str, constants: Constants, depth: int, number: int, weights: Mapping[str, int]
) -> tuple[str, str]:
    """Return the module and the configuration that print `number` random behaviours.

    weights: kind of action -> its relative probability; 1 if it is missing.
    """
    given = to_tla(function((kind, weight) for kind, weight in weights.items()))
    body = _body("random", depth=depth, number=number)
    return _wrapped(model, constants, f"rejoinWeights == {given}\n{body}")


def trace_judge(
    model: str, constants: Constants, traces: Sequence[Behaviour], *, observe: bool = False
) -> tuple[str, str]:
    """Return the module and the configuration that print which traces the model allows.

    observe: also print the model's observation after every step that it allows.
    """
    body = _body("traces", print_observed=_PRINT_OBSERVED if observe else "")
    lines = ",\n".join(_trace(trace) for trace in traces)
    return _wrapped(model, constants, f"rejoinTraces == <<\n{lines}\n>>\n{body}")


def _body(name: str, **values: object) -> str:
    """Return the body of a module, with values in its places such as `${depth}`."""
    text = files(__package__).joinpath("modules", f"{name}.tla").read_text(encoding="utf-8")
    return Template(text).substitute(values)


def _trace(trace: Behaviour) -> str:
    steps = (f"<<{to_tla(each.label)}, {to_tla(each.after)}>>" for each in trace.steps)
    return "<<" + ",\n".join(steps) + ">>"


def _wrapped(model: str, constants: Constants, body: str) -> tuple[str, str]:
    values = "".join(f"rejoin_{name} == {to_tla(value)}\n" for name, value in constants.items())
    module = f"---- MODULE {ROOT} ----\nEXTENDS {model}, Sequences, TLC\n{values}{body}====\n"
    replaced = "".join(f"CONSTANT {name} <- rejoin_{name}\n" for name in constants)
    return module, _CONFIGURATION + replaced
