"""The tables in which everything is kept: their columns, and the checksum of a block.

A block is the unit of work. Its rows of the other tables are written before its row of `blocks`,
which is the commit record: a reader ignores rows without it. The checksum in that row covers all
rows of the block, so a reader notices lost, changed and foreign rows.

In memory the tables of a block are `Tables`: name -> column -> values, without the key, and times
as microseconds since 1970. Arrow and Parquet hold them with the key. A wide table holds the rows of
all tables: its column `table` names the table, and the columns of other tables are null.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    import pyarrow as pa

FORMAT: Final = 6
"""The version of the tables. A reader refuses another one."""

Row: TypeAlias = dict[str, Any]
Columns: TypeAlias = dict[str, list[Any]]
Tables: TypeAlias = dict[str, Columns]

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

TABLES: Final[Mapping[str, Mapping[str, str]]] = {
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
        "killers": "string",
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
_WIDE: Final = {
    "table": "string",
    **KEY,
    **{name: kind for columns in TABLES.values() for name, kind in columns.items()},
}


def columns_of(table: str, rows: Iterable[Row]) -> Columns:
    """Return rows of a table as columns. A missing value is null."""
    rows = list(rows)
    return {name: [row.get(name) for row in rows] for name in TABLES[table]}


def rows_in(columns: Columns) -> list[Row]:
    """Return columns as rows."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def sealed(campaign: str, block: int, tables: Tables) -> Tables:
    """Return the tables of one block with their checksum in the row of `blocks`."""
    own = {**tables[BLOCKS], "checksum": [None]}
    whole = {name: {each: [*map(_text, values)] for each, values in columns.items()}
             for name, columns in {**tables, BLOCKS: own}.items()}  # fmt: skip
    return {**whole, BLOCKS: {**whole[BLOCKS], "checksum": [_checksum(campaign, block, whole)]}}


def is_intact(campaign: str, block: int, tables: Tables) -> bool:
    """Return whether the checksum of a block covers just these rows of this campaign."""
    stated = tables[BLOCKS]["checksum"]
    unsealed = {**tables, BLOCKS: {**tables[BLOCKS], "checksum": [None]}}
    return stated == [_checksum(campaign, block, unsealed)]


def ddl(table: str | None = None) -> str:
    """Return the columns of a table, or of the wide table, as Spark writes a schema."""
    return ", ".join(f"{name} {kind}" for name, kind in _columns(table).items())


def arrow_schema(table: str | None = None) -> pa.Schema:
    """Return the columns of a table, or of the wide table, as Arrow's schema."""
    import pyarrow as pa  # noqa: PLC0415 - optional

    kinds = {"string": pa.string(), "long": pa.int64(), "timestamp": pa.timestamp("us", "UTC")}
    return pa.schema([(name, kinds[kind]) for name, kind in _columns(table).items()])


def wide_batch(campaign: str, attempt: str, block: int, tables: Tables) -> pa.RecordBatch:
    """Return the rows of a block as a batch of the wide table."""
    import pyarrow as pa  # noqa: PLC0415 - optional

    sizes = {name: len(next(iter(columns.values()))) for name, columns in tables.items()}
    rows = sum(sizes.values())
    values: dict[str, list[Any]] = {
        "table": [name for name, size in sizes.items() for _ in range(size)],
        "campaign": [campaign] * rows,
        "attempt": [attempt] * rows,
        "block": [block] * rows,
    }
    schema = arrow_schema()
    for column in schema.names:
        if column not in values:
            values[column] = [
                value
                for name, size in sizes.items()
                for value in tables[name].get(column) or [None] * size
            ]
    return pa.RecordBatch.from_pydict(values, schema=schema)


def narrow(wide: pa.Table, table: str) -> pa.Table:
    """Return the rows of one table in a wide table."""
    import pyarrow.compute as pc  # noqa: PLC0415 - optional

    columns = arrow_schema(table).names
    return wide.filter(pc.equal(wide["table"], table)).select(columns)


def blocks_in(found: Mapping[str, pa.Table]) -> dict[tuple[str, int], Tables]:
    """Return (attempt, block) -> its tables, for every block that has any row."""
    blocks: dict[tuple[str, int], Tables] = {}
    for name, table in found.items():
        values: Columns = {}
        for each, kind in TABLES[name].items():
            column = table[each]
            values[each] = (column.cast("int64") if kind == "timestamp" else column).to_pylist()
        for key, run in groupby(range(table.num_rows), key=keys_of(table).__getitem__):
            places = [*run]
            own = blocks.setdefault(key, {}).setdefault(name, {each: [] for each in TABLES[name]})
            for each in TABLES[name]:
                own[each] += values[each][places[0] : places[-1] + 1]
    return blocks


def keys_of(table: pa.Table) -> list[tuple[str, int]]:
    """Return the attempt and the block of each row."""
    return [*zip(table["attempt"].to_pylist(), table["block"].to_pylist(), strict=True)]


def _columns(table: str | None) -> Mapping[str, str]:
    if table == "campaigns":
        return CAMPAIGNS
    return _WIDE if table is None else {**KEY, **TABLES[table]}


def _text(value: object) -> object:
    """Return a value that Parquet can hold: it has no lone surrogates."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def _checksum(campaign: str, block: int, tables: Tables) -> str:
    """Return the checksum of a block: of all its rows in all tables, in their order."""
    full = {name: columns for name, columns in tables.items() if next(iter(columns.values()))}
    text = json.dumps([FORMAT, campaign, block, full], sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode("ascii"), digest_size=16).hexdigest()
