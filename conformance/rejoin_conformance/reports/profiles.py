"""The coverage of profiles as a document: totals, and the differences from `uniform`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from rejoin_conformance.campaigns.profile_coverage import OFTENER, UNIFORM
from rejoin_conformance.kit.document import Block, Line, Span, Table, Text

_SIZE: Final = re.compile(r"[0-9]+(-[0-9]+)?")


def profile_blocks(report: Mapping[str, Any]) -> Iterator[Block]:
    """Yield a report of `profile_coverage`."""
    names = sorted(name for name in report["profiles"] if name != UNIFORM)
    names += [UNIFORM] if UNIFORM in report["profiles"] else []
    found = {name: report["profiles"][name]["reached"] for name in names}
    keys = sorted({key for each in found.values() for key in each}, key=_in_order)
    known = found.get(UNIFORM, {})
    drawn = f"reading {report['reading']}, seed {report['seed']}"
    histories = report["histories"]
    yield Text(f"{report['system']}: {histories:,} histories of each profile, {drawn}")
    yield Text(
        "A key that no history covers is covered by fewer than about one history in "
        f"{max(1, histories // 3):,}, at 95 % confidence."
    )
    yield _table("", names, _summary(report, names))
    words = [key for key in keys if not _is_size(key)]
    rate = _rate(report)
    if UNIFORM in found:
        guided = [found[name] for name in names if name != UNIFORM]
        oftener = {key for each in report.get("oftener", {}).values() for key in each}
        for title, listed in (
            (f"not covered by {UNIFORM}", [key for key in words if key not in known]),
            (f"at least {OFTENER} times as often as {UNIFORM}",
             [key for key in words if key in oftener]),
            (f"covered only by {UNIFORM}",
             [key for key in words if not any(key in each for each in guided)]),
        ):  # fmt: skip
            yield from _keys(f"per 1,000 histories; {title}", names, listed, rate)
    else:
        yield Text(f"The profile {UNIFORM} was not measured.")
    groups = sorted({key.rpartition(":")[0] for key in keys if _is_size(key)})
    yield from _keys("largest value", names, groups, _largest(found))


def _summary(report: Mapping[str, Any], names: list[str]) -> Iterator[list[str]]:
    profiles = [report["profiles"][name] for name in names]
    events = [f"{each['events'] / report['histories']:,.1f}" for each in profiles]
    yield ["events in a history", *events]
    yield ["keys covered", *(f"{len(each['reached']):,}" for each in profiles)]
    for title, compared in (
        (f"not covered by {UNIFORM}", "beyond"),
        (f"at least {OFTENER} times as often", "oftener"),
    ):
        counts = report.get(compared)
        if counts is not None:
            yield [title, *(f"{len(counts[name]):,}" if name in counts else "" for name in names)]
    if any(each["crashed"] for each in profiles):
        yield ["could not be examined", *(f"{each['crashed']:,}" for each in profiles)]


def _rate(report: Mapping[str, Any]) -> Callable[[str, str], str]:
    """Return a function (key, profile) -> number of histories per 1,000 with this key."""

    def rate(key: str, name: str) -> str:
        each = report["profiles"][name]["reached"].get(key)
        per = 1000 / max(1, report["histories"])
        return "-" if each is None else f"{per * each:.1f}"

    return rate


def _largest(found: Mapping[str, Any]) -> Callable[[str, str], str]:
    """Return a function (group of sizes, profile) -> the largest size."""

    def largest(group: str, name: str) -> str:
        sizes = (key.rpartition(":") for key in found[name] if _is_size(key))
        values = [value for each, _, value in sizes if each == group]
        return max(values, key=_size, default="-")

    return largest


def _keys(
    title: str, names: list[str], keys: Sequence[str], cell: Callable[[str, str], str]
) -> Iterator[Block]:
    if keys:
        rows = ([key, *(cell(key, name) for name in names)] for key in keys)
        yield _table(title, names, rows)
    else:
        yield Text(f"{title}: none")


def _table(title: str, names: Sequence[str], rows: Iterable[list[str]]) -> Table:
    listed: list[tuple[Line, ...]] = [(Span(name, "code"), *cells) for name, *cells in rows]
    return Table((title, *names), listed, numbers=frozenset(range(1, len(names) + 1)))


def _is_size(key: str) -> bool:
    """Return whether a key ends with a number or a range, such as `shape:messages:17-24`."""
    return _SIZE.fullmatch(key.rpartition(":")[2]) is not None


def _size(value: str) -> int:
    return int(value.partition("-")[0])


def _in_order(key: str) -> tuple[str, int, str]:
    """Return a sort key: by group, then by number."""
    group, _, value = key.rpartition(":")
    return group, _size(value) if _is_size(key) else -1, value
