"""The tables in which everything is kept: their columns, and the checksum of a block.

A block is the unit of work. Its rows of the other tables are written before its row of `blocks`,
which is the commit record: a reader ignores rows without it. The checksum in that row covers all
rows of the block, so a reader notices lost, changed and foreign rows.

In memory the tables of a block are `Tables`: name -> rows, without the key, and times as
microseconds since 1970; a missing value is null. Arrow and Parquet hold them with the key. A wide
table holds the rows of all tables: its column `table` names the table, and the columns of other
tables are null.
"""

from __future__ import annotations

import hashlib
import json
import os
import socket
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    import pyarrow as pa

FORMAT: Final = 6
"""The version of the tables. A reader refuses another one."""

Row: TypeAlias = dict[str, Any]
Tables: TypeAlias = Mapping[str, Sequence[Row]]
Columns: TypeAlias = Mapping[str, str]
"""Name -> type, as Spark names it."""

KEY: Final = {"campaign": "string", "attempt": "string", "block": "long"}
"""The first columns of every table but `campaigns`. attempt: the run that wrote the rows."""

CAMPAIGNS: Final = {
    "campaign": "string",
    "format": "long",
    "kind": "string",
    "system": "string",
    "profile": "string",
    "readings": "string",
    "seed": "long",
    "histories": "long",
    "plan": "string",
    "code": "string",
    "vectors": "string",
    "began": "timestamp",
}
"""The columns of `campaigns`, which has one row. plan: the whole plan as JSON."""

TABLES: Final[Mapping[str, Columns]] = {
    "counts": {"reading": "string", "kind": "string", "name": "string", "count": "long"},
    "violations": {
        "index": "long",
        "reading": "string",
        "law": "string",
        "kind": "string",
        "detail": "string",
        "evidence": "string",
        "history": "string",
    },
    "verdicts": {
        "subject": "string",
        "id": "string",
        "call": "long",
        "operation": "string",
        "reading": "string",
        "verdict": "string",
        "restarts": "long",
        "restarted": "string",
        "observed": "string",
    },
    "quarantine": {"index": "long", "reason": "string", "detail": "string"},
    "fates": {
        "mutant": "string",
        "fate": "string",
        "killer": "string",
        "tried": "long",
        "how": "string",
    },
    "differences": {"index": "long", "what": "string", "a": "string", "b": "string"},
    "pieces": {"activity": "string", "number": "long", "value": "string"},
    "blocks": {
        "first": "long",
        "histories": "long",
        "digest": "string",
        "began": "timestamp",
        "micros": "long",
        "cpu_micros": "long",
        "worker": "string",
        "checksum": "string",
    },
}
"""Table -> column -> type, without the key. `blocks` is the last: it is written last."""

BLOCKS: Final = "blocks"
DIFFERENCES: Final = "differences"
FATES: Final = "fates"
WIDE: Final[Columns] = {
    "table": "string",
    **KEY,
    **{name: kind for columns in TABLES.values() for name, kind in columns.items()},
}


def block_row(**columns: Any) -> Row:
    """Return a row of `blocks` that this process writes, without the checksum."""
    row = {"first": 0, "digest": "", "began": time.time_ns() // 1000, "micros": 0, "cpu_micros": 0}
    return {**row, "worker": f"{socket.gethostname()}:{os.getpid()}", **columns}


def is_intact(campaign: str, block: int, tables: Tables) -> bool:
    """Return whether the checksum of a block covers just these rows of this campaign."""
    stated = [row["checksum"] for row in tables[BLOCKS]]
    return stated == [_checksum(campaign, block, _by_column(tables))]


def columns_of(table: str) -> Columns:
    """Return the columns of a table, with the key."""
    return CAMPAIGNS if table == "campaigns" else {**KEY, **TABLES[table]}


def ddl(columns: Columns) -> str:
    """Return columns as Spark writes a schema."""
    return ", ".join(f"{name} {kind}" for name, kind in columns.items())


def arrow_schema(columns: Columns) -> pa.Schema:
    """Return columns as Arrow's schema."""
    import pyarrow as pa  # noqa: PLC0415 - optional

    kinds = {"string": pa.string(), "long": pa.int64(), "timestamp": pa.timestamp("us", "UTC")}
    return pa.schema([(name, kinds[kind]) for name, kind in columns.items()])


def wide_batch(campaign: str, attempt: str, block: int, tables: Tables) -> pa.RecordBatch:
    """Return the rows of a block as a batch of the wide table, with their checksum."""
    import pyarrow as pa  # noqa: PLC0415 - optional

    every, wide = _by_column(tables), arrow_schema(WIDE)
    every[BLOCKS]["checksum"] = [_checksum(campaign, block, every)]
    batches = []
    for name, found in every.items():
        count = len(tables[name])
        key = {"table": name, "campaign": campaign, "attempt": attempt, "block": block}
        columns = {**found, **{each: [value] * count for each, value in key.items()}}
        arrays = [
            pa.array(columns[each.name], each.type)
            if each.name in columns
            else pa.nulls(count, each.type)
            for each in wide
        ]
        batches.append(pa.RecordBatch.from_arrays(arrays, schema=wide))
    return pa.concat_batches(batches)


def narrow(wide: pa.Table, table: str) -> pa.Table:
    """Return the rows of one table in a wide table."""
    import pyarrow.compute as pc  # noqa: PLC0415 - optional

    return wide.filter(pc.equal(wide["table"], table)).select([*columns_of(table)])


def blocks_in(found: Mapping[str, pa.Table]) -> dict[tuple[str, int], Tables]:
    """Return (attempt, block) -> its tables, for every block that has any row."""
    blocks: dict[tuple[str, int], dict[str, list[Row]]] = {}
    for name, table in found.items():
        keys = zip(table["attempt"].to_pylist(), table["block"].to_pylist(), strict=True)
        columns = {each: kind.replace("timestamp", "long") for each, kind in TABLES[name].items()}
        rows = table.select([*columns]).cast(arrow_schema(columns)).to_pylist()
        for key, row in zip(keys, rows, strict=True):
            blocks.setdefault(key, {}).setdefault(name, []).append(row)
    return {**blocks}


def _by_column(tables: Tables) -> dict[str, dict[str, list[object]]]:
    """Return table -> column -> its values, for the tables that have rows."""
    return {
        name: {each: [_text(row.get(each)) for row in rows] for each in TABLES[name]}
        for name, rows in tables.items()
        if rows
    }


def _text(value: object) -> object:
    """Return a value that Parquet can hold: it has no lone surrogates."""
    if not isinstance(value, str) or value.isascii():
        return value
    return value.encode("utf-8", "backslashreplace").decode()


def _checksum(campaign: str, block: int, every: Mapping[str, Mapping[str, list[object]]]) -> str:
    """Return the checksum of a block: of all its rows in all tables, in their order."""
    full = {**every, BLOCKS: {**every[BLOCKS], "checksum": [None]}}
    text = json.dumps([FORMAT, campaign, block, full], sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode("ascii"), digest_size=16).hexdigest()
