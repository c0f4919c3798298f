"""A store for results: its header, its errors, and its strict reader.

The header has the digest of the code: results of different code must not be mixed.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from importlib.resources import files
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import rejoin
from rejoin_conformance.campaigns.plan import AS_GIVEN
from rejoin_conformance.campaigns.tables import (
    BLOCKS,
    FORMAT,
    Tables,
    arrow_schema,
    blocks_in,
    columns_of,
    is_intact,
)
from rejoin_conformance.kit.errors import ExpectedError, IncompleteError
from rejoin_conformance.kit.installing import install_hint
from rejoin_conformance.kit.json_types import (
    Json,
    JsonObject,
    NotStrictJsonError,
    canonical_json,
    digest_of,
    strict_json,
)
from rejoin_conformance.kit.text import shown_line

if TYPE_CHECKING:
    import pyarrow as pa

Block: TypeAlias = tuple[int, Tables]
"""The number of a block, and its rows."""

CAMPAIGN: Final = "campaign"
COMPARE: Final = "compare"
EXHAUST: Final = "exhaust"
MUTANTS: Final = "mutants"
"""The kinds of work that are kept."""

CAMPAIGNS: Final = "campaigns"
"""The table of headers."""

_SHOWN: Final = 40
"""The number of characters of a value that an error shows. It does not show longer ones."""


class StoreError(ExpectedError):
    """The store cannot be used. The message is one line: place, fault and what to do."""


class UnusableNowError(StoreError, IncompleteError):
    """The store cannot be used now, but later: it is busy, full, unreachable, or needs a package.

    Earlier results are complete.
    """


class Store(ABC):
    """A store for the results of one work.

    address: its place, as errors name it. attempt: the name of this run, in every row that it
    writes; it is greater than the names of earlier runs. resumed: whether an earlier run began it.
    """

    resumed = False

    def __init__(self, address: str) -> None:
        self.address = address
        self.attempt = new_attempt()

    @cached_property
    def campaign(self) -> str:
        """The ID of the work, which does not change while the store is in use."""
        return str((self.header() or {})["campaign"])

    @abstractmethod
    def header(self) -> JsonObject | None:
        """Return the header, or None if nothing is kept yet. Raises StoreError if it is corrupt."""

    @abstractmethod
    def write(self, table: str, rows: pa.Table, name: str) -> None:
        """Write rows of a table, in a file of this name if it is one. Raises UnusableNowError."""

    @abstractmethod
    def parts(self) -> Iterator[tuple[str, Mapping[str, pa.Table]]]:
        """Yield (place, its tables) until every row was yielded, later attempts first.

        All rows of an attempt at a block are in one part.
        """

    def blocks(self) -> Iterator[Block]:
        """Yield every finished block once. Raises StoreError if one is not intact.

        Rows of a block without its row of `blocks` are ignored: its writer was interrupted. Of a
        block that was done more than once, the latest attempt counts.
        """
        done: set[int] = set()
        for place, found in self.parts():
            blocks = blocks_in(found)
            for attempt, block in sorted(blocks, key=itemgetter(0), reverse=True):
                tables = blocks[attempt, block]
                if BLOCKS not in tables or block in done:
                    continue
                if not is_intact(self.campaign, block, tables):
                    raise StoreError(
                        f"{place} cannot be read (the rows of block {block} do not match its "
                        "checksum); delete the file, and run the command again to redo its blocks"
                    )
                done.add(block)
                yield block, tables

    def done(self) -> str:
        """Return how much is finished, in a few words; an empty text if that is slow to know."""
        return ""

    def begin(self, header: JsonObject) -> None:
        """Write the header of new work, or check that the store has results of the same work.

        Raises StoreError, with the fields in which the headers differ.
        """
        kept = self.header()
        self.resumed = kept is not None
        if kept is None:
            self.write(CAMPAIGNS, _header_table(header), str(header["campaign"]))
        elif kept["campaign"] != header["campaign"]:
            raise StoreError(
                f"{self.address} has other results ({'; '.join(differences(kept, header))}); "
                "choose another directory, or run what began it: the same command, version and "
                "adapter"
            )


def new_header(kind: str, plan: JsonObject, code: str, vectors: str = "") -> JsonObject:
    """Return the header of new work.

    plan: what distinguishes the work from other work of its kind; it has a `system`. code: the
    version of the code. vectors: the digest of the corpus. `campaign` identifies all of these.
    """
    header: JsonObject = {
        "format": FORMAT,
        "kind": kind,
        "plan": plan,
        "code": code,
        "vectors": vectors,
    }
    return {"campaign": _id_of(header), **header, "began": time.time_ns() // 1000}


@cache
def version() -> str:
    """Return the version of the suite, with the digest of its sources and of the reference's."""
    digest = code_digest(*(Path(str(files(name))) for name in ("rejoin", "rejoin_conformance")))
    return f"{rejoin.__version__}+{digest[:16]}"


