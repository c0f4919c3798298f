"""Evidence on failures of a run: what the reference answers without one clause at a time.

If the reference without a clause, or with a small fault in the code of the clause, gives the wrong
answers of an adapter, and its right answers too, the adapter most likely lacks this clause. A few
vectors are asked: the failures that a report tells first, and passed vectors of the same operations
and clauses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Final

from attrs import evolve

from rejoin_conformance.adapters.results.failure_groups import told_in_full
from rejoin_conformance.adapters.results.records import Key, Record
from rejoin_conformance.adapters.runner.cases import WRONG_REASON, Case
from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.operation import Output, Rejected
from rejoin_conformance.kit.json_types import canonical_json

MOST_FAILED: Final = 12
MOST_PASSED: Final = 24
"""The number of failures and of passed vectors of a system that are asked."""
_LONGEST: Final = 4_000
"""The number of characters of an input that is asked."""


def with_evidence(
    records: Iterable[Record], failures: Sequence[Record], cases: Mapping[Key, Case]
) -> Iterator[Record]:
    """Yield some failures with the clauses that their inputs decide.

    failures: in reading order. cases: those of the run, by key. Raises EntriesError.
    """
    from rejoin_conformance.campaigns.mutants.asked_calls import Undecided  # noqa: PLC0415 - slow
    from rejoin_conformance.campaigns.mutants.deciding import decided_by  # noqa: PLC0415 - slow

    failed = {each.key: each for each in (*told_in_full(failures), *failures)}.values()
    passed = [each for each in records if each.verdict == "pass"]
    for system in dict.fromkeys(each.system for each in failed):
        of_system = (each for each in failed if each.system == system)
        askable = (each for each in of_system if _can_be_asked(each, cases[each.key]))
        first = [*islice(askable, MOST_FAILED)]
        first.sort(key=lambda each: len(canonical_json(each.input or {})))  # small ones are quick
        asked = [*first, *_like(first, passed, cases)]
        calls = [
            Undecided(
                call=Call(each.operation, cases[each.key].vector.input),
                readings=(each.reading,),
                observed=each.observed,
            )
            for each in asked
        ]
        for each, found in zip(asked, decided_by(system, calls, mimics=True), strict=True):
            if each.failed:
                yield evolve(
                    each,
                    is_decided=True,
                    decides=found.clauses,
                    alike=found.alike,
                    closest=found.closest,
                )


def _like(
    failures: Iterable[Record], passed: Iterable[Record], cases: Mapping[Key, Case]
) -> Sequence[Record]:
    """Return passed vectors of the operations of failures, those of the same clauses first."""
    clauses = Counter(clause for each in failures for clause in each.clauses)
    operations = {each.operation for each in failures}
    ranked = sorted(
        (each for each in passed if each.operation in operations),
        key=lambda each: (-sum(clauses[c] for c in each.clauses) / len(each.clauses), each.key),
    )
    askable = (each for each in ranked if _can_be_asked(each, cases[each.key]))
    return [*islice(askable, MOST_PASSED)]


def _can_be_asked(record: Record, case: Case) -> bool:
    """Return whether a record has an answer, and the reference answers its short input."""
    observed = record.observed or {}
    if record.lists_steps or record.fault == WRONG_REASON:
        return False
    if record.failed and not {"output", "rejected"} & observed.keys():
        return False
    if len(canonical_json(case.vector.input)) > _LONGEST:
        return False
    with suppress(Exception):
        return isinstance(case.operation.run(case.vector.input, case.reading), Output | Rejected)
    return False
