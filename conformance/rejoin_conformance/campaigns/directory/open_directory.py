"""Open a campaign's directory to run its campaign or to read it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from rejoin_conformance.campaigns.directory.local_store import LocalStore, locked
from rejoin_conformance.campaigns.directory.manifest import differences, manifest_of
from rejoin_conformance.campaigns.directory.spark_store import SparkStore
from rejoin_conformance.campaigns.directory.store import OtherCampaignError, Store, StoreError
from rejoin_conformance.campaigns.plan import Plan

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://?")


def local_folder(address: str) -> Path | None:
    """Return the local folder of an address, or None if it is in one of Spark's file systems.

    A path or a `file:` URL is on the machine that runs the command.
    """
    if address.startswith("file:"):
        return Path(unquote(urlsplit(address).path))
    return None if _URL.match(address) else Path(address)


@contextmanager
def directory_of(plan: Plan, address: str, session: SparkSession | None = None) -> Iterator[Store]:
    """Open the directory of a campaign to run it. Create the directory if it is missing.

    session: required for addresses in Spark's file systems. Raises StoreError with one line if
    the directory has another campaign, another process uses it, or it cannot be used.
    """
    folder = local_folder(address)
    if folder is not None:
        with locked(folder) as store:
            _begin_or_go_on(store, plan, address)
            yield store
    else:
        assert session is not None
        distant = SparkStore(session, address.rstrip("/"))
        _begin_or_go_on(distant, plan, address)
        yield distant


def directory_to_read(address: str, session: SparkSession | None = None) -> Store:
    """Open a directory to read it, even while a campaign runs in it."""
    folder = local_folder(address)
    if folder is not None:
        return LocalStore(folder)
    assert session is not None
    return SparkStore(session, address.rstrip("/"))


def _begin_or_go_on(store: Store, plan: Plan, address: str) -> None:
    wanted = manifest_of(plan)
    kept = store.manifest()
    if kept is None:
        store.begin(wanted)
        return
    differing = differences(kept, wanted)
    if not differing and kept != wanted:
        raise StoreError(
            f"{address} cannot be used: its manifest was changed after it was written; restore the "
            "manifest or choose another directory"
        )
    if differing:
        raise OtherCampaignError(
            f"{address} has another campaign ({'; '.join(differing)}); choose another directory, "
            "or rerun the original command with the version that started it"
        )
