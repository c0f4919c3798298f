"""`rejoin model behaviours`: replay behaviours of a model on the code."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack

import click
from attrs import define, field

from rejoin_conformance.adapters.kinds import kind_of
from rejoin_conformance.adapters.runner.declared import DeclarationError
from rejoin_conformance.adapters.runner.verdict import Outcome
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.campaigns.adapter_questions import Questions
from rejoin_conformance.campaigns.plan import DEFAULT_SEED
from rejoin_conformance.command_line.adapters.adapter_options import ANSWER_TIMEOUT_OPTION
from rejoin_conformance.command_line.console import (
    ADAPTER_UNUSABLE,
    NOT_CONFORMANT,
    SYSTEM,
    chosen_reading,
    print_json,
    stop,
)
from rejoin_conformance.command_line.progress import progress_bar
from rejoin_conformance.contract.model import AnyModel, Behaviour, model_folder
from rejoin_conformance.contract.spread import ReportProgress
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.model_checking.behaviours import every, simulated
from rejoin_conformance.model_checking.replaying import Disagreement, difference, story

SHOWN = 3
"""How many differences are printed. All are counted."""


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


@click.command()
@click.argument("system", type=SYSTEM)
@click.option(
    "--number",
    type=click.IntRange(1),
    default=500,
    show_default=True,
    help="Number of random behaviours.",
)
@click.option(
    "--depth",
    type=click.IntRange(1, 500),
    default=30,
    show_default=True,
    help="Number of steps of each behaviour.",
)
@click.option(
    "--seed", type=int, default=DEFAULT_SEED, show_default=True, help="Seed of the behaviours."
)
@click.option(
    "--every-to-depth",
    "every_depth",
    type=click.IntRange(1, 50),
    help="Replay every behaviour of this many steps instead, under smaller constants.",
)
@click.option(
    "--reading", help="Reading of the reference.  [default: the system's default reading]"
)
@click.option(
    "--adapter", "command", metavar="CMD", help="Command line of an adapter to check too."
)
@ANSWER_TIMEOUT_OPTION
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON instead of text.")
def behaviours(
    system: System,
    number: int,
    depth: int,
    seed: int,
    every_depth: int | None,
    reading: str | None,
    command: str | None,
    timeout: int,
    *,
    as_json: bool,
) -> None:
    """Replay behaviours of a formal model on the reference.

    TLC generates behaviours of the SYSTEM's model. After every step, the command compares the state
    of the reference with the state of the model. With --adapter, it also turns each behaviour into
    a history and checks the adapter's answers, as `rejoin fuzz --adapter` does. For each difference
    it prints the steps that lead to it.

    \b
    Examples:
      rejoin model behaviours history-merge --number 10000 --seed 7
      rejoin model behaviours history-merge --every-to-depth 4
      rejoin model behaviours history-merge --adapter 'node adapter.js'

    \b
    Exit codes:
      0  no difference                        2  wrong usage
      1  the reference or adapter differs     3  incomplete: no Java, no jar, or TLC failed
      4  the adapter cannot be used
    """
    if system.model is None:
        raise click.UsageError(f"{system.name} has no formal model")
    chosen = chosen_reading(system, reading)
    tally = _Tally()
    with ExitStack() as stack:
        progress = stack.enter_context(progress_bar("behaviours", quiet=as_json))
        questions = None
        try:
            if command is not None:
                questions = stack.enter_context(Questions(system, _command(command), timeout))
            made = (
                _random(system, system.model, chosen, number, depth, seed, progress)
                if every_depth is None
                else iter(every(system.model, model_folder(system.name), chosen, depth=every_depth))
            )
            for behaviour in made:
                tally.took(behaviour, difference(system.model, behaviour, chosen))
                if questions is not None:
                    history = system.model.history_of(behaviour, chosen)
                    calls = questions.calls(history, chosen)
                    tally.answered(behaviour, questions.ask(questions.askable(calls), chosen))
        except (AdapterUnusableError, DeclarationError) as error:
            stop(ADAPTER_UNUSABLE, str(error))
    if as_json:
        print_json({"system": system.name, "reading": chosen, **tally.to_json()})
    else:
        _print(system, chosen, tally, asked=command is not None)
    if tally.different or tally.answers:
        raise click.exceptions.Exit(NOT_CONFORMANT)


def _random(
    system: System,
    model: AnyModel,
    reading: str,
    number: int,
    depth: int,
    seed: int,
    progress: ReportProgress,
) -> Iterator[Behaviour]:
    made = simulated(
        model, model_folder(system.name), reading, number=number, depth=depth, seed=seed
    )
    for done, behaviour in enumerate(made):
        progress(done, number, "")
        yield behaviour


def _command(command: str) -> str:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise click.UsageError(f"--adapter: {error}") from None
    if not words:
        raise click.UsageError("--adapter is empty; give the command line of an adapter")
    return command


def _print(system: System, reading: str, tally: _Tally, *, asked: bool) -> None:
    steps = ", ".join(f"{count:,} {name}" for name, count in sorted(tally.steps.items()))
    click.echo(f"{system.name}: {counted(tally.behaviours, 'behaviour')} of the model ({steps})")
    same = tally.behaviours - tally.different
    click.echo(f"  the reference, reading {reading}, agrees on {same:,} of {tally.behaviours:,}")
    if asked:
        agreed = tally.asked - sum(tally.answers.values())
        click.echo(f"  the adapter agrees on {agreed:,} of {counted(tally.asked, 'call')}")
        for kind, count in sorted(tally.answers.items()):
            click.echo(f"    {count:>8,}  {kind}")
    for shown in tally.shown:
        click.echo(f"\n{shown}")
