"""Trace validation: TLC decides whether the model allows the behaviour of the code.

One run of TLC judges many traces, because starting Java takes longer than judging most traces. A
second run judges all refused traces together, to find the step that the model refuses. If TLC fails
on a trace, the traces are split in half repeatedly until that trace is alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from attrs import frozen

from rejoin_conformance.contract.model import AnyModel, Behaviour, Step
from rejoin_conformance.kit.tla_values import TlaValueError, Value, parse_value, same, to_tla
from rejoin_conformance.model_checking.tlc import TlcFailedError, run_tlc
from rejoin_conformance.model_checking.tlc_output import TlcOutcome
from rejoin_conformance.model_checking.wrapping import trace_judge

MOST_TRACES: Final = 250
MOST_STEPS: Final = 15_000
"""How many traces one run of TLC judges, and how many steps they have together."""


@frozen(kw_only=True)
class Accepted:
    """The model allows the trace."""

    trace: int


@frozen(kw_only=True)
class Refused:
    """The model does not allow the trace.

    trace: its number. at: the number of the first step that the model does not allow, from 0.
    instead: the model's observation after that step; empty if the model does not allow the step at
    all.
    """

    trace: int
    at: int
    step: Step
    instead: tuple[Value, ...]

    def text(self) -> str:
        """Return a description of the difference in two or three lines."""
        lines = [f"step {self.at + 1}, {self.step.text()}:"]
        if self.instead:
            lines += [f"  the model observes {to_tla(each)}" for each in self.instead]
            lines.append(f"  the code observed  {to_tla(self.step.after)}")
        else:
            lines.append("  the model does not allow it")
        return "\n".join(lines)


@frozen(kw_only=True)
class NotJudged:
    """TLC failed on the trace: the trace contains something that the model does not define."""

    trace: int
    error: str


Verdict = Accepted | Refused | NotJudged


def validated(
    model: AnyModel, folder: Path, traces: Iterable[Behaviour], reading: str
) -> Iterator[Verdict]:
    """Return the verdict on each trace, in their order.

    Raises TlcFailedError if TLC fails without any trace, for example on a faulty model, and
    NoTlcError.
    """
    for batch in _batches(traces):
        verdicts = _judge(model, folder, batch, reading)
        yield from (verdicts[number] for number in batch)


def _batches(traces: Iterable[Behaviour]) -> Iterator[dict[int, Behaviour]]:
    batch: dict[int, Behaviour] = {}
    steps = 0
    for number, trace in enumerate(traces):
        if batch and (len(batch) == MOST_TRACES or steps + len(trace.steps) > MOST_STEPS):
            yield batch
            batch, steps = {}, 0
        batch[number] = trace
        steps += len(trace.steps)
    if batch:
        yield batch


def _judge(
    model: AnyModel, folder: Path, traces: dict[int, Behaviour], reading: str
) -> dict[int, Verdict]:
    verdicts: dict[int, Verdict] = {}
    refused: dict[int, Behaviour] = {}
    waiting = [traces]
    while waiting:
        batch = waiting.pop()
        numbers = list(batch)
        outcome = run_tlc(trace_judge(model, folder, list(batch.values()), reading, observe=False))
        if outcome.passed:
            accepted = {numbers[place - 1] for place in _accepted(outcome)}
            accepted.update(number for number in numbers if not batch[number].steps)
            verdicts.update((number, Accepted(trace=number)) for number in accepted)
            refused.update((each, batch[each]) for each in numbers if each not in accepted)
            continue
        if batch is traces:  # a faulty model fails without any trace: splitting would not help
            alone = run_tlc(trace_judge(model, folder, (), reading, observe=False))
            if not alone.passed:
                raise TlcFailedError(alone.fault)
        if len(batch) == 1:
            verdicts[numbers[0]] = NotJudged(trace=numbers[0], error=outcome.fault)
        else:
            half = len(numbers) // 2
            waiting += [
                {each: batch[each] for each in part} for part in (numbers[:half], numbers[half:])
            ]
    verdicts.update(_judge_refused(model, folder, refused, reading))
    return verdicts


def _judge_refused(
    model: AnyModel, folder: Path, refused: dict[int, Behaviour], reading: str
) -> Iterator[tuple[int, Verdict]]:
    """Yield the verdict on each refused trace, with the first step that is not allowed."""
    if not refused:
        return
    outcome = run_tlc(trace_judge(model, folder, list(refused.values()), reading, observe=True))
    observed: dict[int, dict[int, list[Value]]] = {}
    for line in outcome.printed:
        match _printed(line):
            case ("observed", int(place), int(at), str(text)):
                values = observed.setdefault(place, {}).setdefault(at - 1, [])
                values.append(parse_value(text))
    for place, (number, trace) in enumerate(refused.items(), start=1):
        if outcome.passed:
            yield number, _left(number, trace, observed.get(place, {}))
        else:
            yield number, NotJudged(trace=number, error=outcome.fault)


def _left(number: int, trace: Behaviour, observed: dict[int, list[Value]]) -> Refused:
    at = max(observed, default=0)
    if any(same(each, trace.steps[at].after) for each in observed.get(at, ())):
        at += 1  # the model allows this step, but not the next one
    instead = {to_tla(each): each for each in observed.get(at, ())}
    return Refused(trace=number, at=at, step=trace.steps[at], instead=tuple(instead.values()))


def _accepted(outcome: TlcOutcome) -> Iterator[int]:
    for line in outcome.printed:
        match _printed(line):
            case ("accepted", int(place)):
                yield place


def _printed(line: str) -> object:
    try:
        return parse_value(line)
    except TlaValueError:
        return None
