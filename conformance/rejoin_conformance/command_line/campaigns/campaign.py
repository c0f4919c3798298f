"""`rejoin campaign`: what a campaign's directory holds, as text, as data and as a page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click

from rejoin_conformance.campaigns.directory.open_directory import directory_to_read, local_folder
from rejoin_conformance.campaigns.directory.store import Store
from rejoin_conformance.campaigns.in_process import InProcess
from rejoin_conformance.campaigns.profile_coverage import CoveragePlan, profile_coverage
from rejoin_conformance.campaigns.spark.session import spark_session
from rejoin_conformance.campaigns.status import Status, status_of
from rejoin_conformance.command_line.campaigns.campaign_text import render_status
from rejoin_conformance.command_line.campaigns.cluster import cluster_of, cluster_options
from rejoin_conformance.command_line.console import (
    WRONG_USAGE,
    print_json,
    progress_bar,
    stop,
    write_text,
)
from rejoin_conformance.kit.json_types import strict_json
from rejoin_conformance.kit.untrusted import shown_line
from rejoin_conformance.reports.campaign_examples import examples_of
from rejoin_conformance.reports.campaign_page import campaign_page
from rejoin_conformance.reports.campaign_profiles import Measured, measured

TRIES: Final = 400
PROFILE_HISTORIES: Final = 200
"""Of each profile; the long histories, which cost most, are some seconds."""


@click.group()
def campaign() -> None:
    """Look at the campaigns that `rejoin fuzz --directory DIR` keeps.

    A campaign's directory holds a manifest (system, profile, readings, seed, number of histories,
    the digests of the code and of the corpus) and Parquet files with one row for every 250
    histories: counts, coverage, times, digest, and the first violations of each kind. A row is
    there as a whole or not at all; a campaign may be looked at while it runs.

    \b
    Examples:
      rejoin fuzz history-merge --histories 1000000 --directory campaigns/hm
      rejoin campaign status campaigns/hm
      rejoin campaign report campaigns/hm --html report.html
      rejoin campaign shrink campaigns/hm --out found
      rejoin campaign distil campaigns/hm --out distilled.json
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
    """Say how far the campaign in DIR is, how fast, and what it has found.

    Speeds are histories a second: now, which is the latest minute of work, and on average without
    breaks. What runs at this moment shows when it is kept, some 20 seconds later.

    \b
    Examples:
      rejoin campaign status campaigns/hm
      rejoin campaign status hdfs:///campaigns/hm --master spark://host:7077 --json

    \b
    Exit codes:
      0  the directory could be read    2  it holds no campaign, or cannot be read
      3  no Spark, where the directory is a URL
    """
    with _opened(directory, master, remote, settings) as store:
        found = status_of(store, directory)
    if as_json:
        print_json(found.to_json())
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
    help="The page; - is standard output.",
)
@click.option(
    "--profiles",
    "reach",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Compare what `rejoin profiles SYSTEM --json` printed, instead of measuring.",
)
@click.option(
    "--profile-histories",
    type=click.IntRange(min=0),
    metavar="N",
    help="Histories of each profile that are run to compare what profiles reach; 0 leaves the "
    f"comparison out.  [default: {PROFILE_HISTORIES}]",
)
@click.option(
    "--tries",
    type=click.IntRange(min=0),
    default=TRIES,
    show_default=True,
    help="Smaller histories tried for the example of each class; with 0 it is shown as found.",
)
@cluster_options
def report(
    directory: str,
    file: Path,
    reach: Path | None,
    profile_histories: int | None,
    tries: int,
    master: str | None,
    remote: str | None,
    settings: tuple[tuple[str, str], ...],
) -> None:
    """Make one HTML page of the campaign in DIR, finished or not; it needs no network.

    It shows the speed over time, the laws, every class of violations with its smallest example
    drawn as a graph, the shapes that were reached, and how often each clause decided something.

    It also compares what the profiles reach, guided ones and `uniform`, which draws events one by
    one. For that, the first histories of each profile are run in this process, with the seed and
    the first reading of the campaign, or the system's default reading where the campaign has a
    rule file. The default takes less than a minute. A measurement of more histories can be
    made beforehand, and given with --profiles.

    \b
    Examples:
      rejoin campaign report campaigns/hm --html report.html
      rejoin campaign report campaigns/hm --html report.html --profile-histories 1000
      rejoin profiles history-merge --histories 10000 --json > reach.json
      rejoin campaign report campaigns/hm --html report.html --profiles reach.json

    \b
    Exit codes:
      0  the page is made    2  no campaign there, or a file that cannot be read or written
      3  interrupted, or no Spark, where the directory is a URL
    """
    if reach is not None and profile_histories is not None:
        raise click.UsageError("give --profiles or --profile-histories, not both")
    if file != Path("-") and not file.resolve().parent.is_dir():
        stop(WRONG_USAGE, f"{file}: there is no such folder")
    profiles = None if reach is None else _kept_profiles(reach)
    with _opened(directory, master, remote, settings) as store:
        found = status_of(store, directory)
    if profiles is not None and profiles.system != found.plan.system:
        other = shown_line(profiles.system, 80)
        stop(WRONG_USAGE, f"{reach} measures {other}; the campaign is of {found.plan.system}")
    with progress_bar("examples") as progress:
        examples = examples_of(found, tries, progress)
    if profiles is None:
        histories = PROFILE_HISTORIES if profile_histories is None else profile_histories
        profiles = _measured_profiles(found, histories) if histories else None
    write_text(file, campaign_page(found, examples, profiles))


@contextmanager
def _opened(
    directory: str, master: str | None, remote: str | None, settings: tuple[tuple[str, str], ...]
) -> Iterator[Store]:
    """The directory, with Spark only where Spark is needed to read it."""
    cluster = cluster_of(master, remote, settings)
    if local_folder(directory) is not None:
        yield directory_to_read(directory)
    else:
        with spark_session(cluster) as session:
            yield directory_to_read(directory, session)


def _kept_profiles(path: Path) -> Measured:
    try:
        return measured(strict_json(path.read_bytes()))
    except OSError as error:
        stop(WRONG_USAGE, f"{path}: {error.strerror}")
    except ValueError as error:
        stop(WRONG_USAGE, f"{path} is not what `rejoin profiles --json` prints: {error}")


def _measured_profiles(found: Status, histories: int) -> Measured:
    """What the first histories of each profile reach, with the campaign's seed.

    A rule of the campaign is not in force: what stands in a directory is data, and is not run.
    """
    plan, system = found.plan, found.system
    reach = CoveragePlan(
        system=system.name,
        profiles=tuple(system.histories.profiles),
        reading=plan.readings[0] if plan.rule is None else system.default_reading,
        seed=plan.seed,
        histories=histories,
    )
    with progress_bar(f"profiles {system.name}") as progress:
        return measured(profile_coverage(reach, InProcess(progress)))
