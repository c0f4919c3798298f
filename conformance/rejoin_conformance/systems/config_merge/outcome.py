"""What a history comes to: its coverage, its outcome, and what it costs.

Coverage counts shapes, events, reasons for ignored messages, and decided clauses. A history decides
a clause if it applies the clause's rule and another rule would give a different result.

A larger N makes messages longer, because they carry more lagged diffs. A smaller N ignores more
messages and loses their edits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from rejoin import config_merge as cm
from rejoin_conformance.contract.history import Cost
from rejoin_conformance.contract.law import Ledger
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.config_merge.changes import (
    Change,
    Tree,
    carry_out,
    differences,
    touches,
)
from rejoin_conformance.systems.config_merge.data_text import value_text
from rejoin_conformance.systems.config_merge.laws_merges import entries_of
from rejoin_conformance.systems.config_merge.records import Pushed, Record, Resolved
from rejoin_conformance.systems.config_merge.run import Run, data_of

_ABOUT: Final = {"assign": "ASSIGN", "remove": "REMOVE", "add": "SET", "discard": "SET"}
"""Kind of change -> the end of the clauses about making and applying it."""


def cover(run: Run, ledger: Ledger, merges: Sequence[Resolved], misses: int) -> None:
    """Count the coverage of a history. misses: from `window_misses`."""
    history = run.history
    ledger.cover(
        f"shape:clients:{history.clients}",
        f"shape:window:{history.window}",
        f"shape:messages:{_bucket(len(run.records))}",
        f"shape:depth:{_bucket(max([each.message.seqno for each in run.records], default=0))}",
        f"shape:rounds:{run.rounds}",
        f"shape:window-misses:{_bucket(misses)}",
        f"shape:fork-width:{max([len(s.resolution.survivors) for s in run.resolved], default=0)}",
        "shape:context:" + ("signed" if history.signed else "unsigned"),
    )
    for what, count in run.counts.items():
        ledger.cover(f"event:{what}", times=count)
    for record in run.records:
        ledger.cover(f"message:{record.kind}")
    _cover_resolves(run, ledger)
    for step in merges:
        _cover_merge(run, ledger, step)
    for pushed in run.pushed:
        _cover_push(run, ledger, pushed)
    if run.kept:
        ledger.decide("CM-CLIENT-EDIT-KEPT")
    if misses:
        ledger.decide("CM-MESSAGE-WINDOW")


def _bucket(count: int) -> str:
    """Return the bucket of a count: small numbers as they are, larger numbers in steps of 8."""
    if count <= 4:
        return str(count)
    low = (count - 1) // 8 * 8 + 1
    return f"{max(low, 5)}-{low + 7}"


def _cover_resolves(run: Run, ledger: Ledger) -> None:
    """Count the reasons for ignored messages, and the clauses that ignored updates decide."""
    reasons: Counter[str] = Counter()
    for step in run.resolved:
        reasons.update(ignored.why for ignored in step.resolution.ignored)
        if not step.resolution.merged:
            several = len(step.resolution.survivors) > 1
            ledger.decide("CM-SIGN-CANNOT-MERGE" if several else "CM-RESOLVE-SINGLE")
    for why, count in sorted(reasons.items()):
        ledger.cover(f"ignored:{why}", times=count)
        ledger.decide(f"CM-IGNORE-{why.upper()}")
    if run.history.signed and "invalid" in reasons:
        ledger.decide("CM-SIGN-REQUIRED")


def _cover_merge(run: Run, ledger: Ledger, step: Resolved) -> None:
    """Count a merge's shape, and the clauses that affected its result."""
    resolution = step.resolution
    message, survivors = resolution.message, resolution.survivors
    highest = survivors[-1]
    oldest = message.seqno - run.history.window
    ledger.cover(f"shape:merge-arity:{len(survivors)}")
    ledger.decide("CM-RESOLVE-SEQNO", "CM-RESOLVE-DIFF-EMPTY")
    if survivors[-2].seqno == highest.seqno:
        ledger.decide("CM-RESOLVE-ORDER", "CM-MESSAGE-RANK")
    if message.data != highest.data:
        ledger.decide("CM-RESOLVE-REPLAY-OWN", "CM-RESOLVE-REPLAY-ORDER")
    if any(each.data != highest.data for each in survivors):
        ledger.decide("CM-RESOLVE-BASE")
    records = run.records_of(survivors)
    forged = not all(record.honest for record in records)
    carried: dict[cm.Rank, cm.Message] = {}
    for each in reversed(survivors):
        for row in each.lagged:
            if row.rank[0] < oldest:
                ledger.decide("CM-RESOLVE-REPLAY-CUTOFF")
            elif row.rank[0] == oldest:
                ledger.decide("CM-RESOLVE-LAGGED")
            first = carried.setdefault(row.rank, each)
            if first is not each and forged and row.diff and first.data != each.data:
                # If all messages are honest, every carrier of a row gives the same data.
                ledger.decide("CM-RESOLVE-REPLAY-SOURCE")
            elif first is each and each is not highest and row.diff:
                ledger.decide("CM-RESOLVE-REPLAY-LAGGED")
    if highest.unknown or any(each.unknown for each in survivors):
        ledger.decide("CM-OUTER-UNKNOWN-MERGE")
    if run.history.signed:
        ledger.decide("CM-SIGN-MADE")
    if any(ignored.why == "invalid" for ignored in resolution.ignored):
        ledger.decide("CM-SECURITY-ONE-BAD")
    _cover_conflicts(ledger, entries_of(run, records, oldest), records)


