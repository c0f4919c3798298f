"""What a history costs under a reading: bytes, ignored messages, lost edits.

A larger N makes messages longer, because they carry more lagged diffs. A smaller N ignores more
messages and loses their edits.
"""

from __future__ import annotations

from collections.abc import Mapping

from rejoin_conformance.contract.history import Cost
from rejoin_conformance.systems.config_merge.histories.check_merges import differences
from rejoin_conformance.systems.config_merge.histories.leaves import Tree, carry_out, touches
from rejoin_conformance.systems.config_merge.histories.run import Run


def costs_of(run: Run) -> Mapping[str, Cost]:
    """Return the costs of a history that has run to its end.

    bytes per message: the length of the ciphertexts of the messages that clients made.
    messages ignored: the messages that some resolve set aside as stale although no survivor of that
    resolve descends from them, of the messages that clients made. edits lost: see `_lost`.
    """
    made = [record for record in run.records if record.by is not None]
    return {
        "bytes per message": Cost(sum(len(each.ciphertext) for each in made), len(made)),
        "messages ignored per 100": Cost(len(_ignored(run)), len(run.records), per=100),
        "edits lost per 100": _lost(run),
    }


def _ignored(run: Run) -> set[int]:
    """Return the indices of the records that a resolve ignored as stale and did not include."""
    index = {record.name: record.index for record in run.records}
    ignored: set[int] = set()
    for step in run.resolved:
        included = 0
        for message in step.resolution.survivors:
            included |= run.records[run.by_rank[message.rank]].mask
        names = list(step.known)
        for each in step.resolution.ignored:
            record = index.get(names[each.index])
            if each.why == "stale" and record is not None and not included >> record & 1:
                ignored.add(record)
    return ignored


def _lost(run: Run) -> Cost:
    """Return how many edits are lost at the end, of all edits.

    An edit is lost if it is the last edit of a place in the data, by seqno and hash, and the final
    data do not show it. If the clients hold different data at the end, or if the history has a
    message that does not follow the protocol, no edit is counted.
    """
    heads = {None if client.head is None else client.head.encoded for client in run.clients}
    head = run.clients[0].head
    if head is None or len(heads) != 1 or not all(record.honest for record in run.records):
        return Cost(0, 0, per=100)
    edits = sorted(
        [record for record in run.records if record.changes],
        key=lambda record: record.message.rank,
    )
    expected: Tree = {}
    for record in edits:
        carry_out(expected, record.changes)
    lost: set[int] = set()
    for leaf, _ in differences(expected, head.data):
        touching = [
            record.index
            for record in edits
            if any(touches(change, leaf) for change in record.changes)
        ]
        lost.update(touching[-1:])
    return Cost(len(lost), len(edits), per=100)
