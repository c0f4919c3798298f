"""`rejoin campaign`: what a campaign's directory holds, as text, as data and as a page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click

from rejoin_conformance.campaign.directory import directory_to_read, local_folder
from rejoin_conformance.campaign.session import spark_session
from rejoin_conformance.campaign.status import status_of
from rejoin_conformance.campaign.store import Store
from rejoin_conformance.command_line.campaign_text import render_status
from rejoin_conformance.command_line.cluster import cluster_of, cluster_options
from rejoin_conformance.command_line.console import (
    WRONG_USAGE,
    print_json,
    progress_bar,
    stop,
    write_text,
)
from rejoin_conformance.json_types import Json, NotStrictJsonError, strict_json
from rejoin_conformance.reports.campaign_examples import examples_of
from rejoin_conformance.reports.campaign_page import campaign_page

TRIES: Final = 400


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
    help="What `rejoin profiles SYSTEM --json` printed, to be compared in the page.",
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
    tries: int,
    master: str | None,
    remote: str | None,
    settings: tuple[tuple[str, str], ...],
) -> None:
    """Make one HTML page of the campaign in DIR, finished or not; it needs no network.

    It shows the speed over time, the laws, every class of violations with its smallest example
    drawn as a graph, the shapes that were reached, and how often each clause decided something.

    \b
    Examples:
      rejoin campaign report campaigns/hm --html report.html
      rejoin profiles history-merge --json > reach.json
      rejoin campaign report campaigns/hm --html report.html --profiles reach.json

    \b
    Exit codes:
      0  the page is made    2  no campaign there, or a file that cannot be read or written
    """
    profiles = None if reach is None else _reach(reach)
    with _opened(directory, master, remote, settings) as store:
        found = status_of(store, directory)
    with progress_bar("examples") as progress:
        examples = examples_of(found, tries, progress)
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


def _reach(path: Path) -> dict[str, Json]:
    try:
        value = strict_json(path.read_bytes())
    except OSError as error:
        stop(WRONG_USAGE, f"{path}: {error.strerror}")
    except NotStrictJsonError as error:
        stop(WRONG_USAGE, f"{path} is not what `rejoin profiles --json` prints: {error}")
    if not isinstance(value, dict) or not isinstance(value.get("profiles"), dict):
        stop(WRONG_USAGE, f"{path} is not what `rejoin profiles --json` prints")
    return value
