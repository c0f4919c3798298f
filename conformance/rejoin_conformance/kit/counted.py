"""Numbers with their nouns."""

from __future__ import annotations


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun, such as `1 vector` or `2,000 vectors`.

    plural: for a noun whose plural is not formed with -s.
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
