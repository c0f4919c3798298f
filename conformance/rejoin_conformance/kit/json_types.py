"""JSON as the suite uses it: types, one canonical form, and the digest of that form."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Final, TypeAlias

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"
JsonObject: TypeAlias = dict[str, Json]


def canonical_json(value: Json | Mapping[str, Json]) -> str:
    """The one text of a value: keys sorted, no white space, ASCII only.

    Floats never occur in the suite's JSON, so this text is the same on every machine.
    """
    return _CANONICAL.encode(value)


def digest_of(value: Json | Mapping[str, Json]) -> str:
    """The 32-byte BLAKE2b digest of the canonical text, as lower-case hex."""
    return hashlib.blake2b(canonical_json(value).encode("ascii"), digest_size=32).hexdigest()


class NotStrictJsonError(ValueError):
    """Text that is not JSON as the suite understands it."""


def strict_json(text: str | bytes) -> Json:
    """Parse JSON without floats, without NaN and infinities, and without doubled fields.

    Raises NotStrictJsonError, with one line on what is wrong, for anything else: text that is
    not JSON, bytes that are not UTF-8 (a byte order mark is passed over), nesting deeper than the
    parser can follow, and integers of more digits than it converts.
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
            "an integer has too many digits; long integers are strings"
        ) from None
    return value


def _refuse_number(literal: str) -> Json:
    raise NotStrictJsonError(f"only integers are allowed, not {literal[:40]}")


def _object_without_doubles(pairs: list[tuple[str, Json]]) -> JsonObject:
    value = dict(pairs)
    if len(value) != len(pairs):
        names = [name for name, _ in pairs]
        double = next(name for place, name in enumerate(names) if name in names[:place])
        raise NotStrictJsonError(f"the field {double[:40]!r} stands twice in one object")
    return value


# Made once: a runner reads and writes tens of thousands of lines a second.
_CANONICAL: Final = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
)
_STRICT: Final = json.JSONDecoder(
    parse_float=_refuse_number,
    parse_constant=_refuse_number,
    object_pairs_hook=_object_without_doubles,
)
