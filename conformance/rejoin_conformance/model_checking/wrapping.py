"""The modules that TLC runs to make behaviours and to judge traces: each extends a model.

Their own names begin with `rejoin`, so that they meet none of the model's. A behaviour is printed
as one line: `ToString` keeps TLC from breaking it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rejoin_conformance.contract.model import Behaviour, Constants
from rejoin_conformance.kit.tla_values import function, to_tla

ROOT: Final = "RejoinRun"
"""The name of every generated root module."""

_CONFIGURATION: Final = "INIT rejoinInit\nNEXT rejoinNext\n"

# a run that ends before its depth is printed where no step is left; that takes no step itself
_EVERY: Final = """\
VARIABLE rejoinLog
rejoinInit == Init /\\ rejoinLog = <<>>
rejoinTold(log) == PrintT(<<"behaviour", ToString(log)>>)
rejoinNext ==
  /\\ Len(rejoinLog) < {depth}
  /\\ \\E rejoinSteps \\in {{Steps}} :
       IF rejoinSteps = {{}} THEN rejoinTold(rejoinLog) /\\ FALSE
       ELSE \\E rejoinStep \\in rejoinSteps :
              /\\ Take(rejoinStep)
              /\\ rejoinLog' = Append(rejoinLog, <<rejoinStep, Observed(rejoinStep)'>>)
              /\\ Len(rejoinLog') = {depth} => rejoinTold(rejoinLog')
"""

# TLC's own simulation makes all successors of a state and takes one. Here only one is made: a kind
# of action is chosen first, else what has most arguments crowds out the rest, then a step of it. So
# it is a search in which every run has one successor; `-seed` sets what RandomElement draws.
_RANDOM: Final = """\
VARIABLES rejoinRun, rejoinLog
rejoinWeight(kind) == IF kind \\in DOMAIN rejoinWeights THEN rejoinWeights[kind] ELSE 1
rejoinKinds(kinds) == UNION {{{{<<kind, n>> : n \\in 1..rejoinWeight(kind)}} : kind \\in kinds}}
rejoinInit == Init /\\ rejoinLog = <<>> /\\ rejoinRun \\in 1..{number}
rejoinTold(log) == PrintT(<<"behaviour", ToString(log)>>)
rejoinNext ==
  /\\ Len(rejoinLog) < {depth}
  /\\ rejoinRun' = rejoinRun
  /\\ \\E rejoinSteps \\in {{Steps}} :
       IF rejoinSteps = {{}} THEN rejoinTold(rejoinLog) /\\ FALSE
       ELSE \\E rejoinKind \\in
                {{RandomElement(rejoinKinds({{each.action : each \\in rejoinSteps}}))[1]}} :
            \\E rejoinStep \\in
                {{RandomElement({{each \\in rejoinSteps : each.action = rejoinKind}})}} :
              /\\ Take(rejoinStep)
              /\\ rejoinLog' = Append(rejoinLog, <<rejoinStep, Observed(rejoinStep)'>>)
              /\\ Len(rejoinLog') = {depth} => rejoinTold(rejoinLog')
"""

_TRACES: Final = """\
VARIABLES rejoinTrace, rejoinAt
rejoinInit == Init /\\ rejoinTrace \\in 1..Len(rejoinTraces) /\\ rejoinAt = 0
rejoinNext ==
  /\\ rejoinAt < Len(rejoinTraces[rejoinTrace])
  /\\ \\E rejoinLine \\in {{rejoinTraces[rejoinTrace][rejoinAt + 1]}} :
       /\\ Take(rejoinLine[1]){told}
       /\\ Observed(rejoinLine[1])' = rejoinLine[2]
  /\\ rejoinTrace' = rejoinTrace
  /\\ rejoinAt' = rejoinAt + 1
  /\\ rejoinAt' = Len(rejoinTraces[rejoinTrace]) => PrintT(<<"accepted", rejoinTrace>>)
"""

_TOLD: Final = """
       /\\ PrintT(<<"observed", rejoinTrace, rejoinAt + 1, ToString(Observed(rejoinLine[1])')>>)"""


def every_behaviour(model: str, constants: Constants, depth: int) -> tuple[str, str]:
    """The module and the configuration that print every behaviour of that many steps."""
    return _wrapped(model, constants, _EVERY.format(depth=depth))


def random_behaviours(
    model: str, constants: Constants, depth: int, number: int, weights: Mapping[str, int]
) -> tuple[str, str]:
    """The module and the configuration that print that many random behaviours.

    weights: kind of action -> how likely it is chosen beside others; 1 where it is left out.
    """
    given = to_tla(function((kind, weight) for kind, weight in weights.items()))
    body = _RANDOM.format(depth=depth, number=number)
    return _wrapped(model, constants, f"rejoinWeights == {given}\n{body}")


def trace_judge(
    model: str, constants: Constants, traces: Sequence[Behaviour], *, tell: bool = False
) -> tuple[str, str]:
    """The module and the configuration that print which of the traces the model allows.

    tell: print too what the model observes after every step that it takes.
    """
    body = _TRACES.format(told=_TOLD if tell else "")
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
