"""Take the fields of a history out of JSON, each of its kind; refuse what no history has.

What a history is read from may be any file, and is what a reduction tries: a number where a name
belongs must not become a history that means something else.
"""

from __future__ import annotations

from collections.abc import Collection

from rejoin_conformance.kit.json_types import Json, JsonObject

_LONGEST_SHOWN = 60


class NotAHistoryError(ValueError):
    """JSON that is no history of the system, with one line on what is wrong."""


def fields_of(value: Json, *names: str) -> JsonObject:
    """An object with exactly these fields."""
    if not isinstance(value, dict):
        raise _fault(value, "an object")
    if value.keys() != set(names):
        raise NotAHistoryError(f"the fields are {', '.join(value)}, not {', '.join(names)}")
    return value


def list_in(value: Json) -> list[Json]:
    """A list."""
    if not isinstance(value, list):
        raise _fault(value, "a list")
    return value


def whole(value: Json, low: int = 0, high: int | None = None) -> int:
    """An integer in a range whose ends are included."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise _fault(value, "an integer")
    if value < low or (high is not None and value > high):
        raise _fault(value, f"at least {low}" if high is None else f"in {low} .. {high}")
    return value


def decimal(value: Json) -> int:
    """An integer of any size, written as a decimal string."""
    spelled = text(value)
    if len(spelled) > 100 or not spelled.removeprefix("-").isdecimal() or not spelled.isascii():
        raise _fault(value, "a decimal number")
    return int(spelled)


def flag(value: Json) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise _fault(value, "true or false")
    return value


def text(value: Json) -> str:
    """A string."""
    if not isinstance(value, str):
        raise _fault(value, "a string")
    return value


def name(value: Json) -> str:
    """A string that is not empty."""
    if not text(value):
        raise _fault(value, "a name")
    return text(value)


def bytes_in(value: Json) -> bytes:
    """Bytes, written as hex."""
    try:
        return bytes.fromhex(text(value))
    except ValueError:
        raise _fault(value, "hex") from None


def one_of(value: Json, known: Collection[str]) -> str:
    """One of the words that are known."""
    if not isinstance(value, str) or value not in known:
        raise _fault(value, f"one of {', '.join(known)}")
    return value


def _fault(value: Json, wanted: str) -> NotAHistoryError:
    shown = repr(value)
    if len(shown) > _LONGEST_SHOWN:
        shown = shown[:_LONGEST_SHOWN] + "..."
    return NotAHistoryError(f"{shown} is not {wanted}")
