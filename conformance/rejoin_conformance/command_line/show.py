"""`rejoin show`: decoded values, drawings and steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click
from attrs import frozen

from rejoin_conformance.command_line.choices import chosen_side, json_option, timeout_option
from rejoin_conformance.command_line.console import NOT_CONFORMANT, print_json
from rejoin_conformance.command_line.options import command
from rejoin_conformance.command_line.show_sides import Played, differs, parting_step, played
from rejoin_conformance.command_line.show_subjects import Subject, subjects_of
from rejoin_conformance.command_line.show_text import (
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
from rejoin_conformance.command_line.untried import end_if_untried, reach_block, reach_json
from rejoin_conformance.corpus.document_examples import document_examples
from rejoin_conformance.corpus.showing import Answer, Question, drawings_for
from rejoin_conformance.kit.document_text import document_text
from rejoin_conformance.kit.folding import folded
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.options import arg, opt
from rejoin_conformance.readings.in_force import Side
from rejoin_conformance.readings.reach import Reach


@frozen(kw_only=True)
class Show:
    """What to show, and in which readings."""

    subject: str | None = arg("[SUBJECT]", None)
    seed: int | None = opt("With a SYSTEM: seed of the campaign.", None)
    index: int | None = opt(
        "With a SYSTEM: index of the history in the campaign.", None, least=0, shown="0"
    )
    profile: str | None = opt("With a SYSTEM: profile of the histories.", None, shown="default")
    adapter: str | None = opt(
        "With a SYSTEM: command line of an adapter to ask the calls of the history.",
        None,
        metavar="CMD",
        shown="check the laws",
    )
    timeout: int = timeout_option()
    steps: bool = opt("Print each step on the way to an answer.", default=False)
    reading: str | None = opt(
        "Reading or rule file to answer in.",
        None,
        metavar="READING",
        shown="the system's default reading",
    )
    against: str | None = opt(
        "Reading or rule file to compare with.", None, metavar="READING", shown="compare nothing"
    )
    listed: bool = opt("List the documents' examples and stop.", default=False, name="list")
    as_json: bool = json_option()


@command(Show, "show")
def show(options: Show) -> int:
    """Show a vector, a history or an example, step by step.

    A SUBJECT is the ID of a vector, a file of vectors or histories (such as one from `rejoin
    fuzz`), a SYSTEM with --seed and --index of a random history, or the name of an example of a
    source document. Without SUBJECT, the command lists the documents' examples.

    The command prints the values in the system's notation (docs/notation.md), and a drawing of the
    history or graph. The reference computes the answers. With --steps, it also prints each step
    with the clause that it follows (docs/steps.md). For a history, these are the steps of each call
    that it makes, after the verdicts of the laws. With --adapter, the command prints the calls on
    which the adapter's answer differs from the reference's instead of the laws.

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
      rejoin show config-merge --seed 1 --index 7 --adapter './my-port'

    \b
    Exit codes:
      0  shown             1  a random history breaks a claimed law, or an answer differs
      2  wrong usage       3  an overridden function was not called
                           4  the adapter cannot be used
    """
    given = (options.seed, options.index, options.profile, options.reading, options.against)
    if options.subject is None and (options.steps or any(each is not None for each in given)):
        raise click.UsageError("name a SUBJECT; list the examples with: rejoin show --list")
    if options.subject is None or options.listed:
        _list(as_json=options.as_json)
        return 0
    found = subjects_of(options.subject, options.seed, options.index, options.profile)
    system = found[0].system
    if options.adapter is not None and (found[0].played is None or found[0].is_kept):
        raise click.UsageError("--adapter is for random histories; to run vectors: rejoin run")
    a = Side(found[0].reading) if options.reading is None else chosen_side(system, options.reading)
    b = None if options.against is None else chosen_side(system, options.against)
    if a == b:
        raise click.UsageError(f"{a.name} and {a.name} are the same reading")
    shown: list[Json] = []
    of_a: dict[str, Reach] = {}
    of_b: dict[str, Reach] = {}
    failed = False
    for number, each in enumerate(found):
        own = Side(each.reading) if options.reading is None else a
        left = _first_side(each, own, of_a, options)
        right = None
        if b is not None:
            right = played(each, b, of_b, with_steps=True, questions=left.questions)
        if left.verdicts is not None and not each.is_kept:
            failed = failed or left.verdicts.failed
        if options.as_json:
            shown.append(_json(each, left, right))
            continue
        lines = (
            _of_one(each, left, with_steps=options.steps)
            if right is None
            else _of_two(each, left, right, every=options.steps)
        )
        click.echo("\n".join([*([""] if number else []), *lines]))
    reached = of_a | of_b
    if options.as_json:
        overridden: JsonObject = {"overridden": reach_json(reached)} if reached else {}
        subject = options.subject
        print_json({"subject": subject, "system": system.name, "shown": shown, **overridden})
    elif reached:
        case = ("question", None) if found[0].history is None else ("history", "histories")
        click.echo(f"\n{document_text([reach_block(reached, *case)])}")
    for side, of_side in ((a, of_a), (b, of_b)):
        if side is not None:
            end_if_untried(of_side, side, system)
    return NOT_CONFORMANT if failed else 0


def _first_side(subject: Subject, side: Side, reached: dict[str, Reach], options: Show) -> Played:
    """Play a subject on the first side. The calls of a history are made only to show steps."""
    two = options.against is not None
    none = subject.history is not None and not options.steps and not two
    return played(
        subject,
        side,
        reached,
        with_steps=options.steps or two,
        questions=() if none else None,
        asked=None if two else (options.adapter, options.timeout),
    )


def _of_one(subject: Subject, side: Played, *, with_steps: bool) -> list[str]:
    """Return a subject in one reading as lines."""
    width = width_of_terminal()
    lines = _heading(subject, side.history, side.answers, width)
    if side.verdicts is not None:
        said = document_text([*side.verdicts.blocks()])
        lines += ["", said] if said else []
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
    histories = subject.system.histories
    return {
        "name": subject.name,
        "heading": [*subject.heading],
        "definitions": [] if subject.names is None else [*subject.names.definitions.values()],
        "history": [each.history for each in (left, right) if each is not None and each.history],
        "questions": asked,
        **({} if subject.played is None else {"events": histories.to_json(subject.played)}),
        **({} if left.verdicts is None else {"verdicts": left.verdicts.to_json()}),
    }


def _list(*, as_json: bool) -> None:
    examples = document_examples()
    if as_json:
        print_json([{"name": each.name, "title": each.example.title} for each in examples])
        return
    for each in examples:
        click.echo(f"{each.name}\n    {each.example.title} ({each.place})")
