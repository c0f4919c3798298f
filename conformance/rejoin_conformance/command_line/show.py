"""`rejoin show`: decoded values, drawings and steps."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

import click
from attrs import asdict, frozen

from rejoin_conformance.adapters.limits import LONGEST
from rejoin_conformance.campaigns.adapter_block import fate_of
from rejoin_conformance.campaigns.block import Quarantined
from rejoin_conformance.campaigns.plan import (
    HISTORY_TIMEOUT,
    LEAST_SEED,
    MOST_HISTORIES,
    MOST_SEED,
    Bounds,
    Plan,
    known_side,
)
from rejoin_conformance.command_line.choices import reading_option
from rejoin_conformance.command_line.console import Out, print_json
from rejoin_conformance.command_line.options import command
from rejoin_conformance.command_line.show_played import Judging, Played, differs, played
from rejoin_conformance.command_line.show_subjects import Subject, subjects_of
from rejoin_conformance.command_line.untried import count_untried, reach_block, reach_json
from rejoin_conformance.contract.asked_text import StepText, grouped
from rejoin_conformance.contract.explanation import explain_json
from rejoin_conformance.contract.system import System
from rejoin_conformance.corpus.document_examples import document_examples
from rejoin_conformance.corpus.showing import (
    Answer,
    Question,
    definitions_in,
    drawings_for,
    parting_step,
)
from rejoin_conformance.kit.document import Block, Code, Fold, Text
from rejoin_conformance.kit.document_text import document_text
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.judged import Judged
from rejoin_conformance.kit.options import arg, opt
from rejoin_conformance.kit.text import around_marks, merged, shown_line
from rejoin_conformance.readings.in_force import Side
from rejoin_conformance.readings.reach import Reach

_LONGEST: Final = 2_000
"""The number of characters of one step that are printed."""
_FURTHER: Final = "\0    "
"""What stands for the line feed in a wrapped statement while whole statements are compared."""
_WIDTHS: Final = (60, 80, 160)
"""The smallest number of columns to fill, the usual one, and the largest."""


@frozen(kw_only=True)
class Show:
    """What to show, and in which readings."""

    subject: str | None = arg("[SUBJECT]", None)
    seed: int | None = opt(
        "With a SYSTEM: seed of the campaign.",
        None,
        metavar="N",
        least=LEAST_SEED,
        most=MOST_SEED,
    )
    index: int | None = opt(
        "With a SYSTEM: index of the history in the campaign.",
        None,
        least=0,
        most=MOST_HISTORIES - 1,
        shown="0",
    )
    profile: str | None = opt("With a SYSTEM: profile of the histories.", None, shown="default")
    judging: Judging
    history_timeout: int = opt(
        "With a SYSTEM: seconds that the history may take.", HISTORY_TIMEOUT, least=1, most=LONGEST
    )
    max_memory: int = opt(
        "With a SYSTEM: GiB of memory that the history may take; 0 for no limit.",
        Bounds().max_memory,
        metavar="GIB",
        least=0,
        most=LONGEST,
    )
    steps: bool = opt("Print each step on the way to an answer.", default=False)
    reading: str | None = reading_option("Reading or rule file to answer in.")
    against: str | None = opt(
        "Reading or rule file to compare with.", None, metavar="READING", shown="compare nothing"
    )
    listed: bool = opt("List the documents' examples and stop.", default=False, name="list")
    out: Out


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

    With --against, the command answers in two readings. It prints the lines and steps that differ
    after the name of their reading, and says at which step the two part. With --steps, it prints
    all equal steps as well. READING can be a rule file; see `rejoin compare --help`.

    \b
    Examples:
      rejoin show config-merge/worked-example --steps
      rejoin show config-merge/worked-example --against my_rule.py
      rejoin show history-merge/two-branches/picture-from-b --steps
      rejoin show conflict-detection --seed 1 --index 7
      rejoin show config-merge --seed 1 --index 7 --adapter './my-port'
    """
    given = (options.seed, options.index, options.profile, options.reading, options.against)
    if options.subject is None and (options.steps or any(each is not None for each in given)):
        raise click.UsageError("name a SUBJECT; list the examples with: rejoin show --list")
    if options.subject is None or options.listed:
        _list(as_json=options.out.as_json)
        return 0
    found = subjects_of(options.subject, options.seed, options.index, options.profile)
    first, system = found[0], found[0].system
    is_random = first.history is not None and not first.is_kept
    if options.judging.adapter is not None and not is_random:
        raise click.UsageError("--adapter is for random histories; to run vectors: rejoin run")
    a = Side(first.reading) if options.reading is None else known_side(system, options.reading)
    b = None if options.against is None else known_side(system, options.against)
    if a == b:
        raise click.UsageError(f"{a.name} and {a.name} are the same reading")
    for side in (a, b) if is_random else ():
        fate = None if side is None else _fate(options, side, system)
        if fate is not None:
            options.out.tell(
                partial(dict, subject=options.subject, quarantined=asdict(fate)),
                partial(_quarantined, first, fate),
            )
            return Judged(asked=1, broken=1).exit_code
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
        failed = failed or (not each.is_kept and left.verdicts is not None and left.verdicts.failed)
        if options.out.as_json:
            shown.append(_json(each, left, right))
        else:
            click.echo("\n" * bool(number), nl=False)
            _print([*subject_blocks(each, left, right, every=options.steps)])
    reached = of_a | of_b
    if options.out.as_json:
        overridden: JsonObject = {"overridden": reach_json(reached)} if reached else {}
        subject = options.subject
        print_json({"subject": subject, "system": system.name, "shown": shown, **overridden})
    elif reached:
        case = ("question", None) if found[0].history is None else ("history", "histories")
        click.echo(f"\n{document_text([reach_block(reached, *case)])}")
    sides = ((side, of_side) for side, of_side in ((a, of_a), (b, of_b)) if side is not None)
    untried = sum(count_untried(of_side, side, system) for side, of_side in sides)
    return Judged(asked=1, left_out=untried, broken=int(failed)).exit_code


