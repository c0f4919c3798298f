"""Text from an adapter is shown, never obeyed: no control character of it reaches a terminal."""

from __future__ import annotations

from typing import Final

_KEPT: Final = frozenset("\n\t")


def shown(text: str, limit: int = 2000) -> str:
    """The text with everything unprintable escaped, and no longer than `limit` characters."""
    cut = text if len(text) <= limit else text[:limit] + f"... ({len(text)} characters)"
    return "".join(each if each.isprintable() or each in _KEPT else _escape(each) for each in cut)


def shown_line(text: str, limit: int = 200) -> str:
    """The same on one line."""
    return shown(text, limit).replace("\n", "\\n").replace("\t", "\\t")


def shown_bytes(data: bytes, limit: int = 120) -> str:
    """Bytes that ought to be text, on one line in quotes; what is not UTF-8 shows as hex."""
    text = data[:limit].decode("utf-8", "backslashreplace")
    after = f" ... ({len(data)} bytes)" if len(data) > limit else ""
    return f'"{shown_line(text, 4 * limit)}"{after}'


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
