"""Questions on graphs, version maps and snapshots as text: each is a phrase of its operation's row.

    a; b < a; c < b
    ours b   theirs c = overwrite

    identify b after #a   encodes "d7:content32:" #(b) "7:parent032:" #a e
    sign X   key 0x00..1f   over "d6:author32:" @0x00..1f "7:content32:" #(X) e
    verify X   author @0x00..1f   signature of 0x00..1f over X = yes

The parents of a version follow it after `<`. An answer of several values has a word before each:
`downloads b c   conflict`. Of one snapshot, the encoding is stated, or the bytes that are signed;
its ID and its signature follow from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rejoin_conformance.contract.notation import Example
from rejoin_conformance.kit.bt import blake2b
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.phrases import END_OF_TEXT, NotationError, filled
from rejoin_conformance.systems.conflict_detection.operations import ROWS, SYSTEM, GraphRow
from rejoin_conformance.systems.conflict_detection.segments import (
    GAP,
    WORDS,
    Statement,
    ends,
    repeated,
    repeats,
    spelled_list,
    together,
    word,
    words_left,
)
from rejoin_conformance.systems.conflict_detection.snapshots import (
    author_of,
    content_id,
    encoded_snapshot,
    signature_of,
    with_signature,
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


def _is_version(text: Statement) -> bool:
    """Return whether a statement is a version of a graph."""
    after = text.tokens[1]
    return after.kind == "end" or (after.kind != "quoted" and after.text == "<")


def _read_graph(graph: Sequence[Statement]) -> list[Json]:
    versions: list[Json] = []
    for text in graph:
        name = word(text, "a version")
        parents: list[Json] = []
        if text.takes("<"):
            parents = words_left(text, "a parent", alone=not repeats(name))
        versions += repeated(text, {"id": name, "parents": parents})
        text.done()
    return versions


def _spelled_version(version: Any) -> str:
    after = f" < {spelled_list(version['parents'])}" if version["parents"] else ""
    return f"{WORDS.spelled(version['id'])}{after}"


def read(body: Sequence[Statement]) -> Example:
    """Return a question, with its answer if it is stated. Raises NotationError."""
    graph = [each for each in body if _is_version(each)]
    asked = [each for each in body if not _is_version(each)]
    if not asked:
        raise NotationError(body[-1].next.line, EXPECTED, END_OF_TEXT)
    text = together(asked)
    row, fields = _read_question(text)
    value = _input(row, graph, fields)
    output = None if text.at_end else _answer(text, row, value)
    return Example(operation=f"{SYSTEM}/{row.name}", input=value, output=output)


def _read_question(text: Statement) -> tuple[GraphRow, JsonObject]:
    """Take the question whose phrase comes next. Fails at the furthest place that one reads."""
    furthest, fault = 0, None
    for row in _ROWS.values():
        text.place = 0
        begins_with_name = not row.asks.parts[0]["word"]
        try:
            fields = row.asks.read(text)
            if not ends(text):
                text.fail("the end of the question, or two spaces before its answer")
        except NotationError as error:
            if text.place - begins_with_name > furthest:
                furthest, fault = text.place - begins_with_name, error
        else:
            return row, fields
    text.place = 0
    raise fault or NotationError(text.next.line, EXPECTED, text.next.text)


def _input(row: GraphRow, graph: Sequence[Statement], fields: JsonObject) -> JsonObject:
    if graph and not row.graph:
        graph[0].fail("no graph in a question on version maps")
    value = {row.graph: _read_graph(graph), **fields} if row.graph else fields
    return {name: value[name] for name in row.takes if name in value}


def _answer(text: Statement, row: GraphRow, question: JsonObject) -> JsonObject:
    """Take an answer, and return it with what follows from what it states."""
    text.takes("=")
    told: Any = row.tells.read(text)
    text.done("nothing after the answer")
    value: Any = question
    if "encoded" in told:
        content = value["content"]
        identity = None if content is None else content_id(bytes.fromhex(content)).hex()
        identified = blake2b(bytes.fromhex(told["encoded"])).hex()
        return {"content_id": identity, **told, "id": identified}
    if "over" in told:
        seed, span = bytes.fromhex(value["signing_key"]), bytes.fromhex(told["over"])
        signature = signature_of(span, seed)
        return {
            "author": author_of(seed).hex(),
            "signature": signature.hex(),
            "id": blake2b(with_signature(span, signature)).hex(),
        }
    return told  # type: ignore[no-any-return]  # it is a JSON object


def read_answer(body: Sequence[Statement], example: Example) -> JsonObject:
    """Return the answer to a question, alone."""
    return _answer(together(body), _ROWS[example.operation], example.input)


def read_mended(body: Sequence[Statement], example: Example) -> Example:
    """Return the question above with another graph, another question, or both."""
    row, before = _ROWS[example.operation], example.input
    graph = [each for each in body if _is_version(each)]
    asked = [each for each in body if not _is_version(each)]
    fields = {name: each for name, each in before.items() if name != row.graph}
    if asked:
        text = together(asked)
        fields = row.asks.read(text)
        text.done("no answer: a mended input states only the question")
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
        alone = len(row.tells.fields) == 1 and not row.tells.parts[0]["word"]
        answer = (" = " if alone else GAP) + written_answer(example, example.output)
    return "\n".join([*filled(map(_spelled_version, graph), "; "), row.asks.write(value) + answer])


def written_answer(example: Example, output: JsonObject) -> str:
    """Return the text of an answer."""
    row, value = _ROWS[example.operation], {**example.input, **output}
    if "over" in row.tells.fields:
        parts: Any = {name: value[name] for name in ("content", "author")}
        content, author = (each and bytes.fromhex(each) for each in parts.values())
        parents: Any = value["parents"]
        span = encoded_snapshot(content, [*map(bytes.fromhex, parents)], author)
        value["over"] = span.hex()
    return row.tells.write(value, value)
