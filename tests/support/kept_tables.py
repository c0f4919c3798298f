"""The tables of a kept campaign in DuckDB, and the queries of docs/spark.md with their results."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import duckdb

from rejoin_conformance.campaigns.tables import BLOCKS, TABLES

_QUERY = re.compile(r"```sql\n(.+?)```\n\n```\n(.*?)```", re.DOTALL)


def queries_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield each query of a page that is followed by its result, and this result."""
    yield from ((each[1], each[2]) for each in _QUERY.finditer(text))


def connected(directory: Path) -> duckdb.DuckDBPyConnection:
    """Return a connection that has a view for each table that a directory has."""
    connection = duckdb.connect()
    connection.sql("SET TimeZone = 'UTC'")
    files = {name: directory / name / "*.parquet" for name in ("campaigns", BLOCKS, *TABLES)}
    for name, path in files.items():
        if path.parent.is_dir():
            finished = (
                "" if name in {"campaigns", BLOCKS} else "SEMI JOIN blocks USING (attempt, block)"
            )
            connection.sql(f"CREATE VIEW {name} AS FROM '{path}' {finished}")
    return connection


def shown(names: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return rows as the page shows them."""
    cells = [list(names), *([str(each) for each in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ("  ".join(f"{c:{w}}" for c, w in zip(row, widths, strict=True)) for row in cells)
    return "".join(f"{line.rstrip()}\n" for line in lines)
