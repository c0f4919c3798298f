"""Application data: the dict under the key `&` of a config message.

Its keys are byte strings. A value is an integer, a byte string, a set of integers and strings, or a
dict of the same form. In memory these are int, bytes, frozenset and a read-only mapping. A merge
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
from rejoin.plain import frozen_data

Scalar: TypeAlias = int | bytes
Set: TypeAlias = frozenset[Scalar]
Dict: TypeAlias = "Mapping[bytes, Value]"
Value: TypeAlias = "Scalar | Set | Dict"

T = TypeVar("T")

MAX_KEY_LENGTH: Final = 128
MAX_STRING_LENGTH: Final = 4096
MAX_DEPTH: Final = 64
"""The largest number of levels of dicts and sets in data; the outermost dict is level 1."""

EMPTY: Final[Dict] = MappingProxyType({})
"""Data without keys."""


def changeable(mapping: Mapping[bytes, T]) -> dict[bytes, T]:
    """Return a changeable copy of a read-only mapping.

    `MappingProxyType.copy` is faster than copying key by key.
    """
    return mapping.copy() if isinstance(mapping, MappingProxyType) else dict(mapping)


def in_order(elements: Iterable[Scalar]) -> list[Scalar]:
    """Return the elements of a set in the document's order: integers, then strings.

    Clauses: CM-DATA-SET-ORDER
    Source: "Application-side config data"
    """
    elements = tuple(elements)
    integers = sorted([element for element in elements if isinstance(element, int)])
    strings = sorted([element for element in elements if isinstance(element, bytes)])
    return [*integers, *strings]


def precedes(first: Scalar, second: Scalar) -> bool:
    """Return whether one set element comes strictly before another.

    Integers come before strings. Integers are in numeric order, strings in byte order.

    Clauses: CM-DATA-SET-ORDER, CM-DATA-SET-UNIQUE
    Source: "Application-side config data"

    pre: isinstance(first, int) or len(first) <= 2
    pre: isinstance(second, int) or len(second) <= 2
    post: __return__ + precedes(second, first) + (first == second) == 1
    post: isinstance(first, bytes) or isinstance(second, int) or __return__
    post: isinstance(first, bytes) or isinstance(second, bytes) or __return__ == (second > first)
    post: {type(first), type(second)} != {bytes} or __return__ >= (first[:1] < second[:1])
    post: {type(first), type(second)} != {bytes} or __return__ >= (first == second[:-1] != second)
    """
    if isinstance(first, int):
        return not isinstance(second, int) or first < second
    return isinstance(second, bytes) and first < second


def parse_data(encoded: bytes, *, reading: Reading = DOCUMENT, omit_empty: bool = False) -> Dict:
    """Return the application data that bt-encoded bytes contain.

    omit_empty: omit empty sets and dicts, as in data that an application supplies. If false, they
        are invalid below the outermost dict.
    Errors: `ConfigMergeError` with a code of the encoding or of application data, and a position.

    Clauses: CM-DATA-DICT, CM-DIFF-INPUT, CM-UPDATE-OMIT-EMPTY
    Source: "Application-side config data"
    """
    try:
        value = bencode.decode(encoded, lenient=not reading.strict_encoding)
    except bencode.BencodeError as error:
        raise refused_encoding(error) from error
    try:
        return data_from_value(value, reading=reading, omit_empty=omit_empty)
    except ConfigMergeError as error:
        raise error.located_in(encoded, 0) from error


def encode_data(data: Mapping[bytes, object]) -> bytes:
    """Return the canonical encoding of application data.

    Clauses: CM-DATA-SET-ORDER, CM-BT-ENCODE
    Source: "Application-side config data"
    """
    parts: list[bytes] = []
    _encode_dict(parts, frozen_data(data, checked_data))
    return b"".join(parts)


def data_from_value(value: bencode.Value, *, reading: Reading, omit_empty: bool = False) -> Dict:
    """Return a decoded value as application data; its outermost dict may be empty.

    value: a value from `bencode.decode`.
    omit_empty: as in `parse_data`.
    Errors: `ConfigMergeError` with a code of application data, and a path.

    Clauses: CM-DATA-DICT, CM-DATA-EMPTY-ROOT
    Source: "Application-side config data"
    """
    if not isinstance(value, dict):
        raise ConfigMergeError("data-not-dict", "the application data is not a dict")
    return _dict_from_value(value, reading, 1, omit_empty=omit_empty)


def checked_data(data: Mapping[bytes, object], *, reading: Reading = DOCUMENT) -> Dict:
    """Return a frozen copy of the data that an application supplies, after checking it.

    data: a mapping; its sets may be sets of any class, its dicts mappings of any class. The copy
        omits empty sets and dicts below the outermost dict.
    Errors: `ConfigMergeError` with a code of application data.

    Clauses: CM-UPDATE-INVALID-DATA, CM-UPDATE-OMIT-EMPTY, CM-DATA-EMPTY-ROOT
    Source: "Application-side config data"
    """
    if not isinstance(data, Mapping):
        raise ConfigMergeError("data-not-dict", "the application data is not a dict")
    return _checked_dict(data, reading, 1)


def string_too_long(*path: bytes | int) -> ConfigMergeError:
    """Return the error for a string that is too long, with the path to the string."""
    message = f"the string has more than {MAX_STRING_LENGTH} bytes"
    return ConfigMergeError("string-too-long", message, path=path)


def key_too_long(key: bytes) -> ConfigMergeError:
    """Return the error for a key that is too long."""
    message = f"the key has more than {MAX_KEY_LENGTH} bytes"
    return ConfigMergeError("key-too-long", message, path=(bencode.Key(key),))


def too_deep(*path: bytes) -> ConfigMergeError:
    """Return the error for a dict or set that is nested too deep, with the path to it."""
    message = f"dicts and sets nest more than {MAX_DEPTH} levels deep"
    return ConfigMergeError("nesting-too-deep", message, path=path)


def set_from_value(elements: Sequence[bencode.Value], reading: Reading) -> Set:
    """Return a decoded list as a set, which may be empty.

    elements: a list from `bencode.decode`.
    Errors: `ConfigMergeError` with "set-element-type", "set-not-ascending" or "string-too-long",
        and a path.

    Clauses: CM-DATA-SET-ELEMENTS, CM-DATA-SET-ORDER, CM-DATA-SET-UNIQUE, CM-DATA-STRING-LENGTH
    Source: "Application-side config data"
    """
    scalars: list[Scalar] = []
    for index, element in enumerate(elements):
        if not isinstance(element, (int, bytes)):
            message = "a set element is neither an integer nor a string"
            raise ConfigMergeError("set-element-type", message, path=(index,))
        if scalars and not precedes(scalars[-1], element):
            message = "a set element does not sort after the previous one"
            raise ConfigMergeError("set-not-ascending", message, path=(index,))
        if (
            reading.enforce_limits
            and isinstance(element, bytes)
            and len(element) > MAX_STRING_LENGTH
        ):
            raise string_too_long(index)
        scalars.append(element)
    return frozenset(scalars)


def _dict_from_value(
    tree: Mapping[bytes, bencode.Value], reading: Reading, depth: int, *, omit_empty: bool
) -> Dict:
    """Return a decoded dict as a dict of application data.

    tree: a dict from `bencode.decode`.
    depth: the level of this dict; the outermost dict is level 1.
    omit_empty: as in `parse_data`.
    Errors: `ConfigMergeError` with a code of application data, and a path.

    Clauses: CM-DATA-KEY-LENGTH, CM-DATA-STRING-LENGTH, CM-DATA-INT, CM-DATA-BYTES, CM-DATA-DEPTH,
        CM-DATA-SET-NONEMPTY, CM-DATA-DICT-NONEMPTY, CM-UPDATE-OMIT-EMPTY
    Source: "Application-side config data"
    """
    data: dict[bytes, Value] = {}
    for key, value in tree.items():
        if reading.enforce_limits and len(key) > MAX_KEY_LENGTH:
            raise key_too_long(key)
        if isinstance(value, int):
            data[key] = value
        elif isinstance(value, bytes):
            if reading.enforce_limits and len(value) > MAX_STRING_LENGTH:
                raise string_too_long(key)
            data[key] = value
        elif depth == MAX_DEPTH:
            raise too_deep(key)
        elif not value and not omit_empty:
            raise _empty("dict" if isinstance(value, dict) else "set", key)
        else:
            try:
                if isinstance(value, dict):
                    inner = _dict_from_value(value, reading, depth + 1, omit_empty=omit_empty)
                    if inner:
                        data[key] = inner
                elif isinstance(value, list) and value:
                    data[key] = set_from_value(value, reading)
            except ConfigMergeError as error:
                raise error.inside(key) from None
    return MappingProxyType(data)


def _checked_dict(mapping: Mapping[bytes, object], reading: Reading, depth: int) -> Dict:
    """Return a frozen copy of one dict from an application, after checking it.

    depth: the level of this dict; the outermost dict is level 1.
    The copy omits empty sets and dicts. They are checked before they are omitted.

    Clauses: CM-UPDATE-OMIT-EMPTY
    Source: "Application-side config data"
    """
    for key in mapping:
        if not isinstance(key, bytes):
            raise ConfigMergeError(
                "data-value", f"the key {key!r} is of type {type(key).__name__}; it must be bytes"
            )
    data: dict[bytes, Value] = {}
    for key in sorted(mapping):
        if reading.enforce_limits and len(key) > MAX_KEY_LENGTH:
            raise key_too_long(key)
        try:
            value = _checked_value(mapping[key], reading, depth)
        except ConfigMergeError as error:
            raise error.inside(key) from None
        if value or isinstance(value, (int, bytes)):
            data[key] = value
    return MappingProxyType(data)


def _checked_value(value: object, reading: Reading, depth: int) -> Value:
    """Return a frozen copy of one value from an application, after checking it.

    depth: the level of the dict that contains the value.
    The built-in classes are tested first, because instance checks of abstract classes are slow.
    """
    if isinstance(value, (int, bytes)):
        return _checked_scalar(value, reading)
    if isinstance(value, (set, frozenset)):
        return _checked_set(value, reading, depth)
    if isinstance(value, (dict, Mapping)):
        if depth == MAX_DEPTH:
            raise too_deep()
        return _checked_dict(value, reading, depth + 1)
    if isinstance(value, AnySet):
        return _checked_set(value, reading, depth)
    message = f"data cannot contain a value of type {type(value).__name__}"
    raise ConfigMergeError("data-value", message)


def _checked_set(elements: AnySet[object], reading: Reading, depth: int) -> Set:
    """Return a frozen copy of one set from an application, after checking it.

    depth: the level of the dict that contains the set.
    """
    if depth == MAX_DEPTH:
        raise too_deep()
    checked: list[Scalar] = []
    for element in elements:
        if not isinstance(element, (int, bytes)):
            message = f"a set element is of type {type(element).__name__}; it must be int or bytes"
            raise ConfigMergeError("set-element-type", message)
        checked.append(_checked_scalar(element, reading))
    return frozenset(checked)


def _checked_scalar(scalar: Scalar, reading: Reading) -> Scalar:
    """Return one integer or string from an application, after checking it."""
    if isinstance(scalar, bytes):
        if reading.enforce_limits and len(scalar) > MAX_STRING_LENGTH:
            raise string_too_long()
    elif isinstance(scalar, bool):
        raise ConfigMergeError("data-value", "data cannot contain a value of type bool")
    elif not bencode.INTEGER_MIN <= scalar <= bencode.INTEGER_MAX:
        raise ConfigMergeError("integer-out-of-range", f"{scalar} does not fit in 64 bits")
    return scalar


def _encode_dict(parts: list[bytes], data: Dict) -> None:
    """Append the encoding of a dict of application data to `parts`."""
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
    """Return the encodings of the elements of a set, joined in the document's order."""
    parts: list[bytes] = []
    for element in in_order(elements) if len(elements) > 1 else elements:
        if isinstance(element, bytes):
            parts.append(b"%d:%s" % (len(element), element))
        else:
            parts.append(b"i%de" % element)
    return b"".join(parts)


def _empty(kind: str, *path: bytes) -> ConfigMergeError:
    """Return the error for an empty set or dict, with the path to it.

    kind: "set" or "dict".
    """
    message = f"a {kind} inside data is empty"
    return ConfigMergeError(f"empty-{kind}", message, path=path)
