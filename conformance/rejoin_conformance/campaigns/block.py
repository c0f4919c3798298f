"""Examine one block of histories. The result is a pure function of the plan and the number.

The result is the rows of the block in the tables that keep a campaign (`tables`):

- `blocks`: one row. Its digest covers the outcome of every history, and the counts in `DIGESTED`;
- `counts`: for each reading what was `checked` and `vacuous`, by law; what was `violated`, by
  `LAW KIND`; the `coverage`; the `cases`: coverage key -> the number of histories with it;
  `broken`: `LAW KIND` -> the number of histories with it; and who `answered` the calls of an
  adapter, or ran a history, if the oracle may;
- `violations`: every one. The first of each class have their history as JSON;
- `verdicts`: every call that an adapter was asked. The digest does not cover them, because a
  restart can depend on the blocks that the process examined before;
- `quarantine`: the histories that were not examined.
"""

from __future__ import annotations

import hashlib
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from attrs import asdict, frozen

from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.tables import BLOCKS, Row, Tables, block_row
from rejoin_conformance.contract.law import Examination, Law, Violation
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.kit.json_types import canonical_json
from rejoin_conformance.kit.tree import MOST_EXAMPLES, Tree, add
from rejoin_conformance.readings.reach import Called, calls_since, tried

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
ORACLE: Final = Law(
    name="oracle-agrees",
    statement="The oracle answers every call as the reference does.",
    premises="the oracle answers the operation",
    clauses=(),
    claimed_by=(),
)
SUITE_LAWS: Final = (AGREES, NO_CRASH, ORACLE)
"""The laws of the suite itself. Every reading of every system claims them."""

CALLS: Final = ("called", "differed", "uncompared")
"""The namespaces of the coverage keys that count the calls of overridden functions."""

DIGESTED: Final = ("checked", "vacuous", "violated", "coverage")
"""The counts of a reading that the digest covers. It already covers each history."""

NOT_ASKED: Final = "not-asked:adapter-broke"
"""The coverage key that counts the declared calls that were left out."""

COUNTS: Final = (*DIGESTED, "cases", "broken", "answered")

WORKER_DIED: Final = "worker-died"
TIMEOUT: Final = "timeout"
MEMORY: Final = "memory"
REASONS: Final = (WORKER_DIED, TIMEOUT, MEMORY)
"""The reasons to put a history into quarantine. They are kinds of `NO_CRASH`."""


@frozen
class Quarantined:
    """Why a history is not examined. reason: one of `REASONS`. detail: one line for people."""

    reason: str
    detail: str


Examine: TypeAlias = Callable[[Any, str], Examination]
"""(history, reading) -> its examination."""

Counts: TypeAlias = dict[str, dict[str, dict[str, int]]]
"""Reading -> one of `COUNTS` -> name -> count."""


def examine_block(
    plan: Plan,
    block: int,
    examine: Examine | None = None,
    *,
    begin: Callable[[int], object] = int,
    left_out: Mapping[int, Quarantined] | None = None,
) -> Tables:
    """Generate and examine every history of a block under every reading of the plan.

    examine: the examination of a history; by default, run it on the reference and check the laws.
    begin: called with the index of each history before it is generated. left_out: the histories
    that are in quarantine. Raises MemoryError.
    """
    histories, left_out = system_named(plan.system).histories, left_out or {}
    start_cpu = time.process_time_ns()
    digest = hashlib.blake2b(digest_size=32)
    counts: Counts = {reading: {name: {} for name in COUNTS} for reading in plan.readings}
    violations: list[Row] = []
    seen: Counter[tuple[str, str, str]] = Counter()
    for index in plan.indices(block):
        before = tried()
        history: Any = None
        if index in left_out:
            verdict = _crash(left_out[index].reason, left_out[index].detail)
            examined = [(reading, verdict) for reading in plan.readings]
        else:
            begin(index)
            history, examined = _examined(plan, index, examine or histories.examine)
        calls = _counters(calls_since(before))
        for reading, examination in examined:
            digest.update(examination.digest)
            add(counts[reading], _counts(examination, calls))
            for each in examination.violations:
                row = {**asdict(each, recurse=False), "index": index, "reading": reading}
                violations.append({**row, "evidence": canonical_json(each.evidence)})
                of_class = (reading, each.law, each.kind)
                seen[of_class] += 1
                if seen[of_class] <= MOST_EXAMPLES:
                    data = None if history is None else histories.to_json(history)
                    violations[-1]["history"] = "" if data is None else canonical_json(data)
    for of_reading in counts.values():
        text = canonical_json({name: {**of_reading[name]} for name in DIGESTED})
        digest.update(text.encode("ascii"))
    row = block_row(
        first=plan.indices(block).start,
        histories=len(plan.indices(block)),
        digest=digest.hexdigest(),
        cpu_micros=(time.process_time_ns() - start_cpu) // 1000,
    )
    ended = [{"index": index, **asdict(why)} for index, why in sorted(left_out.items())]
    count_rows = [
        {"reading": reading, "kind": kind, "name": name, "count": count}
        for reading, of_reading in counts.items()
        for kind, values in of_reading.items()
        for name, count in values.items()
    ]
    return {
        "counts": count_rows,
        "violations": violations,
        "quarantine": ended,
        BLOCKS: [row],
    }


def _counts(examination: Examination, calls: Tree) -> Tree:
    """Return the counts of one history under one reading."""
    coverage = {**examination.coverage, **calls}
    kinds = Counter(f"{each.law} {each.kind}" for each in examination.violations)
    return {
        "checked": examination.checked,
        "vacuous": examination.vacuous,
        "violated": kinds,
        "coverage": coverage,
        "cases": {key: 1 for key, count in coverage.items() if count},
        "broken": dict.fromkeys(kinds, 1),
        "answered": examination.answered,
    }


def _counters(calls: Mapping[str, Called]) -> dict[str, int]:
    """Return the calls of overridden functions as coverage."""
    return {
        f"{kind}:{name}": count
        for name, each in calls.items()
        for kind in CALLS
        if (count := each[kind])
    }


def _examined(
    plan: Plan, index: int, examine: Examine
) -> tuple[Any, list[tuple[str, Examination]]]:
    """Generate a history and examine it under each reading.

    An unexpected exception is a violation.
    """

    def result(work: Callable[..., Any], *of: Any) -> Any:
        try:
            return work(*of)
        except (AdapterUnusableError, MemoryError):
            raise
        except Exception as error:  # noqa: BLE001 - continue with the other histories
            return crashed(error)

    history = result(plan.history, index)
    if isinstance(history, Examination):
        return None, [(reading, history) for reading in plan.readings]
    return history, [(reading, result(examine, history, reading)) for reading in plan.readings]


def crashed(error: Exception) -> Examination:
    """Return the examination of a history that ended with an unexpected exception."""
    detail = "".join(traceback.format_exception(error))[-2000:].strip()
    return _crash(type(error).__name__, detail)


def _crash(kind: str, detail: str) -> Examination:
    """Return the examination of a history without a result. Its digest is a marker."""
    return Examination(
        digest=hashlib.blake2b(kind.encode(), digest_size=32).digest(),
        checked={},
        vacuous={},
        coverage={},
        violations=(Violation(law=NO_CRASH.name, kind=kind, detail=detail),),
    )
