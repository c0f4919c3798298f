"""`rejoin replay`: reproduce one history of a campaign, or the vectors of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from attrs import frozen

from rejoin_conformance.adapters.runner.declared import DeclarationError
from rejoin_conformance.adapters.runner.run_plan import WrongUsageError
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.campaigns.block import NO_CRASH, crashed
from rejoin_conformance.campaigns.plan import DEFAULT_SEED
from rejoin_conformance.command_line.adapters.adapter_options import ANSWER_TIMEOUT_OPTION
from rejoin_conformance.command_line.campaigns.reading_options import (
    chosen_side,
    reading_in_force,
)
from rejoin_conformance.command_line.campaigns.replay_kept import kept_in
from rejoin_conformance.command_line.campaigns.replay_vectors import (
    outcomes_of_file,
    outcomes_of_history,
    outcomes_to_json,
    text_of_outcomes,
)
from rejoin_conformance.command_line.campaigns.untried import (
    end_if_untried,
    reach_json,
    reach_text,
)
from rejoin_conformance.command_line.console import (
    ADAPTER_UNUSABLE,
    NOT_CONFORMANT,
    SYSTEM,
    WRONG_USAGE,
    chosen_profile,
    chosen_reading,
    print_json,
    stop,
)
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.law import Examination
from rejoin_conformance.contract.registry import system_names
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.readings.overriding import overridden
from rejoin_conformance.readings.reach import Reach, one_case


class _Subject(click.ParamType[System | Path]):
    """A system, or a file of vectors."""

    name = "subject"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:  # noqa: ARG002
        """Return the name of this argument in the help text."""
        return "SYSTEM|FILE"

    def convert(
        self, value: str | System | Path, param: click.Parameter | None, ctx: click.Context | None
    ) -> System | Path:
        """Return the system or the file of this name. Anything else is wrong usage."""
        if isinstance(value, System | Path):
            return value
        if value in system_names():
            return SYSTEM.convert(value, param, ctx)
        if Path(value).is_file():
            return Path(value)
        systems = ", ".join(system_names())
        return self.fail(f"{value!r} is neither a system nor a file; the systems are {systems}")


@click.command()
@click.argument("subject", type=_Subject())
@click.option(
    "--seed", type=int, default=DEFAULT_SEED, show_default=True, help="Seed of the campaign."
)
@click.option(
    "--index",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Index of the history in the campaign.",
)
@click.option("--profile", default="default", show_default=True, help="Profile of the histories.")
@click.option(
    "--reading",
    help="Reading to run under.  [default: the system's default reading, or the file's readings]",
)
@click.option(
    "--adapter",
    "command",
    metavar="CMD",
    help="Command line of an adapter to check.  [default: check the reference]",
)
@ANSWER_TIMEOUT_OPTION
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON instead of text.")
def replay(
    subject: System | Path,
    seed: int,
    index: int,
    profile: str,
    reading: str | None,
    command: str | None,
    timeout: int,
    *,
    as_json: bool,
) -> None:
    """Reproduce one history of a campaign, or a file of vectors.

    With a SYSTEM, the command generates history INDEX of the campaign with this SEED. It prints its
    shape, its events and the laws. With --adapter, it prints the calls on which the adapter's
    answer differs from the reference's, instead of the laws.

    With a FILE of vectors, such as one from `rejoin fuzz --adapter`, it runs each vector and prints
    the ones whose result is not as expected. It runs them on the adapter, in the readings that it
    declares, or on the reference without --adapter. If `rejoin shrink` wrote the file, it first
    prints the histories in the file.

    `rejoin fuzz` prints this command for every violation.

    Under a rule file (--reading rule.py), the command also prints how often each overridden
    function was called, and how often its answer differed from the original's.

    \b
    Examples:
      rejoin replay config-merge --seed 1 --index 7
      rejoin replay config-merge --seed 1 --index 7 --adapter './my-port'
      rejoin replay found/history-merge/found.json
      rejoin replay found-vectors/config-merge-resolve-wrong-output-document-7.json \\
          --adapter './my-port'

    \b
    Exit codes:
      0  as expected       1  a claimed law is broken, or an answer is not as expected
      2  wrong usage       3  an overridden function was not called
                           4  the adapter cannot be used
    """
    try:
        if isinstance(subject, Path):
            kept = kept_in(subject, reading)
            outcomes = outcomes_of_file(subject, reading, command, timeout)
            failed = any(each.kind for each in outcomes)
            if as_json:
                answers = outcomes_to_json(outcomes)
                histories = [each.to_json() for each in kept]
                print_json({"file": str(subject), "histories": histories, "answers": answers})
            else:
                for each in kept:
                    click.echo(f"{each.text()}\n")
                if outcomes or not kept:
                    click.echo(text_of_outcomes(outcomes))
        else:
            with reading_in_force(subject, reading) as name:
                reached = {each: Reach() for each in overridden()}
                replayed = _Replayed.of(subject, profile, seed, index, name, reached)
                if command is None:
                    failed = _show_laws(replayed, as_json=as_json)
                else:
                    failed = _show_answers(replayed, command, timeout, as_json=as_json)
            if reading is not None and reached:
                end_if_untried(reached, chosen_side(subject, reading), subject)
    except WrongUsageError as error:
        stop(WRONG_USAGE, str(error))
    except (AdapterUnusableError, DeclarationError) as error:
        stop(ADAPTER_UNUSABLE, str(error))
    if failed:
        raise click.exceptions.Exit(NOT_CONFORMANT)


@frozen
class _Replayed:
    """A history and its origin."""

    system: System
    profile: str
    seed: int
    index: int
    reading: str
    history: Any
    reached: dict[str, Reach]

    @classmethod
    def of(
        cls,
        system: System,
        profile: str,
        seed: int,
        index: int,
        reading: str | None,
        reached: dict[str, Reach],
    ) -> _Replayed:
        """Return the history that the options name. Unknown names are wrong usage.

        reached: where to count the calls of the overridden functions.
        """
        chosen = chosen_reading(system, reading)
        profile = chosen_profile(system, profile)
        number = history_seed(seed, system.name, profile, index)
        history = system.histories.generate(profile, number)
        return cls(system, profile, seed, index, chosen, history, reached)

    def to_json(self) -> JsonObject:
        """Return the history as data."""
        return {
            "system": self.system.name,
            "profile": self.profile,
            "reading": self.reading,
            "seed": self.seed,
            "index": self.index,
            "history": self.system.histories.to_json(self.history),
        }


def _show_laws(replayed: _Replayed, *, as_json: bool) -> bool:
    """Print the history and the verdict of each law. Return whether a claimed law is broken."""
    system, reading = replayed.system, replayed.reading
    with one_case(replayed.reached):
        examination = _examination(replayed)
    if as_json:
        violations: list[Json] = [
            {
                "law": each.law,
                "kind": each.kind,
                "detail": each.detail,
                "evidence": each.evidence,
            }
            for each in examination.violations
        ]
        print_json(
            {
                **replayed.to_json(),
                "digest": examination.digest.hex(),
                "checked": dict(examination.checked),
                "violations": violations,
                **({"overridden": reach_json(replayed.reached)} if replayed.reached else {}),
            }
        )
    else:
        click.echo(_told(replayed))
        click.echo("")
        for law in (*system.laws, NO_CRASH) if replayed.reached else system.laws:
            checked = examination.checked.get(law.name, 0)
            broken = [each for each in examination.violations if each.law == law.name]
            state = "BROKEN" if broken else "holds" if checked else "not met"
            click.echo(f"{law.name:<32} {state:<8} checked {counted(checked, 'time')}")
            for each in broken:
                click.echo(f"    {each.kind}: {each.detail}")
        if replayed.reached:
            click.echo(f"\n{reach_text(replayed.reached, 'history', 'histories')}")
    claimed = {law.name for law in system.laws if reading in law.claimed_by}
    return any(each.law in claimed for each in examination.violations)


def _examination(replayed: _Replayed) -> Examination:
    """Return the examination of the history. Under a rule file, an exception breaks `no-crash`."""
    try:
        return replayed.system.histories.examine(replayed.history, replayed.reading)
    except Exception as error:
        if not replayed.reached:
            raise
        return crashed(error)


def _told(replayed: _Replayed) -> str:
    """Return the history as text. Under a rule file, an exception is not an error of the suite."""
    try:
        return replayed.system.describe(replayed.history, replayed.reading)
    except Exception as error:
        if not replayed.reached:
            raise
        return f"the history cannot be shown: {type(error).__name__}: {error}"


def _show_answers(replayed: _Replayed, command: str, timeout: int, *, as_json: bool) -> bool:
    """Print the history and the adapter's differences. Return whether there are any."""
    system, reading = replayed.system, replayed.reading
    with one_case(replayed.reached):
        outcomes, left_out = outcomes_of_history(
            system, replayed.history, reading, command, timeout
        )
    if as_json:
        answers = outcomes_to_json(outcomes)
        print_json({**replayed.to_json(), "answers": answers, "left_out": left_out})
    else:
        click.echo(system.describe(replayed.history, reading))
        click.echo("")
        click.echo(text_of_outcomes(outcomes))
        if left_out:
            calls = counted(left_out, "call")
            click.echo(f"not asked: {calls} that the adapter does not declare")
    return any(each.kind for each in outcomes)
