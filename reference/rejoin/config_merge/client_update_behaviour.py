"""Client update behaviour: the message on which a client works, and the message that it makes.

This module decides which rules apply to a list of messages. The rules have modules of their own:
`ignored_updates`, `non_conflicting_updates` and `conflict_resolution`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from rejoin.config_merge.application_data import Dict, checked_data
from rejoin.config_merge.conflict_resolution import merge, with_local_change
from rejoin.config_merge.errors import ConfigMergeError
from rejoin.config_merge.ignored_updates import Ignored, Parsed, ignored_of, set_aside
from rejoin.config_merge.messages import Message
from rejoin.config_merge.non_conflicting_updates import first_message, non_conflicting_update
from rejoin.config_merge.outer_metadata import parse_message
from rejoin.config_merge.reading import DOCUMENT, Reading
from rejoin.config_merge.windows import DEFAULT_WINDOW, checked_window


@frozen
class Resolution:
    """The result of resolving a list of messages.

    message: the message to which the list amounts.
    merged: whether that message is a new merge, which the client has to publish.
    survivors: the messages that were not ignored, ascending by rank.
    ignored: the other messages, in the order of the list.
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
    """Return the message to which a list of encoded messages amounts.

    messages: plaintexts, in any order. Invalid plaintexts are ignored.
    window: N.
    verify_key: an Ed25519 public key of 32 bytes under which every message must carry a valid
        signature, or None if no signature is required.
    signing_key: the seed of 32 bytes that signs a merge, or None to leave it unsigned.
    Errors: `ConfigMergeError` with "no-valid-message", "bad-window", "bad-verify-key",
        "bad-signing-key" or "seqno-exhausted".

    Clauses: CM-IGNORE-INVALID, CM-SECURITY-ONE-BAD
    Source: "Client update behaviour"
    """
    return resolve_messages(
        [
            parsed_or_error(encoded, window=window, reading=reading, verify_key=verify_key)
            for encoded in messages
        ],
        window=window,
        reading=reading,
        verify_key=verify_key,
        signing_key=signing_key,
    )


def parsed_or_error(
    encoded: bytes, *, window: int, reading: Reading, verify_key: bytes | None
) -> Parsed:
    """Return the message that a plaintext contains, or the error that makes it invalid.

    Errors: `ConfigMergeError` with "bad-window" or "bad-verify-key": these are faults of the call.

    Clauses: CM-IGNORE-INVALID
    Source: "Ignored updates"
    """
    try:
        return parse_message(encoded, window=window, reading=reading, verify_key=verify_key)
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
    """Return the message to which a list of parsed messages amounts.

    messages: parsed with the same reading and window.
    The other parameters and the errors are those of `resolve`.

    Clauses: CM-RESOLVE-SINGLE, CM-IGNORE-NONE-VALID, CM-SIGN-CANNOT-MERGE, CM-RESOLVE-IDEMPOTENT,
        CM-MESSAGE-BYTES
    Source: "Conflict resolution"
    """
    survivors, reasons = set_aside(messages, window=checked_window(window))
    if not survivors:
        raise ConfigMergeError("no-valid-message", "none of the messages given is valid")
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
    """Return the message by which a client changes the config.

    If several messages survive, it is their merge with the change in it.

    messages: plaintexts, in any order. An empty list asks for the first message of a config.
    data: the whole new data.
    The other parameters are those of `resolve`.
    Errors: as for `resolve`, the errors of application data, and "signing-key-missing".

    Clauses: CM-UPDATE-IGNORES, CM-UPDATE-INVALID-DATA, CM-MESSAGE-FIRST, CM-SIGN-CANNOT-UPDATE,
        CM-RESOLVE-LOCAL-CHANGE, CM-RESOLVE-LOCAL-NO-CHANGE
    Source: "Client update behaviour"
    """
    parsed = [
        parsed_or_error(encoded, window=window, reading=reading, verify_key=verify_key)
        for encoded in messages
    ]
    return update_messages(
        parsed,
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
    """Return the message by which a client changes the config, from parsed messages.

    messages: parsed with the same reading and window.
    data: the whole new data, valid.
    The other parameters are those of `resolve`, and the errors are those of `update`.

    Clauses: CM-UPDATE-IGNORES, CM-MESSAGE-FIRST, CM-SIGN-CANNOT-UPDATE, CM-IGNORE-NONE-VALID,
        CM-RESOLVE-LOCAL-CHANGE
    Source: "Client update behaviour"
    """
    if verify_key is not None and signing_key is None:
        raise ConfigMergeError("signing-key-missing", "the update would have to be signed")
    if not messages:
        checked_window(window)
        return first_message(data, window=window, reading=reading, signing_key=signing_key)
    resolution = resolve_messages(
        messages, window=window, reading=reading, verify_key=verify_key, signing_key=signing_key
    )
    if resolution.merged:
        return with_local_change(resolution.message, data, signing_key=signing_key)
    return non_conflicting_update(resolution.message, data, window=window, signing_key=signing_key)
