"""The tables of the project's texts, as data for plots."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from rejoin_site.places import ROOT

Row: TypeAlias = Mapping[str, str]

_RULE: Final = re.compile(r"\|(?:\s*:?-+:?\s*\|)+")
_NUMBER: Final = re.compile(r"[\d,]+")


class NoTableError(Exception):
    """A text does not have the table that a plot needs. The message names both."""


def table(path: str, *columns: str) -> tuple[Row, ...]:
    """Return the rows of the first table of a text that has these columns: column -> cell.

    path: of the text in the checkout. Raises NoTableError.
    """
    for header, rows in _tables((ROOT / path).read_text(encoding="utf-8")):
        if {*columns} <= {*header}:
            return tuple(dict(zip(header, cells, strict=False)) for cells in rows)
    raise NoTableError(f"{path}: no table has the columns {', '.join(columns)}")


def number(cell: str) -> int:
    """Return the first number in a cell, such as 470 for `470 pass`; 0 if it has none."""
    found = _NUMBER.search(cell)
    return int(found[0].replace(",", "")) if found else 0


def _tables(text: str) -> Iterator[tuple[list[str], list[list[str]]]]:
    lines = text.splitlines()
    for place, line in enumerate(lines):
        if place and _RULE.fullmatch(line.strip()):
            rows = []
            for each in lines[place + 1 :]:
                if not each.startswith("|"):
                    break
                rows.append(_cells(each))
            yield _cells(lines[place - 1]), rows


def _cells(line: str) -> list[str]:
    return [each.strip().strip("*`") for each in line.strip().strip("|").split("|")]
