"""`rejoin exhaust`: check every history up to a bound, with one command for each system."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import attrs
import click
from attrs import frozen

from rejoin_conformance.campaigns.kept.folder import Folder
from rejoin_conformance.campaigns.kept.store import EXHAUST
from rejoin_conformance.campaigns.plan import known_side
from rejoin_conformance.command_line.choices import Place
from rejoin_conformance.command_line.console import Out, print_json
from rejoin_conformance.command_line.options import FOLDER, command
from rejoin_conformance.command_line.untried import count_untried, reach_block
from rejoin_conformance.contract.registry import all_systems, system_named, system_names
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.contract.system import ExhaustiveCheck, System
from rejoin_conformance.kit.document import Text
from rejoin_conformance.kit.document_text import document_text
from rejoin_conformance.kit.errors import ExpectedError
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.judged import Judged
from rejoin_conformance.kit.options import opt
from rejoin_conformance.kit.text import shown_line
from rejoin_conformance.readings.in_force import is_rule_file, side_in_force
from rejoin_conformance.readings.reach import Reach, one_case, overridden
from rejoin_conformance.readings.rule_file import RuleError, printed, run_rule


class _Systems(click.Group):
    """The group of the systems that have an exhaustive search."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of a system. A system without a search is wrong usage."""
        if cmd_name in system_names() and cmd_name not in self.commands:
            known = " or ".join(self.commands)
            ctx.fail(f"{cmd_name} has no exhaustive search, only random histories; name {known}")
        return super().get_command(ctx, cmd_name)


@click.group(cls=_Systems)
def exhaust() -> None:
    """Check every history up to a given size.

    Each command enumerates all histories of one system up to the size that its options give. A
    size of at most the default runs in this process, a larger one on Spark; --master, --remote and
    --conf choose Spark, and --in-process this process. If a claim of the spec fails, the exit code
    is 1. Under a rule file, what fails is a finding: the exit code is 0, or 3 if nothing called a
    function of the rule file.

    \b
    Examples:
      rejoin exhaust history-merge --nodes 5
      rejoin exhaust history-merge --nodes 5 --reading my_rule.py
      rejoin exhaust conflict-detection --clients 2 --uploads 3 --json
      rejoin exhaust history-merge --nodes 9 --master spark://host:7077
      rejoin exhaust history-merge --nodes 10 --directory counted
    """


_HELP: Final = """{summary}

{description}

\b
Examples:
  rejoin exhaust {name} {bounds}
  rejoin exhaust {name} --master spark://host:7077 --json"""


@frozen(kw_only=True)
class Exhaust:
    """Where a check runs. A check adds its bounds."""

    directory: Path | None = opt(
        "Keep results in this folder, and continue an interrupted run with the same bounds.",
        None,
        form=FOLDER,
        shown="none",
    )
    place: Place
    reading: str | None = opt(
        "Rule file to run under, in this process; its functions and constants are in force.",
        None,
        metavar="RULE.py",
        shown="none",
    )
    out: Out


def _command(name: str, check: ExhaustiveCheck) -> click.Command:
    """Return the command of one system. Its bounds are options."""
    bounds = {
        bound.name: opt(bound.summary, bound.default, least=bound.minimum, most=bound.maximum)
        for bound in check.bounds
    }
    fields: dict[str, Any] = {**bounds, "options": attrs.field(kw_only=True)}
    annotations = {**dict.fromkeys(bounds, int), "options": Exhaust}
    kind = attrs.make_class("Bounded", fields, frozen=True, kw_only=True)
    kind.__annotations__ = annotations

    def run(bounded: Any) -> int:
        chosen = {bound: getattr(bounded, bound) for bound in bounds}
        return _run(name, check, bounded.options, chosen)

    run.__doc__ = _HELP.format(
        summary=check.summary,
        description=check.description,
        name=name,
        bounds=" ".join(f"--{bound.name} {bound.minimum + 1}" for bound in check.bounds),
    )
    return command(kind, name)(run)


def _run(name: str, check: ExhaustiveCheck, options: Exhaust, bounds: dict[str, int]) -> int:
    folder = options.directory
    if folder is not None and not check.in_pieces:
        raise click.UsageError("--directory: this check keeps no results")
    if folder is not None and Folder(folder).header() is not None:
        raise click.UsageError(f"{folder} has results of another command; choose another folder")
    plan: JsonObject = {"system": name, **bounds}
    untried = 0
    keeping = None
    if folder is not None and options.reading is None:
        keeping = folder / name, EXHAUST, plan
    few = options.reading is not None
    few = few or all(bounds[each.name] <= each.default for each in check.bounds)
    with options.place.working(options.out, name, keeping, few=few) as spread:
        if options.reading is not None:
            report, untried = _under_rule(system_named(name), options, bounds, spread)
        else:
            report = check.run(bounds, spread)
    if options.out.as_json:
        print_json(report)
    else:
        click.echo(check.render(report))
    # No law is claimed under a changed rule: what fails there is a finding, as in `rejoin fuzz`.
    broken = bool(report.get("failed")) and options.reading is None
    return Judged(asked=1, left_out=untried, broken=broken).exit_code


def _under_rule(
    system: System, options: Exhaust, bounds: dict[str, int], spread: Spread
) -> tuple[JsonObject, int]:
    """Return the report under a rule file, and how many of its changes nothing called."""
    given = options.reading or ""
    is_here = options.place.is_here(few=True)
    if not is_rule_file(given) or not is_here or options.directory is not None:
        raise click.UsageError(
            "--reading takes a rule file (rule.py), and runs in this process without --directory; "
            "the check chooses its readings by itself"
        )
    side = known_side(system, given)
    if side.rule is not None and "READING" in run_rule(side.rule):
        raise click.UsageError(
            f"{given}: READING has no effect, because the check chooses its readings by itself; "
            "define OVERRIDES alone"
        )
    with side_in_force(side, system) as (_, changed):
        reached = {point: Reach() for point in overridden()}
        assert changed.exhaustive is not None
        with one_case(reached):
            try:
                report = changed.exhaustive.run(bounds, spread)
            except (MemoryError, ExpectedError, click.ClickException):
                raise
            except Exception as error:  # noqa: BLE001 - what the rule returned can cause any
                what = shown_line(f"{type(error).__name__}: {printed(error, str)}")
                raise RuleError(
                    f"{given}: the check cannot go on under this rule: {what}"
                ) from None
    if not options.out.as_json:
        note = f"Under {given}, also where a reading or a merge of the reference is named below."
        run = f"run: rejoin compare {system.name} --against {side.argument}"
        said = f"The rule changes no answer in these histories; to search random ones, {run}"
        shown = any(each.could_matter for each in reached.values())
        ends = [] if shown else [Text(said)]
        click.echo(document_text([Text(note), reach_block(reached, "check"), *ends]))
    return report, count_untried(reached, side, system)


for _each in all_systems():
    if _each.exhaustive is not None:
        exhaust.add_command(_command(_each.name, _each.exhaustive))
