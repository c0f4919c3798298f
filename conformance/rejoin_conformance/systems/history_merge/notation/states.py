"""States and messages in text.

The state `{a b}` is a set, `5` a counter, `"x"` a register, and `[a b]` a list of lines.

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
    """Take a state. Sets and lines are lists; counters and registers are strings."""
    token = scanner.next
    if token.kind == "mark" and token.text == "{":
        scanner.state_types.append("set")
        return read_set(scanner)
    if token.kind == "mark" and token.text == "[":
        scanner.state_types.append("lines")
        return _read_texts(scanner, "[", "]")
    if token.kind == "quoted":
        scanner.state_types.append("register")
    elif token.kind == "bare" and _COUNTER.fullmatch(token.text):
        scanner.state_types.append("counter")
    else:
        raise scanner.fault('a state: `{a b}`, `5`, `"text"` or `[a b]`')
    return scanner.take().text


def read_set(scanner: Scanner) -> list[Json]:
    """Take a set of elements in braces, in the order of the text."""
    return _read_texts(scanner, "{", "}")


def _read_texts(scanner: Scanner, opening: str, closing: str) -> list[Json]:
    scanner.expect(opening)
    texts: list[Json] = []
    while not scanner.takes(closing):
        if scanner.next.kind not in ("bare", "quoted"):
            raise scanner.fault(f"an element or `{closing}`")
        texts.append(scanner.take().text)
    return texts


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


def write_state(state: Json, state_type: str = "") -> str:
    """Return the text of a state. state_type: its type, if the question names it."""
    match type_of(state, state_type):
        case "set":
            return write_set(state)
        case "lines":
            return _write_texts(state, "[", "]")
        case "counter":
            return str(state)
        case _:
            return json.dumps(state)


def type_of(state: Json, state_type: str = "") -> str:
    """Return the type that the text of a state shows. state_type: as in `write_state`."""
    if isinstance(state, list):
        return "lines" if state_type == "lines" else "set"
    counts = _COUNTER.fullmatch(str(state)) and state_type != "register"
    return "counter" if counts else "register"


def write_set(elements: Json) -> str:
    """Return the text of a set, in the order of the list."""
    return _write_texts(elements, "{", "}")


def _write_texts(texts: Json, opening: str, closing: str) -> str:
    assert isinstance(texts, list)
    return opening + " ".join(word(str(text)) for text in texts) + closing


def write_node(node: Any, state_type: str = "") -> str:
    """Return the text of a message in JSON. state_type: as in `write_state`."""
    text = message_name(node["id"])
    if node["parents"]:
        text += f" < {' '.join(map(message_name, node['parents']))}"
    if "state" not in node:
        return text
    return f"{text}: {write_state(node['state'], state_type)}"


def write_nodes(nodes: Iterable[Any], state_type: str = "") -> list[str]:
    """Return the text of messages, as many on a line as there is room for."""
    return filled(write_node(node, state_type) for node in nodes)


def filled(statements: Iterable[str]) -> list[str]:
    """Lines of statements with semicolons between, as many on a line as there is room for."""
    lines: list[str] = []
    for text in statements:
        if lines and len(lines[-1]) + len(text) + 3 <= _WIDTH:
            lines[-1] += f";  {text}"
        else:
            lines.append(text)
    return lines
