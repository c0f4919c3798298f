"""The sum of a campaign's blocks, added in any order."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Final

from attrs import define, field

from rejoin_conformance.campaigns.block import (
    SUITE_LAWS,
    BlockResult,
    ExampleViolation,
    Tally,
    reach_of,
)
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json
from rejoin_conformance.readings.reach import Reach

EXAMPLES_SHOWN: Final = 3
_DIGEST_SIZE: Final = 32


@define
class Summary:
    """A campaign so far. Its size grows by 33 bytes for each block.

    finished: one byte for each block of the plan: 1 if it was added, else 0. digests: 32 bytes for
    each block. restarts, first_restart: as in a block; the first one of the first block with one.
    """

    plan: Plan
    histories: int = 0
    restarts: int = 0
    tallies: dict[str, Tally] = field(factory=dict)
    examples: dict[tuple[str, str, str], list[ExampleViolation]] = field(factory=dict)
    finished: bytearray = field(init=False)
    digests: bytearray = field(init=False)
    _first_restart: tuple[int, str] | None = None

    def __attrs_post_init__(self) -> None:
        self.finished = bytearray(self.plan.blocks)
        self.digests = bytearray(_DIGEST_SIZE * self.plan.blocks)

    def add(self, result: BlockResult) -> None:
        """Add one block. Raises ValueError if it was added before or is not in the plan."""
        block = result.block
        if not 0 <= block < self.plan.blocks:
            raise ValueError(f"block {block} is not one of the {self.plan.blocks:,} blocks")
        if self.finished[block]:
            raise ValueError(f"block {block} occurs twice")
        if result.histories != len(self.plan.indices(block)):
            wanted = len(self.plan.indices(block))
            raise ValueError(f"block {block} has {result.histories} histories, not {wanted}")
        self.digests[block * _DIGEST_SIZE : (block + 1) * _DIGEST_SIZE] = bytes.fromhex(
            result.digest
        )
        self.finished[block] = 1
        self.histories += result.histories
        self.restarts += result.restarts
        if result.restarts:
            first = (block, result.first_restart)
            self._first_restart = min(first, self._first_restart or first)
        for reading, tally in result.tallies.items():
            self.tallies.setdefault(reading, Tally()).add(tally)
        for example in result.examples:
            violation = example.violation
            name = (example.reading, violation.law, violation.kind)
            kept = [*self.examples.get(name, ()), example]
            self.examples[name] = sorted(kept, key=lambda each: each.index)[:EXAMPLES_SHOWN]

    def missing(self) -> Iterator[range]:
        """Yield the runs of blocks that are not added yet, in ascending order."""
        start = self.finished.find(0)
        while start >= 0:
            end = self.finished.find(1, start)
            stop = end if end >= 0 else len(self.finished)
            yield range(start, stop)
            start = self.finished.find(0, stop)

    @property
    def complete(self) -> bool:
        """Return whether every block of the plan was added."""
        return 0 not in self.finished

    @property
    def digest(self) -> str:
        """Return the digest of the plan and of the blocks in their order."""
        digest = hashlib.blake2b(digest_size=32)
        digest.update(canonical_json(self.plan.to_json()).encode("ascii"))
        for block in range(self.plan.blocks):
            if self.finished[block]:
                digest.update(block.to_bytes(8, "big"))
                digest.update(self.digests[block * _DIGEST_SIZE : (block + 1) * _DIGEST_SIZE])
        return digest.hexdigest()

    @property
    def first_restart(self) -> str:
        """Return the reason of the first restart; empty if there is none."""
        return "" if self._first_restart is None else self._first_restart[1]

    def violations(self, reading: str, law: str) -> int:
        """Return the number of violations of the law under the reading."""
        violated = self.tallies.get(reading, Tally()).violated
        return sum(count for (name, _), count in violated.items() if name == law)

    def failed(self, system: System, but: str = "") -> bool:
        """Return whether a law is broken in a reading that claims it. but: a law to leave out."""
        return any(
            any(self.violations(reading, law.name) for law in SUITE_LAWS if law.name != but)
            or any(
                self.violations(reading, law.name)
                for law in system.laws
                if reading in law.claimed_by
            )
            for reading in self.plan.readings
        )

    def reached(self, overridden: Iterable[str]) -> dict[str, Reach]:
        """Return the calls of overridden functions: dotted name -> calls."""
        total = Tally()
        for tally in self.tallies.values():
            total.add(tally)
        return {name: reach_of(total, name) for name in overridden}

    def to_json(self, system: System) -> JsonObject:
        """Return the summary as data, for `--json`."""
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
            "restarts": self.restarts,
            "readings": readings,
            "examples": examples,
        }
