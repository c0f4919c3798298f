"""JSON in the suite: types, a canonical form and its digest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"
else:
    Json = Any  # codecs resolve annotations at run time, and a recursive one has no end
JsonObject: TypeAlias = dict[str, Json]


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


def strict_json(text: str | bytes) -> Json:
    """Parse JSON without floats, NaN, infinities and duplicate fields.

    text: bytes must be UTF-8; a byte order mark is ignored.
    Raises NotStrictJsonError for anything else: text that is not JSON, bytes that are not UTF-8,
    nesting deeper than the parser supports, and integers with more digits than it converts.
    """
    try:
        value: Json = _STRICT.decode(text if isinstance(text, str) else text.decode("utf-8-sig"))
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


def _refuse_number(literal: str) -> Json:
    raise NotStrictJsonError(f"only integers are allowed, not {literal[:40]}")


def _object_without_doubles(pairs: list[tuple[str, Json]]) -> JsonObject:
    value = dict(pairs)
    if len(value) != len(pairs):
        names = [name for name, _ in pairs]
        double = next(name for place, name in enumerate(names) if name in names[:place])
        raise NotStrictJsonError(f"the field {double[:40]!r} occurs twice in one object")
    return value


# Created once, because a runner reads and writes tens of thousands of lines a second.
_CANONICAL: Final = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
)
_STRICT: Final = json.JSONDecoder(
    parse_float=_refuse_number,
    parse_constant=_refuse_number,
    object_pairs_hook=_object_without_doubles,
)
