"""Client update behaviour: resolves a list of messages, and makes an update of it.

The functions here decide which rules apply. The rules themselves are in `ignored_updates`,
`non_conflicting_updates` and `conflict_resolution`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from rejoin.config_merge.application_data import Dict, checked_data
from rejoin.config_merge.config_diffs import (
    NO_ROWS,
    LaggedDiff,
    Rows,
    rows_by_prefix,
)
from rejoin.config_merge.conflict_resolution import merge, with_local_change
from rejoin.config_merge.errors import ConfigMergeError, no_valid_message
from rejoin.config_merge.ignored_updates import Ignored, Parsed, ignored_of, set_aside
from rejoin.config_merge.messages import Message
from rejoin.config_merge.non_conflicting_updates import first_message, non_conflicting_update
from rejoin.config_merge.outer_metadata import parse_message
from rejoin.config_merge.reading import DOCUMENT, Reading
from rejoin.config_merge.windows import DEFAULT_WINDOW, applied_window


@frozen
class Resolution:
    """The result of resolving a list of messages.

    message: the message to which the list resolves.
    merged: whether `message` is a new merge, which a client should publish.
    survivors: the messages that were not ignored, in ascending order of rank.
    ignored: the other messages, in ascending order of index.
    """

    message: Message
    merged: bool
    survivors: tuple[Message, ...]
    ignored: tuple[Ignored, ...]


def resolve(
    messages: Sequence[bytes],
    *,
    window: int = DEFAULT_WINDOW,
    reading: Reading = DOCUMENT,
    verify_key: bytes | None = None,
    signing_key: bytes | None = None,
) -> Resolution:
    """Return the resolution of encoded messages.

    messages: plaintexts, in any order. Invalid messages are ignored.
    window: N.
    verify_key: a public key of 32 bytes that verifies every message, or None if no signature is
        required.
    signing_key: a seed of 32 bytes that signs a merge, or None to leave it unsigned. With a verify
        key and no signing key, no merge is made.
    Errors: `ConfigMergeError` with "no-valid-message", "bad-window", "bad-verify-key",
        "bad-signing-key" or "seqno-exhausted".

    Clauses: CM-IGNORE-INVALID, CM-SECURITY-ONE-BAD
    Source: "Client update behaviour"
    """
    return resolve_messages(
        _parsed_messages(messages, window=window, reading=reading, verify_key=verify_key),
        window=window,
        reading=reading,
        verify_key=verify_key,
        signing_key=signing_key,
    )


def _parsed_messages(
    messages: Sequence[bytes], *, window: int, reading: Reading, verify_key: bytes | None
) -> list[Parsed]:
    """Return received messages, each parsed or as the error that makes it invalid.

    Lagged rows that several messages carry are parsed once.
    messages: plaintexts.
    window, verify_key: as in `resolve`.
    Errors: as in `parsed_or_error`.

    Clauses: CM-IGNORE-INVALID
    Source: "Ignored updates"
    """
    parsed: list[Parsed] = []
    known: dict[bytes, LaggedDiff] = {}
    for encoded in messages:
        message = parsed_or_error(
            encoded, window=window, reading=reading, verify_key=verify_key, known=known
        )
        parsed.append(message)
        if not isinstance(message, ConfigMergeError):
            known.update(rows_by_prefix(message.lagged))
    return parsed


def parsed_or_error(
    encoded: bytes,
    *,
    window: int,
    reading: Reading,
    verify_key: bytes | None,
    known: Rows = NO_ROWS,
) -> Parsed:
    """Return a received message, or the error that makes it invalid.

    encoded: the plaintext of the message.
    window, verify_key: as in `resolve`.
    known: rows of other messages; see `Rows`.
    Errors: `ConfigMergeError` with "bad-window" or "bad-verify-key". These are faults of the
        caller and not of a message.

    Clauses: CM-IGNORE-INVALID
    Source: "Ignored updates"
    """
    try:
        return parse_message(
            encoded, window=window, reading=reading, verify_key=verify_key, known=known
        )
    except ConfigMergeError as error:
        if error.code in {"bad-window", "bad-verify-key"}:
            raise
        return error


def resolve_messages(
    messages: Sequence[Parsed],
    *,
    window: int = DEFAULT_WINDOW,
    reading: Reading = DOCUMENT,
    verify_key: bytes | None = None,
    signing_key: bytes | None = None,
) -> Resolution:
    """Return the resolution of parsed messages.

    messages: parsed with the same reading and window, in any order.
    Other parameters and errors: as in `resolve`.

    Clauses: CM-RESOLVE-SINGLE, CM-IGNORE-NONE-VALID, CM-SIGN-CANNOT-MERGE, CM-RESOLVE-IDEMPOTENT,
        CM-MESSAGE-BYTES
    Source: "Conflict resolution"
    """
    window = applied_window(window, reading)
    survivors, reasons = set_aside(messages, window=window)
    if not survivors:
        raise no_valid_message(messages)
    ignored = ignored_of(messages, reasons)
    cannot_sign = verify_key is not None and signing_key is None
    if len(survivors) == 1 or cannot_sign:
        return Resolution(survivors[-1], merged=False, survivors=survivors, ignored=ignored)
    message = merge(survivors, window=window, reading=reading, signing_key=signing_key)
    return Resolution(message, merged=True, survivors=survivors, ignored=ignored)


def update(
    messages: Sequence[bytes],
    data: Mapping[bytes, object],
    *,
    window: int = DEFAULT_WINDOW,
    reading: Reading = DOCUMENT,
    verify_key: bytes | None = None,
    signing_key: bytes | None = None,
) -> Message:
    """Return the new message that changes the config to new data, after a merge if necessary.

    messages: plaintexts, in any order. With an empty list, the result is the first message.
    data: the whole new data.
    Other parameters: as in `resolve`.
    Errors: as in `resolve`; also `ConfigMergeError` with a code of application data or with
        "signing-key-missing".

    Clauses: CM-UPDATE-IGNORES, CM-UPDATE-INVALID-DATA, CM-MESSAGE-FIRST, CM-SIGN-CANNOT-UPDATE,
        CM-RESOLVE-LOCAL-CHANGE, CM-RESOLVE-LOCAL-NO-CHANGE
    Source: "Client update behaviour"
    """
    return update_messages(
        _parsed_messages(messages, window=window, reading=reading, verify_key=verify_key),
        checked_data(data, reading=reading),
        window=window,
        reading=reading,
        verify_key=verify_key,
        signing_key=signing_key,
    )


def update_messages(
    messages: Sequence[Parsed],
    data: Dict,
    *,
    window: int = DEFAULT_WINDOW,
    reading: Reading = DOCUMENT,
    verify_key: bytes | None = None,
    signing_key: bytes | None = None,
) -> Message:
    """Return the update of parsed messages to checked data.

    messages: parsed with the same reading and window, in any order.
    data: the whole new data, valid.
    Other parameters and errors: as in `update`.

    Clauses: CM-UPDATE-IGNORES, CM-MESSAGE-FIRST, CM-SIGN-CANNOT-UPDATE, CM-IGNORE-NONE-VALID,
        CM-RESOLVE-LOCAL-CHANGE
    Source: "Client update behaviour"
    """
    if verify_key is not None and signing_key is None:
        message = "the update must be signed, and there is no signing key"
        raise ConfigMergeError("signing-key-missing", message)
    window = applied_window(window, reading)
    if not messages:
        return first_message(data, window=window, reading=reading, signing_key=signing_key)
    resolution = resolve_messages(
        messages, window=window, reading=reading, verify_key=verify_key, signing_key=signing_key
    )
    if resolution.merged:
        return with_local_change(resolution.message, data, signing_key=signing_key)
    return non_conflicting_update(resolution.message, data, window=window, signing_key=signing_key)
