"""The directory of a campaign: open it to run the campaign or to read it.

The header of the directory is the plan, with the digests of the code, of the adapter's program and
of the corpus.
"""

from __future__ import annotations

import hashlib
import re
import shlex
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

from rejoin_conformance.adapters.results.configuration import program_digest
from rejoin_conformance.adapters.shipped import SHIPPED, located
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
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.campaigns.tables import FORMAT
from rejoin_conformance.contract.registry import system_names
from rejoin_conformance.kit.json_forms import MalformedError
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.locations import vectors_directory

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://?")


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


def add_kept(summary: Summary, store: Store, *, quarantined: bool = True) -> Summary:
    """Add the blocks in a store to a summary. Return the summary.

    quarantined: whether to add blocks that have histories in quarantine. Raises StoreError if a
    block is not intact.
    """
    for block, tables in store.blocks():
        if quarantined or not tables.get("quarantine"):
            summary.add(block, tables)
    return summary


def summary_in(address: str, session: SparkSession | None = None) -> Summary:
    """Return the summary of the campaign in a directory, finished or not. Raises StoreError."""
    store = directory_to_read(address, session)
    return add_kept(empty_summary(store), store)