def _fate(options: Show, side: Side, system: System) -> Quarantined | None:
    """Return why the random history of a system cannot run in this process, or None if it can."""
    assert options.seed is not None
    index = options.index or 0
    plan = Plan(
        system=system.name,
        profile=options.profile or "default",
        readings=(side.name,),
        seed=options.seed,
        histories=index + 1,
        rule=None if side.rule is None else side.rule.source,
        adapter=options.judging.adapter,
        timeout=options.judging.timeout,
        bounds=Bounds(history_timeout=options.history_timeout, max_memory=options.max_memory),
    )
    return fate_of(plan, index)


def _quarantined(subject: Subject, fate: Quarantined) -> Iterator[Block]:
    yield from map(Text, subject.heading)
    history = subject.system.in_one_text(subject.history, subject.reading)
    yield Fold("the history", [Code(history)])
    yield Text(f"this history is quarantined: {fate.reason}: {fate.detail}")


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
        judging=None if two else options.judging,
    )


def _print(blocks: Sequence[Block]) -> None:
    """Print a document, folded to the width of the terminal, or to 80 columns without one."""
    least, usual, most = _WIDTHS
    columns = shutil.get_terminal_size((usual, 24)).columns
    click.echo(document_text(blocks, max(least, min(most, columns))))


def subject_blocks(
    subject: Subject, left: Played, right: Played | None, *, every: bool
) -> Iterator[Block]:
    """Yield a subject on one side or on two. every: whether to show all steps."""
    yield from map(Text, subject.heading)
    if right is not None and left.history != right.history:
        names = (left.side.name, right.side.name)
        yield _compared(left.history, right.history, names, every=True)
    elif left.history:
        yield Fold("the history", [Code(left.history)])
    if subject.whole is not None:
        yield from drawings_for(subject.whole, subject.reading)
    both = [*left.answers, *(right.answers if right is not None else ())]
    texts = [text for each in both for text in (each.text, *(step.text for step in each.texts))]
    definitions = definitions_in(subject.names, texts)
    if definitions:
        yield Code("\n".join(definitions))
    if left.verdicts is not None:
        yield from left.verdicts.blocks()
    others = [None] * len(left.answers) if right is None else right.answers
    for question, one, other in zip(left.questions, left.answers, others, strict=True):
        if subject.history is None or _is_told(one, other):
            yield _question(subject, question, one, other, left, every=every)
    if right is not None:
        yield Text(_verdict(left, right))


