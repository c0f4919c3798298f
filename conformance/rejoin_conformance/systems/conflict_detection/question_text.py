"""Questions on graphs and version maps as text: each is a phrase of its operation's row.

    a; b < a; c < b
    ours b   theirs c = overwrite

The parents of a version follow it after `<`. `40 diamonds` is a chain of 40 diamonds: t0, then l1
and r1 after it, t1 after both, and so on. An answer of several values has a word before each:
`downloads b c   conflict`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rejoin_conformance.contract.notation import Example
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.phrases import END_OF_TEXT, NotationError, filled
from rejoin_conformance.systems.conflict_detection.operations import ROWS, SYSTEM, GraphRow
from rejoin_conformance.systems.conflict_detection.segments import (
    GAP,
    WORDS,
    Segment,
    Statement,
    ends,
    flat,
    repeated,
    repeats,
    spelled_list,
    whole,
    word,
    words_left,
)

_ROWS: Final = {
    f"{SYSTEM}/{row.name}": row
    for row in ROWS.values()
    if any(part["word"] for part in row.asks.parts)
}
"""The operations whose question and answer are phrases."""
OPERATIONS: Final = tuple(_ROWS)
EXPECTED: Final = (
    "`d follows a`, `ours ...`, `clients ...`, `kept at ...`, `join ...`, `A uploads ...`, "
    "`identify ...`, or a scenario that begins with `snapshots: A B`"
)
_DIAMONDS: Final = "diamonds"
_MOST_DIAMONDS: Final = 1000


def _is_version(statement: Statement) -> bool:
    """Return whether a statement is part of a graph: a version, or diamonds."""
    return len(statement) == 1 and statement[0].text_at(1) in (END_OF_TEXT, "<", _DIAMONDS)


def _read_graph(graph: Sequence[Statement]) -> list[Json]:
    versions: list[Json] = []
    for (text,) in graph:
        if text.text_at(1) == _DIAMONDS:
            count = whole(text, "the number of diamonds")
            if not 0 <= count <= _MOST_DIAMONDS:
                text.refuse(f"the number of diamonds, from 0 to {_MOST_DIAMONDS}")
            versions += diamonds(count)
            text.take()
        else:
            name = word(text, "a version")
            parents: list[Json] = []
            if text.takes("<"):
                parents = words_left(text, "a parent", alone=not repeats(name))
            versions += repeated(text, {"id": name, "parents": parents})
        text.end()
    return versions


def diamonds(count: int) -> list[Json]:
    """Return a chain of `count` diamonds; there are 2 ** count paths from its top to t0."""
    versions: list[Json] = [{"id": "t0", "parents": []}]
    for number in range(1, count + 1):
        below: list[Json] = [f"t{number - 1}"]
        versions += [
            {"id": f"l{number}", "parents": [*below]},
            {"id": f"r{number}", "parents": [*below]},
            {"id": f"t{number}", "parents": [f"l{number}", f"r{number}"]},
        ]
    return versions


def _spelled_version(version: Any) -> str:
    after = f" < {spelled_list(version['parents'])}" if version["parents"] else ""
    return f"{WORDS.spelled(version['id'])}{after}"


def read(body: Sequence[Statement]) -> Example:
    """Return a question, with its answer if it is stated. Raises NotationError."""
    graph = [each for each in body if _is_version(each)]
    asked = [each for each in body if not _is_version(each)]
    if not asked:
        raise NotationError(body[-1][0].next.line, EXPECTED, END_OF_TEXT)
    text = flat(asked)
    row, fields = _read_question(text)
    output = None if text.at_end else _answer(text, row)
    value = _input(row, graph, fields)
    return Example(operation=f"{SYSTEM}/{row.name}", input=value, output=output)


def _read_question(text: Segment) -> tuple[GraphRow, JsonObject]:
    """Take the question whose phrase comes next. Fails at the furthest place that one reads."""
    furthest, fault = 1, None
    for row in _ROWS.values():
        text.place = 0
        try:
            fields = row.asks.read(text)
            if not ends(text):
                text.fail("the end of the question, or two spaces before its answer")
        except NotationError as error:
            if text.place > furthest:
                furthest, fault = text.place, error
        else:
            return row, fields
    text.place = 0
    raise fault or NotationError(text.next.line, EXPECTED, text.next.text)


def _input(row: GraphRow, graph: Sequence[Statement], fields: JsonObject) -> JsonObject:
    if graph and not row.graph:
        graph[0][0].fail("no graph in a question on version maps")
    value = {row.graph: _read_graph(graph), **fields} if row.graph else fields
    return {name: value[name] for name in row.takes if name in value}


def _answer(text: Segment, row: GraphRow) -> JsonObject:
    text.takes("=")
    output = row.answers.read(text)
    if not text.at_end:
        text.fail("nothing after the answer")
    return output


def read_answer(body: Sequence[Statement], example: Example) -> JsonObject:
    """Return the answer to a question, alone."""
    return _answer(flat(body), _ROWS[example.operation])


def read_mended(body: Sequence[Statement], example: Example) -> Example:
    """Return the question above with another graph, another question, or both."""
    row, before = _ROWS[example.operation], example.input
    graph = [each for each in body if _is_version(each)]
    asked = [each for each in body if not _is_version(each)]
    fields = {name: each for name, each in before.items() if name != row.graph}
    if asked:
        text = flat(asked)
        fields = row.asks.read(text)
        if not text.at_end:
            text.fail("no answer: a mended input states only the question")
    value = _input(row, graph, fields)
    if row.graph and not graph:
        value[row.graph] = before[row.graph]
    return Example(operation=example.operation, input=value)


def written(example: Example) -> str:
    """Return the text of a question, and of its answer if it has one."""
    row, value = _ROWS[example.operation], example.input
    graph: Any = value[row.graph] if row.graph else []
    answer = ""
    if example.output is not None:
        joint = " = " if len(row.answers.fields) == 1 else GAP
        answer = joint + row.answers.write(example.output)
    return "\n".join([*filled(map(_spelled_version, graph), "; "), row.asks.write(value) + answer])


def written_answer(example: Example, output: JsonObject) -> str:
    """Return the text of an answer."""
    return _ROWS[example.operation].answers.write(output)