def code_digest(*packages: Path) -> str:
    """Return the digest of the sources in some folders, and of the texts beside them, as hex."""
    sources: JsonObject = {
        str(path.relative_to(package.parent)): hashlib.blake2b(path.read_bytes()).hexdigest()
        for package in packages
        for path in package.rglob("*")
        if path.suffix in {".py", ".txt"}
    }
    return digest_of(sources)


def differences(kept: JsonObject, wanted: JsonObject) -> list[str]:
    """Return one phrase for each field in which two headers differ."""
    there, here = _flat(kept), _flat(wanted)
    return [
        _difference(name, there.get(name), here.get(name))
        for name in {**here, **there}
        if there.get(name) != here.get(name)
    ]


def header_in(table: pa.Table, place: str) -> JsonObject:
    """Return the header in the table `campaigns`. Raises StoreError with its place."""
    try:
        names = ("campaign", "format", "kind", "plan", "code", "vectors")
        (row,) = table.select(names).to_pylist()
        header: JsonObject = {**row, "plan": strict_json(row["plan"])}
        began = table["began"].cast("int64").to_pylist()[0]
    except (KeyError, TypeError, ValueError, NotStrictJsonError) as error:
        raise StoreError(f"{place} is corrupt: {first_line(error)}") from None
    if header.pop("campaign") != _id_of(header):
        raise StoreError(f"{place} is corrupt: its ID is not that of its plan, code and vectors")
    return {"campaign": row["campaign"], **header, "began": began}


def new_attempt() -> str:
    """Return the name of a run. It is greater than the names of earlier runs."""
    return f"{time.time_ns() // 1_000_000:012x}{secrets.token_hex(2)}"


def first_line(error: BaseException) -> str:
    """Return the reason of an error in one line."""
    return str(error).partition("\n")[0] or type(error).__name__


def require_tables() -> None:
    """Raise UnusableNowError if the package that reads and writes tables is missing."""
    try:
        import pyarrow.parquet  # noqa: F401, PLC0415 - optional
    except ImportError:
        raise UnusableNowError(
            f"a directory of results needs PyArrow, which is not installed; run: "
            f"{install_hint('tables')}"
        ) from None


def _header_table(header: JsonObject) -> pa.Table:
    """Return a header as the only row of the table `campaigns`."""
    import pyarrow as pa  # noqa: PLC0415 - optional

    plan: Any = header["plan"]
    row = {
        **plan,
        **header,
        "readings": ", ".join(plan.get("readings", ())),
        "plan": canonical_json(plan),
    }
    return pa.Table.from_pylist([row], schema=arrow_schema(columns_of(CAMPAIGNS)))


def _id_of(header: JsonObject) -> str:
    """Return the digest of what distinguishes work from other work."""
    plan: Any = header["plan"]
    same = {name: value for name, value in plan.items() if name not in AS_GIVEN}
    text = canonical_json({**header, "plan": same})
    return hashlib.blake2b(text.encode("ascii"), digest_size=8).hexdigest()


def _flat(header: JsonObject) -> JsonObject:
    """Return what distinguishes work, with the fields of the plan beside its own."""
    flat: JsonObject = {}
    for name, value in header.items():
        if name not in {"campaign", "began"}:
            flat |= value if isinstance(value, dict) else {name: value}
    return {name: value for name, value in flat.items() if name not in AS_GIVEN}


def _difference(name: str, *values: Json) -> str:
    there, here = (each if isinstance(each, str) else canonical_json(each) for each in values)
    if max(len(there), len(here)) > _SHOWN:
        return f"different {name}"
    return f"{name} {shown_line(there)} there, {shown_line(here)} here"
