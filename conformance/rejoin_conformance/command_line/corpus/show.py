"""`rejoin show`: decoded values, drawings and steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click

from rejoin_conformance.command_line.campaigns.reading_options import chosen_side
from rejoin_conformance.command_line.campaigns.untried import (
    end_if_untried,
    reach_json,
    reach_text,
)
from rejoin_conformance.command_line.console import print_json
from rejoin_conformance.command_line.corpus.show_sides import Played, differs, parting_step, played
from rejoin_conformance.command_line.corpus.show_subjects import Subject, subjects_of
from rejoin_conformance.command_line.corpus.show_text import (
    block,
    compared,
    compared_steps,
    compared_texts,
    definitions_of,
    drawing_of,
    heading_of,
    steps_of,
    verdict,
    width_of_terminal,
)
from rejoin_conformance.corpus.document_examples import document_examples
from rejoin_conformance.corpus.showing import Answer, Question, drawings_for
from rejoin_conformance.kit.folding import folded
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.readings.in_force import Side
from rejoin_conformance.readings.reach import Reach


@click.command()
@click.argument("subject", required=False)
@click.option("--seed", type=int, help="With a SYSTEM: seed of the campaign.")
@click.option(
    "--index",
    type=click.IntRange(min=0),
    help="With a SYSTEM: index of the history in the campaign.  [default: 0]",
)
@click.option("--profile", help="With a SYSTEM: profile of the histories.  [default: default]")
@click.option("--steps", is_flag=True, help="Print each step on the way to an answer.")
@click.option(
    "--reading",
    metavar="READING",
    help="Reading or rule file to answer in.  [default: the system's default reading]",
)
@click.option(
    "--against",
    metavar="READING",
    help="Reading or rule file to compare with.  [default: compare nothing]",
)
@click.option("--list", "listed", is_flag=True, help="List the documents' examples and stop.")
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON instead of text.")
def show(
    subject: str | None,
    seed: int | None,
    index: int | None,
    profile: str | None,
    reading: str | None,
    against: str | None,
    *,
    steps: bool,
    listed: bool,
    as_json: bool,
) -> None:
    """Show a vector, a history or an example, step by step.

    A SUBJECT is the ID of a vector, a file of vectors or histories (such as one from `rejoin
    shrink`), a SYSTEM with --seed and --index of a random history, or the name of an example of a
    source document. Without SUBJECT, the command lists the documents' examples.

    The command prints the values in the system's notation (docs/notation.md), and a drawing of the
    history or graph. The reference computes the answers. With --steps, it also prints each step
    with the clause that it follows (docs/steps.md). For a history, these are the steps of each call
    that it makes.

    With --against, the command answers in two readings, and prints the lines and steps that differ
    side by side. The mark > shows the first step at which they part. With --steps, it prints the
    equal steps as well. READING can be a rule file such as rule.py; see `rejoin compare --help`.
    Then the command also prints how often each overridden function was called, and how often its
    answer differed from the original's.

    \b
    Examples:
      rejoin show config-merge/worked-example --steps
      rejoin show config-merge/worked-example --against my_rule.py
      rejoin show history-merge/two-branches/picture-from-b --steps
      rejoin show conflict-detection --seed 1 --index 7

    \b
    Exit codes:
      0  shown      2  wrong usage      3  an overridden function was not called
    """
    chosen = (seed, index, profile, reading, against)
    if subject is None and (steps or any(each is not None for each in chosen)):
        raise click.UsageError("name a SUBJECT; list the examples with: rejoin show --list")
    if subject is None or listed:
        _list(as_json=as_json)
        return
    found = subjects_of(subject, seed, index, profile)
    system = found[0].system
    a = Side(found[0].reading) if reading is None else chosen_side(system, reading)
    b = None if against is None else chosen_side(system, against)
    if a == b:
        raise click.UsageError(f"{a.name} and {a.name} are the same reading")
    shown: list[Json] = []
    of_a: dict[str, Reach] = {}
    of_b: dict[str, Reach] = {}
    for number, each in enumerate(found):
        own = Side(each.reading) if reading is None else a
        left = _first_side(each, own, of_a, steps=steps, compared=b is not None)
        right = None
        if b is not None:
            right = played(each, b, of_b, with_steps=True, questions=left.questions)
        if as_json:
            shown.append(_json(each, left, right))
            continue
        lines = (
            _of_one(each, left, with_steps=steps)
            if right is None
            else _of_two(each, left, right, every=steps)
        )
        click.echo("\n".join([*([""] if number else []), *lines]))
    if as_json:
        overridden: JsonObject = {"overridden": reach_json(of_a | of_b)} if of_a | of_b else {}
        print_json({"subject": subject, "system": system.name, "shown": shown, **overridden})
    elif of_a | of_b:
        click.echo(f"\n{reach_text(of_a | of_b, 'question')}")
    for side, reached in ((a, of_a), (b, of_b)):
        if side is not None:
            end_if_untried(reached, side, system)


def _first_side(
    subject: Subject, side: Side, reached: dict[str, Reach], *, steps: bool, compared: bool
) -> Played:
    """Play a subject on the first side. The calls of a history are made only to show steps."""
    none = subject.history is not None and not steps and not compared
    return played(
        subject, side, reached, with_steps=steps or compared, questions=() if none else None
    )


def _of_one(subject: Subject, side: Played, *, with_steps: bool) -> list[str]:
    """Return a subject in one reading as lines."""
    width = width_of_terminal()
    lines = _heading(subject, side.history, side.answers, width)
    for question, answer in zip(side.questions, side.answers, strict=True):
        if subject.history is not None and not answer.texts:
            continue
        lines += [*([""] if lines else []), *heading_of(question, width), ""]
        lines += block(answer.text, width)
        lines += _drawing(subject, question, side, (), width)
        if answer.steps is not None or (with_steps and question.steps_operation is not None):
            lines += ["", *steps_of(answer, width)]
    return lines


def _of_two(subject: Subject, left: Played, right: Played, *, every: bool) -> list[str]:
    """Return a subject on two sides as lines."""
    width = width_of_terminal()
    both = left.history == right.history
    answers = (*left.answers, *right.answers)
    lines = _heading(subject, left.history if both else "", answers, width)
    if not both:
        lines += ["", *compared_texts(left.history, right.history, left, right, width)]
    for question, one, other in zip(left.questions, left.answers, right.answers, strict=True):
        same = not differs(one, other) and parting_step(one, other) is None
        if subject.history is not None and same:
            continue
        lines += [*([""] if lines else []), *heading_of(question, width), ""]
        lines += compared(question, one, other, left, right, width)
        lines += _drawing(subject, question, left, (one, other), width)
        if one.steps is not None and (every or not same):
            lines += ["", *compared_steps(one, other, left, right, width, every=every)]
    return [*lines, "", verdict(left, right)]


def _heading(subject: Subject, history: str, answers: Iterable[Answer], width: int) -> list[str]:
    lines = [line for each in subject.heading for line in folded(each, width)]
    lines += ["", history] if history else []
    if subject.whole is not None:
        drawn = drawings_for(subject.whole, subject.reading, names=subject.drawn_names)
        lines += drawing_of(drawn, width)
    return [*lines, *definitions_of(subject, answers, width)]


def _drawing(
    subject: Subject, question: Question, side: Played, answers: Sequence[Answer], width: int
) -> list[str]:
    """Return the drawing of a question, unless the subject is drawn as a whole."""
    if subject.whole is not None or subject.history is not None:
        return []
    return drawing_of(drawings_for(question, side.drawn_in(subject), answers), width)


def _json(subject: Subject, left: Played, right: Played | None) -> JsonObject:
    """Return a subject as data."""
    asked: list[Json] = []
    for number, question in enumerate(left.questions):
        answers = [left.answers[number], *([] if right is None else [right.answers[number]])]
        entry: JsonObject = {
            "title": question.title,
            "summary": question.summary,
            "operation": question.operation.name,
            "input": question.input,
            "drawings": [
                {"title": each.title, "text": each.text()}
                for each in drawings_for(question, left.drawn_in(subject), answers)
            ],
            "answers": [each.to_json() for each in answers],
        }
        if right is not None:
            entry["differ"] = differs(*answers)
            entry["first_parting_step"] = parting_step(*answers)
        asked.append(entry)
    return {
        "name": subject.name,
        "heading": [*subject.heading],
        "definitions": [] if subject.names is None else [*subject.names.definitions.values()],
        "history": [each.history for each in (left, right) if each is not None and each.history],
        "questions": asked,
    }


def _list(*, as_json: bool) -> None:
    examples = document_examples()
    if as_json:
        print_json([{"name": each.name, "title": each.example.title} for each in examples])
        return
    for each in examples:
        click.echo(f"{each.name}\n    {each.example.title} ({each.place})")
