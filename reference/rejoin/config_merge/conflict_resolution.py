"""Conflict resolution: merges several current messages into one, the same one on every client.

`merge` follows the document's list of steps. `replay_set` is steps 4 and 5. In step 6,
`process_entry` applies one entry, and each of the functions after it applies one kind of change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from rejoin.config_merge.application_data import (
    EMPTY,
    Dict,
    Scalar,
    Set,
    Value,
    changeable,
    checked_data,
)
from rejoin.config_merge.config_diffs import LaggedDiff, Rank
from rejoin.config_merge.diff_updates import (
    ASSIGNED,
    NO_CHANGES,
    NO_ELEMENTS,
    Change,
    Diff,
    SetDiff,
    diff,
)
from rejoin.config_merge.messages import Message, by_rank, next_seqno
from rejoin.config_merge.non_conflicting_updates import rows_within
from rejoin.config_merge.outer_metadata import make_message
from rejoin.config_merge.reading import DOCUMENT, Reading
from rejoin.plain import frozen_data

ReplayEntry: TypeAlias = tuple[LaggedDiff, Message]
"""A replayed update: its row, and the message that supplies its values."""


def merge(
    survivors: Sequence[Message],
    *,
    window: int,
    reading: Reading,
    signing_key: bytes | None = None,
) -> Message:
    """Return the merge of the messages that survive.

    survivors: at least 2 valid messages; none is stale or included beside the others.
    window: N.
    signing_key: a seed of 32 bytes, or None to leave the merge unsigned.
    Errors: `ConfigMergeError` with "seqno-exhausted" or "bad-signing-key".

    Clauses: CM-RESOLVE-SEQNO, CM-RESOLVE-ORDER, CM-RESOLVE-BASE, CM-RESOLVE-PRUNE,
        CM-RESOLVE-LAGGED, CM-RESOLVE-DIFF-EMPTY, CM-RESOLVE-LATER-WINS, CM-OUTER-UNKNOWN-MERGE
    Source: "Conflict resolution", steps 1-8
    """
    # 1. Assign a new seqno that is 1 higher than the current largest seqno.
    new_seqno = next_seqno(max([message.seqno for message in survivors]))

    # 2. Sort all messages by their seqno (first) and hash (second).
    ranked = sorted(survivors, key=by_rank)

    # 3. Initialise the current data from the full data of the highest message.
    highest = ranked[-1]
    data = highest.data

    # 4. and 5. Construct the replay set, and order it.
    entries = replay_set(ranked, new_seqno, window=window, reading=reading)

    # 6. Process the replay set in order, and remove sets and dicts that become empty.
    for row, source in entries:
        data = process_entry(data, row.diff, source.data, reading=reading)
    if not reading.prune_after_each_entry:
        data = prune(data)

    # 7. Copy the replay set into the lagged diffs, without entries of newseqno - N or less.
    lagged = rows_within(window, tuple([row for row, _ in entries]), new_seqno)

    # 8. The message only merges, so its diff is an empty dict.
    return make_message(
        seqno=new_seqno,
        data=data,
        lagged=lagged,
        diff=NO_CHANGES,
        unknown=highest.unknown if reading.unknown_keys_on_merge == "highest" else (),
        signing_key=signing_key,
    )


def replay_set(
    ranked: Sequence[Message], new_seqno: int, *, window: int, reading: Reading
) -> list[ReplayEntry]:
    """Return the updates that a merge replays, in the order of their seqno, then hash.

    ranked: the messages that survive, in ascending order of rank.
    new_seqno: the seqno of the merge.
    window: N.

    Clauses: CM-RESOLVE-REPLAY-OWN, CM-RESOLVE-REPLAY-LAGGED, CM-RESOLVE-REPLAY-CUTOFF,
        CM-RESOLVE-REPLAY-SOURCE, CM-RESOLVE-REPLAY-ORDER
    Source: "Conflict resolution", steps 4-5
    """
    # 4. Construct a replay set, with a reference to the message that supplies the values:
    #    - add the current diff of every message;
    replay: dict[Rank, ReplayEntry] = {message.rank: (message.row, message) for message in ranked}
    #    - from the highest to the lowest ranked message, add past diffs that are not in the
    #      replay set yet and have a seqno >= newseqno - N.
    oldest = new_seqno - window
    for message in reversed(ranked):
        for row in message.lagged:
            if row.rank not in replay and (row.rank[0] >= oldest or not reading.replay_cutoff):
                replay[row.rank] = (row, message)

    # 5. Order the replay set by seqno, then hash.
    return [replay[rank] for rank in sorted(replay)]


def process_entry(data: Dict, diff: Diff, source: Dict, *, reading: Reading) -> Dict:
    """Return the data after the diff of one replay entry is applied, key by key.

    data: the current data, or a dict inside it; it is not changed.
    diff: the diff of the entry, at the same place.
    source: the source data of the entry, at the same place.
    Sets and dicts that become empty are removed from the inside out, unless the reading removes
    them at the end of the merge.

    Clauses: CM-DIFF-APPLY-UNTOUCHED, CM-DIFF-APPLY-PRUNE, CM-RESOLVE-PRUNE
    Source: "Conflict resolution", step 6
    """
    if not diff:
        return data
    updated = changeable(data)
    for key, change in diff.items():
        value = _value_after(updated.get(key), change, source.get(key), reading)
        if not value and (value is None or (reading.prune_after_each_entry and _is_empty(value))):
            updated.pop(key, None)
        else:
            updated[key] = value
    return MappingProxyType(updated)


def prune(data: Dict) -> Dict:
    """Return the data without empty sets and dicts; the outermost dict may be empty.

    A dict that contains only empty sets and dicts is removed too.

    Clauses: CM-DIFF-APPLY-PRUNE, CM-RESOLVE-PRUNE
    Source: "Conflict resolution", step 6
    """
    kept: dict[bytes, Value] = {}
    for key, value in data.items():
        pruned = value if isinstance(value, (int, bytes, frozenset)) else prune(value)
        if not _is_empty(pruned):
            kept[key] = pruned
    return MappingProxyType(kept)


def _value_after(
    current: Value | None, change: Change, source: Value | None, reading: Reading
) -> Value | None:
    """Return the value at a key after a change of it; None means that the key is absent.

    current, source: the value at the key in the current data and in the source, or None.
    """
    if isinstance(change, bytes):
        return scalar_after(change, source if isinstance(source, (int, bytes)) else None)
    if isinstance(change, SetDiff):
        return _set_after(current, change, source, reading)
    return _dict_after(current, change, source, reading)


def scalar_after(change: bytes, assigned: Scalar | None) -> Scalar | None:
    """Return the value at a key after a scalar is assigned or removed; None means no key.

    The old value at the key does not matter.
    change: ASSIGNED or REMOVED.
    assigned: the scalar that the source has at the key, or None if it has no scalar there. In that
        case the key is removed.

    Clauses: CM-DIFF-APPLY-ASSIGN, CM-DIFF-APPLY-ASSIGN-MISSING, CM-DIFF-APPLY-REMOVE
    Source: "Conflict resolution", step 6

    pre: change in (b"", b"-")
    pre: not isinstance(assigned, bytes) or len(assigned) <= 1
    post: change == b"" or __return__ is None
    post: change == b"-" or __return__ == assigned
    """
    return assigned if change == ASSIGNED else None


def elements_after(elements: Set, added: Set, removed: Set) -> Set:
    """Return the elements of a set after a set diff: additions first, then removals.

    Clauses: CM-DIFF-APPLY-SET
    Source: "Conflict resolution", step 6

    pre: max(len(elements), len(added), len(removed)) <= 1
    pre: all(isinstance(e, int) or len(e) <= 1 for e in [*elements, *added, *removed])
    post: added - removed <= __return__ and not (removed & __return__)
    post: __return__ - added == elements - added - removed
    """
    return (elements | added) - removed


def _set_after(
    current: Value | None, change: SetDiff, source: Value | None, reading: Reading
) -> Value | None:
    """Return the value at a key after a set diff; it may be an empty set, or None.

    current, source: the value at the key in the current data and in the source, or None.

    Clauses: CM-DIFF-APPLY-SET, CM-DIFF-APPLY-SET-CREATE, CM-DIFF-APPLY-TYPE-MISMATCH
    Source: "Conflict resolution", step 6
    """
    if reading.missing_set_diff_target == "erase" and not isinstance(source, frozenset):
        return None
    if isinstance(current, frozenset):
        return elements_after(current, change.added, change.removed)
    if current is None or assigns_or_adds(change) or reading.type_mismatch_removal_only != "keep":
        return elements_after(NO_ELEMENTS, change.added, change.removed)
    return current


def _dict_after(
    current: Value | None, change: Diff, source: Value | None, reading: Reading
) -> Value | None:
    """Return the value at a key after a dict diff; it may be an empty dict, or None.

    current, source: the value at the key in the current data and in the source, or None.

    Clauses: CM-DIFF-APPLY-DICT, CM-DIFF-APPLY-DICT-CREATE, CM-DIFF-APPLY-TYPE-MISMATCH
    Source: "Conflict resolution", step 6
    """
    if source is None or isinstance(source, (int, bytes, frozenset)):
        if reading.missing_dict_diff_target == "erase":
            return None
        source = EMPTY
    if current is None:
        return process_entry(EMPTY, change, source, reading=reading)
    if not isinstance(current, (int, bytes, frozenset)):
        return process_entry(current, change, source, reading=reading)
    if assigns_or_adds(change) or reading.type_mismatch_removal_only != "keep":
        return process_entry(EMPTY, change, source, reading=reading)
    return current


def assigns_or_adds(change: Change) -> bool:
    """Return whether a change assigns a scalar or adds an element, at any depth.

    Clauses: CM-DIFF-APPLY-TYPE-MISMATCH
    Source: "Config diff updates"
    """
    if isinstance(change, bytes):
        return change == ASSIGNED
    if isinstance(change, SetDiff):
        return bool(change.added)
    return any(assigns_or_adds(inner) for inner in change.values())


def _is_empty(value: Value) -> bool:
    """Return whether a value is an empty set or dict."""
    return not value and not isinstance(value, (int, bytes))


def apply_diff(data: Dict, diff: Diff, source: Dict, *, reading: Reading = DOCUMENT) -> Dict:
    """Return the data after a diff is applied, without empty sets and dicts.

    data: the data to which the diff is applied; it is not changed.
    source: the data that supplies the assigned values.

    Clauses: CM-DIFF-APPLY-PRUNE, CM-DIFF-ROUND-TRIP
    Source: "Conflict resolution", step 6
    """
    applied = process_entry(data, diff, source, reading=reading)
    return applied if reading.prune_after_each_entry else prune(applied)


def with_local_change(
    merged: Message,
    data: Mapping[bytes, object],
    *,
    signing_key: bytes | None = None,
) -> Message:
    """Return a merge with a local change: step 8, first case.

    The result has the seqno and the lagged diffs of the merge. Its diff is the diff from the merged
    data to the new data. If they are equal, the result is the merge itself.
    merged: a merge without a local change, not published yet.
    data: the whole new data.
    signing_key: a seed of 32 bytes, or None to leave the message unsigned.
    Errors: `ConfigMergeError` with "bad-signing-key".

    Clauses: CM-RESOLVE-LOCAL-CHANGE, CM-RESOLVE-LOCAL-NO-CHANGE
    Source: "Conflict resolution", step 8
    """
    whole = frozen_data(data, checked_data)
    return make_message(
        seqno=merged.seqno,
        data=whole,
        lagged=merged.lagged,
        diff=diff(merged.data, whole),
        unknown=merged.unknown,
        signing_key=signing_key,
    )
