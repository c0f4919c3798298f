"""Examine one block of histories. The result is a pure function of the plan and the number."""

from __future__ import annotations

import hashlib
import traceback
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from attrs import field, frozen

from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.contract.history import Histories, history_seed
from rejoin_conformance.contract.law import Examination, Law, Violation
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.kit.json_types import JsonObject, canonical_json
from rejoin_conformance.readings.overriding import Tried, calls_since, tried
from rejoin_conformance.readings.reach import Reach

EXAMPLES_KEPT: Final = 3
"""The number of violations of one class that a block keeps in full. All are counted."""

NO_CRASH: Final = Law(
    name="no-crash",
    statement="Every history can be generated and examined without an unexpected exception.",
    premises="none",
    clauses=(),
    claimed_by=(),
)
AGREES: Final = Law(
    name="agrees-with-reference",
    statement="The adapter answers every call of a history as the reference does.",
    premises="the adapter declares the operation",
    clauses=(),
    claimed_by=(),
)
CALLS: Final = ("called", "differed", "uncompared")
"""The namespaces of the coverage keys that count the calls of overridden functions."""

SUITE_LAWS: Final = (AGREES, NO_CRASH)
"""The laws of the suite itself. Every reading of every system claims them."""


@frozen
class ExampleViolation:
    """One violation, with the index of its history."""

    index: int
    reading: str
    violation: Violation


@frozen
class Tally:
    """The counts of the histories of a block under one reading.

    violated: (law, kind) -> number of violations. coverage: key -> number of occurrences.
    histories_by_key: key -> number of histories. The digest omits `histories_by_key`, because it
    already covers each history.
    """

    checked: Counter[str] = field(factory=Counter)
    vacuous: Counter[str] = field(factory=Counter)
    violated: Counter[tuple[str, str]] = field(factory=Counter)
    coverage: Counter[str] = field(factory=Counter)
    histories_by_key: Counter[str] = field(factory=Counter)

    def add(self, other: Tally) -> None:
        """Add another tally's counts."""
        self.checked.update(other.checked)
        self.vacuous.update(other.vacuous)
        self.violated.update(other.violated)
        self.coverage.update(other.coverage)
        self.histories_by_key.update(other.histories_by_key)

    def to_json(self) -> JsonObject:
        """Return the digested counts, in an order that does not depend on the counting."""
        return {
            "checked": dict(sorted(self.checked.items())),
            "vacuous": dict(sorted(self.vacuous.items())),
            "violated": {f"{law} {kind}": n for (law, kind), n in sorted(self.violated.items())},
            "coverage": dict(sorted(self.coverage.items())),
        }


@frozen
class BlockResult:
    """One block's counts, its digest and the first violations of each class.

    restarts: the number of an adapter's answers that needed another process. first_restart: the
        history and the reason of the first one; untrusted text. The digest does not cover them,
        because they can depend on the blocks that the process examined before.
    """

    block: int
    histories: int
    digest: str
    tallies: dict[str, Tally]
    examples: tuple[ExampleViolation, ...]
    restarts: int = 0
    first_restart: str = ""


Examine: TypeAlias = Callable[[Any, str], Examination]
"""(history, reading) -> its examination."""


def examine_block(plan: Plan, block: int, examine: Examine | None = None) -> BlockResult:
    """Generate and examine every history of a block under every reading of the plan.

    examine: the examination of a history; by default, run it on the reference and check the laws.
    """
    histories = system_named(plan.system).histories
    digest = hashlib.blake2b(digest_size=32)
    tallies = {reading: Tally() for reading in plan.readings}
    examples: list[ExampleViolation] = []
    for index in plan.indices(block):
        seed = history_seed(plan.seed, plan.system, plan.profile, index)
        before = tried()
        examined = _examine(histories, plan, seed, examine or histories.examine)
        calls = _counters(calls_since(before))
        for reading, examination in examined:
            digest.update(examination.digest)
            tally = tallies[reading]
            tally.checked.update(examination.checked)
            tally.vacuous.update(examination.vacuous)
            coverage = {**examination.coverage, **calls} if calls else examination.coverage
            tally.coverage.update(coverage)
            tally.histories_by_key.update([key for key, count in coverage.items() if count])
            for violation in examination.violations:
                name = (violation.law, violation.kind)
                tally.violated[name] += 1
                if tally.violated[name] <= EXAMPLES_KEPT:
                    examples.append(ExampleViolation(index, reading, violation))
    for reading in plan.readings:
        digest.update(canonical_json(tallies[reading].to_json()).encode("ascii"))
    return BlockResult(
        block, len(plan.indices(block)), digest.hexdigest(), tallies, tuple(examples)
    )


def reach_of(tally: Tally, name: str) -> Reach:
    """Return the calls of an overridden function, by its dotted name."""
    calls, differed, uncompared = (tally.coverage[f"{kind}:{name}"] for kind in CALLS)
    return Reach(
        Tried(calls, differed, uncompared),
        cases=tally.histories_by_key[f"called:{name}"],
        differing=tally.histories_by_key[f"differed:{name}"],
    )


def _counters(calls: Mapping[str, Tried]) -> dict[str, int]:
    """Return the calls of overridden functions as coverage."""
    return {
        f"{kind}:{name}": count
        for name, each in calls.items()
        for kind, count in zip(CALLS, (each.calls, each.differed, each.uncompared), strict=True)
        if count
    }


def _examine(
    histories: Histories[Any], plan: Plan, seed: int, examine: Examine
) -> list[tuple[str, Examination]]:
    """Examine one history under each reading. An unexpected exception is a violation."""
    try:
        history = histories.generate(plan.profile, seed)
    except Exception as error:  # noqa: BLE001 - continue with the other histories
        return [(reading, crashed(error)) for reading in plan.readings]
    examined: list[tuple[str, Examination]] = []
    for reading in plan.readings:
        try:
            examined.append((reading, examine(history, reading)))
        except AdapterUnusableError:
            raise
        except Exception as error:  # noqa: BLE001 - as above
            examined.append((reading, crashed(error)))
    return examined


def crashed(error: Exception) -> Examination:
    """Return the examination of a history that ended with an unexpected exception."""
    kind = type(error).__name__
    lines = traceback.format_exception(error)
    return Examination(
        digest=hashlib.blake2b(kind.encode(), digest_size=32).digest(),
        checked={},
        vacuous={},
        coverage={},
        violations=(
            Violation(law=NO_CRASH.name, kind=kind, detail="".join(lines)[-2000:].strip()),
        ),
    )
