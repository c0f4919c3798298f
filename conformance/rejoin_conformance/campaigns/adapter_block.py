"""Examine blocks of histories in a child: check the laws, or compare an adapter with the reference.

Against an adapter, the examination of a history counts the calls on which the adapter and the
reference agree. The adapter's process continues from block to block as long as it is intact.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from math import ceil
from typing import Any, Final

from attrs import define, evolve, field

from rejoin_conformance.adapters.kinds import parting_kind
from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.oracle import is_rejection, oracle_of, output_text
from rejoin_conformance.adapters.runner.worker import STARTS
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.campaigns.adapter_calls import Asked
from rejoin_conformance.campaigns.adapter_questions import Questions
from rejoin_conformance.campaigns.block import (
    AGREES,
    NOT_ASKED,
    ORACLE,
    Quarantined,
    examine_block,
)
from rejoin_conformance.campaigns.child import Child, Examine, Note, child_of_slot
from rejoin_conformance.campaigns.laws_by import examines
from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Plan
from rejoin_conformance.campaigns.tables import BLOCKS, Row, Tables
from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.law import Examination, Violation
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.kit.draw import seed_of
from rejoin_conformance.kit.json_types import canonical_json
from rejoin_conformance.kit.text import shown_line
from rejoin_conformance.readings.in_force import Side, side_in_force
from rejoin_conformance.readings.rule_file import Rule

BREAKS_A_BLOCK: Final = 6
"""A block stops its calls after this number of calls that break the adapter."""


@contextmanager
def block_examiner(plan: Plan, note: Note, *, kept: bool = True) -> Iterator[Examine]:
    """Yield a function that examines blocks of the plan. End its adapter after the `with` block.

    note: takes note of each history. kept: whether somebody keeps the tables. If not, `verdicts`
    has only the calls on which the adapter did not agree at once.

    The function raises AdapterUnusableError if the adapter sends no hello, or answers nothing in
    time.
    """
    if plan.adapter is None:
        by_oracle = plan.bounds.laws_by == "oracle"
        examine_laws = examines(plan, lambda: note.index) if by_oracle else None
        rule = None if plan.rule is None else Rule(plan.readings[0], plan.rule)
        side, system = Side(plan.readings[0], rule), system_named(plan.system)
        with nullcontext() if rule is None else side_in_force(side, system):
            yield lambda block, left_out: examine_block(
                plan, block, examine_laws, begin=note.begin, left_out=left_out
            )
        return
    with questions_of(plan, note.go_on) as questions:

        def examine(block: int, left_out: Mapping[int, Quarantined]) -> Tables:
            asked = _Block(plan, questions, note, kept)
            tables = examine_block(plan, block, asked.examine, begin=note.begin, left_out=left_out)
            asked.count_end()
            return {"verdicts": asked.verdicts, **tables}

        yield examine


@contextmanager
def examiner(
    plan: Plan, tick: Callable[[int, int], object] | None = None, *, kept: bool = True
) -> Iterator[Callable[..., Tables]]:
    """Yield what examines blocks of the plan in a child, as `Child.examine`.

    kept: as of `block_examiner`.

    The time of a block has the time of histories that ended the child. tick: as of `Child`; without
    one, the child stays for the next task of this slot of Spark.
    """
    system_named(plan.system)  # each child is a fork, and need not import and read this again
    bounds, work = plan.bounds, partial(block_examiner, plan, kept=kept)
    if plan.adapter is not None:  # a history also has the time that a broken adapter can take
        oracle_of(plan.system)
        waited = ceil(STARTS * (plan.timeout + Limits().hello))
        bounds = evolve(bounds, history_timeout=bounds.history_timeout + waited)
    key = plan, bounds, kept
    with child_of_slot(key, work, bounds) if tick is None else Child(work, bounds, tick) as child:

        def examine(block: int, left_out: dict[int, Quarantined] | None = None) -> Tables:
            began, start = time.time_ns(), time.monotonic_ns()
            tables: Tables = child.examine(block, left_out)
            times = {"began": began // 1000, "micros": (time.monotonic_ns() - start) // 1000}
            return {**tables, BLOCKS: [{**row, **times} for row in tables[BLOCKS]]}

        yield examine


def fate_of(plan: Plan, index: int) -> Quarantined | None:
    """Run one history of a plan in a child. Return why it is quarantined, or None if it is not."""
    block = index // BLOCK_SIZE
    left_out = {each: Quarantined("", "") for each in plan.indices(block) if each != index}
    with examiner(plan, max) as examine:
        examine(block, left_out)
    return left_out.get(index)


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
        None if plan.bounds.no_oracle else oracle_of(plan.system),
        plan.compared_codes,
    )


@define
class _Block:
    """One block that is being examined.

    broken: the number of calls that broke the adapter. only_timeouts: whether every call timed out.
    """

    plan: Plan
    questions: Questions
    note: Note
    kept: bool
    verdicts: list[Row] = field(init=False, factory=list)
    broken: int = field(init=False, default=0)
    only_timeouts: bool = field(init=False, default=True)

    def examine(self, history: Any, reading: str) -> Examination:
        """Ask the calls of a history. Ask nothing if the adapter broke too often in the block."""
        questions = self.questions
        calls = questions.asked(history, reading)
        why_not = [questions.why_not(each.call) for each in calls]
        declared = [each for each, missing in zip(calls, why_not, strict=True) if not missing]
        seed = seed_of("checked", self.plan.seed, self.plan.system, self.note.index)
        every = self.plan.bounds.check_every
        checked = range(seed % every, len(declared), every)
        asked = questions.judge([] if self.broken >= BREAKS_A_BLOCK else declared, checked)
        self._count_breaks(asked)
        self.verdicts += [
            _row(self.note.index, each) for each in asked if self.kept or each.outcome is not None
        ]
        differing = (
            Violation(
                law=AGREES.name,
                kind=parting_kind(each.outcome, questions.steps),
                detail=each.outcome.explanation,
                evidence={"operation": each.call.operation, "call": place},
            )
            for place, each in enumerate(asked)
            if each.outcome is not None and each.outcome.verdict != "pass"
        )
        wrong = (_wrong(each.call, each.wrong) for each in asked if each.wrong)
        by_oracle = [each for each in asked if each.by_oracle]
        return Examination(
            digest=hashlib.blake2b(b"".join(map(_digested, asked)), digest_size=32).digest(),
            checked={AGREES.name: len(asked)},
            vacuous={AGREES.name: len(calls) - len(asked)},
            coverage=_coverage(asked, why_not, len(declared)),
            violations=(*differing, *wrong),
            answered={
                "oracle": len(by_oracle),
                "reference": len(asked) - len(by_oracle),
                "both": sum(each.case is not None for each in by_oracle),
            },
        )

    def count_end(self) -> None:
        """Count a bad end of the process as a restart. Only the first block ends it."""
        bad = self.questions.judge_end()
        if bad:
            row = {"subject": "history", "id": str(max(0, self.note.index)), "verdict": "bad-end"}
            self.verdicts.append({**row, "restarts": 1, "restarted": bad})

    def _count_breaks(self, asked: Iterable[Asked]) -> None:
        """Count breaks. Raises AdapterUnusableError if the block has only timeouts."""
        for outcome in (each.outcome for each in asked):  # None: the adapter agreed at once
            self.broken += outcome is not None and self.questions.breaks(outcome)
            timed_out = outcome is not None and outcome.verdict == "timeout"
            self.only_timeouts = self.only_timeouts and timed_out
        if self.broken >= BREAKS_A_BLOCK and self.only_timeouts:
            raise AdapterUnusableError(
                f"the adapter answered none of {self.broken} requests in time; give a longer "
                "--timeout if it is slow"
            )


def _coverage(asked: Sequence[Asked], why_not: Iterable[str], declared: int) -> Mapping[str, int]:
    """Return the counts of calls. why_not: of each call, or empty. declared: their number."""
    coverage = Counter(f"asked:{each.call.operation}" for each in asked)
    coverage.update(f"not-declared:{each}" for each in why_not if each)
    said = ("rejected" if is_rejection(each.answer) else "output" for each in asked)
    coverage.update(f"expected:{each}" for each in said)
    left_out = declared - len(asked)
    return {**coverage, **({NOT_ASKED: left_out} if left_out else {})}


def _row(index: int, asked: Asked) -> Row:
    """Return the row of `verdicts` of a call of a history."""
    outcome = asked.outcome
    row: Row = {"subject": "history", "id": str(index), "call": asked.place, "restarts": 0}
    row |= {"reading": asked.reading, "operation": asked.call.operation, "verdict": "pass"}
    if outcome is not None:
        row |= {"verdict": outcome.verdict, "restarts": int(outcome.restarted)}
        if outcome.restarted:
            row["restarted"] = shown_line(outcome.first_attempt)
        if outcome.verdict != "pass" and outcome.observed is not None:
            row["observed"] = canonical_json(outcome.observed)
    return row


def _digested(asked: Asked) -> bytes:
    """Return what the digest has of a call: the answer, without the reason of a rejection."""
    text, outcome = output_text(asked.answer), asked.outcome
    if outcome is not None and outcome.verdict != "pass":
        said = canonical_json(outcome.observed or {}) if outcome.fault == "wrong-output" else ""
        text = f"{outcome.fault or outcome.verdict} {said}".encode()
    return b"%b\n%b\n" % (asked.call.operation.encode(), text)


def _wrong(call: Call, said: bytes) -> Violation:
    """Return a wrong answer of the oracle as a violation."""
    text = said.decode("ascii")[1:-1]
    return Violation(
        law=ORACLE.name,
        kind=call.operation,
        detail=f"the oracle answered {call.operation} with {shown_line(text, 300)}",
        evidence={"operation": call.operation, "input": call.input},
    )
