"""The results of TLC as a line of text, and as data."""

from __future__ import annotations

from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.model_checking.check import Checked


def line(checked: Checked) -> str:
    """Return a configuration and its result as one line."""
    outcome = checked.outcome
    return (
        f"{'ok' if checked.as_expected else 'WRONG':<6}{checked.configuration.name:<24}"
        f"{outcome.distinct:>11,} states  depth {outcome.depth:<4}"
        f"{outcome.milliseconds / 1000:>8.1f} s  {checked.text()}"
    )


def to_json(checked: Checked) -> JsonObject:
    """Return a configuration and its result as data."""
    configuration, outcome = checked.configuration, checked.outcome
    return {
        "configuration": configuration.name,
        "summary": configuration.summary,
        "size": configuration.size,
        "bounds": configuration.bounds,
        "expected": configuration.violates,
        "violated": outcome.violated,
        "error": outcome.error,
        "as_expected": checked.as_expected,
        "result": checked.text(),
        "states": outcome.generated,
        "distinct": outcome.distinct,
        "depth": outcome.depth,
        "milliseconds": outcome.milliseconds,
    }
