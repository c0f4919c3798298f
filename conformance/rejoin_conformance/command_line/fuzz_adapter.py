"""What `rejoin fuzz --adapter` asks: the options, and the systems, readings and operations."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from attrs import field, frozen

from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.protocol import Hello
from rejoin_conformance.adapters.run_options import Selection, StrictCodes
from rejoin_conformance.adapters.runner.cases import readings_of, refuse_unknown_readings
from rejoin_conformance.adapters.runner.declared import declared_by
from rejoin_conformance.adapters.runner.run_plan import make_adapter
from rejoin_conformance.campaigns.plan import Plan, asked_operations, chosen_operations
from rejoin_conformance.campaigns.summary import Found
from rejoin_conformance.command_line.choices import ship_option, timeout_option
from rejoin_conformance.command_line.console import ADAPTER_UNUSABLE, stop
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.options import opt
from rejoin_conformance.kit.text import shown_line


@frozen(kw_only=True)
class Asking:
    """An adapter to compare with the reference, and what to ask it."""

    adapter: str | None = opt(
        "Command line of an adapter: compare its answers with the reference's.",
        None,
        metavar="CMD",
        shown="check the laws on the reference",
    )
    timeout: int = timeout_option()
    operations: tuple[str, ...] = opt(
        "With --adapter: ask only this operation (or pattern), with or without its system; may be "
        "repeated.",
        (),
        name="operation",
        metavar="OPERATION",
        shown="all that the adapter declares",
    )
    leave_out: tuple[str, ...] = opt(
        "With --adapter: ask nothing that needs this feature; may be repeated.",
        (),
        metavar="FEATURE",
        shown="the features that the adapter leaves out",
    )
    known_failures: Path | None = opt(
        "With --adapter: TOML file that lists expected differences, in tables [[difference]] with "
        "kind, reason and link.",
        None,
        form=click.Path(exists=True, dir_okay=False, path_type=Path),
    )
    compared: StrictCodes = field(factory=StrictCodes)
    ship: Path | None = ship_option()
    allow_restarts: bool = opt(
        "With --adapter: accept answers that needed another process.", default=False
    )

    def greeting(self) -> Hello | None:
        """Return the adapter's hello, or None if there is no adapter."""
        if self.adapter is None:
            given = (self.operations, self.leave_out, self.known_failures, self.ship)
            if any(given) or self.compared != StrictCodes():
                names = "--operation, --leave-out, --known-failures, --strict-codes"
                raise click.UsageError(f"{names}, --codes and --ship need --adapter")
            return None
        return make_adapter(self.adapter, Limits(timeout=self.timeout)).greet()


def readings_to_ask(system: System, hello: Hello, chosen: tuple[str, ...]) -> tuple[str, ...]:
    """Return the chosen readings, or the adapter's readings if none is chosen.

    Raises DeclarationError if the adapter declares a reading or leaves out a feature that is not
    known; WrongUsageError if the system does not have a chosen reading.
    """
    declared_by(hello, [system])
    refuse_unknown_readings(chosen, [system])
    return readings_of(system, Selection(readings=chosen), hello)


def systems_to_ask(named: Sequence[System], hello: Hello, asking: Asking) -> tuple[System, ...]:
    """Return the systems to ask: the named ones, or every system with an operation that the adapter
    declares. If operations are chosen, only the systems that have one of them.

    Ends the command if there is no such system, or the adapter has no operation of a named one, or
    if there is no feature of a given name. Raises WrongUsageError if there is no such operation.
    """
    declared = set(hello.operations)
    of_use = [each for each in all_systems() if any(op.name in declared for op in each.operations)]
    for system in named:
        if system not in of_use:
            stop(f"{shown_line(hello.name)} declares no operation of {system.name}")
    if not of_use:
        stop(f"{shown_line(hello.name)} declares no known operation", ADAPTER_UNUSABLE)
    chosen = tuple(named or of_use)
    chosen_operations(chosen, asking.operations)
    operations = (operation for system in chosen for operation in system.operations)
    known = {feature.name for operation in operations for feature in operation.features}
    for name in asking.leave_out:
        if name not in known:
            features = ", ".join(sorted(known))
            stop(f"--leave-out {name}: no such feature; choose one of {features}")
    patterns = asking.operations
    return tuple(each for each in chosen if not patterns or asked_operations(each, patterns))


def print_difference(plan: Plan, found: Found) -> None:
    """Print a kind of difference on standard error, unless it is known."""
    if not plan.knows(found.kind, found.reading):
        lines = shown_line(" ".join(found.detail.split("\n")), 300)
        click.echo(f"found: {found.kind} [{found.reading}]: {lines}", err=True)
