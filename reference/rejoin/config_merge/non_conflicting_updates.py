"""Non-conflicting updates: the message that follows a single message, or the first message."""

from __future__ import annotations

from collections.abc import Mapping

from rejoin.config_merge.application_data import EMPTY, checked_data
from rejoin.config_merge.config_diffs import LaggedDiff
from rejoin.config_merge.diff_updates import NO_CHANGES, diff
from rejoin.config_merge.messages import FIRST_SEQNO, Message, next_seqno
from rejoin.config_merge.outer_metadata import make_message
from rejoin.config_merge.reading import DOCUMENT, Reading
from rejoin.config_merge.windows import DEFAULT_WINDOW, within
from rejoin.plain import frozen_data


def non_conflicting_update(
    current: Message,
    data: Mapping[bytes, object],
    *,
    window: int,
    signing_key: bytes | None = None,
) -> Message:
    """Return the update that follows the current message, even if it changes nothing.

    current: the single message that survives.
    data: the whole new data.
    window: N.
    signing_key: a seed of 32 bytes, or None to leave the update unsigned.
    Errors: `ConfigMergeError` with "seqno-exhausted", "bad-signing-key" or a code of application
        data.

    Clauses: CM-UPDATE-SEQNO, CM-UPDATE-LAGGED, CM-UPDATE-WINDOW, CM-UPDATE-DIFF, CM-UPDATE-DATA,
        CM-UPDATE-NO-CHANGE, CM-OUTER-UNKNOWN-UPDATE
    Source: "Non-conflicting updates", steps 1-4
    """
    whole = frozen_data(data, checked_data)

    # 1. Assign a new seqno that is 1 higher than the current largest seqno.
    new_seqno = next_seqno(current.seqno)

    # 2. Copy the lagged diffs of the current message, without the diffs of seqno newseqno - N
    #    or less. They are sorted already, because the current message is valid.
    lagged = rows_within(window, current.lagged, new_seqno)

    # 3. Append the current message's own diff, with its seqno and hash. With N = 1 it is
    #    outside the window.
    if within(window, current.seqno, new_seqno):
        lagged = (*lagged, current.row)

    # 4. Construct the current diff from the values that are assigned and removed.
    current_diff = diff(current.data, whole)

    return make_message(
        seqno=new_seqno,
        data=whole,
        lagged=lagged,
        diff=current_diff,
        unknown=current.unknown,
        signing_key=signing_key,
    )


def first_message(
    data: Mapping[bytes, object],
    *,
    window: int = DEFAULT_WINDOW,
    reading: Reading = DOCUMENT,
    signing_key: bytes | None = None,
) -> Message:
    """Return the first message of a config.

    data: the whole data.
    window: N.
    signing_key: a seed of 32 bytes, or None to leave the message unsigned.
    Errors: `ConfigMergeError` with "bad-signing-key" or a code of application data.

    Clauses: CM-MESSAGE-FIRST
    Source: not in the document
    """
    whole = frozen_data(data, checked_data)
    lagged: tuple[LaggedDiff, ...] = ()
    if reading.first_message_lags_zero:
        nothing = make_message(seqno=FIRST_SEQNO - 1, data=EMPTY, lagged=(), diff=NO_CHANGES)
        lagged = rows_within(window, (nothing.row,), FIRST_SEQNO)
    return make_message(
        seqno=FIRST_SEQNO,
        data=whole,
        lagged=lagged,
        diff=diff(EMPTY, whole),
        signing_key=signing_key,
    )


def rows_within(
    window: int, rows: tuple[LaggedDiff, ...], new_seqno: int
) -> tuple[LaggedDiff, ...]:
    """Return the rows whose seqno is above newseqno - N.

    window: N.

    Clauses: CM-UPDATE-WINDOW, CM-RESOLVE-LAGGED
    Source: "Non-conflicting updates", step 2
    """
    return tuple([row for row in rows if within(window, row.rank[0], new_seqno)])
