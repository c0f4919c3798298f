"""The text of a vector's body: the messages of a history, a question about them, its answer.

    r: {};  p < r: {x};  q < r: {y}
    merge p q = {x y}

Messages stand in any order, several on a line with semicolons between. Sets of elements, and sets
of messages in answers, stand in braces; lists of messages in questions do not. `nothing` is a list
without messages. If all states are counters, registers or lines, the question is about this
type; `states are counters` says so if no state shows it.

A session has a line for each message, with its answer: `conflict` instead of a state if the heads
have no merge.

    session
    r: {a}          accepted  {a}
    p < z: {a b}    refused   {a}
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from attrs import define, evolve, field

from rejoin_conformance.contract.drafting import RECIPE, read_recipe, read_repetition
from rejoin_conformance.contract.notation import Example, Notation
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.phrases import END_OF_TEXT, NotationError, Scanner, filled, scanner
from rejoin_conformance.systems.history_merge.actions import parse_history, render_history
from rejoin_conformance.systems.history_merge.kinds import HistoryRow
from rejoin_conformance.systems.history_merge.operations import ROWS, SYSTEM
from rejoin_conformance.systems.history_merge.states import (
    FORMS,
    NOTHING,
    SET_FORM,
    WORDS,
    Form,
    form_of,
    read_node,
    read_state,
    type_shown,
    write_node,
    write_state,
)
from rejoin_conformance.systems.history_merge.steps import step_writer

_SESSION: Final = "session"
_STATED: Final = {True: "accepted", False: "refused"}


def _row_of(example: Example) -> HistoryRow:
    return ROWS[example.operation.removeprefix(f"{SYSTEM}/")]


@define
class _Body:
    """The parts of a body; None for an omitted part.

    named: the type in `states are ...`. shown: the type of state that all states of the question
    show, if it is another one than sets.
    """

    nodes: list[Json] | None = None
    row: HistoryRow | None = None
    fields: JsonObject = field(factory=dict)
    output: JsonObject | None = None
    named: str | None = None
    shown: str | None = None

    def example(self, row: HistoryRow) -> Example:
        """Return the question, with a history only if the operation has one, and its answer."""
        value: JsonObject = {"nodes": self.nodes or []} if row.nodes else {}
        value |= self.fields
        state_type = self.named or (self.shown if row.typed else None)
        if state_type is not None:
            value["state_type"] = state_type
        return Example(operation=f"{SYSTEM}/{row.name}", input=value, output=self.output)


# Reading.


def _parse(lines: Sequence[str]) -> Example:
    """Return the question of a body, and its answer if one is stated. Raises NotationError."""
    if lines[:1] and lines[0].startswith(RECIPE):
        return read_recipe(SYSTEM, lines)
    body = _read(lines)
    if body.row is None:
        raise NotationError(len(lines) or 1, "a question, such as `merge p q`", END_OF_TEXT)
    return body.example(body.row)


def _parse_mended(lines: Sequence[str], example: Example) -> Example:
    """Return the question of a body that may omit the messages or the question of the example."""
    if lines[:1] and lines[0].startswith(RECIPE):
        return _parse(lines)
    body, given = _read(lines), example.input
    row = body.row or _row_of(example)
    if body.row is None:
        body.fields = {n: each for n, each in given.items() if n not in ("nodes", "state_type")}
    if body.nodes is None:
        nodes, state_type = given.get("nodes", []), given.get("state_type")
        assert isinstance(nodes, list)
        body.nodes = nodes
        body.shown = None if state_type is None else str(state_type)
    return body.example(row)


def _parse_output(lines: Sequence[str], example: Example) -> JsonObject:
    """Return the answer to a question, alone; that of a session is the whole session again."""
    row = _row_of(example)
    if row.name == _SESSION:
        output = _parse(lines).output
        if output is None:
            raise NotationError(len(lines) or 1, "a session with its answers", END_OF_TEXT)
        return output
    text = scanner(WORDS, lines)
    output = row.answers.read(text)
    _expect_end(text)
    return output


def _read(lines: Sequence[str]) -> _Body:
    text, body = scanner(WORDS, lines), _Body()
    while not text.at_end:
        if text.ends_statement():
            continue
        if text.takes("states"):
            body.named = _state_type(text)
        elif text.takes(NOTHING):
            body.nodes = body.nodes or []
        elif text.is_name():
            body.nodes = [*(body.nodes or []), *_read_group(text, read_node)]
        else:
            _read_question(text, body)
            break
        if not text.ends_statement():
            text.fail("`<`, `:`, `;` or the end of the line")
    types = {*text.seen}
    body.shown = types.pop() if len(types) == 1 and types != {SET_FORM.name} else None
    return body


def _state_type(text: Scanner) -> str:
    text.need("are")
    for name, form in FORMS.items():
        if text.takes(form.word):
            return name
    return text.fail("`sets`, `counters`, `registers` or `lines`")


def _read_group(text: Scanner, read: Callable[[Scanner], Json]) -> list[Json]:
    """Take an item, or several with commas between that are repeated together."""
    items = [read(text)]
    while text.takes(","):
        items.append(read(text))
    if len(items) > 1 and text.next.text != "for":
        text.fail("`for i` and numbers")
    return read_repetition(text, items)


def _read_question(text: Scanner, body: _Body) -> None:
    if text.next.kind != "bare" or text.next.text not in ROWS:
        text.fail("a message, such as `p < r: {x}`, or a question, such as `merge p q`")
    body.row = ROWS[text.take()]
    if body.row.name == _SESSION:
        _read_session(text, body)
        return
    body.fields = body.row.asks.read(text)
    shown = [*text.seen]
    if text.takes("="):
        body.output = body.row.answers.read(text)
    _expect_end(text)
    text.seen = shown  # the states of the answer do not show the type


def _read_session(text: Scanner, body: _Body) -> None:
    """Take the messages of a session, and the answers if they are stated."""
    if text.takes("="):
        text.need(NOTHING)
        body.fields = {"messages": []}
        body.output = {"steps": []}
        return
    offered: list[Any] = []
    while not text.at_end:
        if text.ends_statement():
            continue
        offered += _read_group(text, _read_offer)
        unanswered = offered[0]["answer"] is None
        mixed = any((each["answer"] is None) != unanswered for each in offered)
        if mixed or not text.ends_statement():
            text.fail("`accepted` or `refused` and the state of the session")
    answers = [each["answer"] for each in offered if each["answer"] is not None]
    body.fields = {"messages": [each["message"] for each in offered]}
    body.output = {"steps": answers} if answers else None


def _read_offer(text: Scanner) -> Json:
    """Take a message and the answer of the session, if it is stated."""
    message, answer = read_node(text), None
    shown = [*text.seen]
    for accepted, stated in _STATED.items():
        if text.takes(stated):
            state = None if text.takes("conflict") else read_state(text)
            answer = {"accepted": accepted, "state": state}
    text.seen = shown
    return {"message": message, "answer": answer}


def _expect_end(text: Scanner) -> None:
    text.ends_statement()
    text.done("nothing after the question and its answer")


# Writing.


def _render(example: Example) -> str | None:
    """Return the body of a question and its answer, or None if it cannot be said."""
    try:
        text = "\n".join([*_history(example), *_question(example)])
        return text if _parse(text.split("\n")) == example else None
    except (AttributeError, KeyError, TypeError, AssertionError, NotationError):
        return None


def _render_output(example: Example, output: JsonObject) -> str:
    """Return the answer to a question, alone; that of a session is the whole session again."""
    row = _row_of(example)
    if row.name == _SESSION:
        return "\n".join(_question(evolve(example, output=output)))
    return row.answers.write(output, form_of(example.input))


def _history(example: Example) -> list[str]:
    """Return the lines before the question."""
    nodes: Any = example.input.get("nodes", [])
    form = form_of(example.input)
    said = [f"states are {form.word}"] if form and not _shows(example, form) else []
    return [*said, *filled(write_node(node, form) for node in nodes)]


def _shows(example: Example, form: Form) -> bool:
    """Return whether the states of a question show their type."""
    value: Any = example.input
    nodes = [*value.get("nodes", ()), *value.get("messages", ())]
    nodes += [value["message"]] if "message" in value else []
    states = [node["state"] for node in nodes if "state" in node]
    states += [value[name] for name in ("origin", "left", "right") if name in value]
    return {type_shown(state, form) for state in states} == {form.name} != {SET_FORM.name}


def _question(example: Example) -> list[str]:
    """Return the lines of the question and its answer."""
    row, form, output = _row_of(example), form_of(example.input), example.output
    if row.name == _SESSION:
        return _session(
            example.input["messages"], None if output is None else output["steps"], form
        )
    text = f"{row.name} {row.asks.write(example.input, form)}".rstrip()
    if output is not None:
        text += f" = {row.answers.write(output, form)}"
    return text.split("\n")


def _session(messages: Any, answers: Any, form: Form | None) -> list[str]:
    """Return the lines of a session, with the answers if there are any."""
    if answers == []:
        return [f"{_SESSION} = {NOTHING}"]
    lines = [write_node(message, form) for message in messages]
    width = max(map(len, lines), default=0)
    for place, answer in enumerate(answers or ()):
        state = "conflict" if answer["state"] is None else write_state(answer["state"], form)
        lines[place] = f"{lines[place]:<{width}}    {_STATED[answer['accepted']]:<8}  {state}"
    return [_SESSION, *lines]


NOTATION: Final = Notation(
    operations=tuple(f"{SYSTEM}/{name}" for name in ROWS),
    parse=_parse,
    render=_render,
    parse_output=_parse_output,
    render_output=_render_output,
    parse_history=parse_history,
    render_history=render_history,
    parse_mended=_parse_mended,
    step_writer=step_writer,
)
"""How questions to history merge, its answers and its random histories are written."""
