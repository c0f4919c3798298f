"""A campaign: run it, keep it in a directory, and read it back.

Its result depends neither on the place of the work nor on interruptions: the campaign reads kept
blocks back, and examines only the missing ones. The header of the directory is the plan, with the
digests of the code, of the adapter's program and of the corpus.
"""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

from attrs import evolve

from rejoin_conformance.adapters.results.configuration import program_digest
from rejoin_conformance.adapters.shipped import SHIPPED, located
from rejoin_conformance.campaigns.adapter_block import examiner
from rejoin_conformance.campaigns.block import AGREES, NO_CRASH
from rejoin_conformance.campaigns.kept.at_url import AtUrl
from rejoin_conformance.campaigns.kept.folder import Folder, kept_work
from rejoin_conformance.campaigns.kept.store import (
    CAMPAIGN,
    Store,
    StoreError,
    new_header,
    version,
)
from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Plan
from rejoin_conformance.campaigns.summary import Found, Summary
from rejoin_conformance.campaigns.tables import FORMAT
from rejoin_conformance.campaigns.workplace import Workplace
from rejoin_conformance.contract.registry import system_names
from rejoin_conformance.kit.json_forms import MalformedError
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.locations import vectors_directory

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://?")


def run_campaign(
    plan: Plan,
    place: Workplace,
    differs: Callable[[Found], object] = bool,
    began: Callable[[Summary], object] = bool,
    *,
    retry: bool = False,
) -> Summary:
    """Examine every block of the plan that the place does not keep, and return the summary.

    The place's progress receives the number of histories done and their total. differs: called
    with each kind of difference of an adapter when a block with it is finished. began: called with
    the summary, which then grows. retry: do the blocks again that have histories in quarantine.
    Raises StoreError if the store fails, and JobFailedError if Spark fails.
    """
    summary = Summary(plan)
    began(summary)
    seen: set[tuple[str, str, str]] = set()

    def report(begun: int = 0, quarantined: int = 0) -> None:
        what = f"{quarantined} quarantined in this block" if quarantined else ""
        place.progress(min(summary.histories + begun, plan.histories), plan.histories, what)

    def report_added() -> None:
        for each in summary.found():
            if each.law == AGREES.name and each.name not in seen:
                seen.add(each.name)
                differs(each)
        report()

    for block, tables in () if place.kept is None else place.kept.blocks():
        if not (retry and tables.get("quarantine")):
            summary.add(block, tables)
    report_added()
    opens = partial(examiner, plan, kept=place.kept is not None)
    for blocks in place.examined(opens, [*summary.missing()], report):
        for block, tables in blocks:
            summary.add(block, tables)
        report_added()
    return summary


def profile_coverage(plan: Plan, profiles: Iterable[str], place: Workplace) -> JsonObject:
    """Run one campaign of each profile. Return their coverage keys as data.

    plan: a campaign that checks laws under one reading; its profile does not matter. The coverage
    keys are the shapes, the clauses decided and the kinds of events of the histories.

    `profiles`: profile -> `crashed`, the number of histories that could not be examined, and
    `reached`: key -> the number of histories with this key.
    """
    (reading,) = plan.readings
    measured: JsonObject = {}
    for name in profiles:
        summary = run_campaign(evolve(plan, profile=name), place)
        measured[name] = {
            "crashed": summary.violations(reading, NO_CRASH.name),
            "reached": dict(sorted(summary.counts(reading, "cases").items())),
        }
    return {
        "system": plan.system,
        "reading": reading,
        "seed": plan.seed,
        "histories": plan.histories,
        "profiles": measured,
    }


def header_of(plan: Plan, shipped: str | None = None) -> JsonObject:
    """Return the header of a campaign that the current code runs, with its adapter's program.

    shipped: the name of a program that was sent to the executors and is not on this machine. The
    name has the program's digest. A program's digest is the same wherever an archive is unpacked.
    """
    said = version()
    if plan.adapter is not None and shipped is not None:
        said += f", adapter {shipped}"
    elif plan.adapter is not None:
        place = located(SHIPPED) if SHIPPED in plan.adapter else ""
        digest = program_digest(shlex.split(located(plan.adapter)), *shlex.split(place))
        said += f", adapter {digest[:8]}"
    index = (vectors_directory() / "index.json").read_bytes()
    vectors = hashlib.blake2b(index, digest_size=32).hexdigest()
    return new_header(CAMPAIGN, plan.to_json() | plan.as_given(), said, vectors)


def local_folder(address: str) -> Path | None:
    """Return the local folder of an address, or None if it is in one of Spark's file systems.

    A path or a `file:` URL is on the machine that runs the command.
    """
    if address.startswith("file:"):
        return Path(unquote(urlsplit(address).path))
    return None if _URL.match(address) else Path(address)


def directory_of(
    plan: Plan, address: str, session: SparkSession | None = None
) -> AbstractContextManager[Folder | AtUrl]:
    """Open the directory of a campaign to run it. Create the directory if it is missing.

    session: required for addresses in Spark's file systems. Raises StoreError with one line if
    the directory has another campaign, another process uses it, or it cannot be used.
    """
    folder = local_folder(address)
    if folder is not None:
        return kept_work(folder, header_of(plan))
    distant = directory_to_read(address, session)
    distant.begin(header_of(plan))
    return nullcontext(distant)


def directory_to_read(address: str, session: SparkSession | None = None) -> Folder | AtUrl:
    """Open a directory to read it, even while a campaign runs in it."""
    folder = local_folder(address)
    if folder is not None:
        return Folder(folder)
    assert session is not None
    return AtUrl(session, address.rstrip("/"))


def empty_summary(store: Store) -> Summary:
    """Return the summary of the campaign in a store without its blocks.

    Raises StoreError if there is no campaign, or this version cannot read it.
    """
    header: Any = store.header()
    address = store.address
    if header is None:
        raise StoreError(
            f"{address} has no campaign; start one with: rejoin fuzz SYSTEM --directory DIR"
        )
    if header["kind"] != CAMPAIGN:
        raise StoreError(f"{address} has no campaign; it has results of: rejoin {header['kind']}")
    known = header["format"] == FORMAT and header["plan"].get("block_size") == BLOCK_SIZE
    if not known or header["plan"].get("system") not in system_names():
        raise StoreError(
            f"{address} cannot be read: another version of the suite wrote it; use that version"
        )
    try:
        return Summary(Plan.from_json(header["plan"]), header)
    except MalformedError as error:
        raise StoreError(f"{address} cannot be read: {error}") from None


def summary_in(address: str, session: SparkSession | None = None) -> Summary:
    """Return the summary of the campaign in a directory, finished or not. Raises StoreError."""
    store = directory_to_read(address, session)
    summary = empty_summary(store)
    for block, tables in store.blocks():
        summary.add(block, tables)
    return summary
