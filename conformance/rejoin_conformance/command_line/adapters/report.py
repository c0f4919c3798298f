"""`rejoin report`: turn results into HTML, JUnit XML, Markdown or a badge."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from rejoin_conformance.adapters.results.read import ResultsError, read_results
from rejoin_conformance.command_line.console import WRONG_USAGE, stop, write_text
from rejoin_conformance.kit.json_types import canonical_json
from rejoin_conformance.reports.badge import badge
from rejoin_conformance.reports.columns import Column, columns_of
from rejoin_conformance.reports.html_page import html_page
from rejoin_conformance.reports.junit import junit
from rejoin_conformance.reports.markdown import markdown

_TARGET: Final = click.Path(dir_okay=False, allow_dash=True, path_type=Path)


@click.command()
@click.argument("results", type=click.Path(dir_okay=False, path_type=Path), nargs=-1, required=True)
@click.option("--html", "html_file", type=_TARGET, metavar="FILE", help="Write an HTML page.")
@click.option("--junit", "junit_file", type=_TARGET, metavar="FILE", help="Write JUnit XML for CI.")
@click.option(
    "--markdown",
    "markdown_file",
    type=_TARGET,
    metavar="FILE",
    help="Write Markdown for a pull request.",
)
@click.option(
    "--badge", "badge_file", type=_TARGET, metavar="FILE", help="Write JSON for a shields.io badge."
)
def report(
    results: tuple[Path, ...],
    html_file: Path | None,
    junit_file: Path | None,
    markdown_file: Path | None,
    badge_file: Path | None,
) -> None:
    """Turn results into HTML, JUnit XML, Markdown or a badge.

    RESULTS are files that `rejoin run --results` wrote. A report shows several files side by side:
    implementations, versions or readings. The HTML page is one file that needs no network. It has
    a matrix of implementations by clause and by operation, and it shows every failure with its
    input, the expected and the observed result, and an explanation. The FILE - is standard output.
    Without an option, the command prints one line for each run.

    The exit code does not depend on the verdicts in the results.

    \b
    Examples:
      rejoin report results.ndjson --html report.html
      rejoin report rust.ndjson js.ndjson --html report.html --junit junit.xml
      rejoin report results.ndjson --markdown - >> "$GITHUB_STEP_SUMMARY"

    \b
    Exit codes:
      0  the reports are written      2  wrong usage, or a corrupt results file
    """
    targets = [each for each in (html_file, junit_file, markdown_file, badge_file) if each]
    _refuse_overwriting(results, targets)
    try:
        columns = columns_of([(path, read_results(path)) for path in results])
    except ResultsError as error:
        stop(WRONG_USAGE, str(error))
    made = False
    for path, make in (
        (html_file, html_page),
        (junit_file, junit),
        (markdown_file, markdown),
        (badge_file, _badge_text),
    ):
        if path is not None:
            write_text(path, make(columns))
            made = True
    if not made:
        for column in columns:
            click.echo(f"{column.label}: {column.counts()}: {column.conclusion}")


def _refuse_overwriting(results: Sequence[Path], targets: Sequence[Path]) -> None:
    """End the command if a report would replace a results file or another report."""
    written = {path.resolve() for path in results}
    for path in targets:
        if path != Path("-"):
            if path.resolve() in written:
                stop(
                    WRONG_USAGE, f"{path} is a results file or another report; choose another file"
                )
            written.add(path.resolve())


def _badge_text(columns: tuple[Column, ...]) -> str:
    return canonical_json(badge(columns)) + "\n"
