"""States and messages in text: `{a b}` is a set, `5` a counter, `"x"` a register.

r: {}                   a message without parents, whose state is the empty set
m < p q: {a b}          a message with two parents
m < p q                 the same where states do not count
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from rejoin_conformance.contract.notation import word
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.history_merge.notation.scanner import NOTHING, Scanner, named

_OPERATIONS: Final = frozenset(
    {
        "accept",
        "ancestors",
        "apply-diff",
        "before",
        "common-ancestors",
        "common-to-all",
        "diff",
        "is-anti-chain",
        "maximal",
        "members",
        "merge",
        "merge-check-continues",
        "merge-check-returns",
        "merge-recurse-fold",
        "merge-reduced",
        "merge-steps",
        "merge-temporary-nodes",
        "operational-edges",
        "session",
        "three-way-merge",
        "transitive-reduction",
        "union-of-events",
        "without-merges",
    }
)
_OF_QUESTIONS: Final = frozenset(
    {
        NOTHING,
        "among",
        "and",
        "are",
        "in",
        "of",
        "order",
        "states",
        "with",
        "accepted",
        "refused",
        "inserts",
        "deletes",
        "virtual",
        "written",
    }
)
_OF_PARAGRAPHS: Final = frozenset({"computed", "mended", "not", "only", "scenario"})
KEYWORDS: Final = _OPERATIONS | _OF_QUESTIONS | _OF_PARAGRAPHS
"""Bare words that are no names of messages: operations, and words of questions and paragraphs."""

message_name: Final = named(KEYWORDS)
"""The name of a message, in quotes where it would be read as something else."""

_COUNTER: Final = re.compile(r"0|-?[1-9][0-9]*")
_WIDTH: Final = 96


def scanner_of(lines: Sequence[str]) -> Scanner:
    """Return a scanner of lines of this notation."""
    return Scanner(lines, KEYWORDS)


def read_state(scanner: Scanner) -> Json:
    """Take a state. A set is a list; counters and registers are strings."""
    token = scanner.next
    if token.kind == "mark" and token.text == "{":
        scanner.state_types.append("set")
        return read_set(scanner)
    if token.kind == "quoted":
        scanner.state_types.append("register")
    elif token.kind == "bare" and _COUNTER.fullmatch(token.text):
        scanner.state_types.append("counter")
    else:
        raise scanner.fault('a state: `{a b}`, `5` or `"text"`')
    return scanner.take().text


def read_set(scanner: Scanner) -> list[Json]:
    """Take a set of elements in braces, in the order of the text."""
    scanner.expect("{")
    elements: list[Json] = []
    while not scanner.takes("}"):
        if scanner.next.kind not in ("bare", "quoted"):
            raise scanner.fault("an element or `}`")
        elements.append(scanner.take().text)
    return elements


def read_node(scanner: Scanner) -> JsonObject:
    """Take a message: its ID, its parents and its state, as far as they are there."""
    node: JsonObject = {"id": scanner.name("the ID of a message"), "parents": []}
    if scanner.takes("<"):
        parents: list[Json] = [scanner.name("the ID of a parent")]
        while scanner.is_name():
            parents.append(scanner.take().text)
        node["parents"] = parents
    if scanner.takes(":"):
        node["state"] = read_state(scanner)
    return node


def write_state(state: Json, *, registers: bool = False) -> str:
    """Return the text of a state. registers: whether a string like "5" is a register."""
    if isinstance(state, list):
        return write_set(state)
    return str(state) if type_of(state, registers=registers) == "counter" else json.dumps(state)


def type_of(state: Json, *, registers: bool = False) -> str:
    """Return the type that the text of a state shows."""
    if isinstance(state, list):
        return "set"
    return "counter" if _COUNTER.fullmatch(str(state)) and not registers else "register"


def write_set(elements: Json) -> str:
    """Return the text of a set, in the order of the list."""
    assert isinstance(elements, list)
    return f"{{{' '.join(word(str(element)) for element in elements)}}}"


def write_node(node: Any, *, registers: bool = False) -> str:
    """Return the text of a message in JSON. registers: whether a state like `5` is a register."""
    text = message_name(node["id"])
    if node["parents"]:
        text += f" < {' '.join(map(message_name, node['parents']))}"
    if "state" not in node:
        return text
    return f"{text}: {write_state(node['state'], registers=registers)}"


def write_nodes(nodes: Iterable[Any], *, registers: bool = False) -> list[str]:
    """Return the text of messages, as many on a line as there is room for."""
    return filled(write_node(node, registers=registers) for node in nodes)


def filled(statements: Iterable[str]) -> list[str]:
    """Lines of statements with semicolons between, as many on a line as there is room for."""
    lines: list[str] = []
    for text in statements:
        if lines and len(lines[-1]) + len(text) + 3 <= _WIDTH:
            lines[-1] += f";  {text}"
        else:
            lines.append(text)
    return lines
