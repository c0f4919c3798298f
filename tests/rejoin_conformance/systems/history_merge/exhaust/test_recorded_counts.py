"""The counts in search-rules.md are those of the search."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

import pytest

from rejoin_conformance.kit.locations import spec_directory
from rejoin_conformance.systems.history_merge.exhaust.counts import COUNTS, OF_PREMISE, counts_of
from rejoin_conformance.systems.history_merge.exhaust.premises import PREMISES

SECONDS: Final = 7
"""The largest size that is counted in a second."""

ONLY_NOT_ASSOCIATIVE: Final = {7: 60, 8: 11_888, 9: 1_790_779}
"""K: the histories in which associativity fails although no merge depends on the order."""

Row = dict[str, str]


def rules() -> str:
    return (spec_directory() / "history-merge" / "search-rules.md").read_text(encoding="utf-8")


def tables() -> Iterator[list[Row]]:
    """Yield the tables of the page: each row as the cells by column, `K = 7 order matters`."""
    for table in re.findall(r"(?:^\|.*\n)+", rules(), re.MULTILINE):
        head, _, *rows = [
            [cell.strip() for cell in line.strip("|\n").split("|")] for line in table.splitlines()
        ]
        yield [dict(zip(named(head), row, strict=True)) for row in rows]


def named(head: list[str]) -> Iterator[str]:
    """Yield unique names of columns: one that repeats belongs to the size before it."""
    size = ""
    for cell in head:
        if found := re.search(r"K = \d+", cell):
            size = found[0]
        yield f"{size} {cell}" if head.count(cell) > 1 else size or cell


def table_with(*columns: str) -> list[Row]:
    """Return the first table with these columns."""
    return next(rows for rows in tables() if set(columns) <= set(rows[0]))


ALL: Final = table_with("K", "DAGs")
SUFFICIENT: Final = table_with("Premise", "K = 6")
NOT_SUFFICIENT: Final = table_with("Premise", "K = 6 order matters")
EVERY_SIZE: Final = [
    pytest.param(int(row["K"]), marks=[pytest.mark.long] if int(row["K"]) > SECONDS else [])
    for row in ALL
]


counts = cache(counts_of)


def number(cell: str) -> int:
    return int(cell.replace(",", ""))


@pytest.mark.parametrize("nodes", EVERY_SIZE)
def test_the_counts_of_every_size_are_recorded(nodes: int) -> None:
    (row,) = [row for row in ALL if row["K"] == str(nodes)]
    found = counts(nodes)
    shown = [nodes, *(found[name] for name in COUNTS[:6])]
    assert [number(cell) for cell in row.values()] == shown
    assert found["only_not_associative"] == ONLY_NOT_ASSOCIATIVE.get(nodes, 0)


@pytest.mark.parametrize("nodes", EVERY_SIZE[5:])
def test_the_counts_under_the_premises_are_recorded(nodes: int) -> None:
    size, found = f"K = {nodes}", counts(nodes)
    premises = [[found[f"premise:{each.name}:{what}"] for what in OF_PREMISE] for each in PREMISES]
    assert sorted(number(row[size]) for row in SUFFICIENT) == sorted(
        histories for histories, _, failing in premises if not failing
    )
    assert sorted(
        (number(row[size]), number(row[f"{size} order matters"])) for row in NOT_SUFFICIENT
    ) == sorted((histories, dependent) for histories, dependent, failing in premises if failing)


def test_the_histories_in_which_only_associativity_fails_are_recorded() -> None:
    text = " ".join(rules().split())
    in_each = (f"in {number:,} histories of K = {k}" for k, number in ONLY_NOT_ASSOCIATIVE.items())
    assert " and ".join(in_each) in text.lower().replace("k = ", "K = ")
