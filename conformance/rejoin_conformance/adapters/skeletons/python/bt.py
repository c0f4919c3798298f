"""Hex, typed values and bt-encoding: what a port of config merge needs besides its own code.

A value is an int, bytes, a list of values, or a dict from bytes to values. In JSON it is one of
{"int": "7"}, {"str": "6869"} with bytes in hex, {"list": [value, ...]} and
{"dict": [["6869", value], ...]}.
"""

from typing import Any, TypeAlias

Value: TypeAlias = "int | bytes | list[Value] | dict[bytes, Value]"

DEEPEST = 100  # lists and dicts in one another (CM-BT-DEPTH)


class RejectedError(Exception):
    """The protocol refuses the input."""


def from_hex(text: str) -> bytes:
    """Return the bytes that lower-case hex stands for."""
    return bytes.fromhex(text)


def to_hex(data: bytes) -> str:
    """Return bytes as lower-case hex."""
    return data.hex()


def from_json(typed: dict[str, Any], depth: int = 1) -> Value:
    """Return the value of a typed value in JSON. It refuses depth, and a dict with a key twice."""
    ((kind, content),) = typed.items()
    if kind == "int":
        return int(content)
    if kind == "str":
        return from_hex(content)
    if depth > DEEPEST:
        raise RejectedError(f"more than {DEEPEST} lists and dicts in one another")
    if kind == "list":
        return [from_json(item, depth + 1) for item in content]
    fields: dict[bytes, Value] = {}
    for name, item in content:
        key = from_hex(name)
        if key in fields:
            raise RejectedError(f"the key {name!r} occurs twice")
        fields[key] = from_json(item, depth + 1)
    return fields


def to_json(value: Value) -> dict[str, Any]:
    """Return a value as a typed value in JSON, with the keys of dicts in order."""
    if isinstance(value, int):
        return {"int": str(value)}
    if isinstance(value, bytes):
        return {"str": to_hex(value)}
    if isinstance(value, list):
        return {"list": [to_json(item) for item in value]}
    return {"dict": [[to_hex(key), to_json(value[key])] for key in sorted(value)]}


def encode(value: Value) -> bytes:
    """Return the bt-encoding of a value. It refuses integers of more than 64 bits."""
    if isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            raise RejectedError(f"the integer {value} does not fit into 64 bits")
        return b"i%de" % value
    if isinstance(value, bytes):
        return b"%d:%b" % (len(value), value)
    if isinstance(value, list):
        return b"l%be" % b"".join(map(encode, value))
    return b"d%be" % b"".join(encode(key) + encode(value[key]) for key in sorted(value))
