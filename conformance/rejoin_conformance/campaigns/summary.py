"""The sum of a campaign's blocks, added in any order: counts, violations, times and digest."""

from __future__ import annotations

import hashlib
import time
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from attrs import define, field, frozen

from rejoin_conformance.campaigns.block import (
    AGREES,
    CALLS,
    COUNTS,
    NO_CRASH,
    NOT_ASKED,
    ORACLE,
    REASONS,
    SUITE_LAWS,
    Counts,
)
from rejoin_conformance.campaigns.plan import Plan, gaps
from rejoin_conformance.campaigns.tables import BLOCKS, Row, Tables
from rejoin_conformance.contract.law import Law
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.codec import plain
from rejoin_conformance.kit.json_types import JsonObject, canonical_json, strict_json
from rejoin_conformance.kit.judged import Judged
from rejoin_conformance.kit.tree import Tree, add
from rejoin_conformance.readings.reach import Reach

_DIGEST_SIZE: Final = 32
_SECOND: Final = 1_000_000
_BREAK: Final = 15 * _SECOND
"""A longer gap between blocks is an interruption, in microseconds."""


@frozen(kw_only=True)
class Found:
    """One class of violations: a law, broken in one way under one reading.

    clauses: those of the law. times: the number of violations. histories: the number of histories
    with one. claimed: whether the reading claims the law; then the class is a failure, else a
    finding. examples: the first violations, as objects with the `index` of the history, the
    `detail` and the `evidence`.
    """

    reading: str
    law: str
    kind: str
    clauses: tuple[str, ...]
    times: int
    histories: int
    claimed: bool
    examples: tuple[JsonObject, ...]

    @property
    def name(self) -> tuple[str, str, str]:
        """Return the reading, the law and the kind."""
        return self.reading, self.law, self.kind

    @property
    def quarantined(self) -> bool:
        """Return whether its histories ended their process, so that they can only run in one."""
        return self.law == NO_CRASH.name and self.kind in REASONS

    @property
    def index(self) -> int:
        """Return the index of its first history."""
        return int(str(self.examples[0]["index"]))

    @property
    def detail(self) -> str:
        """Return the observed values of its first violation."""
        return str(self.examples[0]["detail"])


