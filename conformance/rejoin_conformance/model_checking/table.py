"""What TLC checked, as a table for a person and as Markdown for the documentation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.model_checking.check import Checked

_HEAD: Final = (
    "| Configuration | What it says | Bounds | TLC finds | States | Distinct | Depth | Seconds |\n"
    "|---|---|---|---|--:|--:|--:|--:|\n"
)

_INTRODUCTION: Final = """\
# What the models were checked to

`make models` writes this page. Each row is one run of TLC over one configuration of a model. A
configuration that says what does *not* hold is there to be violated: TLC has to find the
counterexample by itself, and an outcome other than the one expected fails the run. A search that
finds a violation ends there, so its states are those up to the counterexample. The seconds are
those of one run, on whatever else the machine was doing.
"""


def line(checked: Checked) -> str:
    """A configuration and what came of it, as one line."""
    outcome = checked.outcome
    return (
        f"{'ok' if checked.as_expected else 'WRONG':<6}{checked.configuration.name:<24}"
        f"{outcome.distinct:>11,} states  depth {outcome.depth:<4}"
        f"{outcome.milliseconds / 1000:>8.1f} s  {checked.told()}"
    )


def to_json(checked: Checked) -> JsonObject:
    """The same as data."""
    configuration, outcome = checked.configuration, checked.outcome
    return {
        "configuration": configuration.name,
        "size": configuration.size,
        "bounds": configuration.bounds,
        "expected": configuration.violates,
        "violated": outcome.violated,
        "error": outcome.error,
        "as_expected": checked.as_expected,
        "states": outcome.generated,
        "distinct": outcome.distinct,
        "depth": outcome.depth,
        "milliseconds": outcome.milliseconds,
    }


def markdown(systems: Mapping[str, Sequence[Checked]], earlier: str = "") -> str:
    """The page of the documentation: a section for each system, by its title.

    earlier: the page as it was; the sections of systems that were not checked now are kept.
    """
    sections = dict(_sections(earlier))
    for title, all_checked in systems.items():
        sections[title] = _HEAD + "".join(_row(checked) for checked in all_checked)
    told = (f"## {title}\n\n{sections[title].strip()}\n" for title in sorted(sections))
    return "\n".join([_INTRODUCTION, *told])


def _sections(page: str) -> Iterator[tuple[str, str]]:
    for section in page.split("\n## ")[1:]:
        title, _, body = section.partition("\n")
        yield title, body


def _row(checked: Checked) -> str:
    configuration, outcome = checked.configuration, checked.outcome
    cells = (
        f"`{configuration.name}`",
        configuration.summary,
        configuration.bounds,
        _found(checked),
        f"{outcome.generated:,}",
        f"{outcome.distinct:,}",
        str(outcome.depth),
        f"{outcome.milliseconds / 1000:.0f}",
    )
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def _found(checked: Checked) -> str:
    outcome = checked.outcome
    if not checked.as_expected:
        return f"**not as expected**: {checked.told()}"
    if outcome.violated is None:
        return "nothing wrong"
    return f"a counterexample to `{outcome.violated}`, {len(outcome.trace) - 1} steps"
