"""Laws of a merge: its form is correct, and it loses no client's changes."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, Final

from attrs import evolve

from rejoin import config_merge as cm
from rejoin_conformance.contract.law import Ledger
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.changes import (
    Change,
    Leaf,
    Tree,
    carry_out,
    differences,
    leaf_name,
    leaves_of,
    thawed,
    touches,
)
from rejoin_conformance.systems.config_merge.data_text import value_text
from rejoin_conformance.systems.config_merge.records import Record, Resolved, named, resolve_input
from rejoin_conformance.systems.config_merge.run import Run

CHOICE_POINTS: Final = (
    "replay_cutoff",
    "missing_set_diff_target",
    "missing_dict_diff_target",
    "type_mismatch_removal_only",
    "prune_after_each_entry",
)
"""The fields of a reading that affect the data of a merge."""


def check_merges(run: Run, ledger: Ledger, merges: Sequence[Resolved]) -> None:
    """Check the merges of a run. Each has a different set of survivors."""
    for step in merges:
        _check_form(run, ledger, step)
        _check_order(ledger, step)
        survivors = run.records_of(step.resolution.survivors)
        honest = all(record.honest for record in survivors)
        ledger.check("untouched-leaves-stay", premise=honest)
        if ledger.check("no-lost-update", premise=honest):
            _check_updates(run, ledger, step, survivors)


def _check_order(ledger: Ledger, step: Resolved) -> None:
    """Merge the same survivors in reverse.

    One additional order per set of survivors is enough, because a resolve sorts the survivors
    before it merges them. `laws_resolves` checks this sorting with many orders.
    """
    resolution, settings = step.resolution, step.settings
    order = resolution.survivors[::-1]
    ledger.check("order-independence")
    again = merged_again(step, order, settings.reading)
    if again.encoded != resolution.message.encoded:
        detail = f"{named(resolution.message)} in one order, {named(again)} in another"
        evidence = partial(resolve_input, order, settings)
        ledger.broken("order-independence", "other-merge", detail, evidence)


def _check_form(run: Run, ledger: Ledger, step: Resolved) -> None:
    """Check the merge's seqno, diff and rows against the messages that it merges."""
    message, survivors = step.resolution.message, step.resolution.survivors
    oldest = message.seqno - run.history.window
    ranks = [row.rank for row in message.lagged]
    ranked = {(each.seqno, message_digest(each)): each for each in survivors}
    highest = ranked[max(ranked)]
    kept = highest.unknown if run.reading.unknown_keys_on_merge == "highest" else ()
    form = {
        "seqno": message.seqno == max([each.seqno for each in survivors]) + 1,
        "diff": not message.diff,
        "row-order": all(left < right for left, right in pairwise(ranks)),
        "rows-out-of-window": all(seqno > oldest for seqno, _ in ranks),
        "unknown-keys": message.unknown == kept,
        "survivor-not-listed": {rank for rank in ranked if rank[0] > oldest} <= {*ranks},
    }
    ledger.check("merge-form")
    for fault in [name for name, holds in form.items() if not holds]:
        detail = f"{named(message)} merged of {', '.join(map(named, survivors))}"
        ledger.broken("merge-form", fault, detail, lambda: resolve_input(survivors, step.settings))


def message_digest(message: cm.Message) -> bytes:
    """Compute the hash of a message again and return it."""
    return hashlib.blake2b(message.encoded, digest_size=32).digest()


def entries_of(run: Run, survivors: Sequence[Record], oldest: int) -> list[Record]:
    """Return the survivors and ancestors with changes, from seqno `oldest` on, sorted by rank."""
    return sorted(
        [
            record
            for record in run.with_ancestors(survivors)
            if record.changes and record.message.seqno >= oldest
        ],
        key=lambda record: record.message.rank,
    )


def _check_updates(run: Run, ledger: Ledger, step: Resolved, survivors: Sequence[Record]) -> None:
    """Replay the true changes by rank on the highest message, and compare leaf by leaf."""
    message = step.resolution.message
    entries = entries_of(run, survivors, message.seqno - run.history.window)
    expected = thawed(survivors[-1].message.data)
    for record in entries:
        carry_out(expected, record.changes)
    if expected == message.data:
        return
    point = _choice_point(step, expected)
    for leaf, how in differences(expected, message.data):
        deciding = [
            (record, change)
            for record in entries
            for change in record.changes
            if touches(change, leaf)
        ]
        law = "no-lost-update" if deciding else "untouched-leaves-stay"
        detail = _detail(leaf, expected, message, deciding)
        kind = f"{how}:{point}" if point else how
        ledger.broken(law, kind, detail, partial(_evidence, step, leaf))


def _choice_point(step: Resolved, expected: Tree) -> str:
    """Return the choice point whose literal reading makes the merge correct.

    Returns "several" if the merge is correct only with all choice points literal. Returns
    "inherited" if that does not help either: then one of the merged messages had already lost its
    values. Returns an empty string if the reading is already literal.
    """
    reading = step.settings.reading
    literal = {name: getattr(cm.DOCUMENT, name) for name in CHOICE_POINTS}
    apart = {name: each for name, each in literal.items() if getattr(reading, name) != each}
    trials = [(name, {name: each}) for name, each in apart.items()]
    for found, changes in [*trials, ("several", apart)] if apart else ():
        mended = merged_again(step, step.resolution.survivors, evolve(reading, **changes))
        if mended.data == expected:
            return found
    return "inherited" if apart else ""


def merged_again(
    step: Resolved, survivors: Sequence[cm.Message], reading: cm.Reading
) -> cm.Message:
    """Merge survivors of a resolve with its settings, under a reading."""
    window, key = step.settings.window, step.settings.signing_key
    return cm.merge(survivors, window=window, reading=reading, signing_key=key)


def _detail(
    leaf: Leaf,
    expected: Mapping[bytes, Any],
    message: cm.Message,
    deciding: Sequence[tuple[Record, Change]],
) -> str:
    """Return one line that says which value a leaf should have, and why."""
    wanted, found = (_value(leaves_of(data), leaf) for data in (expected, message.data))
    if deciding:
        record, change = deciding[-1]
        verb = "removed" if change.kind in ("remove", "discard") else "set"
        reason = f"{named(record.message)} {verb} it last"
    else:
        reason = "nobody touched it within the window"
    return f"{leaf_name(leaf)}: {wanted} is due, for {reason}; {named(message)} has {found}"


def _value(leaves: Mapping[Leaf, Any], leaf: Leaf) -> str:
    return value_text(leaves[leaf]) if leaf in leaves else "nothing"


def _evidence(step: Resolved, leaf: Leaf) -> JsonObject:
    """Return the resolve as an operation, and the leaf with the wrong value."""
    element = leaf[1]
    return {
        **resolve_input(step.resolution.survivors, step.settings),
        "path": [key.hex() for key in leaf[0]],
        "element": element.hex() if isinstance(element, bytes) else element,
    }
