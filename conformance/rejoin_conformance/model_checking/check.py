"""Let TLC check a configuration of a model, and compare the result with the expected one."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from attrs import frozen

from rejoin_conformance.contract.model import AnyModel, Configuration
from rejoin_conformance.model_checking.tlc import Job, run_tlc
from rejoin_conformance.model_checking.tlc_output import TlcOutcome

_DEPTH: Final = 60
"""The number of steps of a random behaviour."""


@frozen
class Checked:
    """A configuration and the result of TLC."""

    configuration: Configuration
    outcome: TlcOutcome

    @property
    def as_expected(self) -> bool:
        """Return whether TLC finished with the expected result."""
        return self.outcome.error is None and self.outcome.violated == self.configuration.violates

    def text(self) -> str:
        """Return the result in a few words."""
        outcome, expected = self.outcome, self.configuration.violates
        if outcome.error is not None:
            return f"TLC failed: {outcome.error}"
        found = f"violates {outcome.violated}" if outcome.violated else "passes"
        if outcome.violated is not None:
            found += f" after {len(outcome.trace) - 1} steps"
        elif drawn := self.configuration.behaviours:
            found += f" in {drawn:,} random behaviours"
        if self.as_expected:
            return found if expected is None else f"{found}, as expected"
        return f"{found}; expected: {f'violates {expected}' if expected else 'passes'}"


def check(
    model: AnyModel,
    folder: Path,
    configuration: Configuration,
    *,
    workers: int = 1,
    memory: int = 2048,
) -> Checked:
    """Run TLC on a configuration, always with the same random behaviours. Raises NoTlcError."""
    number = configuration.behaviours
    random = ("-simulate", f"num={number}", "-depth", str(_DEPTH), "-seed", "1")
    job = Job(
        folder=folder,
        module=configuration.module or model.module,
        configuration=(folder / configuration.file).read_text(encoding="utf-8"),
        arguments=("-deadlock", *(random if number else ())),
        workers=workers,
        memory=memory,
        short=configuration.size == "small",
    )
    return Checked(configuration, run_tlc(job))
