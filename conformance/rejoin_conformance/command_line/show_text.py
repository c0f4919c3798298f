"""Subjects, questions, answers and steps as text for a terminal."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby, zip_longest
from typing import Final, TypeAlias

from rejoin_conformance.command_line.show_sides import Played, differs, parting_step
from rejoin_conformance.command_line.show_subjects import Subject
from rejoin_conformance.contract.step_text import StepText, grouped
from rejoin_conformance.corpus.showing import Answer, Question, definitions_in
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.dag_drawing import Drawing
from rejoin_conformance.kit.folding import folded
from rejoin_conformance.kit.json_types import canonical_json
from rejoin_conformance.kit.line_marks import line_marks
from rejoin_conformance.kit.untrusted import shown, shown_line

_NARROWEST: Final = 60
_WIDEST: Final = 160
_USUAL: Final = 80
_LONGEST: Final = 16_000
"""The number of characters to print of one text."""
_MOST_STEPS: Final = 500
_LONGEST_STEP: Final = 2_000
"""The number of steps to print, and the number of characters of each."""
_MARGIN: Final = "  "
_BETWEEN: Final = " | "
_NEXT_TO: Final = 3
"""The number of equal steps to print before and after different ones."""


def width_of_terminal() -> int:
    """Return the number of columns to fill: those of the terminal, or 80 without one."""
    columns = shutil.get_terminal_size((_USUAL, 24)).columns
    return max(_NARROWEST, min(_WIDEST, columns))


def block(text: str, width: int) -> list[str]:
    """Return the lines of a text with a margin, folded and cut if it is long."""
    cut = shown(text, _LONGEST)
    return [f"{_MARGIN}{line}".rstrip() for line in folded(cut, width - len(_MARGIN))]


def heading_of(question: Question, width: int) -> list[str]:
    """Return the title of a question, its summary and its clauses."""
    lines = [question.title]
    lines += folded(question.summary, width, "") if question.summary else []
    if question.vector is not None:
        lines += folded(" ".join(question.vector.clauses), width, "")
    return lines


def drawing_of(drawings: Sequence[Drawing], width: int) -> list[str]:
    """Return drawings as lines, each under its title, cut at the width; none without drawings."""
    lines: list[str] = []
    for each in drawings:
        lines += ["", *([each.title] if each.title else [])]
        lines += [shown_line(f"{_MARGIN}{line}")[:width] for line in each.text().splitlines()]
    return lines


def steps_of(answer: Answer, width: int) -> list[str]:
    """Return the steps of an answer, each with its clause on the right, or why there are none."""
    if answer.steps is None:
        return ["steps: not listed, because the input is too long"]
    if not answer.texts:
        return [f"steps [{answer.reading}]: none"]
    lines = [f"steps [{answer.reading}]", *_listed(answer.texts[:_MOST_STEPS], width)]
    more = len(answer.texts) - _MOST_STEPS
    if more > 0:
        lines.append(f"{_MARGIN}... {counted(more, 'further step')}; --json prints all of them")
    return lines


def _listed(steps: Sequence[StepText], width: int) -> Iterator[str]:
    for under, group in grouped(steps):
        margin = _MARGIN
        if under:
            yield f"{margin}{under}"
            margin += _MARGIN
        for step in group:
            yield from _with_clause(step, margin, width)


def _with_clause(step: StepText, margin: str, width: int) -> Iterator[str]:
    *lines, last = folded(f"{margin}{shown_line(step.text, _LONGEST_STEP)}", width)
    yield from lines
    room = width - len(last) - len(step.clause)
    if room >= 2:
        yield f"{last}{' ' * room}{step.clause}"
    else:
        yield last
        yield step.clause.rjust(width)


def compared(
    question: Question, one: Answer, other: Answer, left: Played, right: Played, width: int
) -> list[str]:
    """Return the answers of two sides: once if they are equal, else with the lines of each side.

    Steps are not compared here.
    """
    if not differs(one, other) or (question.operation.steps_of and one.text == other.text):
        return block(one.text, width)
    if one.text == other.text:
        results = canonical_json(one.result), canonical_json(other.result)
        lines = compared_texts(results[0], results[1], left, right, width)
        return [*block(one.text, width), "", *lines]
    return compared_texts(one.text, other.text, left, right, width)


def compared_texts(one: str, other: str, left: Played, right: Played, width: int) -> list[str]:
    """Return two texts as one: the lines that both have, and the lines of each side, marked."""
    names = (left.side.name, right.side.name)
    longest = max(map(len, names))
    lines: list[str] = []

    def add(name: str, line: str) -> None:
        said = folded(line, width - longest - len(_MARGIN))
        lines.extend(f"{name:<{longest}}{_MARGIN}{part}".rstrip() for part in said)

    rest = [[*side] for side in line_marks(shown(one, _LONGEST), shown(other, _LONGEST))]
    while any(rest):
        for name, side in zip(names, rest, strict=True):
            while side and side[0][0]:
                add(name, side.pop(0)[1])
        if all(rest):
            add("", rest[0].pop(0)[1])
            rest[1].pop(0)
    return lines


def compared_steps(
    one: Answer, other: Answer, left: Played, right: Played, width: int, *, every: bool
) -> list[str]:
    """Return the steps of two sides: equal ones once, different ones side by side.

    The first step at which the sides part is marked with `>`. every: whether to print all equal
    steps, and not only those next to different ones.
    """
    place = parting_step(one, other)
    if place is None:
        listed = _listed(one.texts, width) if every else ()
        return ["steps: the same on both sides", *listed]
    lines = [f"steps: the sides part at step {place + 1}"]
    lines += _equal(one.texts[:place], width, every=every)
    lines += _row(left.side.name, right.side.name, width)
    marked = False
    for same, pairs in groupby(_aligned(one.texts[place:], other.texts[place:]), _is_equal):
        if same:
            lines += _equal([each for each, _ in pairs if each is not None], width, every=every)
            continue
        for a, b in pairs:
            lines += _row(_on_a_line(a), _on_a_line(b), width, mark=not marked)
            marked = True
    return lines


def _equal(steps: Sequence[StepText], width: int, *, every: bool) -> list[str]:
    """Return equal steps of both sides. every: whether to print all of a long row."""
    left_out = 0 if every else max(0, len(steps) - 2 * _NEXT_TO)
    if not left_out:
        return [*_listed(steps, width)]
    first, last = _listed(steps[:_NEXT_TO], width), _listed(steps[-_NEXT_TO:], width)
    return [*first, f"{_MARGIN}... {counted(left_out, 'equal step')} ...", *last]


Pair: TypeAlias = tuple[StepText | None, StepText | None]
"""A step of each side; None if a side lacks it."""


def _is_equal(pair: Pair) -> bool:
    return _on_a_line(pair[0]) == _on_a_line(pair[1])


def _aligned(left: Sequence[StepText], right: Sequence[StepText]) -> Iterator[Pair]:
    """Yield the steps of both sides, equal ones in pairs."""
    one, other = ([_on_a_line(each) for each in side] for side in (left, right))
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    for _, begin, end, begin_other, end_other in matcher.get_opcodes():
        yield from zip_longest(left[begin:end], right[begin_other:end_other])


def _placed(step: StepText) -> str:
    return f"{step.under}: {step.text}" if step.under else step.text


def _on_a_line(step: StepText | None) -> str:
    return "" if step is None else f"{_placed(step)} ({step.clause})"


def _row(one: str, other: str, width: int, *, mark: bool = False) -> Iterator[str]:
    """Yield the lines of two texts side by side."""
    column = (width - len(_MARGIN) - len(_BETWEEN)) // 2
    sides = zip_longest(folded(one, column), folded(other, column), fillvalue="")
    for number, (left, right) in enumerate(sides):
        margin = "> " if mark and not number else _MARGIN
        yield f"{margin}{left:<{column}}{_BETWEEN}{right}".rstrip()


def verdict(left: Played, right: Played) -> str:
    """Return one line: how many answers differ between two sides."""
    pairs = [*zip(left.answers, right.answers, strict=True)]
    differing = sum(differs(one, other) for one, other in pairs)
    parting = sum(
        not differs(one, other) and parting_step(one, other) is not None for one, other in pairs
    )
    also = f"; equal answers with different steps: {parting:,}" if parting else ""
    sides = f"{left.side.name} and {right.side.name}"
    return f"answers that differ between {sides}: {differing:,} of {len(pairs):,}{also}"


def definitions_of(subject: Subject, answers: Iterable[Answer], width: int) -> list[str]:
    """Return the lines that define the names in some answers and in their steps."""
    texts = [text for each in answers for text in (each.text, *(step.text for step in each.texts))]
    lines = definitions_in(subject.names, texts)
    return ["", *block("\n".join(lines), width)] if lines else []
