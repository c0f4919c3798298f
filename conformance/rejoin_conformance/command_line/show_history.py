"""The verdicts on a history: of the laws, or of an adapter that is asked the calls it makes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from attrs import frozen

from rejoin_conformance.adapters.kinds import parting_kind
from rejoin_conformance.adapters.results.failure_steps import FailureSteps, lines_of
from rejoin_conformance.adapters.runner.verdict import Outcome
from rejoin_conformance.campaigns.adapter_questions import Questions
from rejoin_conformance.campaigns.block import NO_CRASH, crashed
from rejoin_conformance.command_line.show_subjects import Subject
from rejoin_conformance.contract.asked import output_in
from rejoin_conformance.contract.asked_text import input_text, marked_lines
from rejoin_conformance.contract.law import Examination
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.document import Block, Code, Fold, Items, Table, Text
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.readings.in_force import now

_WITH_STEPS: Final = 10
"""The number of wrong outputs of an adapter that are shown with their steps."""


@frozen
class LawVerdicts:
    """The verdict of each law on a history.

    every: whether to list the laws that hold. ruled: whether a rule file is in force; then an
    exception breaks a law.
    """

    subject: Subject
    reading: str
    examination: Examination
    ruled: bool

    @classmethod
    def of(cls, subject: Subject, reading: str, *, ruled: bool) -> LawVerdicts:
        """Return the verdicts on the history of a subject under the reading in force."""
        try:
            changed, history = now(subject.system, subject.played)
            found = changed.histories.examine(history, reading)
        except Exception as error:
            if not ruled and not subject.is_kept:  # a history may be kept for this exception
                raise
            found = crashed(error)
        return cls(subject, reading, found, ruled)

    @property
    def failed(self) -> bool:
        """Return whether a law is broken that the reading claims."""
        claimed = {law.name for law in self.subject.system.laws if self.reading in law.claimed_by}
        return any(each.law in claimed for each in self.examination.violations)

    def to_json(self) -> JsonObject:
        """Return the verdicts as data."""
        violations: list[Json] = [
            {"law": each.law, "kind": each.kind, "detail": each.detail, "evidence": each.evidence}
            for each in self.examination.violations
        ]
        return {
            "reading": self.reading,
            "digest": self.examination.digest.hex(),
            "checked": dict(self.examination.checked),
            "violations": violations,
        }

    def blocks(self) -> Iterator[Block]:
        """Yield the laws; for a history from a file, only the broken ones."""
        violations, rows = self.examination.violations, []
        laws = self.subject.system.laws
        crashes = self.ruled or self.subject.is_kept
        for law in (*laws, NO_CRASH) if crashes else laws:
            checked = self.examination.checked.get(law.name, 0)
            broken = any(each.law == law.name for each in violations)
            if broken or not self.subject.is_kept:
                state = "BROKEN" if broken else "holds" if checked else "not met"
                rows.append((law.name, state, f"checked {counted(checked, 'time')}"))
        if rows:
            yield Table((), rows)
        for each in violations:
            yield Fold(f"{each.law} {each.kind}", [Code(each.detail)])


@frozen
class Answers:
    """The answers of an adapter to the calls of a history. left_out: the calls not asked."""

    told: Sequence[tuple[Outcome, str, FailureSteps | None]]
    left_out: int

    @classmethod
    def of(cls, subject: Subject, reading: str, command: str, timeout: int) -> Answers:
        """Return the answers. Raises AdapterUnusableError."""
        told: list[tuple[Outcome, str, FailureSteps | None]] = []
        wrong = 0
        with Questions(subject.system, command, timeout) as questions:
            calls = questions.calls(subject.played, reading)
            declared = questions.askable(calls)
            for outcome in questions.ask(declared, reading):
                kind, steps = "", None
                if outcome.verdict != "pass":
                    kind = parting_kind(outcome, questions.steps)
                if outcome.fault == "wrong-output" and wrong < _WITH_STEPS:
                    wrong += 1
                    steps = questions.steps.of(outcome.case, output_in(outcome.observed))
                told.append((outcome, kind, steps))
        return cls(told, len(calls) - len(declared))

    @property
    def failed(self) -> bool:
        """Return whether an answer differs from the reference's."""
        return any(kind for _, kind, _ in self.told)

    def to_json(self) -> JsonObject:
        """Return the answers as data."""
        listed: list[Json] = [
            {
                "vector": each.case.vector.id,
                "operation": each.case.operation.name,
                "reading": each.case.reading,
                "verdict": each.verdict,
                "fault": each.fault,
                "input": each.case.vector.input,
                "expected": each.case.expected,
                "observed": each.observed,
                "explanation": each.explanation,
                "kind": kind,
            }
            for each, kind, _ in self.told
        ]
        return {"answers": listed, "left_out": self.left_out}

    def blocks(self) -> Iterator[Block]:
        """Yield each answer that is not as expected, their kinds, and the number of others."""
        for each, _, steps in self.told:
            if each.verdict != "pass":
                title = f"{each.verdict.upper()} {each.case.operation.name} [{each.case.reading}]"
                yield Fold(title, [Items([*_wrong(each, steps)])])
        kinds = Counter(kind for _, kind, _ in self.told if kind)
        if len(kinds) > 1:
            lines = [f"{counted(times, 'time')}  {kind}" for kind, times in kinds.most_common()]
            yield Fold(f"kinds of difference: {len(kinds)}", [Items(lines)])
        good = sum(each.verdict == "pass" for each, _, _ in self.told)
        yield Text(f"{good:,} of {counted(len(self.told), 'answer')} as expected")
        if self.left_out:
            calls = counted(self.left_out, "call")
            yield Text(f"not asked: {calls} that the adapter does not declare")


def _wrong(outcome: Outcome, steps: FailureSteps | None) -> Iterator[str]:
    yield "input"
    yield from (f"  {line}" for line in input_text(outcome.asked).split("\n"))
    yield from marked_lines(outcome.asked)
    yield from outcome.explanation.splitlines()
    if steps is not None:
        yield from lines_of(steps)


def verdicts(subject: Subject, reading: str, asked: Any, *, ruled: bool) -> LawVerdicts | Answers:
    """Return the answers of an adapter, or the verdicts of the laws if none is given.

    asked: the command of the adapter, or None, and its timeout.
    """
    command, timeout = asked
    if command is None:
        return LawVerdicts.of(subject, reading, ruled=ruled)
    return Answers.of(subject, reading, command, timeout)
