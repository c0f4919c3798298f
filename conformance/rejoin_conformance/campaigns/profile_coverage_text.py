"""The coverage of profiles as text: totals, and the differences from `uniform`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final

from rejoin_conformance.campaigns.profile_coverage import OFTENER, UNIFORM

_WIDEST: Final = 11
_SIZE: Final = re.compile(r"[0-9]+(-[0-9]+)?")


def render(report: Any, *, everything: bool = False) -> str:
    """Return a report of `profile_coverage` as text. everything: list all coverage keys too."""
    names = [name for name in report["profiles"] if name != UNIFORM]
    names += [UNIFORM] if UNIFORM in report["profiles"] else []
    found = {name: report["profiles"][name]["reached"] for name in names}
    keys = sorted({key for each in found.values() for key in each}, key=_in_order)
    known = found.get(UNIFORM, {})
    drawn = f"reading {report['reading']}, seed {report['seed']}"
    lines = [
        f"{report['system']}: {report['histories']:,} histories of each profile, {drawn}",
        "",
        *_table("", names, _summary(report, names)),
        "",
    ]
    rate = _rate(report)
    if UNIFORM in found:
        plain = [key for key in keys if key not in known and not _is_size(key)]
        lines += _keys(f"per 1,000 histories; not covered by {UNIFORM}", names, plain, rate)
        oftener = sorted(
            {key for each in report["oftener"].values() for key in each}, key=_in_order
        )
        title = f"per 1,000 histories; at least {OFTENER} times as often as {UNIFORM}"
        lines += _keys(title, names, [key for key in oftener if not _is_size(key)], rate)
        others = [found[name] for name in names if name != UNIFORM]
        plain = [key for key in known if not _is_size(key)]
        alone = [key for key in plain if all(key not in each for each in others)]
        lines += _keys(f"per 1,000 histories; covered only by {UNIFORM}", names, alone, rate)
    groups = sorted({key.rpartition(":")[0] for key in keys if _is_size(key)})
    lines += _keys("largest value", names, groups, _largest(found))
    if everything:
        lines += _keys("per 1,000 histories", names, keys, rate)
    return "\n".join(lines).rstrip()


def _summary(report: Any, names: list[str]) -> Iterable[tuple[str, list[str]]]:
    profiles = [report["profiles"][name] for name in names]
    histories = report["histories"]
    yield "events in a history", [f"{each['events'] / histories:.1f}" for each in profiles]
    yield "keys covered", [str(len(each["reached"])) for each in profiles]
    beyond = report.get("beyond")
    if beyond is not None:
        counts = [str(len(beyond[name])) if name in beyond else "" for name in names]
        yield f"not covered by {UNIFORM}", counts
        oftener = report["oftener"]
        counts = [str(len(oftener[name])) if name in oftener else "" for name in names]
        yield f"at least {OFTENER} times as often", counts
    if any(each["crashed"] for each in profiles):
        yield "histories that crashed", [str(each["crashed"]) for each in profiles]


def _rate(report: Any) -> Callable[[str, str], str]:
    """Return a function (key, profile) -> number of histories per 1,000 with this key."""

    def rate(key: str, name: str) -> str:
        each = report["profiles"][name]["reached"].get(key)
        return "-" if each is None else f"{1000 * each['histories'] / report['histories']:.1f}"

    return rate


def _largest(found: dict[str, Any]) -> Callable[[str, str], str]:
    """Return a function (group of sizes, profile) -> the largest size."""

    def largest(group: str, name: str) -> str:
        sizes = (key.rpartition(":") for key in found[name] if _is_size(key))
        values = [value for each, _, value in sizes if each == group]
        return max(values, key=_size, default="-")

    return largest


def _keys(
    title: str, names: list[str], keys: list[str], cell: Callable[[str, str], str]
) -> list[str]:
    rows = ((key, [cell(key, name) for name in names]) for key in keys)
    return [*_table(title, names, rows), ""] if keys else [f"{title}: none", ""]


def _table(title: str, names: list[str], rows: Iterable[tuple[str, list[str]]]) -> list[str]:
    listed = [(title, names), *rows]
    width = max(len(head) for head, _ in listed) + 2
    return [
        (head.ljust(width) + "".join(f"{_short(cell):>12}" for cell in cells)).rstrip()
        for head, cells in listed
    ]


def _short(cell: str) -> str:
    return cell if len(cell) <= _WIDEST else f"{cell[: _WIDEST - 2]}.."


def _is_size(key: str) -> bool:
    """Return whether a key ends with a number or a range, such as `shape:messages:17-24`."""
    return _SIZE.fullmatch(key.rpartition(":")[2]) is not None


def _size(value: str) -> int:
    return int(value.partition("-")[0])


def _in_order(key: str) -> tuple[str, int, str]:
    """Return a sort key: by group, then by number."""
    group, _, value = key.rpartition(":")
    return group, _size(value) if _is_size(key) else -1, value