def _cover_conflicts(
    ledger: Ledger, entries: Sequence[Record], survivors: Sequence[Record]
) -> None:
    """Count conflicts by kind: about a scalar, an element, or values of different kinds."""
    common = -1
    for survivor in survivors:
        common &= survivor.mask
    competing = [record for record in entries if not common >> record.index & 1]
    for place, later in enumerate(competing):
        for earlier in competing[:place]:
            if later.mask >> earlier.index & 1:
                continue
            for change in later.changes:
                ledger.decide(f"CM-DIFF-APPLY-{_ABOUT[change.kind]}")
                for other in earlier.changes:
                    kind = conflict_of(other, change)
                    if kind:
                        ledger.cover(f"conflict:{kind}")
                        ledger.decide("CM-RESOLVE-LATER-WINS")
                        if kind == "kinds":
                            ledger.decide("CM-DIFF-APPLY-TYPE-MISMATCH")


def conflict_of(earlier: Change, later: Change) -> str:
    """Return how two changes of different messages conflict, or an empty string if they do not."""
    if earlier.path == later.path:
        if earlier.is_of_set and later.is_of_set:
            return "element" if earlier.value == later.value else ""
        return "kinds" if earlier.is_of_set or later.is_of_set else "scalar"
    short, long = earlier.path, later.path
    if len(short) > len(long):
        short, long = long, short
    return "kinds" if long[: len(short)] == short else ""


def _cover_push(run: Run, ledger: Ledger, pushed: Pushed) -> None:
    """Count the clauses that affected a push, and the swarm's treatment of the push."""
    before, record = pushed.before, run.records[pushed.record]
    head = before.head
    if head is None:
        ledger.decide("CM-MESSAGE-FIRST")
    elif before.local is None:
        ledger.decide("CM-CLIENT-PUSH-MERGE")
    elif before.head_is_stored:
        ledger.decide("CM-CLIENT-PUSH-EDIT", "CM-UPDATE-SEQNO", "CM-UPDATE-DIFF", "CM-UPDATE-DATA")
        oldest = record.message.seqno - run.history.window
        dropped = any(row.rank[0] <= oldest for row in (*head.lagged, head.row))
        ledger.decide("CM-UPDATE-WINDOW" if dropped else "CM-UPDATE-LAGGED")
        if head.unknown:
            ledger.decide("CM-OUTER-UNKNOWN-UPDATE")
    else:
        ledger.decide("CM-RESOLVE-LOCAL-CHANGE")
    ledger.decide(*[f"CM-DIFF-MAKE-{_ABOUT[change.kind]}" for change in record.changes])
    if pushed.was_stored:
        ledger.cover("event:identical-push")
        ledger.decide("CM-SWARM-DEDUPLICATE", "CM-ENCRYPT-DETERMINISTIC")
    if pushed.batch.delete:
        ledger.decide("CM-CLIENT-BATCH" if pushed.permitted else "CM-CLIENT-DELETE-REFUSED")


def outcome_of(run: Run) -> JsonObject:
    """Return the outcome of a history that has run to its end.

    held: the config's data after each resolve, and the data that each application sees at the end.
    decided: whether each resolve merged, and its reasons for ignoring messages. stored: the names
    of the ciphertexts that clients put into the swarm. The field names sort by time; `exchange` is
    the exchange after the events.
    """
    held: JsonObject = {}
    decided: JsonObject = {}
    stored: JsonObject = {}
    for number, step in enumerate(run.resolved):
        when = _when(step.event, step.client, number)
        held[when] = shown(step.resolution.message.data)
        decided[when] = {
            "merged": step.resolution.merged,
            "ignored": [ignored.why for ignored in step.resolution.ignored],
        }
    for name, client in run.clients.items():
        held[f"the end, client {name}"] = shown(client.data)
    for number, pushed in enumerate(run.pushed):
        when = _when(pushed.event, pushed.client, number)
        stored[when] = run.records[pushed.record].name.hex()
    return {"held": held, "decided": decided, "stored": stored}


def _when(event: int, client: str, number: int) -> str:
    """Return a name that sorts by time. A client acts several times in the exchange."""
    if event >= 0:
        return f"event {event:03}, client {client}"
    return f"exchange {number:03}, client {client}"


def shown(data: Any) -> Json:
    """Return data with its parts as the notation spells them, and sets as lists.

    The protocol limits the nesting.
    """
    if isinstance(data, Mapping):
        return {value_text(key): shown(value) for key, value in data.items()}
    if isinstance(data, frozenset):
        return [*sorted(map(value_text, data))]
    return value_text(data)


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
        survivors = run.records_of(step.resolution.survivors)
        included = {record.index for record in run.with_ancestors(survivors)}
        names = list(step.known)
        stale = [each.index for each in step.resolution.ignored if each.why == "stale"]
        ignored |= {index[names[each]] for each in stale if names[each] in index} - included
    return ignored


def _lost(run: Run) -> Cost:
    """Return how many edits are lost at the end, of all edits.

    An edit is lost if it is the last edit of a place in the data, by seqno and hash, and the final
    data do not show it. If the clients hold different data at the end, or if the history has a
    message that does not follow the protocol, no edit is counted.
    """
    if run.head is None or len(run.heads) != 1 or not all(each.honest for each in run.records):
        return Cost(0, 0, per=100)
    edits = [record for record in run.records if record.changes]
    edits.sort(key=lambda record: record.message.rank)
    expected: Tree = {}
    for record in edits:
        carry_out(expected, record.changes)
    lost: set[int] = set()
    for leaf, _ in differences(expected, data_of(run.head)):
        touching = [
            record.index
            for record in edits
            if any(touches(change, leaf) for change in record.changes)
        ]
        lost.update(touching[-1:])
    return Cost(len(lost), len(edits), per=100)
