"""What `rejoin fuzz --adapter` adds to a campaign: whom it asks, and the vectors that it writes."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.protocol import Hello
from rejoin_conformance.adapters.runner.cases import Selection, UndeclaredReadingError, readings_of
from rejoin_conformance.adapters.runner.run_plan import WrongUsageError, make_adapter
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.campaigns.findings.adapter_findings import (
    AdapterFinding,
    findings_of,
    write_vector,
)
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.command_line.console import ADAPTER_UNUSABLE, WRONG_USAGE, stop
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.kit.untrusted import shown_line


@frozen
class Written:
    """A finding, and the file that its vector was written to; None where it did not show again."""

    finding: AdapterFinding
    path: Path | None

    def to_json(self) -> Json:
        """The finding as data, for `--json`."""
        return {
            "kind": self.finding.kind,
            "reading": self.finding.reading,
            "index": self.finding.index,
            "times": self.finding.times,
            "vector": None if self.path is None else str(self.path),
            "explanation": _explanation(self.finding),
        }


def greeting(command: str, timeout: int) -> Hello:
    """What the adapter says of itself; ends the command where it says nothing of use."""
    try:
        return make_adapter(command, Limits(timeout=timeout)).greet()
    except WrongUsageError as error:
        stop(WRONG_USAGE, str(error))
    except AdapterUnusableError as error:
        stop(ADAPTER_UNUSABLE, str(error))


def readings_to_ask(system: System, hello: Hello, chosen: tuple[str, ...]) -> tuple[str, ...]:
    """The readings that are chosen, or else those that the adapter follows."""
    try:
        return readings_of(system, Selection(readings=chosen), hello)
    except UndeclaredReadingError as error:
        stop(ADAPTER_UNUSABLE, str(error))


def systems_to_ask(
    named: Sequence[System], every: Sequence[System], hello: Hello
) -> tuple[System, ...]:
    """The systems that the adapter has an operation of; ends the command where there is none.

    named: those that the user asked for, all of which it must have.
    """
    declared = set(hello.operations)
    of_use = [each for each in every if any(op.name in declared for op in each.operations)]
    for system in named:
        if system not in of_use:
            stop(WRONG_USAGE, f"{shown_line(hello.name)} declares no operation of {system.name}")
    if not of_use:
        stop(ADAPTER_UNUSABLE, f"{shown_line(hello.name)} declares no operation that there is")
    return tuple(named or of_use)


def written_vectors(plan: Plan, summary: Summary, folder: Path) -> list[Written]:
    """Make a minimal vector for each way in which the adapter differs, and write it."""
    return [
        Written(each, None if each.smallest is None else write_vector(plan, each, folder))
        for each in findings_of(plan, summary)
    ]


def told(plan: Plan, written: Sequence[Written]) -> str:
    """The findings as text."""
    assert plan.adapter is not None
    lines = ["", f"ways in which the adapter differs: {len(written)}"]
    for each in written:
        finding = each.finding
        times = "once" if finding.times == 1 else f"{finding.times:,} times"
        lines += ["", f"  {finding.kind} [{finding.reading}], {times}"]
        lines += [f"    {line}" for line in _explanation(finding).splitlines()]
        lines.append(
            f"    rejoin replay {plan.system} --seed {plan.seed} --index {finding.index} "
            f"--profile {plan.profile} --reading {finding.reading} "
            f"--adapter {shlex.quote(plan.adapter)}"
        )
        if each.path is not None:
            lines.append("    and its minimal vector:")
            lines.append(
                f"    rejoin replay {shlex.quote(str(each.path))} "
                f"--adapter {shlex.quote(plan.adapter)}"
            )
    return "\n".join(lines)


def _explanation(finding: AdapterFinding) -> str:
    if finding.smallest is None:
        return "it did not show again: the adapter does not always give the same answers"
    return finding.smallest.outcome.explanation
