"""Examine one history: run it on the reference, and hold what comes out to the laws."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

from rejoin.history_merge import Reading
from rejoin_conformance.contract.law import Examination
from rejoin_conformance.contract.ledger import Ledger
from rejoin_conformance.kit.draw import Draw
from rejoin_conformance.systems.history_merge.histories.check_histories import (
    check_only_the_past,
    check_operational_edges,
    check_redundant_parents,
    check_three_way_merge,
)
from rejoin_conformance.systems.history_merge.histories.check_merges import MergeCheck
from rejoin_conformance.systems.history_merge.histories.check_sessions import check_sessions
from rejoin_conformance.systems.history_merge.histories.element_alone import element_alone
from rejoin_conformance.systems.history_merge.histories.events import History
from rejoin_conformance.systems.history_merge.histories.evidence import shown
from rejoin_conformance.systems.history_merge.histories.run import Message, Run, run_history

SETS_BESIDES_HEADS: Final = 3
"""How many sets of messages are merged in an examination, besides the heads of the history."""

_MOST_MERGED: Final = 6
_WINDOW: Final = 16


def examine_history(history: History, reading: Reading) -> Examination:
    """What a history shows: a pure function of the history and the reading."""
    run = run_history(history, reading)
    ledger = Ledger()
    draw = Draw(history.probe)
    if run.messages:
        _cover(run, ledger)
        alone = element_alone(run, draw)
        for numbers in _sets(run, draw):
            check = MergeCheck(run, ledger, draw, numbers)
            check.check_all(alone)
        check_only_the_past(run, ledger, draw, numbers, check.merged)
        check_operational_edges(run, ledger)
        check_three_way_merge(run, ledger, draw)
        if draw.chance(1, 2):
            check_redundant_parents(run, ledger, draw)
        check_sessions(run, ledger, draw)
    return ledger.examination(_digest(run, ledger))


def _sets(run: Run, draw: Draw) -> list[tuple[int, ...]]:
    """The heads of the history, and the maximal ones of some messages that came near each other."""
    count = len(run.messages)
    found = [run.views.heads((1 << count) - 1)]
    for _ in range(SETS_BESIDES_HEADS):
        last = draw.between(min(2, count), count)
        near = range(max(0, last - _WINDOW), last)
        some = draw.sample(near, draw.between(2, _MOST_MERGED))
        found.append(run.views.heads(run.past_of(tuple(some))))
    return found


def _cover(run: Run, ledger: Ledger) -> None:
    ledger.cover(f"shape:messages:{_rounded(len(run.messages))}")
    ledger.cover(f"shape:heads:{len(run.session.graph.heads())}")
    ledger.cover(f"shape:depth:{_rounded(_depth(run.messages))}")
    ledger.cover(f"shape:roots:{sum(not message.parents for message in run.messages)}")
    for message in run.messages:
        changed = message.state != message.departed
        ledger.cover(f"event:{message.post.kind}")
        if not changed and message.post.kind != "talk":
            ledger.cover("ignored:changes-nothing")
        ledger.cover(f"shape:parents:{len(message.parents)}")
        if len(message.parents) > 1:
            ledger.decide("HM-MERGE-FOLD")
        if not message.parents and message.number:
            ledger.decide("HM-ACCEPT-ROOT")
        if changed:
            ledger.decide("HM-ACCEPT-STATE")
    for operations in run.operations.values():
        ledger.cover(f"shape:additions:{_rounded(len(operations.additions))}")
        ledger.cover(f"shape:removals:{_rounded(len(operations.removals))}")


def _depth(messages: Sequence[Message]) -> int:
    """How many messages the longest chain has. messages: each after its parents."""
    depths: dict[str, int] = {}
    for message in messages:
        depths[message.post.id] = 1 + max((depths[each] for each in message.parents), default=0)
    return max(depths.values(), default=0)


def _rounded(number: int) -> int:
    """Numbers below 8 as they are, others down to a power of two."""
    return number if number < 8 else 1 << (number.bit_length() - 1)


def _digest(run: Run, ledger: Ledger) -> bytes:
    lines = [f"{each.post.id} {shown(each.state)}" for each in run.messages]
    text = "\n".join([*lines, *ledger.observed])
    return hashlib.blake2b(text.encode(), digest_size=32).digest()
