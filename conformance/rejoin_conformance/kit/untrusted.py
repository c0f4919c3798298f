"""Escape text from an adapter, so that none of its control characters reaches a terminal."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.kit.json_types import Json

_KEPT: Final = frozenset("\n\t")


def shown(text: str, limit: int = 2000) -> str:
    """Return the text with unprintable characters escaped, cut after `limit` characters."""
    cut = text if len(text) <= limit else text[:limit] + f"... ({len(text)} characters)"
    return "".join(each if each.isprintable() or each in _KEPT else _escape(each) for each in cut)


def shown_line(text: str, limit: int = 200) -> str:
    """Return the same text on one line."""
    return shown(text, limit).replace("\n", "\\n").replace("\t", "\\t")


def shown_bytes(data: bytes, limit: int = 120) -> str:
    """Return bytes that should be text on one line in quotes, with invalid UTF-8 as hex."""
    text = data[:limit].decode("utf-8", "backslashreplace")
    after = f" ... ({len(data)} bytes)" if len(data) > limit else ""
    return f'"{shown_line(text, 4 * limit)}"{after}'


def escaped(value: Json) -> Json:
    """Return JSON with unprintable characters escaped in all its texts."""
    if isinstance(value, str):
        return value if value.isprintable() else shown(value, len(value))
    if isinstance(value, list):
        return [escaped(each) for each in value]
    if isinstance(value, dict):
        return {str(escaped(name)): escaped(each) for name, each in value.items()}
    return value


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
