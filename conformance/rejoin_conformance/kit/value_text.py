"""JSON values as text for people: formatted, bounded and printable."""

from __future__ import annotations

import json
from typing import Final

from rejoin_conformance.kit.json_types import Json, canonical_json
from rejoin_conformance.kit.untrusted import shown

_SHOWN: Final = 6000


def value_text(value: Json) -> str:
    """Return a JSON value as text: formatted if it is short, cut if it is long."""
    try:
        text = canonical_json(value)
        if len(text) <= _SHOWN:
            text = json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True)
    except RecursionError:
        return "(nested too deeply to be shown)"
    return shown(text, 2 * _SHOWN)


def text_shown(text: str) -> str:
    """Return text in a notation that is safe to show."""
    return shown(text, 2 * _SHOWN)


def observed_text(value: Json) -> str:
    """Return the observed output: nothing, a reply, or the beginning of a long reply."""
    if value is None:
        return "(no reply)"
    cut = value.get("truncated") if isinstance(value, dict) and len(value) == 1 else None
    if isinstance(cut, dict) and isinstance(cut.get("start"), str):
        length = cut.get("characters")
        whole = f" of {length:,} characters" if isinstance(length, int) else ""
        return shown(f"(the beginning{whole})\n{cut['start']}", _SHOWN)
    return value_text(value)
