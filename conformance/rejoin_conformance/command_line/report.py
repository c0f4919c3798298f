"""`rejoin report`: turn results, or a campaign, into text, HTML, JUnit XML, Markdown or a badge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import click
from attrs import frozen

from rejoin_conformance.adapters.results.file import read_results
from rejoin_conformance.campaigns.in_process import InProcess
from rejoin_conformance.campaigns.kept.campaign import local_folder, summary_in
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.profile_coverage import profile_coverage
from rejoin_conformance.campaigns.spark.launcher import command_session
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.command_line.choices import OnSpark, json_option, require_folder
from rejoin_conformance.command_line.console import (
    WRONG_USAGE,
    ended,
    stop,
    tell,
    write_text,
)
from rejoin_conformance.command_line.forms import Forms, write_forms
from rejoin_conformance.command_line.options import command
from rejoin_conformance.command_line.progress import progress_bar
from rejoin_conformance.kit.document import Text
from rejoin_conformance.kit.files import read_input
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.kit.judged import Judged
from rejoin_conformance.kit.options import arg, opt
from rejoin_conformance.kit.untrusted import shown_line
from rejoin_conformance.reports.campaign import campaign_page, status_blocks
from rejoin_conformance.reports.campaign_examples import examples_of
from rejoin_conformance.reports.columns import columns_of
from rejoin_conformance.reports.profiles import profiles_read

_PROFILE_HISTORIES: Final = 200
"""Histories run of each profile. The most expensive profile takes some seconds."""


@frozen(kw_only=True)
class Report:
    """Results or a campaign, and the forms to write."""

    results: tuple[str, ...] = arg("RESULTS...|DIR")
    forms: Forms
    as_json: bool = json_option()
    profiles: Path | None = opt(
        "For a campaign: take the coverage of the profiles from this file, an output of `rejoin "
        "fuzz --json` with several profiles.",
        None,
        metavar="FILE",
        shown="measure it",
    )
    profile_histories: int | None = opt(
        "For a campaign: number of histories to run of each profile to measure its coverage; 0 "
        "omits the comparison of profiles.",
        None,
        metavar="N",
        least=0,
        shown=str(_PROFILE_HISTORIES),
    )
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
    Without an option, the command prints one line for each run.

    DIR is the folder or URL of a campaign (`rejoin fuzz --directory DIR`), finished or not. The
    command prints its progress, speed and findings. Blocks appear some 20 seconds after they run,
    when the campaign writes them. The HTML page shows the speed over time, the laws, the smallest
    example of each class of violations as a graph, the shapes covered, and the number of histories
    that decided each clause. It also compares the coverage of the guided profiles with `uniform`,
    which draws events one by one. To measure the coverage, the command runs the first histories of
    each profile in this process, with the campaign's seed and first reading, or the default reading
    if the campaign has a rule file.

    The exit code is that of the runs together, or of the campaign, after all reports are written. A
    campaign that is not finished is incomplete. Restarts of an adapter count as failures.

    \b
    Examples:
      rejoin report results.ndjson --html report.html
      rejoin report rust.ndjson js.ndjson --html report.html --junit junit.xml
      rejoin report results.ndjson --markdown - >> "$GITHUB_STEP_SUMMARY"
      rejoin report campaigns/hm
      rejoin report campaigns/hm --html report.html --profile-histories 1000
    """
    files = options.forms.files
    folders = [each for each in options.results if _is_campaign(each)]
    if not folders:
        for name in ("profiles", "profile_histories"):
            if getattr(options, name) is not None:
                raise click.UsageError(f"--{name.replace('_', '-')} goes with a campaign")
        return _of_results(map(Path, options.results), files, options)
    if len(options.results) == 1 and not files.keys() - {"html"}:
        return _of_campaign(folders[0], options)
    raise click.UsageError("a campaign is reported alone, as text, JSON or --html")


def _is_campaign(given: str) -> bool:
    """Return whether an argument is a folder, or a URL that only Spark can read."""
    folder = local_folder(given)
    return folder is None or folder.is_dir()


def _of_results(paths: Iterable[Path], files: dict[str, Path], options: Report) -> int:
    columns = columns_of([(path, read_results(path)) for path in paths])
    write_forms(files, columns)
    if not files or options.as_json:
        runs: list[Json] = [{"label": each.label, **each.summary.to_json()} for each in columns]
        lines = [f"{each.label}: {each.counts()}: {each.summary.verdict}" for each in columns]
        tell(options, lambda: runs, lambda: map(Text, lines))
    judged = sum((each.summary.judged for each in columns), Judged(asked=0))
    return ended(judged, "no run has a verdict")


def _of_campaign(address: str, options: Report) -> int:
    """Print the status of a campaign, or write its page. Return the exit code."""
    if options.profiles is not None and options.profile_histories is not None:
        raise click.UsageError("give --profiles or --profile-histories, not both")
    require_folder(options.forms.html)
    profiles = None if options.profiles is None else _kept_profiles(options.profiles)
    cluster = options.on_spark.cluster()
    if local_folder(address) is not None:
        found = summary_in(address)
    else:
        with command_session(cluster) as session:
            found = summary_in(address, session)
    if options.as_json or options.forms.html is None:
        tell(
            options,
            lambda: {**found.to_json(), **found.speed_to_json(), "manifest": found.header},
            lambda: status_blocks(found),
        )
    if options.forms.html is None:
        return found.judged().exit_code
    if profiles is not None and profiles["system"] != found.plan.system:
        said = f"{options.profiles} holds profiles of {shown_line(profiles['system'], 80)}"
        stop(WRONG_USAGE, f"{said}; the campaign is of {found.plan.system}")
    with progress_bar("examples") as progress:
        examples = examples_of(found, options.tries, progress)
    if profiles is None:
        asked = options.profile_histories
        histories = _PROFILE_HISTORIES if asked is None else asked
        profiles = _measured_profiles(found, histories) if histories else None
    write_text(options.forms.html, campaign_page(found, examples, profiles))
    return found.judged().exit_code


def _kept_profiles(path: Path) -> Mapping[str, Any]:
    try:
        return profiles_read(read_input(path))
    except OSError as error:
        stop(WRONG_USAGE, f"{path}: {error.strerror}")
    except ValueError as error:
        why = f"is not an output of `rejoin fuzz --json` with several profiles: {error}"
        stop(WRONG_USAGE, f"{path} {why}")


def _measured_profiles(found: Summary, histories: int) -> Mapping[str, Any]:
    """Return the coverage of the first histories of each profile, with the campaign's seed.

    A rule file in a campaign's directory is data: this command does not run it.
    """
    plan, system = found.plan, found.system
    reading = plan.readings[0] if plan.rule is None else system.default_reading
    measuring = Plan(
        system=system.name,
        profile=plan.profile,
        readings=(reading,),
        seed=plan.seed,
        histories=histories,
    )
    with progress_bar(f"profiles {system.name}") as progress:
        return profile_coverage(measuring, system.histories.profiles, InProcess(progress))
