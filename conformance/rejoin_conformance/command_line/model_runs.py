"""Compare the reference with a formal model, in both directions.

`rejoin model behaviours` replays behaviours of the model on the code. `rejoin model validate`
checks histories of the code against the model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import Final

import click
from attrs import define, field, frozen

from rejoin.errors import RejoinError
from rejoin_conformance.adapters.kinds import kind_of
from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.runner.cases import Outcome
from rejoin_conformance.campaigns.adapter_questions import Questions
from rejoin_conformance.campaigns.plan import MOST_HISTORIES, known_profile
from rejoin_conformance.command_line.choices import (
    chosen_reading,
    reading_option,
    seed_option,
    timeout_option,
)
from rejoin_conformance.command_line.console import INCOMPLETE, NOT_CONFORMANT, Out, stop
from rejoin_conformance.command_line.options import command
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.model import (
    AnyModel,
    Behaviour,
    CannotTranslateError,
    model_folder,
)
from rejoin_conformance.contract.spread import ReportProgress
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.codec import plain
from rejoin_conformance.kit.document import Block, Code, Fold, Table, Text
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.options import arg, opt
from rejoin_conformance.kit.text import counted
from rejoin_conformance.model_checking.behaviours import every, simulated
from rejoin_conformance.model_checking.replaying import difference, story
from rejoin_conformance.model_checking.validate import Accepted, Refused, validated

_SHOWN: Final = 3
"""How many differences are printed. All are counted."""


def model_of(system: System) -> AnyModel:
    """Return the system's model. It is wrong usage if the system has none."""
    if system.model is None:
        raise click.UsageError(f"{system.name} has no formal model")
    return system.model


@frozen(kw_only=True)
class Behaviours:
    """The behaviours to replay, and who must agree with them."""

    system: System = arg()
    number: int = opt("Number of random behaviours.", 500, least=1)
    depth: int = opt("Number of steps of each behaviour.", 30, least=1, most=500)
    seed: int = seed_option()
    every_to_depth: int | None = opt(
        "Replay every behaviour of this many steps instead, under smaller constants.",
        None,
        least=1,
        most=50,
    )
    reading: str | None = reading_option()
    adapter: str | None = opt("Command line of an adapter to check too.", None, metavar="CMD")
    timeout: int = timeout_option()
    out: Out


@define
class _Replayed:
    """The results of the behaviours so far.

    different: the behaviours on which the code differs. asked: the calls of an adapter. answers:
    kind of difference -> its number.
    """

    behaviours: int = 0
    steps: Counter[str] = field(factory=Counter)
    different: int = 0
    asked: int = 0
    answers_different: Counter[str] = field(factory=Counter)
    shown: list[str] = field(factory=list)

    def took(self, model: AnyModel, behaviour: Behaviour, reading: str) -> None:
        """Compare the code with the model."""
        self.behaviours += 1
        self.steps.update(step.action for step in behaviour.steps)
        found = difference(model, behaviour, reading)
        if found is not None:
            self.different += 1
            self.shown.append(f"{story(behaviour, found.at)}\n\n{found.text()}")

    def answered(self, behaviour: Behaviour, outcomes: Iterable[Outcome]) -> None:
        """Take the answers of an adapter to the calls of a behaviour."""
        for outcome in outcomes:
            self.asked += 1
            if outcome.verdict != "pass":
                self.answers_different[kind_of(outcome)] += 1
                self.shown.append(f"{story(behaviour)}\n\n{outcome.explanation}")

    def blocks(self, options: Behaviours, reading: str) -> Iterator[Block]:
        """Yield how many behaviours agree, and the first differences."""
        count = counted(self.behaviours, "behaviour")
        same = self.behaviours - self.different
        agrees = f"agrees on {same:,} of {self.behaviours:,}"
        listed: list[Block] = [Text(f"the reference, reading {reading}, {agrees}")]
        if options.adapter is not None:
            agreed = self.asked - self.answers_different.total()
            said = f"the adapter agrees on {agreed:,} of {counted(self.asked, 'call')}"
            listed += [Text(said), *_counts(self.answers_different)]
        yield Fold(f"{options.system.name}: {count} of the model ({_steps(self.steps)})", listed)
        yield from map(Code, self.shown[:_SHOWN])


