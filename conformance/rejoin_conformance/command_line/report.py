"""`rejoin report`: turn results, or a campaign, into text, HTML, JUnit XML, Markdown or a badge."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click
from attrs import frozen

from rejoin_conformance.adapters.results.file import read_results
from rejoin_conformance.adapters.results.text import conclusion_line
from rejoin_conformance.campaigns.campaign import local_folder, summary_in
from rejoin_conformance.campaigns.spark.failures import quiet_start
from rejoin_conformance.campaigns.spark.session import spark_session
from rejoin_conformance.command_line.choices import OnSpark
from rejoin_conformance.command_line.console import Out, ended, write_text
from rejoin_conformance.command_line.forms import Forms, write_forms
from rejoin_conformance.command_line.options import command
from rejoin_conformance.kit.document import Text
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.kit.judged import Judged
from rejoin_conformance.kit.options import arg, opt
from rejoin_conformance.reports.campaign import campaign_page, status_blocks
from rejoin_conformance.reports.campaign_examples import examples_of, minimal_of
from rejoin_conformance.reports.columns import columns_of


@frozen(kw_only=True)
class Report:
    """Results or a campaign, and the forms to write."""

    results: tuple[str, ...] = arg("RESULTS...|DIR")
    forms: Forms
    out: Out
    tries: int = opt(
        "For a campaign: maximum number of smaller histories to try for the example of each "
        "failure class; 0 does not shrink it.",
        400,
        least=0,
    )
    on_spark: OnSpark


@command(Report, "report")
def report(options: Report) -> int:
    """Turn results into HTML, JUnit XML, Markdown or a badge.

    RESULTS are files that `rejoin run --output` wrote. A report shows several files side by side:
    implementations, versions or readings. The HTML page is one file that needs no network. It has
    a matrix of implementations by clause and by operation, and it shows every failure with its
    input, the expected and the observed result, and an explanation. The FILE - is standard output.
    Else the command prints one line for each run.

    DIR is the folder or URL of a campaign (`rejoin fuzz --directory DIR`), finished or not. The
    command prints its progress, speed and findings. Blocks appear up to 30 seconds after they run,
    when the campaign writes them. The HTML page shows the laws, the smallest example of each class
    of violations as a graph, the shapes covered and, without an adapter, the number of histories
    that decided each clause.

    The exit code is that of the runs together, or of the campaign, after all reports are written. A
    campaign that is not finished is incomplete. Restarts of an adapter count as failures.

    \b
    Examples:
      rejoin report results.ndjson --html report.html
      rejoin report rust.ndjson js.ndjson --html report.html --junit junit.xml
      rejoin report results.ndjson --markdown - >> "$GITHUB_STEP_SUMMARY"
      rejoin report campaigns/hm
      rejoin report campaigns/hm --html report.html
    """
    files = options.forms.files
    places = {each: local_folder(each) for each in options.results}
    campaigns = [each for each, place in places.items() if place is None or place.is_dir()]
    if not campaigns:
        return _of_results(map(Path, options.results), files, options)
    if len(options.results) == 1 and not files.keys() - {"html"}:
        return _of_campaign(campaigns[0], options)
    raise click.UsageError("a campaign is reported alone, as text, JSON or --html")


def _of_results(paths: Iterable[Path], files: dict[str, Path], options: Report) -> int:
    columns = columns_of([(path, read_results(path)) for path in paths])
    write_forms(files, columns)
    runs: list[Json] = [{"label": each.label, **each.summary.to_json()} for each in columns]
    lines = [(f"{each.label}: ", *conclusion_line(each.summary)) for each in columns]
    options.out.tell(lambda: runs, lambda: map(Text, lines), files.values())
    judged = sum((each.summary.judged for each in columns), Judged(asked=0))
    return ended(judged, "no run has a verdict")


def _of_campaign(address: str, options: Report) -> int:
    """Print the status of a campaign, or write its page. Return the exit code."""
    cluster = options.on_spark.cluster()
    if local_folder(address) is not None:
        found = summary_in(address)
    else:
        with spark_session(cluster, quiet_start) as session:
            found = summary_in(address, session)
    folder = local_folder(address)
    minimal = {} if folder is None else minimal_of(found, folder / "found")
    options.out.tell(
        lambda: {**found.to_json(), **found.speed_to_json(), "manifest": found.header},
        lambda: status_blocks(found, minimal),
        [options.forms.html],
    )
    if options.forms.html is None:
        return found.judged().exit_code
    with options.out.progress("examples") as progress:
        examples = examples_of(found, options.tries, progress, minimal)
    write_text(options.forms.html, campaign_page(found, examples))
    return found.judged().exit_code
