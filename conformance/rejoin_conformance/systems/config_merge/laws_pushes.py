"""Laws of the clients' output: updates, diffs, encodings, ciphertexts, edits not yet pushed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from rejoin import bencode
from rejoin import config_merge as cm
from rejoin_conformance.contract.law import Ledger
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.changes import Change, first_difference
from rejoin_conformance.systems.config_merge.laws_merges import message_digest
from rejoin_conformance.systems.config_merge.records import Pushed, Record, named
from rejoin_conformance.systems.config_merge.run import Run

ENCRYPTION_OVERHEAD = 40
NOT_DECRYPTED = frozenset({"ciphertext-too-short", "decryption-failed"})


def check_pushes(run: Run, ledger: Ledger) -> None:
    """Check every push, and check every pushed message once."""
    seen: set[int] = set()
    for pushed in run.pushed:
        record = run.records[pushed.record]
        if pushed.record not in seen:
            seen.add(pushed.record)
            _check_form(run, ledger, pushed, record.message, record)
            _check_diff(run, ledger, pushed, record.message)
            _check_encoding(run, ledger, record)
        else:
            ledger.check("same-messages-same-bytes")
            if pushed.batch.store != record.ciphertext:
                kind = "same-message-other-ciphertext"
                ledger.broken("same-messages-same-bytes", kind, named(record.message))
        if ledger.check("deletes-only-obsolete", premise=record.honest):
            _check_deletion(run, ledger, pushed, record)
    for record in run.records:
        if record.by is None and ledger.check("canonical-form", premise=record.honest):
            message = record.message
            if cm.serialise(message) != message.encoded:
                ledger.broken("canonical-form", "serialised", named(message))
    for kept in run.kept:
        ledger.check("edit-survives-resolve")
        if kept.expected != kept.seen:
            place, kind = first_difference(kept.expected, kept.seen)
            detail = f"client {kept.client} at event {kept.event}: {place}"
            ledger.broken("edit-survives-resolve", kind, detail)


def _check_form(
    run: Run, ledger: Ledger, pushed: Pushed, message: cm.Message, record: Record
) -> None:
    """Check an update against its previous message and the edit that it contains."""
    head = pushed.before.head
    if pushed.before.local is None:
        return  # a pure merge, which has its own law
    ledger.check("update-form")
    seqno, rows, lagged = 1, first_rows(run), () if head is None else head.lagged
    if head is not None:
        if pushed.before.head_is_stored:
            seqno, own = head.seqno + 1, (head.seqno, message_digest(head))
            oldest = seqno - run.history.window
            lagged = (*head.lagged, cm.lagged_diff(own, head.diff))
            lagged = tuple([row for row in lagged if row.seqno > oldest])
        else:
            seqno = head.seqno
        rows = [row.encoded for row in lagged]
    form = {
        "seqno": message.seqno == seqno,
        "rows": [row.encoded for row in message.lagged] == rows,
        "data": message.data == pushed.intended,
        "unknown-keys": message.unknown == (() if head is None else head.unknown),
        "diff": message.diff == diff_of(record.changes),
    }
    for fault in [name for name, holds in form.items() if not holds]:
        ledger.broken(
            "update-form",
            fault,
            f"{named(message)} by client {pushed.client} at event {pushed.event}",
            lambda: {
                "message": message.encoded.hex(),
                "follows": None if head is None else head.encoded.hex(),
            },
        )


def first_rows(run: Run) -> list[bytes]:
    """Return the rows of a first message: none, or one for the empty seqno 0 message, within N."""
    if not run.reading.first_message_lags_zero or run.history.window == 1:
        return []
    nothing = b"d1:#i0e1:&de1:<le1:=dee"
    return [b"li0e32:" + hashlib.blake2b(nothing, digest_size=32).digest() + b"dee"]


def diff_of(changes: Iterable[Change]) -> Mapping[bytes, Any]:
    """Return the diff that lists exactly these assigned, removed, added and discarded values."""
    diff: dict[bytes, Any] = {}
    sets: dict[tuple[bytes, ...], tuple[set[Any], set[Any]]] = {}
    for change in changes:
        holder = diff
        for key in change.path[:-1]:
            holder = holder.setdefault(key, {})
        if change.is_of_set:
            added, removed = sets.setdefault(change.path, (set(), set()))
            (added if change.kind == "add" else removed).add(change.value)
            holder[change.path[-1]] = cm.SetDiff(frozenset(added), frozenset(removed))
        else:
            holder[change.path[-1]] = b"" if change.kind == "assign" else b"-"
    return diff


def _check_diff(run: Run, ledger: Ledger, pushed: Pushed, message: cm.Message) -> None:
    """Apply the diff of an update forwards, and the diff of its reversal backwards."""
    head = pushed.before.head
    old, new = cm.EMPTY if head is None else head.data, message.data
    if pushed.before.local is None:
        return
    ledger.check("diff-and-apply")
    forwards = cm.apply_diff(old, message.diff, new, reading=run.reading)
    back = cm.diff(new, old)
    backwards = cm.apply_diff(new, back, old, reading=run.reading)
    for kind, result, due in (("forwards", forwards, new), ("backwards", backwards, old)):
        if result != due:
            ledger.broken(
                "diff-and-apply",
                kind,
                named(message),
                lambda: {"old": cm.encode_data(old).hex(), "new": cm.encode_data(new).hex()},
            )
    if (not message.diff or not back) and old != new:
        ledger.broken("diff-and-apply", "empty", named(message))


def _check_deletion(run: Run, ledger: Ledger, pushed: Pushed, record: Record) -> None:
    """Check the messages that a push deletes against the ancestry of the message that it stores."""
    oldest = record.message.seqno - run.history.window
    for name in pushed.batch.delete:
        content = run.opened[name].content  # all known messages are opened, own ones by the caller
        if isinstance(content, cm.ConfigMergeError):
            if run.reading.head_form == "content" or content.code in NOT_DECRYPTED:
                ledger.broken("deletes-only-obsolete", "unreadable", content.code)
            continue
        other = run.records[run.by_rank[content.rank]]
        is_ancestor = other is not record and record.mask >> other.index & 1
        if not is_ancestor and content.seqno > oldest:
            detail = f"{named(record.message)} deletes {named(content)}"
            ledger.broken("deletes-only-obsolete", "in-nothing-else", detail)


def _check_encoding(run: Run, ledger: Ledger, record: Record) -> None:
    """Open the stored ciphertext, and compare it with the message that the client made."""
    made = record.message
    ledger.check("ciphertext-opens")
    content = run.open(record.name, record.ciphertext).content

    def evidence() -> JsonObject:
        return {"ciphertext": record.ciphertext.hex(), "plaintext": made.encoded.hex()}

    if isinstance(content, cm.ConfigMergeError):
        detail = f"{named(made)}: {content.code}"
        ledger.broken("ciphertext-opens", "refused", detail, evidence)
        return
    if len(record.ciphertext) != len(made.encoded) + ENCRYPTION_OVERHEAD:
        ledger.broken("ciphertext-opens", "length", named(made), evidence)
    if content.encoded != made.encoded:
        ledger.broken("ciphertext-opens", "other-message", named(made), evidence)
    ledger.check("canonical-form")
    faults = [
        name
        for name in ("row", "data", "lagged", "unknown", "signature", "span_end")
        if getattr(content, name) != getattr(made, name)
    ]
    if not run.reading.strict_encoding:
        # A strict parser accepts only the canonical bytes of the parts that it returns.
        if cm.serialise(content) != made.encoded:
            faults.append("serialised")
        if not _is_canonical(made.encoded):
            faults.append("not-canonical")
    for fault in faults:
        ledger.broken("canonical-form", fault, named(made), evidence)


def _is_canonical(encoded: bytes) -> bool:
    """Return whether the strict decoder accepts bytes. A strict reading used it for parsing."""
    try:
        bencode.decode(encoded)
    except bencode.BencodeError:
        return False
    return True
