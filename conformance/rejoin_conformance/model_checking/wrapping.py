"""The modules with which TLC generates behaviours and judges traces; each extends a model.

Their own names begin with `rejoin`, so that they do not clash with the model's names. They print a
behaviour as one line; `ToString` keeps TLC from breaking the line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rejoin_conformance.contract.model import Behaviour, Constants
from rejoin_conformance.kit.tla_values import function, to_tla

ROOT: Final = "RejoinRun"
"""The name of every generated root module."""

_CONFIGURATION: Final = "INIT rejoinInit\nNEXT rejoinNext\n"

# A run that ends early is printed when no step is left; printing is not a step.
_EVERY: Final = """\
VARIABLE rejoinLog
rejoinInit == Init /\\ rejoinLog = <<>>
rejoinPrint(log) == PrintT(<<"behaviour", ToString(log)>>)
rejoinNext ==
  /\\ Len(rejoinLog) < {depth}
  /\\ \\E rejoinSteps \\in {{Steps}} :
       IF rejoinSteps = {{}} THEN rejoinPrint(rejoinLog) /\\ FALSE
       ELSE \\E rejoinStep \\in rejoinSteps :
              /\\ Take(rejoinStep)
              /\\ rejoinLog' = Append(rejoinLog, <<rejoinStep, Observed(rejoinStep)'>>)
              /\\ Len(rejoinLog') = {depth} => rejoinPrint(rejoinLog')
"""

# TLC's simulation generates all successors of a state and picks one. This module generates only
# one: it picks a kind of action first, so that kinds with many arguments do not dominate, and then
# a step of that kind. Every run is a search with one successor; `-seed` seeds RandomElement.
_RANDOM: Final = """\
VARIABLES rejoinRun, rejoinLog
rejoinWeight(kind) == IF kind \\in DOMAIN rejoinWeights THEN rejoinWeights[kind] ELSE 1
rejoinKinds(kinds) == UNION {{{{<<kind, n>> : n \\in 1..rejoinWeight(kind)}} : kind \\in kinds}}
rejoinInit == Init /\\ rejoinLog = <<>> /\\ rejoinRun \\in 1..{number}
rejoinPrint(log) == PrintT(<<"behaviour", ToString(log)>>)
rejoinNext ==
  /\\ Len(rejoinLog) < {depth}
  /\\ rejoinRun' = rejoinRun
  /\\ \\E rejoinSteps \\in {{Steps}} :
       IF rejoinSteps = {{}} THEN rejoinPrint(rejoinLog) /\\ FALSE
       ELSE \\E rejoinKind \\in
                {{RandomElement(rejoinKinds({{each.action : each \\in rejoinSteps}}))[1]}} :
            \\E rejoinStep \\in
                {{RandomElement({{each \\in rejoinSteps : each.action = rejoinKind}})}} :
              /\\ Take(rejoinStep)
              /\\ rejoinLog' = Append(rejoinLog, <<rejoinStep, Observed(rejoinStep)'>>)
              /\\ Len(rejoinLog') = {depth} => rejoinPrint(rejoinLog')
"""

_TRACES: Final = """\
VARIABLES rejoinTrace, rejoinAt
rejoinInit == Init /\\ rejoinTrace \\in 1..Len(rejoinTraces) /\\ rejoinAt = 0
rejoinNext ==
  /\\ rejoinAt < Len(rejoinTraces[rejoinTrace])
  /\\ \\E rejoinLine \\in {{rejoinTraces[rejoinTrace][rejoinAt + 1]}} :
       /\\ Take(rejoinLine[1]){print_observed}
       /\\ Observed(rejoinLine[1])' = rejoinLine[2]
  /\\ rejoinTrace' = rejoinTrace
  /\\ rejoinAt' = rejoinAt + 1
  /\\ rejoinAt' = Len(rejoinTraces[rejoinTrace]) => PrintT(<<"accepted", rejoinTrace>>)
"""

_PRINT_OBSERVED: Final = """
       /\\ PrintT(<<"observed", rejoinTrace, rejoinAt + 1, ToString(Observed(rejoinLine[1])')>>)"""


def every_behaviour(model: str, constants: Constants, depth: int) -> tuple[str, str]:
    """Return the module and the configuration that print every behaviour of `depth` steps."""
    return _wrapped(model, constants, _EVERY.format(depth=depth))


def random_behaviours(
    model: str, constants: Constants, depth: int, number: int, weights: Mapping[str, int]
) -> tuple[str, str]:
    """Return the module and the configuration that print `number` random behaviours.

    weights: kind of action -> its relative probability; 1 if it is missing.
    """
    given = to_tla(function((kind, weight) for kind, weight in weights.items()))
    body = _RANDOM.format(depth=depth, number=number)
    return _wrapped(model, constants, f"rejoinWeights == {given}\n{body}")


def trace_judge(
    model: str, constants: Constants, traces: Sequence[Behaviour], *, observe: bool = False
) -> tuple[str, str]:
    """Return the module and the configuration that print which traces the model allows.

    observe: also print the model's observation after every step that it allows.
    """
    body = _TRACES.format(print_observed=_PRINT_OBSERVED if observe else "")
    lines = ",\n".join(_trace(trace) for trace in traces)
    return _wrapped(model, constants, f"rejoinTraces == <<\n{lines}\n>>\n{body}")


def _trace(trace: Behaviour) -> str:
    steps = (f"<<{to_tla(each.label)}, {to_tla(each.after)}>>" for each in trace.steps)
    return "<<" + ",\n".join(steps) + ">>"


def _wrapped(model: str, constants: Constants, body: str) -> tuple[str, str]:
    values = "".join(f"rejoin_{name} == {to_tla(value)}\n" for name, value in constants.items())
    module = f"---- MODULE {ROOT} ----\nEXTENDS {model}, Sequences, TLC\n{values}{body}====\n"
    replaced = "".join(f"CONSTANT {name} <- rejoin_{name}\n" for name in constants)
    return module, _CONFIGURATION + replaced
