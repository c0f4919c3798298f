"""Laws of the end of a history, after the final exchange."""

from __future__ import annotations

import hashlib
from functools import partial

from rejoin import config_merge as cm
from rejoin_conformance.contract.law import Ledger
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.changes import Tree, carry_out, first_difference
from rejoin_conformance.systems.config_merge.injections import sealed
from rejoin_conformance.systems.config_merge.laws_resolves import resolve_again
from rejoin_conformance.systems.config_merge.records import named, resolve_input
from rejoin_conformance.systems.config_merge.run import Run


def check_end(run: Run, ledger: Ledger, misses: int) -> None:
    """Check that all clients hold the same data, and that no message or change is missing.

    misses: from `window_misses`.
    """
    converged = _check_convergence(run, ledger)
    honest = all(record.honest for record in run.records)
    if ledger.check("deletion-loses-nothing", premise=converged and honest):
        _check_deletion(run, ledger)
    if ledger.check("replay-of-everything", premise=converged and honest and not misses):
        _check_replay(run, ledger)


def window_misses(run: Run) -> int:
    """Return the number of messages that some client missed because of the window.

    A client misses a message if the message is not an ancestor of the last head. It also misses a
    message if a merge had some survivors that descend from it and some that do not, and the message
    was older than the messages that the merge replays.
    """
    below: dict[int, int] = {}
    missed = 0
    for step in run.resolved:
        if not step.resolution.merged:
            continue
        oldest = step.resolution.message.row.rank[0] - run.history.window
        if oldest not in below:
            below[oldest] = sum(
                [1 << each.index for each in run.records if each.message.row.rank[0] < oldest]
            )
        some, every = 0, -1
        for record in run.records_of(step.resolution.survivors):
            some |= record.mask
            every &= record.mask
        missed |= some & ~every & below[oldest]
    head = run.head
    if head is not None and head.rank in run.by_rank:
        missed |= (1 << len(run.records)) - 1 & ~run.records[run.by_rank[head.rank]].mask
    return missed.bit_count()


def _check_convergence(run: Run, ledger: Ledger) -> bool:
    """Return whether the premise of the law holds and all clients hold the same stored head.

    If the premise holds and the heads differ or are not stored, this notes a violation.
    """
    exhausted = any(what.endswith("seqno-exhausted") for what in run.counts)
    clients = run.clients.values()
    unsigned_edit = any(
        client.local is not None and not run.history.can_sign(name)
        for name, client in run.clients.items()
    )
    nothing = not any(client.known for client in clients)
    if not ledger.check("exchange-converges", premise=not (exhausted or unsigned_edit or nothing)):
        return False
    detail = f"after {run.rounds} rounds: " + ", ".join(
        "nothing" if client.head is None else named(client.head) for client in clients
    )
    faults = {
        "endless": not run.quiet,
        "different-heads": len(run.heads) != 1 or None in run.heads,
        "not-pushed": any(each.local is not None or not each.head_is_stored for each in clients),
        "head-not-in-swarm": not _head_is_stored(run),
    }
    fault = next((name for name, found in faults.items() if found), None)
    if fault is not None:
        ledger.broken("exchange-converges", fault, detail, lambda: _heads(run))
    return fault is None


def _head_is_stored(run: Run) -> bool:
    """Return whether the swarm stores the head as the ciphertext that every client computes."""
    if run.head is None:
        return False
    made = sealed(run.head.encoded, run.settings)
    return hashlib.blake2b(made, digest_size=32).digest() in run.stored_for("")


def _heads(run: Run) -> JsonObject:
    heads = [client.head for client in run.clients.values()]
    return {"heads": [None if head is None else head.encoded.hex() for head in heads]}


def _check_deletion(run: Run, ledger: Ledger) -> None:
    """Resolve, as a new client, the stored messages, and then all messages ever stored."""
    settings, head = run.settings, run.head
    stored = [run.open(name, text).content for name, text in run.stored_for("").items()]
    ever = [run.records[index].message for index in run.sent]
    for kind, given in (("stored", stored), ("ever-stored", ever)):
        messages = [each for each in given if not isinstance(each, cm.ConfigMergeError)]
        again = resolve_again(tuple(given), settings) if messages else None
        if again is None or again.merged or again.message != head:
            detail = "nothing" if again is None else named(again.message)
            detail += f" of {len(messages)} messages"
            evidence = partial(resolve_input, messages, settings)
            ledger.broken("deletion-loses-nothing", kind, detail, evidence)


def _check_replay(run: Run, ledger: Ledger) -> None:
    """Apply the changes of all messages, in rank order, to empty data."""
    head = run.head
    tree: Tree = {}
    for record in sorted(run.records, key=lambda each: each.message.row.rank):
        carry_out(tree, record.changes)
    if head is not None and tree != head.data:
        place, kind = first_difference(tree, head.data)
        detail = f"{named(head)} differs at {place}"
        ledger.broken("replay-of-everything", kind, detail, lambda: _heads(run))
