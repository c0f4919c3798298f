"""Coverage counts of a history: its shapes, its events, and the clauses that it decided."""

from __future__ import annotations

from collections.abc import Sequence

from rejoin_conformance.contract.ledger import Ledger
from rejoin_conformance.systems.history_merge.histories.run import Message, Run


def cover(run: Run, ledger: Ledger) -> None:
    """Count the shapes, the events and the decided clauses of a history."""
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
    """Return the number of messages of the longest chain. messages: each after its parents."""
    depths: dict[str, int] = {}
    for message in messages:
        depths[message.post.id] = 1 + max((depths[each] for each in message.parents), default=0)
    return max(depths.values(), default=0)


def _rounded(number: int) -> int:
    """Return a number below 8 unchanged, and a larger one rounded down to a power of two."""
    return number if number < 8 else 1 << (number.bit_length() - 1)
