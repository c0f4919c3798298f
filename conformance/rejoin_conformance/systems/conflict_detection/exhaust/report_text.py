"""The report of the searches as text."""

from __future__ import annotations

from typing import Any

from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.json_types import JsonObject


def render(report: JsonObject) -> str:
    """Return the report as text: a table with a line for each search, then each trace once."""
    searched: Any = report
    searches: Any = report["searches"]
    kinds = list(dict.fromkeys(kind for each in searches for kind in each["mismatches"]))
    head = ["design", "reading", "variant", "states", "uploads", "polls", "mismatches", *kinds]
    rows = [head]
    for each in searches:
        counts = [each["mismatches"].get(kind, {}).get("polls", 0) for kind in kinds]
        numbers = [each["states"], each["uploads"], each["polls"], sum(counts), *counts]
        names = [each["design"], each["reading"], each["variant"]]
        rows.append([*names, *(f"{number:,}" for number in numbers)])
    clients, uploads = (
        counted(searched["clients"], "client"),
        counted(searched["uploads"], "upload"),
    )
    lines = [
        f"Every interleaving of {clients} and up to {uploads}",
        "",
        *_table(rows),
    ]
    titles_by_text: dict[tuple[str, str], list[str]] = {}
    for each in searches:
        for kind, found in each["mismatches"].items():
            title = f"{each['design']}, {each['reading']}, {each['variant']}"
            titles_by_text.setdefault((kind, found["text"]), []).append(title)
    for (kind, text), titles in titles_by_text.items():
        lines += ["", f"{kind}: the shortest trace in " + "; ".join(titles)]
        lines += [f"    {line}".rstrip() for line in text.splitlines()]
    return "\n".join(lines)


def _table(rows: list[list[str]]) -> list[str]:
    """Return lines of aligned columns: three columns of words, then numbers."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if column < 3 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
