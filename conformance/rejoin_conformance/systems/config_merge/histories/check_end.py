"""Laws of the end of a history, after the final exchange."""

from __future__ import annotations

import hashlib
from functools import partial

from rejoin import config_merge as cm
from rejoin_conformance.contract.ledger import Ledger
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.histories.check_merges import differences, place_of
from rejoin_conformance.systems.config_merge.histories.check_resolves import resolve_again
from rejoin_conformance.systems.config_merge.histories.evidence import named, resolve_input
from rejoin_conformance.systems.config_merge.histories.leaves import Tree, carry_out
from rejoin_conformance.systems.config_merge.histories.run import Run
from rejoin_conformance.systems.config_merge.laws import (
    DELETION_LOSES_NOTHING,
    EXCHANGE_CONVERGES,
    REPLAY_OF_EVERYTHING,
)


def check_end(run: Run, ledger: Ledger, misses: int) -> None:
    """Check that all clients hold the same data, and that no message or change is missing.

    misses: from `window_misses`.
    """
    converged = _check_convergence(run, ledger)
    honest = all(record.honest for record in run.records)
    if ledger.check(DELETION_LOSES_NOTHING, premise=converged and honest):
        _check_deletion(run, ledger)
    if ledger.check(REPLAY_OF_EVERYTHING, premise=converged and honest and not misses):
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
        survivors = step.resolution.survivors
        masks = [run.records[run.by_rank[each.row.rank]].mask for each in survivors]
        some, every = 0, -1
        for mask in masks:
            some |= mask
            every &= mask
        missed |= some & ~every & below[oldest]
    head = run.clients[0].head
    if head is not None and head.rank in run.by_rank:
        missed |= (1 << len(run.records)) - 1 & ~run.records[run.by_rank[head.rank]].mask
    return missed.bit_count()


def _check_convergence(run: Run, ledger: Ledger) -> bool:
    """Return whether the premise of the law holds and all clients hold the same stored head.

    If the premise holds and the heads differ or are not stored, this notes a violation.
    """
    exhausted = any(what.endswith("seqno-exhausted") for what in run.counts)
    unsigned_edit = any(
        client.local is not None and not run.history.can_sign(number)
        for number, client in enumerate(run.clients)
    )
    nothing = not any(client.known for client in run.clients)
    heads = {None if client.head is None else client.head.encoded for client in run.clients}
    if not ledger.check(EXCHANGE_CONVERGES, premise=not (exhausted or unsigned_edit or nothing)):
        return False
    detail = f"after {run.rounds} rounds: " + ", ".join(
        "nothing" if client.head is None else named(client.head) for client in run.clients
    )
    if not run.quiet:
        ledger.broken(EXCHANGE_CONVERGES, "endless", detail, lambda: _heads(run))
    elif len(heads) != 1 or None in heads:
        ledger.broken(EXCHANGE_CONVERGES, "different-heads", detail, lambda: _heads(run))
    elif any(client.local is not None or not client.head_is_stored for client in run.clients):
        ledger.broken(EXCHANGE_CONVERGES, "not-pushed", detail, lambda: _heads(run))
    elif not _head_is_stored(run):
        ledger.broken(EXCHANGE_CONVERGES, "head-not-in-swarm", detail, lambda: _heads(run))
    else:
        return True
    return False


def _head_is_stored(run: Run) -> bool:
    """Return whether the swarm stores the head as the ciphertext that every client computes."""
    client = run.clients[0]
    settings = client.settings
    if client.head is None:
        return False
    plaintext, key = client.head.encoded, settings.encryption_key
    made = cm.encrypt(plaintext, key, reading=settings.reading, domain=settings.domain)
    name = hashlib.blake2b(made, digest_size=32).digest()
    return name in run.network.stored_for(0)


def _heads(run: Run) -> JsonObject:
    heads = [client.head for client in run.clients]
    return {"heads": [None if head is None else head.encoded.hex() for head in heads]}


def _check_deletion(run: Run, ledger: Ledger) -> None:
    """Resolve, as a new client, the stored messages, and then all messages ever stored."""
    settings = run.clients[0].settings
    head = run.clients[0].head
    stored = [run.open(name, text).content for name, text in run.network.stored_for(0).items()]
    ever = [record.message for record in run.records]
    for kind, given in (("stored", stored), ("ever-stored", ever)):
        messages = [each for each in given if not isinstance(each, cm.ConfigMergeError)]
        again = resolve_again(tuple(given), settings) if messages else None
        if again is None or again.merged or again.message != head:
            detail = "nothing" if again is None else named(again.message)
            detail += f" of {len(messages)} messages"
            evidence = partial(resolve_input, messages, settings)
            ledger.broken(DELETION_LOSES_NOTHING, kind, detail, evidence)


def _check_replay(run: Run, ledger: Ledger) -> None:
    """Apply the changes of all messages, in rank order, to empty data."""
    head = run.clients[0].head
    tree: Tree = {}
    for record in sorted(run.records, key=lambda each: each.message.row.rank):
        carry_out(tree, record.changes)
    if head is not None and tree != head.data:
        leaf, kind = differences(tree, head.data)[0]
        path, element = leaf
        what = "" if element is None else f" element {element!r}"
        detail = f"{named(head)} differs at {place_of(path)}{what}"
        ledger.broken(REPLAY_OF_EVERYTHING, kind, detail, lambda: _heads(run))
