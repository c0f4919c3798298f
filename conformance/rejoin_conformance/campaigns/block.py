"""Examine one block of histories. The result is a pure function of the plan and the number.

The result is `{"digest": hex, "counts": tree}`. The trees of blocks add up (`kit.tree`):

- `histories`: the number of histories;
- `restarts`: the number of an adapter's answers that needed another process, and `restarted`: the
  first of them. The digest does not cover them, because they can depend on the blocks that the
  process examined before;
- `readings`: for each reading `checked`, `vacuous`, `violated` and `coverage`, which the digest
  covers, `cases`: coverage key -> the number of histories with it, and `examples`: the first
  violations of each class. A class is the text `LAW KIND`.
"""

from __future__ import annotations

import hashlib
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from attrs import frozen

from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.contract.history import Histories, history_seed
from rejoin_conformance.contract.law import Examination, Law, Violation
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.kit.json_types import JsonObject, canonical_json
from rejoin_conformance.kit.tree import Tree, add
from rejoin_conformance.readings.overriding import Tried, calls_since, tried
from rejoin_conformance.readings.reach import Reach

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
SUITE_LAWS: Final = (AGREES, NO_CRASH)
"""The laws of the suite itself. Every reading of every system claims them."""

CALLS: Final = ("called", "differed", "uncompared")
"""The namespaces of the coverage keys that count the calls of overridden functions."""

DIGESTED: Final = ("checked", "vacuous", "violated", "coverage")
"""The counts of a reading that the digest covers. It already covers each history."""

NOT_ASKED: Final = "not-asked:adapter-broke"
"""The coverage key that counts the declared calls that were left out."""

COUNTS: Final = (*DIGESTED, "cases", "examples")

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


NOTHING: Final[Mapping[int, Quarantined]] = MappingProxyType({})

Examine: TypeAlias = Callable[[Any, str], Examination]
"""(history, reading) -> its examination."""


def examine_block(
    plan: Plan,
    block: int,
    examine: Examine | None = None,
    *,
    begin: Callable[[int], object] = int,
    left_out: Mapping[int, Quarantined] = NOTHING,
) -> JsonObject:
    """Generate and examine every history of a block under every reading of the plan.

    examine: the examination of a history; by default, run it on the reference and check the laws.
    begin: called with the index of each history before it is generated. left_out: the histories
    that are in quarantine. Raises MemoryError.
    """
    histories = system_named(plan.system).histories
    digest = hashlib.blake2b(digest_size=32)
    readings: Tree = {reading: {name: {} for name in COUNTS} for reading in plan.readings}
    for index in plan.indices(block):
        seed = history_seed(plan.seed, plan.system, plan.profile, index)
        before = tried()
        if index in left_out:
            verdict = quarantined(left_out[index])
            examined = [(reading, verdict) for reading in plan.readings]
        else:
            begin(index)
            examined = [*_examined(histories, plan, seed, examine or histories.examine)]
        calls = _counters(calls_since(before))
        for reading, examination in examined:
            digest.update(examination.digest)
            add(readings[reading], _tree(index, examination, calls))
    for counts in readings.values():
        digest.update(canonical_json({name: counts[name] for name in DIGESTED}).encode("ascii"))
    counts = {"histories": len(plan.indices(block)), "restarts": 0, "readings": readings}
    return {"digest": digest.hexdigest(), "counts": counts}


def _tree(index: int, examination: Examination, calls: Mapping[str, int]) -> Tree:
    """Return the counts of one history under one reading."""
    coverage = {**examination.coverage, **calls}
    examples: dict[str, list[Any]] = {}
    for each in examination.violations:
        shown = {"index": index, "detail": each.detail, "evidence": each.evidence}
        examples.setdefault(f"{each.law} {each.kind}", []).append(shown)
    return {
        "checked": examination.checked,
        "vacuous": examination.vacuous,
        "violated": {name: len(those) for name, those in examples.items()},
        "coverage": coverage,
        "cases": {key: 1 for key, count in coverage.items() if count},
        "examples": examples,
    }


def reach_of(counts: Tree, name: str) -> Reach:
    """Return the calls of an overridden function, by its dotted name. counts: of a reading."""
    coverage: Counter[str] = Counter(counts["coverage"])
    cases: Counter[str] = Counter(counts["cases"])
    return Reach(
        Tried(*(coverage[f"{kind}:{name}"] for kind in CALLS)),
        cases=cases[f"called:{name}"],
        differing=cases[f"differed:{name}"],
    )


def _counters(calls: Mapping[str, Tried]) -> dict[str, int]:
    """Return the calls of overridden functions as coverage."""
    return {
        f"{kind}:{name}": count
        for name, each in calls.items()
        for kind, count in zip(CALLS, (each.calls, each.differed, each.uncompared), strict=True)
        if count
    }


def _examined(
    histories: Histories[Any], plan: Plan, seed: int, examine: Examine
) -> Iterator[tuple[str, Examination]]:
    """Examine one history under each reading. An unexpected exception is a violation."""
    try:
        history = histories.generate(plan.profile, seed)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - continue with the other histories
        yield from ((reading, crashed(error)) for reading in plan.readings)
        return
    for reading in plan.readings:
        try:
            yield reading, examine(history, reading)
        except (AdapterUnusableError, MemoryError):
            raise
        except Exception as error:  # noqa: BLE001 - as above
            yield reading, crashed(error)


def crashed(error: Exception) -> Examination:
    """Return the examination of a history that ended with an unexpected exception."""
    detail = "".join(traceback.format_exception(error))[-2000:].strip()
    return _crash(type(error).__name__, detail)


def quarantined(why: Quarantined) -> Examination:
    """Return the examination of a history that is not examined. Its digest is a marker."""
    return _crash(why.reason, why.detail)


def _crash(kind: str, detail: str) -> Examination:
    return Examination(
        digest=hashlib.blake2b(kind.encode(), digest_size=32).digest(),
        checked={},
        vacuous={},
        coverage={},
        violations=(Violation(law=NO_CRASH.name, kind=kind, detail=detail),),
    )
