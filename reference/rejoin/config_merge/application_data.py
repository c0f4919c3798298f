"""Application data: what a config message carries for the application, under the key `&`.

A dict of byte-string keys; a value is an integer, a byte string, a set of integers and strings, or
a dict of the same kind. In memory they are int, bytes, frozenset and a read-only mapping; a merge
shares every part that it does not change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AnySet
from types import MappingProxyType
from typing import Final, TypeAlias, TypeVar

from rejoin import bencode
from rejoin.config_merge.errors import ConfigMergeError, refused_encoding
from rejoin.config_merge.reading import DOCUMENT, Reading

Scalar: TypeAlias = int | bytes
Set: TypeAlias = frozenset[Scalar]
Dict: TypeAlias = "Mapping[bytes, Value]"
Value: TypeAlias = "Scalar | Set | Dict"

T = TypeVar("T")

MAX_KEY_LENGTH: Final = 128
MAX_STRING_LENGTH: Final = 4096
MAX_DEPTH: Final = 64
"""How many dicts and sets of data may stand inside one another; the root dict counts as 1."""

EMPTY: Final[Dict] = MappingProxyType({})
"""Data without any key."""


def changeable(mapping: Mapping[bytes, T]) -> dict[bytes, T]:
    """Return a copy of a read-only mapping that may be changed.

    A mapping proxy copies itself without being asked for one key after another.
    """
    return mapping.copy() if isinstance(mapping, MappingProxyType) else dict(mapping)


def in_order(elements: Iterable[Scalar]) -> list[Scalar]:
    """Return the elements of a set in the order of the document: integers, then strings.

    Clauses: CM-DATA-SET-ORDER
    Source: "Application-side config data"
    """
    elements = tuple(elements)
    integers = sorted([element for element in elements if isinstance(element, int)])
    strings = sorted([element for element in elements if isinstance(element, bytes)])
    return [*integers, *strings]


def precedes(first: Scalar, second: Scalar) -> bool:
    """Say whether a set element comes strictly before another one.

    Integers come before strings; integers are in numeric order, strings in byte order.

    Clauses: CM-DATA-SET-ORDER, CM-DATA-SET-UNIQUE
    Source: "Application-side config data"

    pre: isinstance(first, int) or len(first) <= 2
    pre: isinstance(second, int) or len(second) <= 2
    post: __return__ + precedes(second, first) + (first == second) == 1
    """
    if isinstance(first, int):
        return not isinstance(second, int) or first < second
    return isinstance(second, bytes) and first < second


def parse_data(encoded: bytes, *, reading: Reading = DOCUMENT) -> Dict:
    """Parse bt-encoded application data.

    Errors: `ConfigMergeError` with a code of the encoding or of application data, and a position.

    Clauses: CM-DATA-DICT
    Source: "Application-side config data"
    """
    try:
        value = bencode.decode(encoded, lenient=not reading.strict_encoding)
    except bencode.BencodeError as error:
        raise refused_encoding(error) from error
    try:
        return data_from_value(value, reading=reading)
    except ConfigMergeError as error:
        raise error.located_in(encoded, 0) from error


def encode_data(data: Dict) -> bytes:
    """Encode application data in its canonical form.

    Clauses: CM-DATA-SET-ORDER, CM-BT-ENCODE
    Source: "Application-side config data"
    """
    parts: list[bytes] = []
    _encode_dict(parts, data)
    return b"".join(parts)


def data_from_value(value: bencode.Value, *, reading: Reading) -> Dict:
    """Take a decoded value as application data; its outermost dict may be empty.

    Errors: `ConfigMergeError` with a code of application data and a path.

    Clauses: CM-DATA-DICT, CM-DATA-EMPTY-ROOT
    Source: "Application-side config data"
    """
    if not isinstance(value, dict):
        raise ConfigMergeError("data-not-dict", "application data must be a dict")
    return _dict_from_value(value, reading.enforce_limits, 1)


def checked_data(data: Mapping[bytes, object], *, reading: Reading = DOCUMENT) -> Dict:
    """Check data that come from an application, and return them frozen.

    data: a mapping; its sets may be any set, its dicts any mapping.
    Errors: `ConfigMergeError` with a code of application data; nothing is repaired.

    Clauses: CM-UPDATE-INVALID-DATA, CM-DATA-EMPTY-ROOT
    Source: "Application-side config data"
    """
    if not isinstance(data, Mapping):
        raise ConfigMergeError("data-not-dict", "application data must be a dict")
    return _checked_dict(data, reading.enforce_limits, 1)


def string_too_long(*path: bytes | int) -> ConfigMergeError:
    """Refuse the string at a path."""
    message = f"a string has at most {MAX_STRING_LENGTH} bytes"
    return ConfigMergeError("string-too-long", message, path=path)


def key_too_long(key: bytes) -> ConfigMergeError:
    """Refuse a key."""
    message = f"a key has at most {MAX_KEY_LENGTH} bytes"
    return ConfigMergeError("key-too-long", message, path=(bencode.Key(key),))


def too_deep(*path: bytes) -> ConfigMergeError:
    """Refuse the dict or set at a path."""
    message = f"dicts and sets nest at most {MAX_DEPTH} deep"
    return ConfigMergeError("nesting-too-deep", message, path=path)


def set_from_value(
    elements: Sequence[bencode.Value],
    enforce_limits: bool,  # noqa: FBT001 (a field of the reading, on the hottest path)
) -> Set:
    """Take a decoded list as a set, an empty one too.

    Errors: `ConfigMergeError` with "set-element-type", "set-not-ascending" or "string-too-long",
    and a path.

    Clauses: CM-DATA-SET-ELEMENTS, CM-DATA-SET-ORDER, CM-DATA-SET-UNIQUE, CM-DATA-STRING-LENGTH
    Source: "Application-side config data"
    """
    scalars: list[Scalar] = []
    for index, element in enumerate(elements):
        if not isinstance(element, (int, bytes)):
            message = "a set holds integers and strings"
            raise ConfigMergeError("set-element-type", message, path=(index,))
        if scalars and not precedes(scalars[-1], element):
            message = "the elements of a set must ascend"
            raise ConfigMergeError("set-not-ascending", message, path=(index,))
        if enforce_limits and isinstance(element, bytes) and len(element) > MAX_STRING_LENGTH:
            raise string_too_long(index)
        scalars.append(element)
    return frozenset(scalars)


def _dict_from_value(
    tree: Mapping[bytes, bencode.Value],
    enforce_limits: bool,  # noqa: FBT001 (private, and on the hottest path)
    depth: int,
) -> Dict:
    """Take a decoded dict as a dict of application data that stands inside `depth` - 1 others.

    Clauses: CM-DATA-KEY-LENGTH, CM-DATA-STRING-LENGTH, CM-DATA-INT, CM-DATA-BYTES, CM-DATA-DEPTH,
        CM-DATA-SET-NONEMPTY, CM-DATA-DICT-NONEMPTY
    Source: "Application-side config data"
    """
    data: dict[bytes, Value] = {}
    for key, value in tree.items():
        if enforce_limits and len(key) > MAX_KEY_LENGTH:
            raise key_too_long(key)
        if isinstance(value, int):
            data[key] = value
        elif isinstance(value, bytes):
            if enforce_limits and len(value) > MAX_STRING_LENGTH:
                raise string_too_long(key)
            data[key] = value
        elif depth == MAX_DEPTH:
            raise too_deep(key)
        elif not value:
            raise _empty("dict" if isinstance(value, dict) else "set", key)
        else:
            try:
                if isinstance(value, dict):
                    data[key] = _dict_from_value(value, enforce_limits, depth + 1)
                elif isinstance(value, list):
                    data[key] = set_from_value(value, enforce_limits)
            except ConfigMergeError as error:
                raise error.inside(key) from None
    return MappingProxyType(data)


def _checked_dict(
    mapping: Mapping[bytes, object],
    enforce_limits: bool,  # noqa: FBT001 (private, and on the hottest path)
    depth: int,
) -> Dict:
    """Check and freeze one dict that comes from an application, and all that stands in it."""
    for key in mapping:
        if not isinstance(key, bytes):
            raise ConfigMergeError("data-value", "a key must be bytes")
    data: dict[bytes, Value] = {}
    for key in sorted(mapping):
        if enforce_limits and len(key) > MAX_KEY_LENGTH:
            raise key_too_long(key)
        try:
            data[key] = _checked_value(mapping[key], enforce_limits, depth)
        except ConfigMergeError as error:
            raise error.inside(key) from None
    return MappingProxyType(data)


def _checked_value(value: object, enforce_limits: bool, depth: int) -> Value:  # noqa: FBT001 (private)
    """Check and freeze one value that comes from an application, in a dict at that depth.

    Whether a value is one of the built-in kinds is asked first, for abstract ones answer slowly.
    """
    if isinstance(value, (int, bytes)):
        return _checked_scalar(value, enforce_limits)
    if isinstance(value, (set, frozenset)):
        return _checked_set(value, enforce_limits, depth)
    if isinstance(value, (dict, Mapping)):
        if not value:
            raise _empty("dict")
        if depth == MAX_DEPTH:
            raise too_deep()
        return _checked_dict(value, enforce_limits, depth + 1)
    if isinstance(value, AnySet):
        return _checked_set(value, enforce_limits, depth)
    raise ConfigMergeError("data-value", f"{type(value).__name__} is no value of data")


def _checked_set(elements: AnySet[object], enforce_limits: bool, depth: int) -> Set:  # noqa: FBT001 (private)
    """Check and freeze one set that comes from an application, in a dict at that depth."""
    if not elements:
        raise _empty("set")
    if depth == MAX_DEPTH:
        raise too_deep()
    checked: list[Scalar] = []
    for element in elements:
        if not isinstance(element, (int, bytes)):
            raise ConfigMergeError("set-element-type", "a set holds integers and strings")
        checked.append(_checked_scalar(element, enforce_limits))
    return frozenset(checked)


def _checked_scalar(scalar: Scalar, enforce_limits: bool) -> Scalar:  # noqa: FBT001 (private)
    """Check one integer or string that comes from an application."""
    if isinstance(scalar, bytes):
        if enforce_limits and len(scalar) > MAX_STRING_LENGTH:
            raise string_too_long()
    elif isinstance(scalar, bool):
        raise ConfigMergeError("data-value", "a bool is no value of data")
    elif not bencode.INTEGER_MIN <= scalar <= bencode.INTEGER_MAX:
        raise ConfigMergeError("integer-out-of-range", f"{scalar} does not fit in 64 bits")
    return scalar


def _encode_dict(parts: list[bytes], data: Dict) -> None:
    """Append the encoding of a dict of application data."""
    parts.append(b"d")
    for key in sorted(data):
        value = data[key]
        if isinstance(value, bytes):
            parts.append(b"%d:%s%d:%s" % (len(key), key, len(value), value))
        elif isinstance(value, int):
            parts.append(b"%d:%si%de" % (len(key), key, value))
        elif isinstance(value, frozenset):
            parts.append(b"%d:%sl%se" % (len(key), key, encode_elements(value)))
        else:
            parts.append(b"%d:%s" % (len(key), key))
            _encode_dict(parts, value)
    parts.append(b"e")


def encode_elements(elements: Set) -> bytes:
    """Encode the elements of a set, one after another in their order."""
    parts: list[bytes] = []
    for element in in_order(elements) if len(elements) > 1 else elements:
        if isinstance(element, bytes):
            parts.append(b"%d:%s" % (len(element), element))
        else:
            parts.append(b"i%de" % element)
    return b"".join(parts)


def _empty(kind: str, *path: bytes) -> ConfigMergeError:
    """Refuse the empty set or dict at a path."""
    message = f"a {kind} inside data is never empty"
    return ConfigMergeError(f"empty-{kind}", message, path=path)
