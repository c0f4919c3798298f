"""Replay behaviours of a model on the code, for `rejoin model behaviours`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack

import click
from attrs import define, field, frozen

from rejoin_conformance.adapters.kinds import kind_of
from rejoin_conformance.adapters.runner.verdict import Outcome
from rejoin_conformance.campaigns.adapter_questions import Questions
from rejoin_conformance.campaigns.plan import DEFAULT_SEED
from rejoin_conformance.command_line.choices import chosen_reading, json_option, timeout_option
from rejoin_conformance.command_line.console import NOT_CONFORMANT, print_json
from rejoin_conformance.command_line.progress import progress_bar
from rejoin_conformance.contract.model import AnyModel, Behaviour, model_folder
from rejoin_conformance.contract.spread import ReportProgress
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.options import arg, opt
from rejoin_conformance.model_checking.behaviours import every, simulated
from rejoin_conformance.model_checking.replaying import Disagreement, difference, story

SHOWN = 3
"""How many differences are printed. All are counted."""


@frozen(kw_only=True)
class Behaviours:
    """The behaviours to replay, and who must agree with them."""

    system: System = arg()
    number: int = opt("Number of random behaviours.", 500, least=1)
    depth: int = opt("Number of steps of each behaviour.", 30, least=1, most=500)
    seed: int = opt("Seed of the behaviours.", DEFAULT_SEED)
    every_to_depth: int | None = opt(
        "Replay every behaviour of this many steps instead, under smaller constants.",
        None,
        least=1,
        most=50,
    )
    reading: str | None = opt(
        "Reading of the reference.", None, shown="the system's default reading"
    )
    adapter: str | None = opt("Command line of an adapter to check too.", None, metavar="CMD")
    timeout: int = timeout_option()
    as_json: bool = json_option()


@define
class _Tally:
    """The results of the behaviours so far."""

    behaviours: int = 0
    steps: Counter[str] = field(factory=Counter)
    different: int = 0
    shown: list[str] = field(factory=list)
    asked: int = 0
    answers: Counter[str] = field(factory=Counter)

    def took(self, behaviour: Behaviour, found: Disagreement | None) -> None:
        self.behaviours += 1
        self.steps.update(step.action for step in behaviour.steps)
        if found is not None:
            self.different += 1
            if len(self.shown) < SHOWN:
                self.shown.append(f"{story(behaviour, found.at)}\n\n{found.text()}")

    def answered(self, behaviour: Behaviour, outcomes: list[Outcome]) -> None:
        self.asked += len(outcomes)
        for outcome in outcomes:
            if outcome.verdict != "pass":
                self.answers[kind_of(outcome)] += 1
                if len(self.shown) < SHOWN:
                    self.shown.append(f"{story(behaviour)}\n\n{outcome.explanation}")

    def to_json(self) -> JsonObject:
        return {
            "behaviours": self.behaviours,
            "steps": dict(sorted(self.steps.items())),
            "different": self.different,
            "asked": self.asked,
            "answers_different": dict(sorted(self.answers.items())),
            "shown": list(self.shown),
        }

    def lines(self, options: Behaviours, reading: str) -> Iterator[str]:
        steps = ", ".join(f"{count:,} {name}" for name, count in sorted(self.steps.items()))
        behaviours = counted(self.behaviours, "behaviour")
        yield f"{options.system.name}: {behaviours} of the model ({steps})"
        same = self.behaviours - self.different
        yield f"  the reference, reading {reading}, agrees on {same:,} of {self.behaviours:,}"
        if options.adapter is not None:
            agreed = self.asked - sum(self.answers.values())
            yield f"  the adapter agrees on {agreed:,} of {counted(self.asked, 'call')}"
            for kind, count in sorted(self.answers.items()):
                yield f"    {count:>8,}  {kind}"
        yield from (f"\n{shown}" for shown in self.shown)


def replay_behaviours(options: Behaviours, model: AnyModel) -> int:
    """Replay behaviours of the model, and print the differences. Return the exit code."""
    system, reading = options.system, chosen_reading(options.system, options.reading)
    tally = _Tally()
    with ExitStack() as stack:
        progress = stack.enter_context(progress_bar("behaviours", quiet=options.as_json))
        questions = None
        if options.adapter is not None:
            questions = Questions(system, options.adapter, options.timeout)
            stack.enter_context(questions)
        for behaviour in _made(options, model, reading, progress):
            tally.took(behaviour, difference(model, behaviour, reading))
            if questions is not None:
                calls = questions.calls(model.history_of(behaviour, reading), reading)
                tally.answered(behaviour, questions.ask(questions.askable(calls), reading))
    if options.as_json:
        print_json({"system": system.name, "reading": reading, **tally.to_json()})
    else:
        click.echo("\n".join(tally.lines(options, reading)))
    return NOT_CONFORMANT if tally.different or tally.answers else 0


def _made(
    options: Behaviours, model: AnyModel, reading: str, progress: ReportProgress
) -> Iterator[Behaviour]:
    folder = model_folder(options.system.name)
    if options.every_to_depth is not None:
        yield from every(model, folder, reading, depth=options.every_to_depth)
        return
    number, depth = options.number, options.depth
    made = simulated(model, folder, reading, number=number, depth=depth, seed=options.seed)
    for done, behaviour in enumerate(made):
        progress(done, number, "")
        yield behaviour
