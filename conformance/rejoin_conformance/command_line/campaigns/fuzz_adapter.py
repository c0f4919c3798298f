"""The systems and readings that `rejoin fuzz --adapter` asks, and the vectors that it writes."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.protocol import Hello
from rejoin_conformance.adapters.runner.cases import Selection, readings_of
from rejoin_conformance.adapters.runner.declared import DeclarationError, declared_by
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
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.kit.untrusted import shown_line


@frozen
class Written:
    """A finding, and the file of its vector; None if the finding could not be reproduced."""

    finding: AdapterFinding
    path: Path | None

    def to_json(self) -> Json:
        """Return the finding as data, for `--json`."""
        return {
            "kind": self.finding.kind,
            "reading": self.finding.reading,
            "index": self.finding.index,
            "times": self.finding.times,
            "vector": None if self.path is None else str(self.path),
            "explanation": _explanation(self.finding),
        }


def greeting(command: str, timeout: int) -> Hello:
    """Return the adapter's hello. End the command if the adapter cannot be used."""
    try:
        return make_adapter(command, Limits(timeout=timeout)).greet()
    except WrongUsageError as error:
        stop(WRONG_USAGE, str(error))
    except AdapterUnusableError as error:
        stop(ADAPTER_UNUSABLE, str(error))


def readings_to_ask(system: System, hello: Hello, chosen: tuple[str, ...]) -> tuple[str, ...]:
    """Return the chosen readings, or the adapter's readings if none is chosen.

    Ends the command if the adapter declares a reading or leaves out a feature that is not known.
    """
    try:
        declared_by(hello, [system])
        return readings_of(system, Selection(readings=chosen), hello)
    except DeclarationError as error:
        stop(ADAPTER_UNUSABLE, str(error))


def systems_to_ask(
    named: Sequence[System], every: Sequence[System], hello: Hello
) -> tuple[System, ...]:
    """Return the systems to ask: the named ones, or every system with an operation that the adapter
    declares.

    Ends the command if there is no such system, or the adapter has no operation of a named one.
    """
    declared = set(hello.operations)
    of_use = [each for each in every if any(op.name in declared for op in each.operations)]
    for system in named:
        if system not in of_use:
            stop(WRONG_USAGE, f"{shown_line(hello.name)} declares no operation of {system.name}")
    if not of_use:
        stop(ADAPTER_UNUSABLE, f"{shown_line(hello.name)} declares no known operation")
    return tuple(named or of_use)


def written_vectors(plan: Plan, summary: Summary, folder: Path) -> list[Written]:
    """Write one minimal vector for each kind of difference, and return them."""
    return [
        Written(each, None if each.smallest is None else write_vector(plan, each, folder))
        for each in findings_of(plan, summary)
    ]


def text_of(plan: Plan, written: Sequence[Written]) -> str:
    """Return the findings as text."""
    assert plan.adapter is not None
    lines = ["", f"kinds of difference: {len(written)}"]
    for each in written:
        finding = each.finding
        times = counted(finding.times, "time")
        lines += ["", f"  {finding.kind} [{finding.reading}], {times}"]
        lines += [f"    {line}" for line in _explanation(finding).splitlines()]
        lines.append(
            f"    rejoin replay {plan.system} --seed {plan.seed} --index {finding.index} "
            f"--profile {plan.profile} --reading {finding.reading} "
            f"--adapter {shlex.quote(plan.adapter)}"
        )
        if each.path is not None:
            lines.append("    minimal vector:")
            lines.append(
                f"    rejoin replay {shlex.quote(str(each.path))} "
                f"--adapter {shlex.quote(plan.adapter)}"
            )
    return "\n".join(lines)


def _explanation(finding: AdapterFinding) -> str:
    if finding.smallest is None:
        return "could not be reproduced: the adapter does not always give the same answers"
    return finding.smallest.outcome.explanation
