"""The status of a kept campaign: progress, speed and findings."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

from attrs import field, frozen

from rejoin_conformance.campaigns.block import AGREES, NO_CRASH, SUITE_LAWS
from rejoin_conformance.campaigns.directory.kept import plan_kept, summary_kept
from rejoin_conformance.campaigns.directory.store import Store
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.campaigns.timeline import SECOND, Timeline
from rejoin_conformance.contract.law import Law
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.codec import plain
from rejoin_conformance.kit.json_forms import named
from rejoin_conformance.kit.json_types import JsonObject

CLAUSE: Final = "clause:"


@frozen
class Found:
    """One class of violations.

    times: the number of violations. claimed: whether the reading claims the law; then the class is
    a failure, else a finding. first: the index of its first history.
    """

    reading: str
    law: str
    kind: str
    clauses: tuple[str, ...]
    times: int
    claimed: bool
    first: int = field(metadata=named("first_index"))


@frozen
class Status:
    """The kept part of a campaign. now: the time of the status, in microseconds since 1970."""

    manifest: JsonObject
    summary: Summary
    timeline: Timeline
    now: int

    @property
    def plan(self) -> Plan:
        """Return the plan of the campaign."""
        return self.summary.plan

    @property
    def system(self) -> System:
        """Return the system of its histories."""
        return system_named(self.plan.system)

    @property
    def laws(self) -> tuple[Law, ...]:
        """Return the laws that the campaign checks: the system's, or the adapter's agreement."""
        return (*(self.system.laws if self.plan.adapter is None else (AGREES,)), NO_CRASH)

    @property
    def seconds_to_go(self) -> int | None:
        """Return the seconds left at the current speed, or None if the speed is not known."""
        rate = self.timeline.rate_now()
        return round((self.plan.histories - self.summary.histories) / rate) if rate else None

    @property
    def seconds_since(self) -> int | None:
        """Return the seconds since the latest block was finished, or None if there is none."""
        if not self.timeline.ended:
            return None
        return max(0, self.now - max(self.timeline.ended)) // SECOND

    def found(self) -> Iterator[Found]:
        """Yield every class of violations, failures first, then by frequency."""
        laws = {law.name: law for law in (*self.system.laws, *SUITE_LAWS)}
        every = [
            self._found(reading, law, kind, times, laws.get(law))
            for reading, tally in self.summary.tallies.items()
            for (law, kind), times in tally.violated.items()
        ]
        yield from sorted(
            every, key=lambda each: (not each.claimed, -each.times, each.law, each.kind)
        )

    def clauses(self, reading: str) -> dict[str, int]:
        """Return clause -> number of histories in which it decided a result, under a reading."""
        tally = self.summary.tallies.get(reading)
        histories_by_key = tally.histories_by_key if tally is not None else {}
        return {
            key.removeprefix(CLAUSE): count
            for key, count in sorted(histories_by_key.items())
            if key.startswith(CLAUSE)
        }

    def to_json(self) -> JsonObject:
        """Return the status as data. Rates are whole histories a second."""
        clauses: JsonObject = {reading: {**self.clauses(reading)} for reading in self.plan.readings}
        return {
            "manifest": self.manifest,
            "histories": self.summary.histories,
            "of": self.plan.histories,
            "complete": self.summary.complete,
            "failed": self.summary.failed(self.system),
            "digest": self.summary.digest,
            "histories_a_second_now": round(self.timeline.rate_now()),
            "histories_a_second": round(self.timeline.rate()),
            "active_seconds": self.timeline.active() // SECOND,
            "core_seconds": self.timeline.core // SECOND,
            "seconds_to_go": self.seconds_to_go,
            "seconds_since_last_block": self.seconds_since,
            "found": [plain(each) for each in self.found()],
            "clauses": clauses,
        }

    def _found(self, reading: str, name: str, kind: str, times: int, law: Law | None) -> Found:
        examples = self.summary.examples.get((reading, name, kind), ())
        # A law that this version does not know counts as claimed, so that it is not overlooked.
        claimed = law is None or law in SUITE_LAWS or reading in law.claimed_by
        clauses = law.clauses if law is not None else ()
        first = min((example.index for example in examples), default=-1)
        return Found(reading, name, kind, clauses, times, claimed, first)


def status_of(store: Store, address: str) -> Status:
    """Read a campaign's directory. Raises StoreError if it has no campaign of this suite."""
    manifest, plan = plan_kept(store, address)
    timeline = Timeline()
    summary = summary_kept(store, address, plan, timeline.add)
    return Status(manifest, summary, timeline, time.time_ns() // 1000)
