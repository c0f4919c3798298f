"""Examine a block of histories by comparing an adapter with the reference, not by checking laws.

The examination of a history counts the calls on which the adapter and the reference agree. The
adapter's process continues from block to block as long as it is intact.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Final

from rejoin_conformance.adapters.kinds import parting_kind
from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.runner.verdict import Outcome
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.campaigns.adapter_questions import Questions
from rejoin_conformance.campaigns.block import AGREES, NOT_ASKED, Quarantined, examine_block
from rejoin_conformance.campaigns.child import Examine, Note, Tell
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.tables import Row, Tables, columns_of
from rejoin_conformance.contract.law import Examination, Violation
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.kit.json_types import canonical_json
from rejoin_conformance.kit.untrusted import shown_line
from rejoin_conformance.readings.in_force import Side, side_in_force
from rejoin_conformance.readings.rule_file import Rule

BREAKS_A_BLOCK: Final = 6
"""A block stops its calls after this number of calls that break the adapter."""


@contextmanager
def block_examiner(plan: Plan, note: Note, tell: Tell) -> Iterator[Examine]:
    """Yield a function that examines blocks of the plan. End its adapter after the `with` block.

    note: takes note of each history. tell: told of each difference.

    The function raises AdapterUnusableError if the adapter sends no hello, or answers nothing in
    time.
    """
    if plan.adapter is None:
        with _rule_in_force(plan):
            yield lambda block, left_out: examine_block(
                plan, block, begin=note.begin, left_out=left_out
            )
        return
    with questions_of(plan, note.go_on) as questions:

        def examine(block: int, left_out: Mapping[int, Quarantined]) -> Tables:
            asked = _Block(questions, tell)

            def begin(index: int) -> None:
                note.begin(index)
                asked.begin(index)

            tables = examine_block(plan, block, asked.examine, begin=begin, left_out=left_out)
            asked.count_end()
            return {"verdicts": columns_of("verdicts", asked.verdicts), **tables}

        yield examine


def questions_of(plan: Plan, heard: Callable[[], None] = lambda: None) -> Questions:
    """Return the adapter of a plan, to ask what the plan asks. heard: called with each answer."""
    assert plan.adapter is not None
    limits = Limits(timeout=plan.timeout, memory=plan.bounds.max_memory)
    return Questions(
        system_named(plan.system),
        plan.adapter,
        limits,
        plan.operations,
        plan.leave_out,
        heard,
        plan.knows,
    )


def _rule_in_force(plan: Plan) -> AbstractContextManager[object]:
    """Put the plan's rule file in force, if the plan has one."""
    if plan.rule is None:
        return nullcontext()
    (name,) = plan.readings
    side = Side(name, Rule(name, plan.rule))
    return side_in_force(side, system_named(plan.system))


class _Block:
    """One block that is being examined, with a count of the calls that broke the adapter."""

    def __init__(self, questions: Questions, tell: Tell) -> None:
        self.verdicts: list[Row] = []
        self._index = 0
        self._questions = questions
        self._tell = tell
        self._broken = 0
        self._only_timeouts = True

    def begin(self, index: int) -> None:
        """Take note of the index of the history that comes next."""
        self._index = index

    def examine(self, history: Any, reading: str) -> Examination:
        """Ask the calls of a history. Ask nothing if the adapter broke too often in the block."""
        questions = self._questions
        calls = questions.calls(history, reading)
        coverage: Counter[str] = Counter()
        declared = []
        for call in calls:
            missing = questions.why_not(call.operation, call.input)
            if missing:
                coverage[f"not-declared:{missing}"] += 1
            else:
                declared.append(call)
        given_up = self._broken >= BREAKS_A_BLOCK
        outcomes = [] if given_up else questions.ask(declared, reading)
        self._count(outcomes)
        self.verdicts += (verdict_row("history", str(self._index), each) for each in outcomes)
        coverage[NOT_ASKED] += len(declared) - len(outcomes)
        for outcome in outcomes:
            coverage[f"asked:{outcome.case.vector.operation}"] += 1
            coverage[f"expected:{next(iter(outcome.case.expected))}"] += 1
        violations = tuple(
            violation_of(each, parting_kind(each, questions.steps))
            for each in filter(_differs, outcomes)
        )
        for each in violations:
            self._tell(reading, each.kind, each.detail)
        return Examination(
            digest=_digest(outcomes),
            checked={AGREES.name: len(outcomes)},
            vacuous={AGREES.name: len(calls) - len(outcomes)},
            coverage={what: count for what, count in coverage.items() if count},
            violations=violations,
        )

    def count_end(self) -> None:
        """Count a bad end of the process as a restart. Only the first block ends it."""
        bad = self._questions.judge_end()
        if bad:
            row = {"subject": "history", "id": str(self._index), "verdict": "bad-end"}
            self.verdicts.append({**row, "restarts": 1, "restarted": bad})

    def _count(self, outcomes: list[Outcome]) -> None:
        """Count breaks. Raises AdapterUnusableError if the block has only timeouts."""
        for outcome in outcomes:
            self._broken += self._questions.breaks(outcome)
            self._only_timeouts = self._only_timeouts and outcome.verdict == "timeout"
        if self._broken >= BREAKS_A_BLOCK and self._only_timeouts:
            raise AdapterUnusableError(
                f"the adapter answered none of {self._broken} requests in time; give a longer "
                "--timeout if it is slow"
            )


def verdict_row(subject: str, name: str, outcome: Outcome) -> Row:
    """Return an outcome as a row of `verdicts`.

    subject: `history` or `vector`. name: the index of the history or the ID of the vector.
    """
    vector, passed = outcome.case.vector, outcome.verdict == "pass"
    shown = passed or outcome.observed is None
    return {
        "subject": subject,
        "id": name,
        "call": int(vector.id.rpartition("/")[2]) if subject == "history" else None,
        "operation": vector.operation,
        "reading": outcome.case.reading,
        "verdict": outcome.verdict,
        "restarts": int(outcome.restarted),
        "restarted": shown_line(outcome.first_attempt) if outcome.restarted else None,
        "observed": None if shown else canonical_json(outcome.observed or {}),
    }


def violation_of(outcome: Outcome, kind: str) -> Violation:
    """Return a different answer as a violation."""
    return Violation(
        law=AGREES.name,
        kind=kind,
        detail=outcome.explanation,
        evidence={
            "operation": outcome.case.vector.operation,
            "call": int(outcome.case.vector.id.rpartition("/")[2]),
        },
    )


def _differs(outcome: Outcome) -> bool:
    return outcome.verdict != "pass"


def _digest(outcomes: list[Outcome]) -> bytes:
    """Return a digest of the calls and the answers, without the reasons of rejections."""
    digest = hashlib.blake2b(digest_size=32)
    for outcome in outcomes:
        answer = outcome.case.expected_text
        if outcome.verdict != "pass":
            observed = outcome.observed or {}
            said = canonical_json(observed) if outcome.fault == "wrong-output" else ""
            answer = f"{outcome.fault or outcome.verdict} {said}"
        digest.update(f"{outcome.case.vector.operation}\n{answer}\n".encode())
    return digest.digest()
