"""The body of a written vector: the messages of a history, a question about them, its answer.

    r: {};  p < r: {x};  q < r: {y}
    merge p q = {x y}

Messages stand in any order, several on a line with semicolons between. Sets of elements, and sets
of messages in answers, stand in braces; lists of messages in questions do not. `nothing` is a list
without messages. If all states are counters, registers or lines, the question is about this
type; `states are counters` says so if no state shows it. A session has its answer after each
message:

    session
    r: {a}          accepted  {a}
    p < z: {a b}    refused   {a}
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from attrs import define, evolve, field

from rejoin_conformance.contract.notation import Example
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.phrases import END_OF_TEXT, NotationError
from rejoin_conformance.systems.history_merge.notation.questions import QUESTIONS, Slot
from rejoin_conformance.systems.history_merge.notation.scanner import NOTHING, Scanner
from rejoin_conformance.systems.history_merge.notation.sessions import (
    SESSION,
    read_steps,
    write_steps,
)
from rejoin_conformance.systems.history_merge.notation.states import (
    read_node,
    scanner_of,
    type_of,
    write_nodes,
)

_SYSTEM: Final = "history-merge/"
_TYPES: Final = {"sets": "set", "counters": "counter", "registers": "register", "lines": "lines"}


@define
class _Body:
    """The parts of a body; None for an omitted part.

    state_type: the type in `states are ...`. shown_type: the type of state that all states of the
    question show, if it is another one than sets.
    """

    nodes: list[Json] | None = None
    operation: str | None = None
    fields: JsonObject = field(factory=dict)
    output: JsonObject | None = None
    state_type: str | None = None
    shown_type: str | None = None

    def example(self, operation: str) -> Example:
        """Return the question, with a history only if the operation has one, and its answer."""
        value: JsonObject = {}
        question = QUESTIONS.get(operation)
        if question is not None and question.history:
            value["nodes"] = self.nodes or []
        value |= self.fields
        state_type = self.state_type
        if state_type is None and (question is None or question.typed):
            state_type = self.shown_type
        if state_type is not None:
            value["state_type"] = state_type
        return Example(operation=_SYSTEM + operation, input=value, output=self.output)


def parse(lines: Sequence[str]) -> Example:
    """Return the question of a body, and its answer if one is stated. Raises NotationError."""
    body = _read(lines)
    if body.operation is None:
        raise NotationError(len(lines) or 1, "a question, such as `merge p q`", END_OF_TEXT)
    return body.example(body.operation)


def parse_mended(lines: Sequence[str], example: Example) -> Example:
    """Return the question of a body that may omit the messages or the question of the example."""
    body, given = _read(lines), example.input
    if body.operation is None:
        body.operation = example.operation.removeprefix(_SYSTEM)
        body.fields = {
            name: value for name, value in given.items() if name not in ("nodes", "state_type")
        }
    if body.nodes is None:
        nodes, state_type = given.get("nodes", []), given.get("state_type")
        assert isinstance(nodes, list)
        body.nodes = nodes
        body.shown_type = None if state_type is None else str(state_type)
    return body.example(body.operation)


def parse_output(lines: Sequence[str], example: Example) -> JsonObject:
    """Return the answer to a question, alone; that of a session is the whole session again."""
    name = example.operation.removeprefix(_SYSTEM)
    if name == SESSION:
        output = parse(lines).output
        if output is None:
            raise NotationError(len(lines) or 1, "a session with its answers", END_OF_TEXT)
        return output
    scanner = scanner_of(lines)
    output = _read_slots(scanner, QUESTIONS[name].answers)
    _expect_end(scanner)
    return output


def render(example: Example) -> str | None:
    """Return the body of a question and its answer, or None if it cannot be said."""
    try:
        text = "\n".join([*_history(example), *_question(example)])
        return text if parse(text.split("\n")) == example else None
    except (AttributeError, KeyError, TypeError, AssertionError, NotationError):
        return None


def render_mended(mended: Example, example: Example) -> str | None:
    """Return the body of a mended question without what it shares with the example."""
    whole = render(mended)
    if whole is None:
        return None
    shorter = ["\n".join(_question(mended)), "\n".join(_history(mended))]
    return next((text for text in shorter if _mends(text, mended, example)), whole)


def render_output(example: Example, output: JsonObject) -> str:
    """Return the answer to a question, alone; that of a session is the whole session again."""
    name = example.operation.removeprefix(_SYSTEM)
    if name == SESSION:
        return "\n".join(_question(evolve(example, output=output)))
    return _write_slots(QUESTIONS[name].answers, output, _type_named(example))


def _mends(text: str, mended: Example, example: Example) -> bool:
    return bool(text) and parse_mended(text.split("\n"), example) == mended


def _read(lines: Sequence[str]) -> _Body:
    scanner, body = scanner_of(lines), _Body()
    while not scanner.at_end:
        if scanner.ends_statement():
            continue
        if scanner.takes("states"):
            body.state_type = _state_type(scanner)
        elif scanner.takes(NOTHING):
            body.nodes = body.nodes or []
        elif scanner.is_name():
            body.nodes = body.nodes or []
            body.nodes.append(read_node(scanner))
        else:
            _read_question(scanner, body)
            return body
        if not scanner.ends_statement():
            raise scanner.fault("`<`, `:`, `;` or the end of the line")
    body.shown_type = _shown_type(scanner)
    return body


def _state_type(scanner: Scanner) -> str:
    scanner.expect("are")
    for word, state_type in _TYPES.items():
        if scanner.takes(word):
            return state_type
    raise scanner.fault("`sets`, `counters`, `registers` or `lines`")


def _shown_type(scanner: Scanner) -> str | None:
    types = {*scanner.state_types}
    return types.pop() if len(types) == 1 and types != {"set"} else None


def _read_question(scanner: Scanner, body: _Body) -> None:
    name = scanner.next.text
    if scanner.next.kind != "bare" or (name not in QUESTIONS and name != SESSION):
        raise scanner.fault("a message, such as `p < r: {x}`, or a question, such as `merge p q`")
    scanner.take()
    body.operation = name
    if name == SESSION:
        messages, steps = read_steps(scanner)
        body.fields = {"messages": messages}
        body.output = None if steps is None else {"steps": steps}
        body.shown_type = _shown_type(scanner)
        return
    body.fields = _read_slots(scanner, QUESTIONS[name].asks)
    body.shown_type = _shown_type(scanner)
    if scanner.takes("="):
        body.output = _read_slots(scanner, QUESTIONS[name].answers)
    _expect_end(scanner)


def _read_slots(scanner: Scanner, slots: Sequence[Slot]) -> JsonObject:
    """Return the fields of a question or an answer."""
    value: JsonObject = {}
    for slot in slots:
        if slot.read_mark(scanner):
            value[slot.field] = slot.kind.read(scanner)
    return value


def _expect_end(scanner: Scanner) -> None:
    scanner.ends_statement()
    if not scanner.at_end:
        raise scanner.fault("nothing after the question and its answer")


def _history(example: Example) -> list[str]:
    """Return the lines before the question."""
    lines = []
    state_type = example.input.get("state_type")
    nodes: Any = example.input.get("nodes", [])
    if state_type is not None and not _shows(example, str(state_type)):
        (word,) = (each for each, name in _TYPES.items() if name == state_type)
        lines.append(f"states are {word}")
    return [*lines, *write_nodes(nodes, _type_named(example))]


def _shows(example: Example, state_type: str) -> bool:
    """Return whether the states of a question show their type."""
    value: Any = example.input
    nodes = [*value.get("nodes", ()), *value.get("messages", ())]
    nodes += [value["message"]] if "message" in value else []
    states = [node["state"] for node in nodes if "state" in node]
    states += [value[name] for name in ("origin", "left", "right") if name in value]
    return {type_of(state, state_type) for state in states} == {state_type} != {"set"}


def _type_named(example: Example) -> str:
    return str(example.input.get("state_type", ""))


def _question(example: Example) -> list[str]:
    """Return the lines of the question and its answer."""
    name, value, output = example.operation.removeprefix(_SYSTEM), example.input, example.output
    state_type = _type_named(example)
    if name == SESSION:
        steps = None if output is None else output["steps"]
        if steps == []:
            return [f"{name} = {NOTHING}"]
        return [name, *write_steps(value["messages"], steps, state_type)]
    question = QUESTIONS[name]
    text = f"{name} {_write_slots(question.asks, value, state_type)}".rstrip()
    if output is not None:
        text += f" = {_write_slots(question.answers, output, state_type)}"
    return text.split("\n")


def _write_slots(slots: Sequence[Slot], value: JsonObject, state_type: str) -> str:
    there = (slot for slot in slots if slot.field in value or not slot.optional)
    return " ".join(slot.write(value, state_type) for slot in there)
