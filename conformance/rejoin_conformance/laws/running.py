"""Run a machine against an implementation, and say what it was asked."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.laws.asking import Answer, Ask, Asking, LawMachine
from rejoin_conformance.kit.json_types import JsonObject

EXAMPLES: Final = 150
"""The number of examples of a run, of up to 50 steps each."""

_MACHINES: Final = {
    "config-merge": "ConfigMerge",
    "conflict-detection": "ConflictDetection",
    "history-merge": "HistoryMerge",
}


def machine_of(system: str) -> type[LawMachine]:
    """Return the machine of a system, by its name."""
    package = import_module(f"rejoin_conformance.laws.{system.replace('-', '_')}")
    machine: type[LawMachine] = getattr(package, _MACHINES[system])
    return machine


def the_reference(system: str) -> Ask:
    """Return the reference as an implementation that can be asked."""

    def ask(operation: str, value: JsonObject) -> Answer:
        found = system_named(system).operation(operation)
        assert found is not None, operation
        return found.run(value, system_named(system).default_reading).to_json()

    return ask


def hold_to_the_laws(
    asking: Asking, examples: int = EXAMPLES, *, shrink: bool = True, derandomize: bool = True
) -> None:
    """Drive an implementation by the machine of its system. Raises LawBrokenError.

    examples: the number of runs of the machine. shrink: whether to search for a small failure.
    derandomize: whether the same code asks the same questions in every run.
    """
    driven = type("Driven", (machine_of(asking.system),), {"asking": asking})
    run_state_machine_as_test(  # type: ignore[no-untyped-call]  # Hypothesis declares no types here
        driven,
        settings=settings(
            max_examples=examples,
            stateful_step_count=50,
            derandomize=derandomize,
            deadline=None,
            database=None,
            print_blob=False,
            phases=[Phase.generate, *([Phase.shrink] if shrink else [])],
            suppress_health_check=list(HealthCheck),
        ),
    )
