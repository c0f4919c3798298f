"""Play a subject on one side: in a reading, or under a rule file."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import field, frozen

from rejoin_conformance.command_line.choices import in_force
from rejoin_conformance.command_line.show_history import Answers, LawVerdicts, verdicts
from rejoin_conformance.command_line.show_subjects import Subject
from rejoin_conformance.contract.step import first_parting
from rejoin_conformance.corpus.showing import Answer, Question, answer_of
from rejoin_conformance.kit.json_types import JsonObject, canonical_json
from rejoin_conformance.readings.in_force import Side
from rejoin_conformance.readings.overriding import overridden
from rejoin_conformance.readings.reach import Reach, one_case


@frozen(kw_only=True)
class Played:
    """A subject on one side.

    history: the history as text, or empty. verdicts: those on the history, or None. questions,
    answers: in the same order.
    """

    side: Side
    history: str
    verdicts: LawVerdicts | Answers | None
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
    asked: tuple[str | None, int] | None = None,
) -> Played:
    """Return the answers to the questions of a subject on a side.

    reached: where to count the calls of the functions that the side overrides. questions: the
    questions to ask; None for those that the subject has on this side. The calls of a history
    differ between sides, so the second side answers the questions of the first one. asked: an
    adapter, or None to check the laws, and its timeout; None to give no verdict on a history.
    """
    with in_force(side, subject.system) as reading:
        for name in overridden():
            reached.setdefault(name, Reach())
        with one_case(reached):
            history = _history(subject, reading)
        judged = None
        if asked is not None and subject.history is not None:
            with one_case(reached):
                judged = verdicts(subject, reading, asked, ruled=side.rule is not None)
        listed = subject.questions(reading) if questions is None else questions
        answers: list[Answer] = []
        for each in listed:
            with one_case(reached):
                answers.append(
                    answer_of(
                        each,
                        reading,
                        shown_as=side.name,
                        names=subject.names,
                        with_steps=with_steps,
                    )
                )
    return Played(
        side=side,
        history=history,
        verdicts=judged,
        questions=tuple(listed),
        answers=tuple(answers),
    )


def _history(subject: Subject, reading: str) -> str:
    """Return the history as text. Under a rule file, an exception is not an error of the suite."""
    if subject.history is None:
        return ""
    try:
        return subject.history(reading)
    except Exception as error:
        if not overridden():
            raise
        return f"the history cannot be shown: {type(error).__name__}: {error}"


def differs(left: Answer, right: Answer) -> bool:
    """Return whether the results of two sides differ."""
    return canonical_json(left.result) != canonical_json(right.result)


def parting_step(left: Answer, right: Answer) -> int | None:
    """Return the index of the first step at which two sides part, or None if none does."""
    if left.steps is None or right.steps is None:
        return None
    one: JsonObject = {"steps": [*left.steps]}
    other: JsonObject = {"steps": [*right.steps]}
    return first_parting(one, other)
