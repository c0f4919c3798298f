"""Config message outer metadata: parses and serialises the dict around the application data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rejoin import bencode
from rejoin.config_merge.application_data import Dict, data_from_value, encode_data
from rejoin.config_merge.config_diffs import (
    NO_ROWS,
    LaggedDiff,
    Rows,
    lagged_diff,
    parse_lagged_diffs,
)
from rejoin.config_merge.diff_encoding import diff_from_value, encode_diff
from rejoin.config_merge.diff_updates import NO_CHANGES, Diff
from rejoin.config_merge.errors import ConfigMergeError, refused_encoding
from rejoin.config_merge.messages import (
    MAX_SEQNO,
    Message,
    Unknown,
    message_hash,
)
from rejoin.config_merge.reading import DOCUMENT, Reading
from rejoin.config_merge.signatures import (
    SIGNATURE_LENGTH,
    require_signature,
    signature_over,
    with_signature,
)
from rejoin.config_merge.windows import DEFAULT_WINDOW, applied_window

SEQNO: Final = b"#"
DATA: Final = b"&"
LAGGED: Final = b"<"
DIFF: Final = b"="
SIGNATURE: Final = b"~"


def parse_message(
    encoded: bytes,
    *,
    window: int = DEFAULT_WINDOW,
    reading: Reading = DOCUMENT,
    verify_key: bytes | None = None,
    known: Rows = NO_ROWS,
) -> Message:
    """Return the message that a plaintext contains.

    encoded: the whole plaintext.
    window: N.
    verify_key: an Ed25519 public key of 32 bytes under which the message must carry a valid
        signature, or None if no signature is required.
    known: rows of other messages; see `Rows`.
    Errors: `ConfigMergeError` with a code and the position of the fault.

    Clauses: CM-SIGN-REQUIRED, CM-SIGN-NOT-REQUIRED, CM-MESSAGE-LINEAR, CM-MESSAGE-NO-SIZE-LIMIT,
        CM-SECURITY-REFUSE-AT-ONCE
    Source: "Config message outer metadata"
    """
    window = applied_window(window, reading)
    try:
        message = _parse_outer(encoded, window, reading, known)
    except bencode.BencodeError as error:
        raise refused_encoding(error) from error
    if verify_key is not None:
        require_signature(message, verify_key)
    return message


def _parse_outer(  # noqa: PLR0915 (one key after another, as the document lists them)
    encoded: bytes, window: int, reading: Reading, known: Rows
) -> Message:
    """Return the message that a plaintext contains; read the outer dict key by key.

    window: N.
    known: rows of other messages; see `Rows`.
    Errors: `ConfigMergeError` or `bencode.BencodeError` with a code and the position of the fault.

    Clauses: CM-OUTER-DICT, CM-OUTER-MAJOR-VERSION, CM-OUTER-SEQNO, CM-OUTER-DATA,
        CM-OUTER-LAGGED, CM-OUTER-DIFF, CM-OUTER-UNKNOWN-ALLOWED, CM-OUTER-AFTER-TILDE,
        CM-SIGN-LAST, CM-SIGN-SPAN, CM-DIFFS-OWN-UNCHECKED
    Source: "Config message outer metadata"
    """
    lenient = not reading.strict_encoding
    if encoded[:1] != b"d":
        bencode.decode(encoded, lenient=lenient)
        raise ConfigMergeError("not-a-dict", "the message is not a dict", 0)
    seqno: int | None = None
    data: Dict | None = None
    lagged: tuple[LaggedDiff, ...] | None = None
    diff: Diff | None = None
    encoded_diff: bytes | None = None
    unknown: list[Unknown] = []
    signature: bytes | None = None
    span_end: int | None = None

    previous = b""
    position = 1
    while encoded[position : position + 1] != b"e":
        key_start = position
        key, start = bencode.read_value(encoded, key_start, nesting=1, lenient=lenient)
        if not isinstance(key, bytes):
            raise ConfigMergeError("key-not-string", "a key is not a byte string", key_start)
        if key < SEQNO:
            message = "a key sorts before `#`: this is an unknown version of the protocol"
            raise ConfigMergeError("major-version-break", message, key_start)
        if key > SIGNATURE:
            raise ConfigMergeError("key-after-signature", "a key sorts after `~`", key_start)
        if key <= previous:
            message = "the key does not sort after the previous key"
            raise ConfigMergeError("keys-not-ascending", message, key_start)
        previous = key

        if key == SEQNO:
            seqno, position = _parse_seqno(encoded, start, lenient=lenient)
            continue
        if seqno is None:
            raise ConfigMergeError("seqno-missing", "the first key is not `#`", key_start)
        if key == LAGGED:
            lagged, position = parse_lagged_diffs(
                encoded, start, seqno, window=window, reading=reading, known=known
            )
            continue
        value, position = bencode.read_value(encoded, start, nesting=1, lenient=lenient)
        if key == SIGNATURE:
            signature = _signature_from_value(value, start)
            padding_signed = reading.padded_signature_key == "signed"
            span_end = start - len(b"1:~") if padding_signed else key_start
            continue
        try:
            if key == DATA:
                data = data_from_value(value, reading=reading)
            elif key == DIFF:
                diff = diff_from_value(value, reading=reading)
                encoded_diff = encode_diff(diff) if lenient else encoded[start:position]
            else:
                unknown.append((key, bencode.encode(value) if lenient else encoded[start:position]))
        except ConfigMergeError as error:
            raise error.located_in(encoded, start) from error

    if position + 1 != len(encoded) and not lenient:
        message = "there are bytes after the message"
        raise ConfigMergeError("trailing-bytes", message, position + 1)
    if seqno is None:
        raise ConfigMergeError("seqno-missing", "the message has no seqno (`#`)", position)
    if data is None:
        raise ConfigMergeError("data-missing", "the message has no data (`&`)", position)
    if lagged is None:
        if reading.require_diff_fields or previous < LAGGED:
            message = "the message has no lagged diffs (`<`)"
            raise ConfigMergeError("lagged-missing", message, position)
        lagged = ()
    if diff is None:
        if reading.require_diff_fields or previous < DIFF:
            raise ConfigMergeError("diff-missing", "the message has no diff (`=`)", position)
        diff = NO_CHANGES
    return Message(
        encoded=encoded,
        row=lagged_diff((seqno, message_hash(encoded)), diff, encoded_diff),
        data=data,
        lagged=lagged,
        unknown=tuple(unknown),
        signature=signature,
        span_end=position if span_end is None else span_end,
    )


def _parse_seqno(encoded: bytes, start: int, *, lenient: bool) -> tuple[int, int]:
    """Return the seqno at `start`, and the offset after it.

    Errors: `ConfigMergeError` with "seqno-type" or "seqno-out-of-range"; `bencode.BencodeError`
        with a code of the encoding. Each has a position.

    Clauses: CM-OUTER-SEQNO, CM-MESSAGE-SEQNO-RANGE
    Source: "Config message outer metadata"
    """
    seqno, end = bencode.read_value(encoded, start, nesting=1, lenient=lenient)
    if not isinstance(seqno, int):
        raise ConfigMergeError("seqno-type", "the seqno is not an integer", start)
    if not 0 <= seqno <= MAX_SEQNO:
        message = f"the seqno is not between 0 and {MAX_SEQNO}"
        raise ConfigMergeError("seqno-out-of-range", message, start)
    return seqno, end


def _signature_from_value(value: bencode.Value, start: int) -> bytes:
    """Return a decoded value as a signature of 64 bytes.

    start: the offset of the value, for the error.
    Errors: `ConfigMergeError` with "signature-length" and a position.

    Clauses: CM-SIGN-LENGTH
    Source: "Config message outer metadata"
    """
    if not isinstance(value, bytes) or len(value) != SIGNATURE_LENGTH:
        message = f"the signature is not a string of {SIGNATURE_LENGTH} bytes"
        raise ConfigMergeError("signature-length", message, start)
    return value


def serialise(message: Message) -> bytes:
    """Return the encoding of a message, made again from its parts and its signature.

    For a message in canonical form without expired rows, these are the bytes that were parsed.

    Clauses: CM-OUTER-SERIALISE, CM-BT-ENCODE
    Source: "Config message outer metadata"
    """
    span = _serialise_span(
        message.seqno, message.data, message.lagged, encode_diff(message.diff), message.unknown
    )
    if message.signature is None:
        return span + b"e"
    return with_signature(span, message.signature)


def make_message(
    *,
    seqno: int,
    data: Dict,
    lagged: Sequence[LaggedDiff],
    diff: Diff,
    unknown: Sequence[Unknown] = (),
    signing_key: bytes | None = None,
) -> Message:
    """Return the message that consists of the given parts, signed if there is a signing key.

    seqno: from 0 to `MAX_SEQNO`.
    lagged: rows in ascending order of rank.
    unknown: the unknown keys with their values.
    signing_key: the 32-byte seed of an Ed25519 key, or None to leave the message unsigned.
    Errors: `ConfigMergeError` with "bad-signing-key".

    Clauses: CM-OUTER-SERIALISE, CM-SIGN-MADE, CM-SIGN-UNSIGNED-MADE, CM-SIGN-KEYS-INDEPENDENT
    Source: "Config message outer metadata"
    """
    encoded_diff = encode_diff(diff)
    span = _serialise_span(seqno, data, lagged, encoded_diff, unknown)
    signature = None if signing_key is None else signature_over(span, signing_key)
    encoded = span + b"e" if signature is None else with_signature(span, signature)
    return Message(
        encoded=encoded,
        row=lagged_diff((seqno, message_hash(encoded)), diff, encoded_diff),
        data=data,
        lagged=tuple(lagged),
        unknown=tuple(unknown),
        signature=signature,
        span_end=len(span),
    )


def _serialise_span(
    seqno: int,
    data: Dict,
    lagged: Sequence[LaggedDiff],
    encoded_diff: bytes,
    unknown: Sequence[Unknown],
) -> bytes:
    """Return the encoding of a message up to, and not including, the signature or the final `e`.

    encoded_diff: the canonical bytes of the diff.

    Clauses: CM-OUTER-SERIALISE, CM-OUTER-UNKNOWN-UPDATE
    Source: "Config message outer metadata"
    """
    items: list[Unknown] = [
        (SEQNO, bencode.encode_integer(seqno)),
        (DATA, encode_data(data)),
        (LAGGED, b"l%se" % b"".join([row.encoded for row in lagged])),
        (DIFF, encoded_diff),
        *unknown,
    ]
    items.sort()
    return b"d" + b"".join([bencode.encode_string(key) + value for key, value in items])
