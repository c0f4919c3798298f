"""The JSON fields of the operations on histories: schemas, and conversion to reference values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, Protocol

from attrs import frozen

from rejoin.history_merge import (
    COUNTERS,
    LINES,
    REGISTERS,
    SETS,
    Node,
    Reading,
    StateType,
)
from rejoin_conformance.contract.operation import Perform
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.schemas import any_of, list_of, one_of_texts, record
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.history_merge import READINGS

NAME: Final[JsonObject] = {"type": "string", "pattern": "^[!-~]+(?!\\n)$"}
"""An ID or an element: printable ASCII without spaces. All languages sort these alike."""

NAMES: Final = list_of(NAME)
SET: Final = list_of(NAME, unique=True)
COUNTER: Final[JsonObject] = {
    "type": "string",
    "pattern": "^(0|-?[1-9][0-9]*)(?!\\n)$",
    "maxLength": 60,
}
REGISTER: Final[JsonObject] = {"type": "string", "maxLength": 200}
LINE: Final[JsonObject] = {"type": "string", "pattern": "^[ -~]*(?!\\n)$", "maxLength": 200}
"""A line: printable ASCII with spaces; it can be empty."""

LIST_OF_LINES: Final = list_of(LINE, maximum=200)
UNSTATED_NODES: Final = list_of(
    record({"id": NAME, "parents": SET}, {"state": any_of(SET, COUNTER, REGISTER, LIST_OF_LINES)})
)
"""Nodes of an operation on the partial order. Their states are optional and ignored."""


@frozen
class StateFormat:
    """A type of state and its form in JSON.

    schema: the schema of a state.
    read: JSON that matches the schema -> the state.
    write: a state -> its JSON.
    """

    states: StateType[Any]
    schema: JsonObject
    read: Callable[[Any], Any]
    write: Callable[[Any], Json]

    @property
    def name(self) -> str:
        """Return the value of the field `state_type` for this type."""
        return self.states.name

    def node_schema(self) -> JsonObject:
        """Return the schema of a node with a state of this type."""
        return record({"id": NAME, "parents": SET, "state": self.schema})


def sorted_names(names: Iterable[str]) -> Json:
    """Return a set of names as JSON: a sorted list."""
    return [*sorted(names)]


def listed_lines(lines: Iterable[str]) -> Json:
    """Return a list of lines as JSON, in its order."""
    return [*lines]


SET_FORMAT: Final = StateFormat(SETS, SET, frozenset, sorted_names)

FORMATS: Final = {
    each.name: each
    for each in (
        SET_FORMAT,
        StateFormat(COUNTERS, COUNTER, int, str),
        StateFormat(REGISTERS, REGISTER, str, str),
        StateFormat(LINES, LIST_OF_LINES, tuple, listed_lines),
    )
}


def for_each_state_type(make: Callable[[StateFormat], JsonObject]) -> JsonObject:
    """Return the schema of a record that has one form for each state type.

    make: format -> the schema of the record for this type. The result adds the field `state_type`
        to each form, optional for sets and required for the other types.
    """
    options = []
    for each in FORMATS.values():
        schema = make(each)
        properties, required = schema["properties"], schema["required"]
        assert isinstance(properties, dict)
        assert isinstance(required, list)
        options.append(
            {
                **schema,
                "properties": {**properties, "state_type": one_of_texts(each.name)},
                "required": [*required] if each is SET_FORMAT else [*required, "state_type"],
            }
        )
    return any_of(*options)


ANY_STATE: Final = record({"state": any_of(*(each.schema for each in FORMATS.values()))})
"""The output of an operation that returns one state."""


def state_format(value: JsonObject) -> StateFormat:
    """Return the format that an input's `state_type` names."""
    name = value.get("state_type", SETS.name)
    assert isinstance(name, str)
    return FORMATS[name]


def names_field(value: JsonObject, field: str) -> list[str]:
    """Return a field that lists IDs or elements."""
    names = value[field]
    assert isinstance(names, list)
    return [str(name) for name in names]


def name_field(value: JsonObject, field: str) -> str:
    """Return a field that is one ID."""
    return str(value[field])


def node_of(value: Json, form: StateFormat | None) -> Node[Any]:
    """Return a node from its JSON. If there is no format, the node has the state None."""
    assert isinstance(value, dict)
    state = None if form is None else form.read(value["state"])
    return Node(name_field(value, "id"), frozenset(names_field(value, "parents")), state)


def nodes_field(value: JsonObject, field: str, form: StateFormat | None) -> list[Node[Any]]:
    """Return a field that lists nodes."""
    nodes = value[field]
    assert isinstance(nodes, list)
    return [node_of(node, form) for node in nodes]


class Answer(Protocol):
    """The answer to an operation, by either evaluation of the reference."""

    def __call__(self, value: JsonObject, reading: Reading, /, *, fast: bool) -> JsonObject:
        """Return the output for an input, under a reading.

        fast: whether the fast evaluation answers every input. If not, the literal evaluation
            answers, unless the history exceeds its bound.
        """
        ...


def literally(answer: Answer) -> Perform:
    """Return the operation answered by the literal evaluation, up to its bound."""

    def literal(value: JsonObject, reading: Reading) -> JsonObject:
        return answer(value, reading, fast=False)

    return under(READINGS, literal)


def by_fast(answer: Answer) -> Perform:
    """Return the operation answered by the fast evaluation."""

    def fast(value: JsonObject, reading: Reading) -> JsonObject:
        return answer(value, reading, fast=True)

    return under(READINGS, fast)
