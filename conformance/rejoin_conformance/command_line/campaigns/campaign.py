"""`rejoin campaign`: the content of a campaign's directory as text, JSON or HTML."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from rejoin_conformance.campaigns.in_process import InProcess
from rejoin_conformance.campaigns.kept.campaign import local_folder, summary_in
from rejoin_conformance.campaigns.profile_coverage import CoveragePlan, profile_coverage
from rejoin_conformance.campaigns.spark.session import spark_session
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.command_line.campaigns.campaign_text import render_status
from rejoin_conformance.command_line.campaigns.cluster import cluster_of, cluster_options
from rejoin_conformance.command_line.console import (
    WRONG_USAGE,
    print_json,
    stop,
    write_text,
)
from rejoin_conformance.command_line.lazy_group import LazyGroup
from rejoin_conformance.command_line.progress import progress_bar
from rejoin_conformance.kit.json_types import strict_json
from rejoin_conformance.kit.untrusted import shown_line
from rejoin_conformance.reports.campaign_examples import examples_of
from rejoin_conformance.reports.campaign_page import campaign_page
from rejoin_conformance.reports.campaign_profiles import Measured, measured

TRIES: Final = 400
PROFILE_HISTORIES: Final = 200
"""Histories run of each profile. The most expensive profile takes some seconds."""


@click.group(
    cls=LazyGroup,  # users look for commands that take a campaign's directory here, too
    elsewhere={"shrink": "campaigns.shrink"},
)
def campaign() -> None:
    """Inspect the campaigns of `rejoin fuzz --directory`.

    The directory of a campaign holds a manifest and Parquet files. The manifest states the system,
    profile, readings, seed, number of histories, and the digests of the code and the corpus. The
    Parquet files hold one row for every 250 histories: counts, coverage, times, a digest, and the
    first violations of each kind. Each row is written atomically, so you can inspect a campaign
    while it runs.

    \b
    Examples:
      rejoin fuzz history-merge --histories 1000000 --directory campaigns/hm
      rejoin campaign status campaigns/hm
      rejoin campaign report campaigns/hm --html report.html
      rejoin campaign shrink campaigns/hm --out found
    """


@campaign.command()
@click.argument("directory", metavar="DIR")
@cluster_options
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON instead of text.")
def status(
    directory: str,
    master: str | None,
    remote: str | None,
    settings: tuple[tuple[str, str], ...],
    *,
    as_json: bool,
) -> None:
    """Print the progress, speed and findings of a campaign.

    DIR is the directory of the campaign. Speeds are in histories a second: the speed of the last
    minute of work, and the average without pauses. Blocks appear some 20 seconds after they run,
    when the campaign writes them.

    \b
    Examples:
      rejoin campaign status campaigns/hm
      rejoin campaign status hdfs:///campaigns/hm --master spark://host:7077 --json

    \b
    Exit codes:
      0  the status is printed    2  DIR has no campaign, or cannot be read
      3  DIR is a URL, and Spark is not available
    """
    found = _summary(directory, master, remote, settings)
    if as_json:
        print_json({**found.to_json(), **found.speed_to_json(), "manifest": found.header})
    else:
        click.echo(render_status(found))


@campaign.command()
@click.argument("directory", metavar="DIR")
@click.option(
    "--html",
    "file",
    required=True,
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    metavar="FILE",
    help="HTML file to write; - is standard output.",
)
@click.option(
    "--profiles",
    "profiles_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Take the coverage of the profiles from this file, written by `rejoin profiles SYSTEM "
    "--json`.  [default: measure it]",
)
@click.option(
    "--profile-histories",
    type=click.IntRange(min=0),
    metavar="N",
    help="Number of histories to run of each profile to measure its coverage; 0 omits the "
    f"comparison of profiles.  [default: {PROFILE_HISTORIES}]",
)
@click.option(
    "--tries",
    type=click.IntRange(min=0),
    default=TRIES,
    show_default=True,
    help="Maximum number of smaller histories to try for the example of each failure class; 0 "
    "does not shrink it.",
)
@cluster_options
def report(
    directory: str,
    file: Path,
    profiles_file: Path | None,
    profile_histories: int | None,
    tries: int,
    master: str | None,
    remote: str | None,
    settings: tuple[tuple[str, str], ...],
) -> None:
    """Write an HTML report of a campaign.

    DIR is the directory of the campaign, finished or not. The report is one HTML page that needs
    no network. It shows the speed over time, the laws, the smallest example of each class of
    violations as a graph, the shapes covered, and the number of histories that decided each clause.

    The report also compares the coverage of the guided profiles with `uniform`, which draws events
    one by one. To measure the coverage, the command runs the first histories of each profile in
    this process. It uses the campaign's seed and first reading, or the default reading if the
    campaign has a rule file. The default number takes less than a minute. To use more histories,
    run `rejoin profiles` first and give its output with --profiles.

    \b
    Examples:
      rejoin campaign report campaigns/hm --html report.html
      rejoin campaign report campaigns/hm --html report.html --profile-histories 1000
      rejoin profiles history-merge --histories 10000 --json > profiles.json
      rejoin campaign report campaigns/hm --html report.html --profiles profiles.json

    \b
    Exit codes:
      0  the report is written    2  DIR has no campaign, or a file cannot be read or written
      3  interrupted, or DIR is a URL and Spark is not available
    """
    if profiles_file is not None and profile_histories is not None:
        raise click.UsageError("give --profiles or --profile-histories, not both")
    if file != Path("-") and not file.resolve().parent.is_dir():
        stop(WRONG_USAGE, f"{file}: its folder does not exist; create it first")
    profiles = None if profiles_file is None else _kept_profiles(profiles_file)
    found = _summary(directory, master, remote, settings)
    if profiles is not None and profiles.system != found.plan.system:
        other = shown_line(profiles.system, 80)
        stop(
            WRONG_USAGE,
            f"{profiles_file} holds profiles of {other}; the campaign is of {found.plan.system}",
        )
    with progress_bar("examples") as progress:
        examples = examples_of(found, tries, progress)
    if profiles is None:
        histories = PROFILE_HISTORIES if profile_histories is None else profile_histories
        profiles = _measured_profiles(found, histories) if histories else None
    write_text(file, campaign_page(found, examples, profiles))


def _summary(
    directory: str, master: str | None, remote: str | None, settings: tuple[tuple[str, str], ...]
) -> Summary:
    """Read the directory. Start Spark only for a directory that only Spark can read."""
    cluster = cluster_of(master, remote, settings)
    if local_folder(directory) is not None:
        return summary_in(directory)
    with spark_session(cluster) as session:
        return summary_in(directory, session)


def _kept_profiles(path: Path) -> Measured:
    try:
        return measured(strict_json(path.read_bytes()))
    except OSError as error:
        stop(WRONG_USAGE, f"{path}: {error.strerror}")
    except ValueError as error:
        stop(WRONG_USAGE, f"{path} is not an output of `rejoin profiles --json`: {error}")


def _measured_profiles(found: Summary, histories: int) -> Measured:
    """Return the coverage of the first histories of each profile, with the campaign's seed.

    A rule file in a campaign's directory is data: this command does not run it.
    """
    plan, system = found.plan, found.system
    measuring = CoveragePlan(
        system=system.name,
        profiles=tuple(system.histories.profiles),
        reading=plan.readings[0] if plan.rule is None else system.default_reading,
        seed=plan.seed,
        histories=histories,
    )
    with progress_bar(f"profiles {system.name}") as progress:
        return measured(profile_coverage(measuring, InProcess(progress)))
