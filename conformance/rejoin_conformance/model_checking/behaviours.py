"""Behaviours of a model, made by TLC: random ones, or every one up to a depth."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rejoin_conformance.contract.model import AnyModel, Behaviour, Step
from rejoin_conformance.kit.draw import seed_of
from rejoin_conformance.kit.tla_values import Function, TlaValueError, Value, parse_value
from rejoin_conformance.model_checking.tlc import Job, TlcFailedError, run_tlc
from rejoin_conformance.model_checking.tlc_output import TlcOutcome
from rejoin_conformance.model_checking.wrapping import ROOT, every_behaviour, random_behaviours

AT_ONCE: Final = 500
"""How many random behaviours one run of TLC makes; the numbers drawn depend on it."""

_MARK: Final = '<<"behaviour", '


def simulated(
    model: AnyModel,
    folder: Path,
    reading: str,
    *,
    number: int,
    depth: int,
    seed: int,
) -> Iterator[Behaviour]:
    """Random behaviours of that many steps, fewer only where no step is left.

    A behaviour depends on its place, the seed, the depth and the model alone. Raises
    TlcFailedError, and NoTlcError.
    """
    constants = model.simulation_constants(reading)
    for start in range(0, number, AT_ONCE):
        wanted = min(AT_ONCE, number - start)
        module, configuration = random_behaviours(
            model.module, constants, depth, wanted, model.weights
        )
        chosen = seed_of("behaviours", seed, start) >> 1  # TLC's seeds are signed
        job = Job(
            folder=folder,
            module=ROOT,
            files={f"{ROOT}.tla": module},
            configuration=configuration,
            arguments=("-seed", str(chosen), "-deadlock"),
        )
        made = _made(run_tlc(job))
        if len(made) != wanted:
            raise TlcFailedError(
                f"{model.module} made {len(made)} behaviours of {wanted}: "
                "Steps holds a step that Take refuses, or nothing at all"
            )
        yield from made


def every(model: AnyModel, folder: Path, reading: str, *, depth: int) -> tuple[Behaviour, ...]:
    """Every behaviour of that many steps, and those that end before; in TLC's order.

    Raises TlcFailedError, and NoTlcError.
    """
    module, configuration = every_behaviour(
        model.module, model.exhaustive_constants(reading), depth
    )
    job = Job(
        folder=folder,
        module=ROOT,
        files={f"{ROOT}.tla": module},
        configuration=configuration,
        arguments=("-deadlock",),
        memory=2048,
    )
    return tuple(_made(run_tlc(job)))


def _made(outcome: TlcOutcome) -> list[Behaviour]:
    if not outcome.passed:
        raise TlcFailedError(outcome.error or f"{outcome.violated} is violated")
    return [parse_behaviour(line) for line in outcome.printed if line.startswith(_MARK)]


def parse_behaviour(line: str) -> Behaviour:
    """The behaviour that a line of a generated module tells. Raises TlcFailedError."""
    try:
        printed = parse_value(line)
        if not isinstance(printed, tuple) or not isinstance(printed[1], str):
            raise TlcFailedError(f"TLC printed what is no behaviour: {line[:80]}")
        return behaviour_of(parse_value(printed[1]))
    except TlaValueError as error:
        raise TlcFailedError(f"TLC printed what is no behaviour: {error}") from None


def behaviour_of(value: Value) -> Behaviour:
    """The behaviour of a log: a sequence of pairs of step and observation."""
    match value:
        case tuple(lines):
            return Behaviour(tuple(map(_step_of, lines)))
        case _:
            raise TlcFailedError("TLC printed what is no behaviour")


def _step_of(line: Value) -> Step:
    match line:
        case (Function() as label, after):
            return Step(label, after)
        case _:
            raise TlcFailedError("TLC printed a step that is no record with the field `action`")
