"""The results of TLC as a line of text, as data, and as Markdown for the documentation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.model_checking.check import Checked

_HEAD: Final = (
    "| Configuration | What it checks | Bounds | Result | States | Distinct | Depth |\n"
    "|---|---|---|---|--:|--:|--:|\n"
)

_INTRODUCTION: Final = """\
# The bounds that were checked

`make models` writes this page. Each row is one run of TLC on one configuration of a model. Some
configurations are expected to be violated: the search then ends at the counterexample, and its
numbers of states can vary with the number of workers. TLC searches all states within the bounds,
unless the result names random behaviours: then it draws that many, of at most 60 steps.
"""


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


def markdown(
    systems: Mapping[str, Sequence[Checked]], earlier: str = "", *, keep_rows: bool = False
) -> str:
    """Return the page of the documentation, with a section for each system.

    systems: title of a system -> its checked configurations. earlier: the previous page; the
    sections of systems that were not checked this time are copied from it. keep_rows: also copy
    the rows of other configurations of the checked systems.
    """
    sections = dict(_sections(earlier))
    for title, all_checked in systems.items():
        rows = [_row(checked) for checked in all_checked]
        if keep_rows:
            rows = [*{**_by_name(sections.get(title, "")), **_by_name("".join(rows))}.values()]
        sections[title] = _HEAD + "".join(rows)
    parts = (f"## {title}\n\n{sections[title].strip()}\n" for title in sorted(sections))
    return "\n".join([_INTRODUCTION, *parts])


def _sections(page: str) -> Iterator[tuple[str, str]]:
    for section in page.split("\n## ")[1:]:
        title, _, body = section.partition("\n")
        yield title, body


def _by_name(section: str) -> dict[str, str]:
    """Return the rows of a section by their first cell, in their order."""
    lines = (each for each in section.splitlines(keepends=True) if each.startswith("| `"))
    return {each.split(" | ")[0].removeprefix("| "): each for each in lines}


def _row(checked: Checked) -> str:
    configuration, outcome = checked.configuration, checked.outcome
    numbers = (outcome.generated, outcome.distinct, outcome.depth)
    cells = (
        f"`{configuration.name}`",
        configuration.summary,
        configuration.bounds,
        _found(checked),
        *(f"{number:,}" if number else "not noted" for number in numbers),
    )
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def _found(checked: Checked) -> str:
    outcome = checked.outcome
    if not checked.as_expected:
        return f"**not as expected**: {checked.text()}"
    if outcome.violated is None:
        drawn = checked.configuration.behaviours
        return f"no violation in {drawn:,} random behaviours" if drawn else "no violation"
    return f"violates `{outcome.violated}`, {len(outcome.trace) - 1} steps"
