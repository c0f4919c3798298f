"""Client update behaviour: which message a client works on, and which one it makes.

The messages at hand are ignored, followed by a non-conflicting update, or merged: these rules have
modules of their own, `ignored_updates`, `non_conflicting_updates` and `conflict_resolution`. Here
it is decided which of them applies.
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
    """What a client makes of the messages it has.

    message: the message that now stands. merged: whether it is a new one, to be published.
    survivors: the messages that were not ignored, ascending by rank. ignored: the others.
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
    """Resolve encoded messages.

    messages: plaintexts, in any order; one that is invalid is ignored. window: N. verify_key: where
    given, messages must be signed by it. signing_key: a seed of 32 bytes that signs a merge.
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
    """Parse a received message; what is wrong with an invalid one is a result.

    Errors: `ConfigMergeError` with "bad-window" or "bad-verify-key", which no message is to blame
    for.

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
    """Resolve messages that have been parsed already, in the same reading and window.

    Parameters and errors: as for `resolve`.

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
    """Make the message by which a client changes the config, merging on the way if it must.

    messages: plaintexts, in any order; none for the first message of all. data: the whole new data.
    The other parameters: as for `resolve`.
    Errors: as for `resolve`, and those of application data, and "signing-key-missing".

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
    """Make an update of messages that have been parsed, and data that have been checked, already.

    Parameters and errors: as for `update`.

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
