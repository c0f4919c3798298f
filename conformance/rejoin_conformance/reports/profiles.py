"""The coverage of several profiles as a document: totals, and the keys in which they differ."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from rejoin_conformance.kit.document import Block, Line, Span, Table, Text
from rejoin_conformance.reports.campaign import by_size

OFTENER: Final = 5
"""The report lists a key that a profile covers at least this many times as often as another one."""

_SIZE: Final = re.compile(r"[0-9]+(-[0-9]+)?")


def profile_blocks(report: Mapping[str, Any]) -> Iterator[Block]:
    """Yield a report of `profile_coverage`."""
    profiles, histories = report["profiles"], report["histories"]
    names, found = [*profiles], {name: each["reached"] for name, each in profiles.items()}
    keys = sorted({key for each in found.values() for key in each}, key=_place)
    drawn = f"reading {report['reading']}, seed {report['seed']}"
    yield Text(f"{report['system']}: {histories:,} histories of each profile, {drawn}")
    yield Text(
        "A key that no history covers is covered by fewer than about one history in "
        f"{max(1, histories // 3):,}, at 95 % confidence."
    )
    totals = [["keys covered", *(f"{len(each):,}" for each in found.values())]]
    if any(each["crashed"] for each in profiles.values()):
        crashed = (f"{each['crashed']:,}" for each in profiles.values())
        totals.append(["could not be examined", *crashed])
    yield _table("", names, totals)
    counts = {key: [each.get(key, 0) for each in found.values()] for key in keys}
    often = [
        [key, *(f"{1000 / histories * each:.1f}" if each else "-" for each in counts[key])]
        for key in keys
        if not _is_size(key) and max(counts[key]) >= OFTENER * min(counts[key])
    ]
    groups = sorted({key.rpartition(":")[0] for key in keys if _is_size(key)})
    sizes = [[group, *(_largest(each, group) for each in found.values())] for group in groups]
    title = f"per 1,000 histories; {OFTENER} times as often in one profile as in another"
    for about, rows in ((title, often), ("largest value", sizes)):
        yield _table(about, names, rows) if rows else Text(f"{about}: none")


def _largest(reached: Iterable[str], group: str) -> str:
    """Return the largest size that the keys of a group name."""
    keys = (key.rpartition(":") for key in reached if _is_size(key))
    return max((value for name, _, value in keys if name == group), key=by_size, default="-")


def _table(title: str, names: Sequence[str], rows: Iterable[list[str]]) -> Table:
    listed: list[tuple[Line, ...]] = [(Span(name, "code"), *cells) for name, *cells in rows]
    return Table((title, *names), listed, numbers=frozenset(range(1, len(names) + 1)))


def _is_size(key: str) -> bool:
    """Return whether a key ends with a number or a range, such as `shape:messages:17-24`."""
    return _SIZE.fullmatch(key.rpartition(":")[2]) is not None


def _place(key: str) -> tuple[str, tuple[int, int, str]]:
    group, _, value = key.rpartition(":")
    return group, by_size(value)
