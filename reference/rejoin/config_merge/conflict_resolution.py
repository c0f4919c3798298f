"""Conflict resolution: several current messages become one, the same one at every client."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from attrs import frozen

from rejoin.config_merge.application_data import Dict, checked_data
from rejoin.config_merge.config_diffs import LaggedDiff, Rank
from rejoin.config_merge.diff_updates import NO_CHANGES, Diff, apply_entry, diff, prune
from rejoin.config_merge.errors import ConfigMergeError
from rejoin.config_merge.ignored_updates import Ignored, Parsed, ignored_of, set_aside
from rejoin.config_merge.messages import (
    Message,
    by_rank,
    next_seqno,
)
from rejoin.config_merge.non_conflicting_updates import first_message, follow, rows_within
from rejoin.config_merge.outer_metadata import make_message, parse_message
from rejoin.config_merge.reading import DOCUMENT, Reading
from rejoin.config_merge.windows import DEFAULT_WINDOW, checked_window

ReplaySet: TypeAlias = "dict[Rank, tuple[LaggedDiff, Dict]]"
"""What is replayed: under the rank of each update its diff, and the data that hold its values."""


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
    return follow(resolution.message, data, window=window, signing_key=signing_key)


def merge(
    survivors: Sequence[Message],
    *,
    window: int,
    reading: Reading,
    signing_key: bytes | None = None,
) -> Message:
    """Merge the messages that are left after the ignored ones were set aside.

    survivors: two or more valid messages, none of which ignores another. window: N.
    Errors: `ConfigMergeError` with "seqno-exhausted" or "bad-signing-key".

    Clauses: CM-RESOLVE-SEQNO, CM-RESOLVE-ORDER, CM-RESOLVE-BASE, CM-RESOLVE-REPLAY-OWN,
        CM-RESOLVE-REPLAY-LAGGED, CM-RESOLVE-REPLAY-CUTOFF, CM-RESOLVE-REPLAY-SOURCE,
        CM-RESOLVE-REPLAY-ORDER, CM-RESOLVE-PRUNE, CM-RESOLVE-LAGGED, CM-RESOLVE-DIFF-EMPTY,
        CM-RESOLVE-LATER-WINS, CM-OUTER-UNKNOWN-MERGE
    Source: "Conflict resolution", steps 1-8
    """
    # 1. A new seqno is assigned that is 1 higher than the current largest seqno.
    new_seqno = next_seqno(max([message.seqno for message in survivors]))

    # 2. All messages are sorted by their seqno (first) and hash (second).
    ranked = sorted(survivors, key=by_rank)

    # 3. The current data is initialised from the full data of the highest message.
    highest = ranked[-1]
    data = highest.data

    # 4. A replay set is constructed, with a reference to the message that holds the values:
    #    the current diff of every message, then past diffs that are not in it yet and are not
    #    older than newseqno - N, from the highest to the lowest ranked message.
    oldest = new_seqno - window
    replay: ReplaySet = {message.rank: (message.row, message.data) for message in ranked}
    for message in reversed(ranked):
        for row in message.lagged:
            if row.rank not in replay and (row.rank[0] >= oldest or not reading.replay_cutoff):
                replay[row.rank] = (row, message.data)

    # 5. The replay set is ordered by seqno, then hash.
    entries = [replay[rank] for rank in sorted(replay)]

    # 6. The replay set is processed in order; what has become empty is removed.
    for row, source in entries:
        data = apply_entry(data, row.diff, source, reading=reading)
    if not reading.prune_after_each_entry:
        data = prune(data)

    # 7. The replay set is copied into the lagged diffs, without entries of newseqno - N.
    lagged = rows_within(window, tuple([row for row, _ in entries]), new_seqno)

    # 8. Only merge changes: the diff is an empty dict.
    return make_message(
        seqno=new_seqno,
        data=data,
        lagged=lagged,
        diff=NO_CHANGES,
        unknown=highest.unknown if reading.unknown_keys_on_merge == "highest" else (),
        signing_key=signing_key,
    )


def with_local_change(
    merged: Message,
    data: Dict,
    *,
    signing_key: bytes | None = None,
    changes: Diff | None = None,
) -> Message:
    """Put a client's own change into a merge that it has not published: step 8, first case.

    merged: a pure merge. data: the whole new data, valid. The seqno and the lagged diffs stay; the
    diff is that from the merged data to the new. Equal data give the pure merge. changes: that
    diff, where it has been made already.
    Errors: `ConfigMergeError` with "bad-signing-key".

    Clauses: CM-RESOLVE-LOCAL-CHANGE, CM-RESOLVE-LOCAL-NO-CHANGE
    Source: "Conflict resolution", step 8
    """
    return make_message(
        seqno=merged.seqno,
        data=data,
        lagged=merged.lagged,
        diff=diff(merged.data, data) if changes is None else changes,
        unknown=merged.unknown,
        signing_key=signing_key,
    )
