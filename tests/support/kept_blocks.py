"""A small campaign and its finished blocks, for the tests of campaign directories."""

from __future__ import annotations

from collections import Counter

from rejoin_conformance.campaigns.block import BlockResult, ExampleViolation, Tally
from rejoin_conformance.campaigns.directory.rows import FinishedBlock
from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Plan
from rejoin_conformance.contract.law import Violation

PLAN = Plan(
    system="history-merge",
    profile="tiny",
    readings=("document",),
    seed=1,
    histories=4 * BLOCK_SIZE,
)


def block(number: int) -> FinishedBlock:
    """Return what a worker found in one block: one broken law."""
    violation = Violation(law="a-law", kind="a-kind", detail="seen", evidence={"n": number})
    tally = Tally(
        Counter({"a-law": 3}), Counter({"a-law": 1}), Counter({("a-law", "a-kind"): 1}), Counter()
    )
    result = BlockResult(
        number,
        BLOCK_SIZE,
        f"{number:064x}",
        {"document": tally},
        (ExampleViolation(number * BLOCK_SIZE, "document", violation),),
    )
    return FinishedBlock(result, 1_700_000_000_000_000 + number, 250_000, "host:7")
