"""Coverage counts of a history: its shapes, its events, and the clauses that it decided."""

from __future__ import annotations

from collections.abc import Sequence

from rejoin_conformance.contract.ledger import Ledger
from rejoin_conformance.systems.history_merge.histories.run import Message, Run


def cover(run: Run, ledger: Ledger) -> None:
    """Count the shapes, the events and the decided clauses of a history."""
    roots = [message for message in run.messages if not message.parents]
    ledger.cover(
        f"shape:messages:{_rounded(len(run.messages))}",
        f"shape:heads:{len(run.session.graph.heads())}",
        f"shape:depth:{_rounded(_depth(run.messages))}",
        f"shape:roots:{len(roots)}",
    )
    for message in run.messages:
        kind, parents = message.post.kind, len(message.parents)
        ledger.cover(f"event:{kind}", f"shape:parents:{parents}")
        if message.state != message.departed:
            ledger.decide("HM-ACCEPT-STATE")
        elif kind != "talk":
            ledger.cover("ignored:changes-nothing")
        if parents > 1:
            ledger.decide("HM-MERGE-FOLD")
        elif not parents and message.number:
            ledger.decide("HM-ACCEPT-ROOT")
    for operations in run.operations.values():
        ledger.cover(
            f"shape:additions:{_rounded(len(operations.additions))}",
            f"shape:removals:{_rounded(len(operations.removals))}",
        )


def _depth(messages: Sequence[Message]) -> int:
    """Return the number of messages of the longest chain. messages: each after its parents."""
    depths: dict[str, int] = {}
    for message in messages:
        depth = 0
        for parent in message.parents:
            depth = max(depth, depths[parent])
        depths[message.post.id] = depth + 1
    return max(depths.values(), default=0)


def _rounded(number: int) -> int:
    """Return a number below 8 unchanged, and a larger one rounded down to a power of two."""
    return number if number < 8 else 1 << (number.bit_length() - 1)
