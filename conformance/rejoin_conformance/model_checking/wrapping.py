"""The modules with which TLC generates behaviours and judges traces; each extends a model.

Their own names begin with `rejoin`, so that they do not clash with the model's names. They print a
behaviour as one line; `ToString` keeps TLC from breaking the line.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Final

from rejoin_conformance.contract.model import AnyModel, Behaviour, Constants
from rejoin_conformance.kit.tla_values import function, to_tla
from rejoin_conformance.model_checking.tlc import Job

_ROOT: Final = "RejoinRun"
"""The name of every generated root module."""

_CONFIGURATION: Final = "INIT rejoinInit\nNEXT rejoinNext\n"

_PRINT_OBSERVED: Final = """
       /\\ PrintT(<<"observed", rejoinTrace, rejoinAt + 1, ToString(Observed(rejoinLine[1])')>>)"""


def every_behaviour(model: AnyModel, folder: Path, reading: str, depth: int) -> Job:
    """Return the job that prints every behaviour of `depth` steps."""
    body = _body("every", depth=depth)
    return _job(model, folder, model.exhaustive_constants(reading), body, memory=2048)


def random_behaviours(
    model: AnyModel, folder: Path, reading: str, depth: int, number: int, seed: int
) -> Job:
    """Return the job that prints `number` random behaviours."""
    given = to_tla(function((kind, weight) for kind, weight in model.weights.items()))
    body = f"rejoinWeights == {given}\n{_body('random', depth=depth, number=number)}"
    return _job(model, folder, model.simulation_constants(reading), body, "-seed", str(seed))


def trace_judge(
    model: AnyModel, folder: Path, traces: Sequence[Behaviour], reading: str, *, observe: bool
) -> Job:
    """Return the job that prints which traces the model allows.

    observe: also print the model's observation after every step that it allows.
    """
    body = _body("traces", print_observed=_PRINT_OBSERVED if observe else "")
    lines = ",\n".join(_trace(trace) for trace in traces)
    body = f"rejoinTraces == <<\n{lines}\n>>\n{body}"
    return _job(model, folder, model.trace_constants(traces, reading), body, memory=2048)


def _body(name: str, **values: object) -> str:
    """Return the body of a module, with values in its places such as `${depth}`."""
    text = files(__package__).joinpath("modules", f"{name}.tla").read_text(encoding="utf-8")
    return Template(text).substitute(values)


def _trace(trace: Behaviour) -> str:
    steps = (f"<<{to_tla(each.label)}, {to_tla(each.after)}>>" for each in trace.steps)
    return "<<" + ",\n".join(steps) + ">>"


def _job(
    model: AnyModel, folder: Path, constants: Constants, body: str, *more: str, memory: int = 1024
) -> Job:
    values = "".join(f"rejoin_{name} == {to_tla(value)}\n" for name, value in constants.items())
    head = f"---- MODULE {_ROOT} ----\nEXTENDS {model.module}, Sequences, TLC\n"
    return Job(
        folder=folder,
        module=_ROOT,
        files={f"{_ROOT}.tla": f"{head}{values}{body}====\n"},
        configuration=_CONFIGURATION
        + "".join(f"CONSTANT {name} <- rejoin_{name}\n" for name in constants),
        arguments=(*more, "-deadlock"),
        memory=memory,
    )
