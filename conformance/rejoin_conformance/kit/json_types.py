"""JSON in the suite: types, a canonical form and its digest."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"
else:
    Json = Any  # codecs resolve annotations at run time, and a recursive one has no end
JsonObject: TypeAlias = dict[str, Json]

DEEPEST: Final = 512
"""The maximum nesting of JSON. Python's stack has room for it wherever the suite recurses."""


def canonical_json(value: Json | Mapping[str, Json]) -> str:
    """Return the canonical text of a value: keys sorted, no white space, ASCII only.

    The suite's JSON has no floats, so this text is the same on every machine.
    """
    return _CANONICAL.encode(value)


def digest_of(value: Json | Mapping[str, Json]) -> str:
    """Return the 32-byte BLAKE2b digest of the canonical text, as lower-case hex."""
    return hashlib.blake2b(canonical_json(value).encode("ascii"), digest_size=32).hexdigest()


class NotStrictJsonError(ValueError):
    """Text that is not valid JSON for the suite. The message is one line on the fault."""


def strict_json(text: str | bytes, most_values: int | None = None) -> Json:
    """Parse JSON without floats, NaN, infinities and duplicate fields.

    text: bytes must be UTF-8; a byte order mark is ignored.
    most_values: the maximum number of values, which limits time and memory; None for no limit.
    Raises NotStrictJsonError for anything else: text that is not JSON, bytes that are not UTF-8,
    nesting deeper than DEEPEST, and integers with more digits than Python converts.
    """
    try:
        decoded = text if isinstance(text, str) else text.decode("utf-8-sig")
        _refuse_excess(decoded, most_values)
        value: Json = _STRICT.decode(decoded)
    except RecursionError:
        raise NotStrictJsonError("nested too deeply") from None
    except NotStrictJsonError:
        raise
    except UnicodeDecodeError as error:
        raise NotStrictJsonError(f"not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise NotStrictJsonError(f"{error.msg} at character {error.pos}") from None
    except ValueError:
        raise NotStrictJsonError(
            "an integer has too many digits; write long integers as strings"
        ) from None
    return value


def _refuse_excess(text: str, most_values: int | None) -> None:
    """Raise NotStrictJsonError for JSON that is nested too deeply or has too many values.

    This uses no recursion, and a time that is linear in the length of the text.
    """
    opened = text.count("[") + text.count("{")
    if opened > DEEPEST or (most_values is not None and opened + text.count(",") >= most_values):
        structure = _STRINGS.sub("", text)
        values = structure.count("[") + structure.count("{") + structure.count(",")
        if most_values is not None and values >= most_values:
            raise NotStrictJsonError(f"too many values: the limit is {most_values:,}")
        depths = accumulate(map(_STEP.__getitem__, _BRACKET.findall(structure)))
        if max(depths, default=0) > DEEPEST:
            raise NotStrictJsonError(f"nested too deeply: the limit is {DEEPEST} levels")


def _refuse_number(literal: str) -> Json:
    raise NotStrictJsonError(f"only integers are allowed, not {literal[:40]}")


def _object_without_doubles(pairs: list[tuple[str, Json]]) -> JsonObject:
    value = dict(pairs)
    if len(value) != len(pairs):
        double = next(
            name for name, count in Counter(name for name, _ in pairs).items() if count > 1
        )
        raise NotStrictJsonError(f"the field {double[:40]!r} occurs twice in one object")
    return value


_STRINGS: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
"""Strings, and the rest of the text after a quote that nothing closes."""
_BRACKET: Final = re.compile(r"[\[\]{}]")
_STEP: Final = {"[": 1, "{": 1, "]": -1, "}": -1}

# Created once, because a runner reads and writes tens of thousands of lines a second.
_CANONICAL: Final = json.JSONEncoder(
    sort_keys=True,
    separators=(",", ":"),
    ensure_ascii=True,
    allow_nan=False,
    check_circular=False,
)
_STRICT: Final = json.JSONDecoder(
    parse_float=_refuse_number,
    parse_constant=_refuse_number,
    object_pairs_hook=_object_without_doubles,
)
