"""The text notation of config merge: data and diffs, messages by name, clients and their steps.

    diff {k: 1} -> {k: 2} = {=k}
    apply {=k} to {k: 1}, source {k: 2} = {k: 2}
    update 10 to {k: 2} = diff {=k}
    resolve 11a 11b = merge {a: 1, b: 1, k: 1}
    resolve 10 11a, window 3 = 11a, ignoring included 10
    parse 7 {k: 1} diff {=k} = as given
    sign 7 {k: 1}, signing key alice = signed by alice
    verify 10, verify key alice = false
    decode "li1ee" = [1]
    encrypt "hello", key example = sealed

    recipe decode
      {"encoded": {"$hex": {"$join": ["l", {"$repeat": 99, "$of": "i<i>e"}, "e"]}}}
    = {"value": {"list": [{"$repeat": 99, "$of": {"int": "<i>"}}]}}

The message that an update makes comes after all messages that it updates, and has their data
changed as the question says; a merge comes after the messages that are not ignored. An answer can
state more: `= merge {k: 1} unknown {}`, or the whole message. `sealed` is the stored form of the
reading.

A question is a row of `operations`; this module has the answers that a row cannot say. The text is
encoded by `by_hand`, not by the reference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, Final, TypeAlias

from attrs import evolve

from rejoin import config_merge as cm
from rejoin_conformance.contract.drafting import RECIPE, read_recipe
from rejoin_conformance.contract.notation import Example, Notation, SharedNames
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.phrases import END_OF_TEXT, NotationError
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.config_merge import READINGS, scenario_text
from rejoin_conformance.systems.config_merge.answers import READ, WRITE
from rejoin_conformance.systems.config_merge.body import QUESTION, Body, Said
from rejoin_conformance.systems.config_merge.bytes_text import read_integer
from rejoin_conformance.systems.config_merge.data_text import wrapped
from rejoin_conformance.systems.config_merge.history_text import parse_history, render_history
from rejoin_conformance.systems.config_merge.message_text import Sheet, UnsayableError
from rejoin_conformance.systems.config_merge.messages import DEFAULT_WINDOW
from rejoin_conformance.systems.config_merge.operations import ROWS, SYSTEM
from rejoin_conformance.systems.config_merge.steps import read_steps, step_writer

_OPTIONS: Final = "an option of the question, such as `window 3`, each at most once and in order"

_ROWS: Final = {
    name: row
    for name, row in ((f"{SYSTEM}/{row.name}", row) for row in ROWS.values())
    if name != scenario_text.OPERATION
}
_WORDS: Final = {row.template.partition(" ")[0]: row for row in _ROWS.values()}


def read_question(body: Body, reading: cm.Reading) -> Example:
    """Return the question and the answer of a body that has one question."""
    said = body.said[0]
    text = said.question
    row = _WORDS.get(text.next.text)
    if row is None:
        text.fail(QUESTION)
    if len(body.said) > 1:
        body.said[1].question.fail("one question, and definitions of messages")
    body.make(_window(said))
    asked = row.asks.read(text)
    if text.would_take(","):
        text.fail(_OPTIONS)
    text.done()
    required = [name for name in row.takes if name not in row.asks.optional]
    asked = {name: asked[name] for name in dict.fromkeys((*required, *asked))}
    output: JsonObject | None = None
    if body.steps:
        output = {"steps": read_steps(body.steps)}
    elif said.answer is not None:
        read = READ.get(row.name)
        answers = row.answers
        output = answers.read(said.answer) if read is None else read(said.answer, asked, reading)
        said.answer.done()
    return Example(operation=f"{SYSTEM}/{row.name}", input=asked, output=output)


def _window(said: Said) -> int:
    parts = said.question.divided(",", "window")
    return DEFAULT_WINDOW if parts is None else read_integer(parts[1])


Written: TypeAlias = tuple[Sheet, str, str | None]
"""The messages that a text names, the question, and the answer."""


def _written(example: Example, known: Mapping[bytes, str] | None = None) -> Written:
    """Return the parts of a text. known: messages that have a name already, with the names."""
    names = known or {}
    row = _ROWS.get(example.operation)
    if row is None:
        raise UnsayableError(f"{example.operation} has no text")
    given: Any = example.input.get("messages", [])
    sheet = Sheet([*(bytes.fromhex(each) for each in given), *names], names=names)
    question = row.asks.write(example.input, sheet)
    if example.output is None:
        return sheet, question, None
    steps: Any = example.output.get("steps")
    if row.steps_of:
        write = step_writer(example, names)
        return sheet, question, "\n".join(write(step).text for step in steps)
    if row.name in WRITE:
        return sheet, question, WRITE[row.name](sheet, example.input, example.output)
    return sheet, question, row.answers.write(example.output, sheet)


def _joined(definitions: Sequence[str], question: str, answer: str | None) -> str:
    """Return the lines of a body: definitions, then question and answer."""
    said = [question] if answer is None else [f"{question} = {answer}"]
    if answer is not None and question.startswith("steps "):
        said = [question, *answer.split("\n")]
    return "\n".join(line for each in (*definitions, *said) for line in wrapped(each))


def parse(lines: Sequence[str]) -> Example:
    """Return the question on these lines, with its answer in the default reading."""
    return _question(tuple(lines), cm.DOCUMENT)


def answer(body: Sequence[str], instead: Sequence[str], reading: cm.Reading) -> JsonObject | None:
    """Return the answer that a body states for a reading.

    instead: the lines for this reading alone: the definitions and answers that differ, or the whole
    body of a scenario, because all messages differ after the first different one.
    """
    if not instead:
        return _question(tuple(body), reading).output
    asked = _question(tuple(body), cm.DOCUMENT)
    if not scenario_text.begins(instead):
        stated_body = Body.of(body)
        stated_body.answer_instead(instead)
        return _example(stated_body, reading).output
    example = _example(Body.of(instead, len(body)), reading)
    if example.input != asked.input:
        raise NotationError(len(body) + 1, "the same clients and steps", instead[0])
    return example.output


@lru_cache(maxsize=8)
def _question(lines: tuple[str, ...], reading: cm.Reading) -> Example:
    if lines[:1] and lines[0].startswith(RECIPE):
        return read_recipe("config-merge", lines)
    return _example(Body.of(lines), reading)


def _example(body: Body, reading: cm.Reading) -> Example:
    if body.said[0].question.would_take(scenario_text.FIRST_WORD):
        return scenario_text.read_scenario(body, reading)
    return read_question(body, reading)


def render(example: Example) -> str | None:
    """Return the text of an example, or None if the notation cannot express it.

    If only the reading `libsession` gives the output of a scenario, the text is for that reading.
    """
    for reading in READINGS.named.values():
        try:
            if example.operation == scenario_text.OPERATION:
                text = scenario_text.write_scenario(example, reading)
            else:
                sheet, question, said = _written(example)
                text = _joined(sheet.definitions(), question, said)
            if _question(tuple(text.split("\n")), reading) == example:
                return text
        except (UnsayableError, NotationError):
            continue
    return None


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
    text = render(asked)
    if text is None or example.operation == scenario_text.OPERATION:
        return text
    *_, said = _written(asked)
    return said if example.operation.endswith("-steps") else f"= {said}"


def sharing(example: Example, lines: Sequence[str] = ()) -> SharedNames:
    """Return the names of the messages of a question, for other questions about them."""
    given: Any = example.input["messages"]
    messages = [bytes.fromhex(each) for each in given]
    body = Body.of(lines) if lines else Body()
    words = (each.text for said in body.said[:1] for each in said.question.tokens)
    names = [each for each in words if each in body.book.statements][: len(messages)]
    known = dict(zip(messages, names or map(Sheet(messages).name, messages), strict=True))
    sheet = Sheet(messages, names=known)

    def render_with_names(other: Example) -> str | None:
        try:
            other_sheet, question, said = _written(other, known)
        except UnsayableError:
            return None
        if any(each not in known for each in other_sheet.plaintexts):
            return None
        return _joined((), question, said)

    return SharedNames(
        definitions={line.partition(":")[0]: line for line in sheet.definitions()},
        render=render_with_names,
        step_writer=partial(step_writer, known=known),
    )


NOTATION: Final = Notation(
    operations=(*_ROWS, scenario_text.OPERATION),
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
