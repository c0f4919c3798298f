"""Config merge: resolving compared with decoding alone, and parsing compared with a linear scan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from rejoin import bencode
from rejoin import config_merge as cm
from side_by_side import compare, line

KIB = 1024
MIB = 1024 * KIB
CONTACTS = 40


def main() -> None:
    """Print every figure."""
    resolve_beside_decoding()
    parsing_beside_a_scan()
    parsing_grows_linearly()


def two_small_messages() -> tuple[bytes, bytes]:
    """Return two competing messages with a handful of settings and five updates in their rows."""
    data: dict[bytes, object] = {
        b"dictA": {b"goodbye": {123, 456}, b"hello": 123},
        b"dictB": {b"added": 9999, b"changed": 1, b"nested": {b"a": 1}},
        b"good": {99, 123, b"Foo", b"bar"},
        b"int1": 42,
        b"string2": b"hello",
    }
    message = cm.update([], data)
    for number in range(5):
        message = cm.update([message.encoded], {**data, b"int2": number, b"string3": b"omg"})
    mine = cm.update([message.encoded], {**message.data, b"int1": 5})
    theirs = cm.update([message.encoded], {**message.data, b"good": {123, b"Foo", 789}})
    return mine.encoded, theirs.encoded


def two_large_messages() -> tuple[bytes, bytes]:
    """Return two competing messages: about 40 contacts and settings, five past updates, one own."""
    data: dict[bytes, object] = {
        b"name": b"Alice",
        b"avatar": b"\x01" * 32,
        b"blocked": {b"05" + bytes([number]) * 32 for number in range(12)},
        b"contacts": {
            b"05" + bytes([number, number]) * 16: {
                b"n": b"contact %d" % number,
                b"p": b"https://files.example/%d" % number,
                b"t": 1_700_000_000 + number,
                b"tags": {1, number + 2, b"friend"},
            }
            for number in range(CONTACTS)
        },
    }
    message = cm.update([], data)
    for number in range(5):
        message = cm.update([message.encoded], {**data, b"read": number, b"name": b"A%d" % number})
    mine = cm.update([message.encoded], {**message.data, b"read": 99, b"mine": {b"x", b"y"}})
    theirs = cm.update([message.encoded], {**message.data, b"name": b"Bob", b"theirs": {b"k": 1}})
    return mine.encoded, theirs.encoded


def resolve_beside_decoding() -> None:
    """Compare resolving two encoded messages with decoding and encoding the same two."""
    for both in (two_small_messages(), two_large_messages()):
        resolved = partial(cm.resolve, both)
        assert resolved().merged
        comparison = compare(resolved, partial(_decoded_and_encoded, both), pairs=15, calls=50)
        size = sum(map(len, both)) / KIB
        what = f"resolve two messages, {size:.1f} KiB, from bytes to bytes"
        print(line(what, comparison, "resolve", "decode+encode"))


def _decoded_and_encoded(messages: Sequence[bytes]) -> list[bytes]:
    return [bencode.encode(bencode.decode(each)) for each in messages]


def inputs_of(size: int) -> dict[str, bytes]:
    """Return inputs of about this size: valid ones, and invalid ones that look valid for long."""
    row = b"li%de32:" + b"h" * 32 + b"d1:a0:ee"
    entries = size // 24
    flat = b"".join(b"8:%08d12:%012d" % (number, number) for number in range(entries))
    numbers = b"".join(b"8:%08di%de" % (number, number) for number in range(size // 20))
    rows = b"".join(row % number for number in range(size // 54))
    elements = b"".join(b"i%de" % number for number in range(10**6, 10**6 + size // 9))
    nest = 60
    one = b"d1:a" * nest + b"i1e" + b"e" * nest
    nested = b"".join(b"8:%08d%s" % (number, one) for number in range(size // (len(one) + 10)))
    return {
        "a flat dict of strings": _message(b"d" + flat + b"e"),
        "a flat dict of integers": _message(b"d" + numbers + b"e"),
        "one set of integers": _message(b"d1:sl" + elements + b"ee"),
        "dicts nested 60 deep": _message(b"d" + nested + b"e"),
        "lagged rows": b"d1:#i%de1:&de1:<l%se1:=dee" % (2**40, rows),
        "the last key out of order": _message(b"d" + flat + b"1:0" + b"i1e" + b"e"),
        "cut off at the end": _message(b"d" + flat + b"e")[:-1],
        "one integer of digits": _message(b"d1:ai" + b"9" * size + b"ee"),
        "opening brackets alone": _message(b"d1:a" + b"l" * size),
        "a length that is all digits": _message(b"d" + b"1" * size),
    }


def _message(data: bytes) -> bytes:
    return b"d1:#i7e1:&" + data + b"1:<le1:=dee"


def parsing_beside_a_scan() -> None:
    """Compare parsing or rejecting 1 MiB with reading its bytes one by one in a loop."""
    for name, encoded in inputs_of(MIB).items():
        comparison = compare(_parse(encoded), _scan(encoded), pairs=3)
        verdict = _verdict(encoded)
        print(line(f"1 MiB, {name}: {verdict}", comparison, "parse", "scan"))


def parsing_grows_linearly() -> None:
    """Compare the time per byte at 1 MiB with that at 64 KiB; about 1 if the time is linear."""
    small, large = inputs_of(64 * KIB), inputs_of(MIB)
    for name, encoded in large.items():
        comparison = compare(_parse(encoded), _repeated(small[name], MIB // (64 * KIB)), pairs=3)
        print(line(f"growth, {name}", comparison, "1 MiB", "16 x 64 KiB"))


def _parse(encoded: bytes) -> Callable[[], cm.Parsed]:
    return lambda: cm.parsed_or_error(encoded, window=5, reading=cm.DOCUMENT, verify_key=None)


def _repeated(encoded: bytes, times: int) -> Callable[[], object]:
    parse = _parse(encoded)
    return lambda: [parse() for _ in range(times)]


def _scan(encoded: bytes) -> Callable[[], int]:
    """Return a function that looks at every byte once, as plainly as Python can."""

    def scan() -> int:
        digits = 0
        for byte in encoded:
            if 48 <= byte <= 57:
                digits += 1
        return digits

    return scan


def _verdict(encoded: bytes) -> str:
    outcome = _parse(encoded)()
    return outcome.code if isinstance(outcome, cm.ConfigMergeError) else "valid"


if __name__ == "__main__":
    main()
