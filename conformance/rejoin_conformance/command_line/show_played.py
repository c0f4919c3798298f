"""A subject on one side, in a reading or under a rule file; and two sides beside each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from typing import Final

from attrs import field, frozen

from rejoin_conformance.adapters.kinds import parting_kind
from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.results.failure_steps import FailureSteps, lines_of
from rejoin_conformance.adapters.run_options import StrictCodes
from rejoin_conformance.adapters.runner.cases import Outcome
from rejoin_conformance.adapters.runner.declared import compared_codes
from rejoin_conformance.campaigns.adapter_questions import Questions
from rejoin_conformance.campaigns.block import NO_CRASH, ORACLE, crashed
from rejoin_conformance.campaigns.laws_by import compared, why_not
from rejoin_conformance.campaigns.plan import LawsBy
from rejoin_conformance.command_line.choices import timeout_option
from rejoin_conformance.command_line.show_subjects import Subject
from rejoin_conformance.contract.asked_text import input_text, marked_lines
from rejoin_conformance.contract.law import Examination
from rejoin_conformance.contract.operation import output_in
from rejoin_conformance.corpus.showing import Answer, Question, answer_of
from rejoin_conformance.kit.codec import plain
from rejoin_conformance.kit.document import Block, Code, Fold, Items, Table, Text
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json
from rejoin_conformance.kit.options import opt
from rejoin_conformance.kit.text import counted
from rejoin_conformance.readings.in_force import Side, now, side_in_force
from rejoin_conformance.readings.reach import Reach, one_case, overridden

_WITH_STEPS: Final = 10
"""The number of wrong outputs of an adapter that are shown with their steps."""


@frozen(kw_only=True)
class Judging:
    """What gives the verdicts on a random history."""

    adapter: str | None = opt(
        "With a SYSTEM: command line of an adapter to ask the calls of the history.",
        None,
        metavar="CMD",
        shown="check the laws",
    )
    laws_by: LawsBy = opt(
        "With a SYSTEM: also run the history on the oracle, and compare the results.", "reference"
    )
    timeout: int = timeout_option()
    compared: StrictCodes = field(factory=StrictCodes)


@frozen
class LawVerdicts:
    """The verdict of each law on a history. ruled: whether a rule file is in force."""

    subject: Subject
    reading: str
    examination: Examination
    ruled: bool

    @property
    def failed(self) -> bool:
        """Return whether a law is broken that the reading claims."""
        claimed = {law.name for law in self.subject.system.laws if self.reading in law.claimed_by}
        claimed.add(ORACLE.name)
        return any(each.law in claimed for each in self.examination.violations)

    def to_json(self) -> JsonObject:
        """Return the verdicts as data."""
        return {
            "reading": self.reading,
            "digest": self.examination.digest.hex(),
            "checked": dict(self.examination.checked),
            "violations": [plain(each) for each in self.examination.violations],
        }

    def blocks(self) -> Iterator[Block]:
        """Yield the laws; for a history from a file, only the broken ones."""
        violations, rows = self.examination.violations, []
        broken, kept = {each.law for each in violations}, self.subject.is_kept
        laws = self.subject.system.laws
        for law in (*laws, NO_CRASH) if self.ruled or kept else laws:
            checked = self.examination.checked.get(law.name, 0)
            if law.name in broken or not kept:
                state = "BROKEN" if law.name in broken else "holds" if checked else "not met"
                rows.append((law.name, state, f"checked {counted(checked, 'time')}"))
        if rows:
            yield Table((), rows)
        for each in violations:
            yield Fold(f"{each.law} {each.kind}", [Code(each.detail)])


def told(outcome: Outcome, most: int | None = None) -> Iterator[str]:
    """Yield an input and both answers as lines. most: how many of the input, or all."""
    yield "input"
    yield from (f"  {line}" for line in input_text(outcome.asked).split("\n")[:most])
    if outcome.fault == "wrong-output":
        yield from marked_lines(outcome.asked)


@frozen
class AdapterVerdicts:
    """The answers of an adapter to the calls of a history. left_out: the calls not asked."""

    told: Sequence[tuple[Outcome, str, FailureSteps | None]]
    left_out: int

    @classmethod
    def of(cls, subject: Subject, reading: str, command: str, by: Judging) -> AdapterVerdicts:
        """Return the answers. Raises AdapterUnusableError."""
        told: list[tuple[Outcome, str, FailureSteps | None]] = []
        wrong = 0
        limits, codes = Limits(timeout=by.timeout), compared_codes(by.compared)
        with Questions(subject.system, command, limits, codes=codes) as questions:
            calls = questions.calls(subject.history, reading)
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
                lines = [*told(each), *each.explanation.splitlines()]
                lines += () if steps is None else lines_of(steps)
                yield Fold(title, [Items(lines)])
        kinds = Counter(kind for _, kind, _ in self.told if kind)
        if len(kinds) > 1:
            lines = [f"{counted(times, 'time')}  {kind}" for kind, times in kinds.most_common()]
            yield Fold(f"kinds of difference: {len(kinds)}", [Items(lines)])
        good = sum(each.verdict == "pass" for each, _, _ in self.told)
        yield Text(f"{good:,} of {counted(len(self.told), 'answer')} as expected")
        if self.left_out:
            calls = counted(self.left_out, "call")
            yield Text(f"not asked: {calls} that the adapter does not declare")


@frozen(kw_only=True)
class Played:
    """A subject on one side.

    history: the history as text, or empty. verdicts: those on the history, or None. questions,
    answers: in the same order.
    """

    side: Side
    history: str
    verdicts: LawVerdicts | AdapterVerdicts | None
    questions: tuple[Question, ...] = field(repr=False)
    answers: tuple[Answer, ...] = field(repr=False)

    def drawn_in(self, subject: Subject) -> str:
        """Return the reading to draw in: the side's, or the subject's if the side is a rule."""
        return self.side.name if self.side.rule is None else subject.reading


def played(
    subject: Subject,
    side: Side,
    reached: dict[str, Reach],
    *,
    with_steps: bool,
    questions: Sequence[Question] | None = None,
    judging: Judging | None = None,
) -> Played:
    """Return the answers to the questions of a subject on a side.

    reached: where to count the calls of the functions that the side overrides. questions: the
    questions to ask; None for those that the subject has on this side. The calls of a history
    differ between sides, so the second side answers the questions of the first one. judging: None
    to give no verdict on a history.
    """
    unchanged = nullcontext((side.name, subject.system))
    with unchanged if side.rule is None else side_in_force(side, subject.system) as (reading, _):
        for name in overridden():
            reached.setdefault(name, Reach())
        with one_case(reached):
            history = _history(subject, reading)
        verdicts = None
        if judging is not None and subject.history is not None:
            with one_case(reached):
                verdicts = _verdicts(subject, reading, judging, ruled=side.rule is not None)
        listed = subject.questions(reading) if questions is None else questions
        answers = tuple(
            answer_of(
                each,
                reading,
                shown_as=side.name,
                names=subject.names,
                with_steps=with_steps,
                counted=one_case(reached),
            )
            for each in listed
        )
    return Played(
        side=side, history=history, verdicts=verdicts, questions=tuple(listed), answers=answers
    )


def differs(left: Answer, right: Answer) -> bool:
    """Return whether the results of two sides differ."""
    return canonical_json(left.result) != canonical_json(right.result)


def _history(subject: Subject, reading: str) -> str:
    """Return the history as text. Under a rule file, an exception is not an error of the suite."""
    if subject.history is None:
        return ""
    try:
        changed, history = now(subject.system, subject.history)
        return changed.describe(history, reading)
    except Exception as error:
        if not overridden():
            raise
        return f"the history cannot be shown: {type(error).__name__}: {error}"


def _verdicts(
    subject: Subject, reading: str, by: Judging, *, ruled: bool
) -> LawVerdicts | AdapterVerdicts:
    """Return the answers of an adapter, or the verdicts of the laws if none is given."""
    if by.adapter is not None:
        return AdapterVerdicts.of(subject, reading, by.adapter, by)
    try:
        changed, history = now(subject.system, subject.history)
        if by.laws_by == "oracle" and not why_not(subject.system.name, reading):
            found = compared(subject.system.name, history, reading)
        else:
            found = changed.histories.examine(history, reading)
    except Exception as error:
        if not ruled and not subject.is_kept:  # a history may be kept for this exception
            raise
        found = crashed(error)
    return LawVerdicts(subject, reading, found, ruled)