def _is_told(one: Answer, other: Answer | None) -> bool:
    """Return whether a call of a history is shown: it has steps, or two sides differ on it."""
    if other is None:
        return bool(one.texts)
    return differs(one, other) or parting_step(one, other) is not None


def _question(
    subject: Subject,
    question: Question,
    one: Answer,
    other: Answer | None,
    left: Played,
    *,
    every: bool,
) -> Fold:
    """Return a question with its answers, its drawing and its steps."""
    clauses = "" if question.vector is None else " ".join(question.vector.clauses)
    listed: list[Block] = [Text(each) for each in (question.summary, clauses) if each]
    answers = [one] if other is None else [one, other]
    listed += _answered(question, *answers)
    if subject.whole is None and subject.history is None:
        listed += drawings_for(question, left.drawn_in(subject), answers[: 2 * (len(answers) - 1)])
    if other is not None:
        listed += _compared_steps(one, other, every=every)
    elif one.steps is not None:
        lines = [Code(_steps(one.texts))] if one.texts else [Text("none")]
        listed.append(Fold(f"steps [{one.reading}]", lines))
    if every and one.steps is None and not question.operation.steps_of:
        long, no = "not listed, because the input is too long", "the operation has none"
        listed.append(Text(f"steps: {no if question.steps_operation is None else long}"))
    return Fold(question.title, listed)


def _answered(question: Question, one: Answer, other: Answer | None = None) -> Iterator[Block]:
    """Yield the answers: once if they are equal, else with the lines of each side."""
    if other is not None and one.text != other.text:
        left, right = (each.text.replace("\n    ", _FURTHER) for each in (one, other))
        yield _compared(left, right, (one.reading, other.reading), every=True)
        return
    yield Code(one.text)
    if other is not None and differs(one, other) and not question.operation.steps_of:
        ours, theirs = (each.result.get("output", each.result) for each in (one, other))
        yield Code(explain_json(ours, theirs, (one.reading, other.reading)))


def _compared_steps(one: Answer, other: Answer, *, every: bool) -> Iterator[Block]:
    """Yield the steps of two sides as one. every: whether to show equal steps far from others."""
    place = parting_step(one, other)
    if place is not None:
        texts = _steps(one.texts), _steps(other.texts)
        steps = _compared(*texts, (one.reading, other.reading), every=every)
        yield Fold(f"steps: the sides part at step {place + 1}", [steps])
    elif one.steps is not None:
        lines = [Code(_steps(one.texts))] if every else []
        yield Fold("steps: the same on both sides", lines)


def _compared(one: str, other: str, names: tuple[str, str], *, every: bool) -> Code:
    lines, margin = merged(one, other, names), " " * (max(map(len, names)) + 2)
    said = "\n".join(line for _, line in (lines if every else around_marks(lines)))
    return Code(said.replace(_FURTHER, f"\n{margin}    "))


def _steps(steps: Sequence[StepText]) -> str:
    """Return steps as text, a line for each, under the headings that they share."""
    lines: list[str] = []
    for under, group in grouped(steps):
        margin = "  " if under else ""
        lines += [under] if under else []
        lines += [f"{margin}{shown_line(each.text, _LONGEST)}  ({each.clause})" for each in group]
    return "\n".join(lines)


def _verdict(left: Played, right: Played) -> str:
    """Return one line: how many answers differ between two sides."""
    pairs = [*zip(left.answers, right.answers, strict=True)]
    differing = sum(differs(one, other) for one, other in pairs)
    parting = sum(
        not differs(one, other) and parting_step(one, other) is not None for one, other in pairs
    )
    also = f"; equal answers with different steps: {parting:,}" if parting else ""
    sides = f"{left.side.name} and {right.side.name}"
    return f"answers that differ between {sides}: {differing:,} of {len(pairs):,}{also}"


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
        **({} if subject.history is None else {"events": histories.to_json(subject.history)}),
        **({} if left.verdicts is None else {"verdicts": left.verdicts.to_json()}),
    }


def _list(*, as_json: bool) -> None:
    examples = document_examples()
    if as_json:
        print_json([{"name": each.name, "title": each.example.title} for each in examples])
        return
    for each in examples:
        click.echo(f"{each.name}\n    {each.example.title} ({each.place})")
