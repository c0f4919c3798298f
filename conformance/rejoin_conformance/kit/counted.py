"""Numbers with their nouns and units."""

from __future__ import annotations

from collections.abc import Mapping


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun, such as `1 vector` or `2,000 vectors`.

    plural: for a noun whose plural is not formed with -s.
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def most_counted(counts: Mapping[str, int], shown: int = 3) -> str:
    """Return the names with the highest counts, and how many others there are."""
    names = sorted(counts, key=lambda name: (-counts[name], name))
    listed = ", ".join(f"{name} ({counts[name]:,})" for name in names[:shown])
    return f"{listed} and {len(names) - shown} more" if len(names) > shown else listed


def duration(seconds: float) -> str:
    """Return a number of seconds as a short text: `45 s`, `12 min`, `3 h 20 min`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