@command(Behaviours, "behaviours")
def behaviours(options: Behaviours) -> int:
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
    """
    model = model_of(options.system)
    system, reading = options.system, chosen_reading(options.system, options.reading)
    found = _Replayed()
    with ExitStack() as stack:
        progress = stack.enter_context(options.out.progress("behaviours"))
        questions = None
        if options.adapter is not None:
            questions = Questions(system, options.adapter, Limits(timeout=options.timeout))
            stack.enter_context(questions)
        for behaviour in _behaviours(options, model, reading, progress):
            found.took(model, behaviour, reading)
            if questions is not None:
                calls = questions.calls(model.history_of(behaviour, reading), reading)
                found.answered(behaviour, questions.ask(questions.askable(calls), reading))
    found.shown = found.shown[:_SHOWN]
    about: JsonObject = {"system": system.name, "reading": reading}
    options.out.tell(lambda: {**about, **plain(found)}, lambda: found.blocks(options, reading))
    return NOT_CONFORMANT if found.different or found.answers_different else 0


def _behaviours(
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


@frozen(kw_only=True)
class Validate:
    """The histories to check."""

    system: System = arg()
    histories: int = opt("Number of histories.", 500, least=1)
    seed: int = seed_option()
    first: int = opt("Index of the first history.", 0, least=0, most=MOST_HISTORIES - 1)
    profile: str = opt("Profile of the histories.", "default")
    reading: str | None = reading_option()
    out: Out


@define
class _Validated:
    """The results of the histories so far.

    numbers: those of the histories that have a trace, in the order of the traces. left_out: the
    histories that the model cannot express, each with the reason.
    """

    numbers: list[int] = field(factory=list)
    steps: Counter[str] = field(factory=Counter)
    accepted: int = 0
    refused: dict[int, str] = field(factory=dict)
    not_judged: dict[int, str] = field(factory=dict)
    left_out: dict[int, str] = field(factory=dict)

    def to_json(self) -> JsonObject:
        """Return the results as data."""
        found: JsonObject = {"traces": len(self.numbers), "accepted": self.accepted}
        found["steps"] = dict(sorted(self.steps.items()))
        for name in ("refused", "not_judged", "left_out"):
            found[name] = {str(number): text for number, text in getattr(self, name).items()}
        return found

    def blocks(self, system: str, reading: str) -> Iterator[Block]:
        """Yield how many histories the model allows, and the first that it refuses."""
        histories = counted(len(self.numbers), "history", "histories")
        allowed = f"the model allows {self.accepted:,} and refuses {len(self.refused):,}"
        listed: list[Block] = [Text(allowed)]
        if self.left_out:
            left_out = counted(len(self.left_out), "history", "histories")
            listed.append(Text(f"left out: {left_out} that the model cannot express"))
            listed += _counts(Counter(f"with {why}" for why in self.left_out.values()))
        yield Fold(f"{system}: {histories}, reading {reading} ({_steps(self.steps)})", listed)
        for number, text in [*self.refused.items()][:_SHOWN]:
            yield Fold(f"history {number}", [Code(text)])


@command(Validate, "validate")
def validate(options: Validate) -> int:
    """Check histories of the reference against a formal model.

    The command runs random histories of the SYSTEM on the reference: the histories of the campaign
    with this SEED. It translates each history into steps of the model, with the state observed
    after each step. TLC checks that the model allows these steps. For each history that the model
    does not allow, the command prints the steps up to the first one that is not allowed.

    The command leaves out the histories that the model cannot express, and prints their number and
    the reasons. In config merge, these are histories with certain forged messages.

    \b
    Examples:
      rejoin model validate history-merge --histories 10000
      rejoin model validate history-merge --profile adversarial --first 412 --histories 1
    """
    model = model_of(options.system)
    system, reading = options.system, chosen_reading(options.system, options.reading)
    profile = known_profile(system, options.profile)
    found = _Validated()
    traces = _traces(options, model, reading, profile, found)
    with options.out.progress("traces") as progress:
        for verdict in validated(model, model_folder(system.name), traces, reading):
            number = found.numbers[verdict.trace]
            if isinstance(verdict, Accepted):
                found.accepted += 1
            elif isinstance(verdict, Refused):
                found.refused[number] = verdict.text()
            else:
                found.not_judged[number] = verdict.error
            progress(number - options.first + 1, options.histories, "")
    about: JsonObject = {"system": system.name, "profile": profile, "reading": reading}
    about["seed"] = options.seed
    options.out.tell(lambda: about | found.to_json(), lambda: found.blocks(system.name, reading))
    if found.refused:
        return NOT_CONFORMANT
    if found.not_judged:
        number, why = next(iter(found.not_judged.items()))
        failed = counted(len(found.not_judged), "history", "histories")
        stop(f"TLC failed on {failed}; history {number}: {why}", INCOMPLETE)
    if not found.numbers:
        number, why = next(iter(found.left_out.items()))
        stop(f"the model can express none of the histories; history {number}: {why}", INCOMPLETE)
    return 0


def _traces(
    options: Validate, model: AnyModel, reading: str, profile: str, found: _Validated
) -> Iterator[Behaviour]:
    system = options.system
    for number in range(options.first, options.first + options.histories):
        seed = history_seed(options.seed, system.name, profile, number)
        history = system.histories.generate(profile, seed)
        try:
            trace = model.trace_of(history, reading)
        except CannotTranslateError as error:
            found.left_out[number] = str(error)
            continue
        except RejoinError as error:
            found.refused[number] = f"the reference refuses an event: {error}"
            continue
        found.numbers.append(number)
        found.steps.update(step.action for step in trace.steps)
        yield trace


def _steps(steps: Counter[str]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in sorted(steps.items()))


def _counts(counts: Counter[str]) -> Iterator[Block]:
    rows = [(f"{count:,}", name) for name, count in counts.most_common()]
    if rows:
        yield Table((), rows, numbers=frozenset({0}))
