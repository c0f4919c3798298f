"""`rejoin diff`: compare two result files."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from rejoin_conformance.adapters.results.read import ResultsError, read_results
from rejoin_conformance.adapters.results.results_diff import Change, ResultsDiff, compare
from rejoin_conformance.command_line.console import (
    NOT_CONFORMANT,
    WRONG_USAGE,
    print_json,
    stop,
)
from rejoin_conformance.kit.untrusted import shown, shown_line

_FILE: Final = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("old", type=_FILE)
@click.argument("new", type=_FILE)
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON instead of text.")
def diff(old: Path, new: Path, *, as_json: bool) -> None:
    """Compare two result files vector by vector.

    OLD and NEW are files that `rejoin run --results` wrote. The command lists every vector and
    reading whose verdict changed.

    \b
    Examples:
      rejoin diff main.ndjson branch.ndjson
      rejoin diff main.ndjson branch.ndjson --json

    \b
    Exit codes:
      0  no vector is newly failing      1  a vector fails in NEW and did not fail in OLD
      2  wrong usage, or a corrupt results file
    """
    try:
        before, after = read_results(old), read_results(new)
    except ResultsError as error:
        stop(WRONG_USAGE, str(error))
    comparison = compare(before, after)
    if as_json:
        print_json(comparison.to_json())
    else:
        for path, results in ((old, before), (new, after)):
            if results.footer is None:
                click.echo(f"{path}: incomplete: the run was interrupted", err=True)
        click.echo(render(comparison))
    if comparison.failing:
        raise click.exceptions.Exit(NOT_CONFORMANT)


def render(comparison: ResultsDiff) -> str:
    """Return the comparison as text."""
    lines: list[str] = []
    for title, changes in comparison.groups():
        if changes:
            lines.append(f"{title}: {len(changes)}")
            for change in changes:
                lines += _change_lines(title, change)
            lines.append("")
    if not lines:
        return "no verdict changed"
    return "\n".join(lines[:-1])


def _change_lines(title: str, change: Change) -> list[str]:
    vector_id, reading = change.key
    name = shown_line(f"{vector_id} [{reading}]")
    old = "-" if change.old is None else change.old.verdict
    new = "-" if change.new is None else change.new.verdict
    lines = [f"  {name}: {old} -> {new}"]
    if title in {"newly failing", "changed"} and change.new is not None:
        explanation = shown(change.new.explanation, 1000)
        lines += [f"    {line}" for line in explanation.split("\n") if line]
    return lines
