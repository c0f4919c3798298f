"""The text notation of config merge: data and diffs, messages by name, clients and their steps.

`statements` splits text, and `data` reads and writes data and diffs. `messages` reads definitions
of messages and `sheet` writes them. `clients` reads scenarios and `client_texts` writes them;
`questions` and `question_texts` do the same for all other operations. `history` reads and writes
random histories, and `steps` writes the steps of a resolution.

`drafts.by_hand` encodes the text, not the reference. Only the writing of scenarios uses the
reference, to compute the messages of the clients.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Final

from attrs import evolve

from rejoin import config_merge as cm
from rejoin_conformance.contract.notation import Example, Notation, SharedNames
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.phrases import END_OF_TEXT, NotationError
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.config_merge import READINGS
from rejoin_conformance.systems.config_merge.notation.body import Body
from rejoin_conformance.systems.config_merge.notation.client_texts import write_scenario
from rejoin_conformance.systems.config_merge.notation.clients import (
    FIRST_WORD,
    OPERATION,
    is_scenario,
    read_scenario,
)
from rejoin_conformance.systems.config_merge.notation.history import parse_history, render_history
from rejoin_conformance.systems.config_merge.notation.question_texts import (
    sheet_of,
    write_answer,
    write_question,
    write_with_names,
)
from rejoin_conformance.systems.config_merge.notation.questions import OPERATIONS, read_question
from rejoin_conformance.systems.config_merge.notation.sheet import UnsayableError
from rejoin_conformance.systems.config_merge.notation.statements import Reader
from rejoin_conformance.systems.config_merge.notation.steps import step_writer


def parse(lines: Sequence[str]) -> Example:
    """Return the question on these lines, with its answer in the default reading."""
    return _question(tuple(lines)) or read_scenario(Body.of(lines), cm.DOCUMENT)


def answer(body: Sequence[str], instead: Sequence[str], reading: cm.Reading) -> JsonObject | None:
    """Return the answer that a body states for a reading.

    instead: the lines for this reading alone: the definitions and answers that differ, or the whole
    body of a scenario, because all messages differ after the first different one.
    """
    question = None if instead else _question(tuple(body))
    if question is not None:
        return question.output
    stated = Body.of(body)
    whole_body = Body.of(instead, len(body)) if is_scenario(instead) else None
    if whole_body is None:
        stated.answer_instead(instead)
        return _example(stated, reading).output
    example = read_scenario(whole_body, reading)
    if example.input != _example(stated, reading).input:
        raise NotationError(len(body) + 1, "the same clients and steps", instead[0])
    return example.output


def _example(body: Body, reading: cm.Reading) -> Example:
    return read_scenario(body, reading) if _begins_scenario(body) else read_question(body)


@lru_cache(maxsize=1)
def _question(lines: tuple[str, ...]) -> Example | None:
    """Return the example of a body, which is the same in every reading; None for a scenario."""
    body = Body.of(lines)
    return None if _begins_scenario(body) else read_question(body)


def _begins_scenario(body: Body) -> bool:
    return Reader(body.said[0].question).sees(FIRST_WORD)


def render(example: Example) -> str | None:
    """Return the text of an example, or None if the notation cannot express it.

    If only the reading `libsession` gives the output of a scenario, the text is for that reading.
    """
    if example.operation == OPERATION:
        return _scenario_in_any_reading(example)
    try:
        text = write_question(example)
        same = parse(text.split("\n")) == example
    except (UnsayableError, NotationError):
        return None
    return text if same else None


def parse_output(lines: Sequence[str], example: Example) -> JsonObject:
    """Return the answer on these lines, which name messages as `render` names them."""
    asked = render(evolve(example, output=None))
    output = None if asked is None else answer(asked.split("\n"), lines, cm.DOCUMENT)
    if output is None:
        raise NotationError(1, "`=` and an answer", END_OF_TEXT)
    return output


def render_output(example: Example, output: JsonObject) -> str | None:
    """Return the text of another answer, or None if the notation cannot express it."""
    asked = evolve(example, output=output)
    if example.operation == OPERATION:
        return _scenario_in_any_reading(asked)
    try:
        return write_answer(asked) if render(asked) is not None else None
    except UnsayableError:
        return None


def _scenario_in_any_reading(example: Example) -> str | None:
    """Return a scenario with the answer of the first reading that gives it; None if none does."""
    for reading in READINGS.named.values():
        try:
            text = write_scenario(example, reading)
            same = _example(Body.of(text.split("\n")), reading) == example
        except (UnsayableError, NotationError):
            continue
        if same:
            return text
    return None


def sharing(example: Example, names: Sequence[str]) -> SharedNames:
    """Return the names of the messages of a question, for other questions about them."""
    sheet, messages = sheet_of(example.input)
    known = dict(zip(messages, names or map(sheet.name, messages), strict=True))
    sheet, _ = sheet_of(example.input, known)

    def render_with_names(other: Example) -> str | None:
        try:
            return write_with_names(other, known)
        except UnsayableError:
            return None

    return SharedNames(
        definitions={line.partition(":")[0]: line for line in sheet.definitions()},
        render=render_with_names,
        step_writer=partial(step_writer, known=known),
    )


NOTATION: Final = Notation(
    operations=(*OPERATIONS, OPERATION),
    parse=parse,
    render=render,
    parse_output=parse_output,
    render_output=render_output,
    parse_history=parse_history,
    render_history=render_history,
    answer=under(READINGS, answer),
    step_writer=step_writer,
    sharing=sharing,
)
"""The notation of config merge."""
