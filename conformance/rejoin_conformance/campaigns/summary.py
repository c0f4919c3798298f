"""Add up a campaign's blocks, in whatever order they come in, and say what they show."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final

from attrs import define, field

from rejoin_conformance.campaigns.block import SUITE_LAWS, BlockResult, ExampleViolation, Tally
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json

EXAMPLES_SHOWN: Final = 3
_DIGEST_SIZE: Final = 32


@define
class Summary:
    """A campaign so far. Its size depends on the number of blocks by 33 bytes each, no more.

    finished: for each block of the plan, 1 where it is in, else 0. digests: 32 bytes a block.
    """

    plan: Plan
    histories: int = 0
    tallies: dict[str, Tally] = field(factory=dict)
    examples: dict[tuple[str, str, str], list[ExampleViolation]] = field(factory=dict)
    finished: bytearray = field(init=False)
    digests: bytearray = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.finished = bytearray(self.plan.blocks)
        self.digests = bytearray(_DIGEST_SIZE * self.plan.blocks)

    def add(self, result: BlockResult) -> None:
        """Add one block. Raises ValueError for one that was added before, or is not the plan's."""
        block = result.block
        if not 0 <= block < self.plan.blocks:
            raise ValueError(f"block {block} is not one of {self.plan.blocks:,}")
        if self.finished[block]:
            raise ValueError(f"block {block} came twice")
        if result.histories != len(self.plan.indices(block)):
            wanted = len(self.plan.indices(block))
            raise ValueError(f"block {block} has {result.histories} histories, not {wanted}")
        self.digests[block * _DIGEST_SIZE : (block + 1) * _DIGEST_SIZE] = bytes.fromhex(
            result.digest
        )
        self.finished[block] = 1
        self.histories += result.histories
        for reading, tally in result.tallies.items():
            self.tallies.setdefault(reading, Tally()).add(tally)
        for example in result.examples:
            violation = example.violation
            name = (example.reading, violation.law, violation.kind)
            kept = [*self.examples.get(name, ()), example]
            self.examples[name] = sorted(kept, key=lambda each: each.index)[:EXAMPLES_SHOWN]

    def missing(self) -> Iterator[range]:
        """The runs of blocks that were not added yet, in ascending order."""
        start = self.finished.find(0)
        while start >= 0:
            end = self.finished.find(1, start)
            stop = end if end >= 0 else len(self.finished)
            yield range(start, stop)
            start = self.finished.find(0, stop)

    @property
    def complete(self) -> bool:
        """Whether every block of the plan is in."""
        return 0 not in self.finished

    @property
    def digest(self) -> str:
        """The campaign's digest: of its plan, and of its blocks in their order."""
        digest = hashlib.blake2b(digest_size=32)
        digest.update(canonical_json(self.plan.to_json()).encode("ascii"))
        for block in range(self.plan.blocks):
            if self.finished[block]:
                digest.update(block.to_bytes(8, "big"))
                digest.update(self.digests[block * _DIGEST_SIZE : (block + 1) * _DIGEST_SIZE])
        return digest.hexdigest()

    def violations(self, reading: str, law: str) -> int:
        """How often the law was broken under the reading."""
        violated = self.tallies.get(reading, Tally()).violated
        return sum(count for (name, _), count in violated.items() if name == law)

    def failed(self, system: System) -> bool:
        """Whether a law was broken in a reading that claims it."""
        return any(
            any(self.violations(reading, law.name) for law in SUITE_LAWS)
            or any(
                self.violations(reading, law.name)
                for law in system.laws
                if reading in law.claimed_by
            )
            for reading in self.plan.readings
        )

    def to_json(self, system: System) -> JsonObject:
        """The summary as data, for `--json`."""
        examples: list[Json] = [
            {
                "reading": reading,
                "law": law,
                "kind": kind,
                "index": example.index,
                "detail": example.violation.detail,
                "evidence": example.violation.evidence,
            }
            for (reading, law, kind), kept in sorted(self.examples.items())
            for example in kept
        ]
        readings: JsonObject = {
            reading: tally.to_json() for reading, tally in sorted(self.tallies.items())
        }
        return {
            "plan": self.plan.to_json(),
            "complete": self.complete,
            "failed": self.failed(system),
            "digest": self.digest,
            "readings": readings,
            "examples": examples,
        }