@define
class Summary:
    """A campaign so far. Its size grows by 49 bytes for each block.

    finished: one byte for each block of the plan: 1 if it was added, else 0. digests: 32 bytes for
    each block. began, ended: the times of each added block, as microseconds since 1970 by the clock
    of its worker. cpu_micros: the CPU time of all blocks. header: what the directory that keeps the
    campaign says of it, if one does.
    restarts: the number of an adapter's answers that needed another process. quarantined: the rows
    of the table `quarantine`.
    """

    plan: Plan
    header: JsonObject = field(factory=dict)
    readings: Counts = field(init=False)
    began: array[int] = field(init=False, factory=lambda: array("q"))
    ended: array[int] = field(init=False, factory=lambda: array("q"))
    cpu_micros: int = field(init=False, default=0)
    finished: bytearray = field(init=False)
    digests: bytearray = field(init=False)
    histories: int = field(init=False, default=0)
    restarts: int = field(init=False, default=0)
    quarantined: list[Row] = field(init=False, factory=list)
    _examples: Tree = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self.readings = {name: {kind: {} for kind in COUNTS} for name in self.plan.readings}
        self.finished = bytearray(self.plan.blocks)
        self.digests = bytearray(_DIGEST_SIZE * self.plan.blocks)

    def add(self, block: int, tables: Tables) -> None:
        """Add one block of the plan, which was not added before."""
        (row,) = tables[BLOCKS]
        start = block * _DIGEST_SIZE
        self.digests[start : start + _DIGEST_SIZE] = bytes.fromhex(str(row["digest"]))
        self.finished[block] = 1
        self.histories += len(self.plan.indices(block))
        self.began.append(row["began"])
        self.ended.append(row["began"] + row["micros"])
        self.cpu_micros += row["cpu_micros"]
        for each in tables.get("counts", ()):
            add(self.readings[each["reading"]][each["kind"]], {each["name"]: each["count"]})
        self._add_examples(tables)
        self.quarantined += tables.get("quarantine", ())

    def _add_examples(self, tables: Tables) -> None:
        """Add the violations whose history is kept, and the first restart of an adapter."""
        for row in tables.get("violations", ()):
            if row.get("history") is not None:
                example = {**row, "evidence": strict_json(row["evidence"])}
                shown = {name: example[name] for name in ("index", "detail", "evidence")}
                add(self._examples, {row["reading"]: {f"{row['law']} {row['kind']}": [shown]}})
        for row in tables.get("verdicts", ()):
            if row["restarts"]:
                self.restarts += row["restarts"]
                detail = ": ".join(filter(None, (row.get("operation"), row["restarted"])))
                add(self._examples, {"restarted": [{"index": int(row["id"]), "detail": detail}]})

    def missing(self) -> Iterator[range]:
        """Return the runs of blocks that are not added yet, in ascending order."""
        return gaps(self.finished)

    @property
    def system(self) -> System:
        """Return the system of the histories."""
        return system_named(self.plan.system)

    @property
    def laws(self) -> tuple[Law, ...]:
        """Return the laws that the campaign checks: the system's, or the adapter's agreement."""
        laws = self.system.laws if self.plan.adapter is None else (AGREES,)
        own = any(each.law == ORACLE.name for each in self.found())
        return (*laws, NO_CRASH, *([ORACLE] if own else []))

    def total(self, kind: str, name: str) -> int:
        """Return one of the counts of a kind (`COUNTS`), summed over the readings."""
        return sum(counts[kind].get(name, 0) for counts in self.readings.values())

    @property
    def first_restart(self) -> str:
        """Return the operation and the reason of the first restart. Untrusted text."""
        return "".join(each["detail"] for each in self._examples.get("restarted", ())[:1])

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

    def counts(self, reading: str, name: str) -> Mapping[str, int]:
        """Return counts under a reading. name: one of `COUNTS`."""
        return self.readings[reading][name]

    def found(self) -> list[Found]:
        """Return every class of violations, failures first, then by frequency."""
        every = [
            self._found(reading, name, times)
            for reading, counts in self.readings.items()
            for name, times in counts["violated"].items()
        ]
        return sorted(every, key=lambda each: (not each.claimed, -each.times, each.law, each.kind))

    def violations(self, reading: str, law: str) -> int:
        """Return the number of violations of the law under the reading."""
        violated = self.readings[reading]["violated"]
        return sum(times for name, times in violated.items() if name.partition(" ")[0] == law)

    def failures(self) -> list[Found]:
        """Return the classes in which a claimed law is broken, but for known differences."""
        return [
            each
            for each in self.found()
            if each.claimed
            and not (each.law == AGREES.name and self.plan.knows(each.kind, each.reading))
        ]

    def judged(self, *, allow_restarts: bool = False) -> Judged:
        """Return what was judged so far: laws on histories, or an adapter's answers and restarts.

        Known differences are no faults. Histories that did not run, that are in quarantine, and
        calls that were not made, are left out.
        """
        left_out = self.plan.histories - self.histories
        left_out += sum(each.times for each in self.found() if each.quarantined)
        asked = 0
        for reading in self.plan.readings:
            asked += sum(self.counts(reading, "checked").values())
            left_out += self.counts(reading, "coverage").get(NOT_ASKED, 0)
        broken = len(self.failures()) + (0 if allow_restarts else self.restarts)
        own = sum(each.law == ORACLE.name for each in self.found())
        return Judged(asked=asked, left_out=left_out, broken=broken, own=own)

    def reached(self, overridden: Iterable[str]) -> dict[str, Reach]:
        """Return the calls of overridden functions: dotted name -> calls."""
        return {
            name: Reach(
                Counter(
                    cases=self.total("cases", f"called:{name}"),
                    differing=self.total("cases", f"differed:{name}"),
                    **{kind: self.total("coverage", f"{kind}:{name}") for kind in CALLS},
                )
            )
            for name in overridden
        }

    def active_seconds(self) -> float:
        """Return how long the campaign has run. Interruptions do not count."""
        active = latest = 0
        for began, ended in sorted(zip(self.began, self.ended, strict=True)):
            since = began if began > latest + _BREAK else latest
            active += max(0, ended - since)
            latest = max(latest, ended)
        return active / _SECOND

    def rate(self) -> float:
        """Return the average number of histories a second."""
        return self.histories / max(1e-6, self.active_seconds())

    def seconds_since(self) -> int | None:
        """Return the seconds since the latest block was finished, or None if there is none."""
        if not self.ended:
            return None
        return max(0, time.time_ns() // 1000 - max(self.ended)) // _SECOND

    def to_json(self) -> JsonObject:
        """Return the summary as data, without times."""
        return {
            "plan": self.plan.to_json(),
            "histories": self.histories,
            "complete": self.complete,
            "failed": bool(self.failures()),
            "digest": self.digest,
            "restarts": self.restarts,
            "readings": {
                reading: {name: dict(sorted(counts[name].items())) for name in COUNTS}
                for reading, counts in self.readings.items()
            },
            "violations": [plain(each) for each in self.found()],
        }

    def speed_to_json(self) -> JsonObject:
        """Return the speed of the campaign as data: whole histories a second, whole seconds."""
        return {
            "histories_a_second": round(self.rate()),
            "active_seconds": int(self.active_seconds()),
            "core_seconds": self.cpu_micros // _SECOND,
            "seconds_since_last_block": self.seconds_since(),
        }

    def _found(self, reading: str, name: str, times: int) -> Found:
        known, _, kind = name.partition(" ")
        law = next((each for each in (*self.system.laws, *SUITE_LAWS) if each.name == known), None)
        # A law that this version does not know counts as claimed, so that it is not overlooked.
        claimed = law is None or law in SUITE_LAWS or reading in law.claimed_by
        return Found(
            reading=reading,
            law=known,
            kind=kind,
            clauses=() if law is None else law.clauses,
            times=times,
            histories=self.counts(reading, "broken").get(name, 0),
            claimed=claimed,
            examples=tuple(self._examples[reading][name]),
        )
