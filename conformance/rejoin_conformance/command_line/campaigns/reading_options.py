"""Readings and rule files on the command line. Anything else is wrong usage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click

from rejoin_conformance.contract.system import System
from rejoin_conformance.readings.expressions import UnknownReadingError
from rejoin_conformance.readings.in_force import Side, is_rule_file, side_in_force, side_of
from rejoin_conformance.readings.rule_file import Rule, RuleError


def chosen_side(system: System, given: str) -> Side:
    """Return the reading or rule file that is named on the command line."""
    try:
        return side_of(given, system)
    except RuleError as error:
        raise click.UsageError(str(error)) from None
    except UnknownReadingError as error:
        raise click.UsageError(f"{system.name}: {error}") from None


def chosen_rule(systems: Sequence[System], readings: Sequence[str], *, alone: bool) -> Rule | None:
    """Return the rule file that a campaign runs under; None if no reading is a rule file.

    alone: whether the command has no option that excludes a rule file.
    """
    if not any(map(is_rule_file, readings)):
        return None
    if len(readings) != 1 or len(systems) != 1 or not alone:
        raise click.UsageError(
            "a campaign under a rule file needs one SYSTEM and one --reading, without --adapter"
        )
    return chosen_side(systems[0], readings[0]).rule


@contextmanager
def reading_in_force(system: System, given: str | None) -> Iterator[str | None]:
    """Yield the name of a reading. A rule file is in force while the block runs.

    The answers of its functions are compared with the originals'.
    """
    if given is None or not is_rule_file(given):
        yield given
        return
    with side_in_force(chosen_side(system, given), system, compared=True) as name:
        yield name
