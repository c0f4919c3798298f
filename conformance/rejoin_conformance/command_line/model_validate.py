"""Check histories of the code against a model, for `rejoin model validate`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import click
from attrs import define, field, frozen

from rejoin.errors import RejoinError
from rejoin_conformance.command_line.choices import (
    chosen_profile,
    chosen_reading,
    json_option,
    seed_option,
)
from rejoin_conformance.command_line.console import INCOMPLETE, NOT_CONFORMANT, print_json, stop
from rejoin_conformance.command_line.progress import progress_bar
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.model import (
    AnyModel,
    Behaviour,
    CannotTranslateError,
    model_folder,
)
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.options import arg, opt
from rejoin_conformance.model_checking.validate import Accepted, Refused, validated

SHOWN = 3
"""How many refused histories are printed. All are counted."""


@frozen(kw_only=True)
class Validate:
    """The histories to check."""

    system: System = arg()
    histories: int = opt("Number of histories.", 500, least=1)
    seed: int = seed_option()
    first: int = opt("Index of the first history.", 0, least=0)
    profile: str = opt("Profile of the histories.", "default")
    reading: str | None = opt(
        "Reading of the reference.", None, shown="the system's default reading"
    )
    as_json: bool = json_option()


@define
class _Tally:
    """The results of the histories so far.

    numbers: the numbers of the histories that have a trace, in the order of the traces.
    left_out: the histories that the model cannot express, each with the reason.
    """

    numbers: list[int] = field(factory=list)
    steps: Counter[str] = field(factory=Counter)
    accepted: int = 0
    refused: dict[int, str] = field(factory=dict)
    not_judged: dict[int, str] = field(factory=dict)
    left_out: dict[int, str] = field(factory=dict)

    def to_json(self) -> JsonObject:
        return {
            "traces": len(self.numbers),
            "steps": dict(sorted(self.steps.items())),
            "accepted": self.accepted,
            "refused": {str(number): text for number, text in self.refused.items()},
            "not_judged": {str(number): text for number, text in self.not_judged.items()},
            "left_out": {str(number): text for number, text in self.left_out.items()},
        }

    def lines(self, system: str, reading: str) -> Iterator[str]:
        steps = ", ".join(f"{count:,} {name}" for name, count in sorted(self.steps.items()))
        histories = counted(len(self.numbers), "history", "histories")
        yield f"{system}: {histories}, reading {reading} ({steps})"
        yield f"  the model allows {self.accepted:,} and refuses {len(self.refused):,}"
        if self.left_out:
            left_out = counted(len(self.left_out), "history", "histories")
            yield f"  left out: {left_out} that the model cannot express"
            for why, count in Counter(self.left_out.values()).most_common():
                yield f"    {count:,} with {why}"
        for number, text in [*self.refused.items()][:SHOWN]:
            yield f"\nhistory {number}\n{text}"


def validate_histories(options: Validate, model: AnyModel) -> int:
    """Check histories against the model, and print those that it refuses. Return the exit code."""
    system = options.system
    reading = chosen_reading(system, options.reading)
    profile = chosen_profile(system, options.profile)
    tally = _Tally()
    traces = _traces(options, model, reading, profile, tally)
    with progress_bar("traces", quiet=options.as_json) as progress:
        for verdict in validated(model, model_folder(system.name), traces, reading):
            number = tally.numbers[verdict.trace]
            if isinstance(verdict, Accepted):
                tally.accepted += 1
            elif isinstance(verdict, Refused):
                tally.refused[number] = verdict.text()
            else:
                tally.not_judged[number] = verdict.error
            progress(number - options.first + 1, options.histories, "")
    if options.as_json:
        plan: JsonObject = {"profile": profile, "reading": reading, "seed": options.seed}
        print_json({"system": system.name, **plan, **tally.to_json()})
    else:
        click.echo("\n".join(tally.lines(system.name, reading)))
    if tally.refused:
        return NOT_CONFORMANT
    if tally.not_judged:
        number, why = next(iter(tally.not_judged.items()))
        found = counted(len(tally.not_judged), "history", "histories")
        stop(INCOMPLETE, f"TLC failed on {found}; history {number}: {why}")
    if not tally.numbers:
        number, why = next(iter(tally.left_out.items()))
        stop(INCOMPLETE, f"the model can express none of the histories; history {number}: {why}")
    return 0


def _traces(
    options: Validate, model: AnyModel, reading: str, profile: str, tally: _Tally
) -> Iterator[Behaviour]:
    system = options.system
    for number in range(options.first, options.first + options.histories):
        seed = history_seed(options.seed, system.name, profile, number)
        history = system.histories.generate(profile, seed)
        try:
            trace = model.trace_of(history, reading)
        except CannotTranslateError as error:
            tally.left_out[number] = str(error)
            continue
        except RejoinError as error:
            tally.refused[number] = f"the reference refuses an event: {error}"
            continue
        tally.numbers.append(number)
        tally.steps.update(step.action for step in trace.steps)
        yield trace
