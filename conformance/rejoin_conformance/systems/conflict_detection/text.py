"""The text notation of conflict detection: graphs, maps, snapshots, scenarios and histories.

    a; b < a; c < b
    ours b   theirs c = overwrite

The parents of a version follow it after `<`. `40 diamonds` is a chain of 40 diamonds: t0, then l1
and r1 after it, t1 after both, and so on. An answer of several values has a word before each:
`downloads b c   conflict`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rejoin_conformance.contract.notation import Example, Notation, WriteStep, WrittenStep
from rejoin_conformance.contract.rows import Row
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.phrases import END_OF_TEXT, NotationError, filled
from rejoin_conformance.systems.conflict_detection import action_texts, scenario_text, snapshots
from rejoin_conformance.systems.conflict_detection.actions import spelled_action
from rejoin_conformance.systems.conflict_detection.history import parse_history, render_history
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
    statements,
    whole,
    word,
    words_left,
)
from rejoin_conformance.systems.conflict_detection.steps import write_step

_QUESTIONS: Final = {
    row.name: row for row in ROWS.values() if any(part["word"] for part in row.asks.parts)
}
"""The operations whose question and answer are phrases."""
_EXPECTED: Final = (
    "`d follows a`, `ours ...`, `clients ...`, `kept at ...`, `join ...`, `A uploads ...`, "
    "`identify ...`, or a scenario that begins with `snapshots: A B`"
)
_DIAMONDS: Final = "diamonds"
_MOST_DIAMONDS: Final = 1000


def _row_of(example: Example) -> GraphRow:
    return _QUESTIONS[example.operation.removeprefix(f"{SYSTEM}/")]


# Graphs.


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


# Reading.


def parse(lines: Sequence[str]) -> Example:
    """Return the question on these lines, with its answer if it is stated. Raises NotationError."""
    body = _body(lines)
    if scenario_text.is_header(body[0]):
        return scenario_text.read_scenario(body[0], body[1:])
    if action_texts.is_header(body[0]):
        return action_texts.read_actions(body[0], body[1:])
    if snapshots.is_question(body[0]):
        return snapshots.read_question(body)
    graph = [each for each in body if _is_version(each)]
    asked = [each for each in body if not _is_version(each)]
    if not asked:
        raise NotationError(body[-1][0].next.line, _EXPECTED, END_OF_TEXT)
    text = flat(asked)
    row, fields = _read_question(text)
    output = None if text.at_end else _read_answer(text, row)
    value = _input(row, graph, fields)
    return Example(operation=f"{SYSTEM}/{row.name}", input=value, output=output)


def _body(lines: Sequence[str]) -> list[Statement]:
    """Return the statements that define no snapshot, at least one."""
    body: list[Statement] = []
    for each in statements(lines):
        if snapshots.is_definition(each):
            snapshots.define_snapshot(each)
        else:
            body.append(each)
    if not body:
        raise NotationError(max(1, len(lines)), _EXPECTED, END_OF_TEXT)
    return body


def _read_question(text: Segment) -> tuple[GraphRow, JsonObject]:
    """Take the question whose phrase comes next. Fails at the furthest place that one reads."""
    furthest, fault = 1, None
    for row in _QUESTIONS.values():
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
    raise fault or NotationError(text.next.line, _EXPECTED, text.next.text)


def _input(row: GraphRow, graph: Sequence[Statement], fields: JsonObject) -> JsonObject:
    if graph and not row.graph:
        graph[0][0].fail("no graph in a question on version maps")
    value = {row.graph: _read_graph(graph), **fields} if row.graph else fields
    return {name: value[name] for name in row.takes if name in value}


def _read_answer(text: Segment, row: Row) -> JsonObject:
    text.takes("=")
    output = row.answers.read(text)
    if not text.at_end:
        text.fail("nothing after the answer")
    return output


def parse_output(lines: Sequence[str], example: Example) -> JsonObject:
    """Return the answer of another reading, from its lines. Raises NotationError."""
    body = _body(lines)
    if example.operation == scenario_text.OPERATION:
        return scenario_text.read_differing(body, example)
    if example.operation in action_texts.OPERATIONS:
        return action_texts.read_output(body, example)
    if example.operation in snapshots.OPERATIONS.values():
        return snapshots.read_answer(flat(body), example)
    return _read_answer(flat(body), _row_of(example))


def parse_mended(lines: Sequence[str], example: Example) -> Example:
    """Return the question above with another graph, another question or another last step."""
    body = _body(lines)
    if example.operation == scenario_text.OPERATION and not scenario_text.is_header(body[0]):
        return scenario_text.read_mended(body, example)
    if example.operation.removeprefix(f"{SYSTEM}/") not in _QUESTIONS:
        return parse(lines)
    row, before = _row_of(example), example.input
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


# Writing.


def render(example: Example) -> str | None:
    """Return the text of an example, or None if the notation cannot express it."""
    try:
        text = _written(example)
        return text if parse(text.split("\n")) == example else None
    except (AttributeError, KeyError, TypeError, ValueError, AssertionError, NotationError):
        return None


def _written(example: Example) -> str:
    if example.operation == scenario_text.OPERATION:
        return "\n".join(scenario_text.written_scenario(example))
    if example.operation in action_texts.OPERATIONS:
        return "\n".join(action_texts.written(example))
    if example.operation in snapshots.OPERATIONS.values():
        return snapshots.written_question(example)
    row, value = _row_of(example), example.input
    graph: Any = value[row.graph] if row.graph else []
    answer = ""
    if example.output is not None:
        joint = " = " if len(row.answers.fields) == 1 else GAP
        answer = joint + row.answers.write(example.output)
    return "\n".join([*filled(map(_spelled_version, graph), "; "), row.asks.write(value) + answer])


def render_output(example: Example, output: JsonObject) -> str | None:
    """Return the text of another reading's answer, or None if the notation cannot express it."""
    try:
        if example.operation == scenario_text.OPERATION:
            text = "\n".join(scenario_text.written_differing(example, output))
        elif example.operation in action_texts.OPERATIONS:
            text = "\n".join(action_texts.written_output(example, output))
        elif example.operation in snapshots.OPERATIONS.values():
            text = snapshots.written_answer(example, output)
        else:
            text = _row_of(example).answers.write(output)
        return text if parse_output(text.split("\n"), example) == output else None
    except (AttributeError, KeyError, TypeError, ValueError, AssertionError, NotationError):
        return None


def variants(lines: Sequence[str]) -> dict[str, list[tuple[int, str]]]:
    """Return the two vectors of a scenario that begins with `both designs: A B`.

    Their names end with `-snapshots` and `-maps`. The vector with version maps is for the reading
    `repaired` only, because the version maps as printed misclassify versions so early that the rest
    of the scenario is different.
    """
    if not lines or not lines[0].startswith(scenario_text.BOTH_DESIGNS):
        return {}
    rest = lines[0].removeprefix(scenario_text.BOTH_DESIGNS)
    numbered = [*enumerate(lines)][1:]
    starts = [place for place, line in numbered if line.startswith("in literal:")] or [len(lines)]
    stops = [place for place, line in numbered if place > starts[0] and not line.startswith(" ")]
    literal = range(starts[0], stops[0] if stops else len(lines))
    maps = [(place, line) for place, line in numbered if place not in literal]
    return {
        "snapshots": [(0, f"snapshots{rest}"), *numbered],
        "maps": [(0, f"version maps{rest}"), *maps, (len(lines) - 1, "only in repaired")],
    }


def step_writer(example: Example) -> WriteStep:
    """Return the function that writes the steps of a scenario, under the action of each."""
    actions: Any = example.input["steps"]
    named = scenario_text.every_file_named(actions)

    def write(step: JsonObject) -> WrittenStep:
        number: Any = step["number"]
        under = f"#{number} {spelled_action(actions[number], named=named)}"
        return WrittenStep(write_step(step), under)

    return write


NOTATION: Final = Notation(
    operations=(
        scenario_text.OPERATION,
        *snapshots.OPERATIONS.values(),
        *action_texts.OPERATIONS,
        *(f"{SYSTEM}/{name}" for name in _QUESTIONS),
    ),
    parse=parse,
    render=render,
    parse_output=parse_output,
    render_output=render_output,
    parse_history=parse_history,
    render_history=render_history,
    parse_mended=parse_mended,
    render_mended=lambda mended, _: render(mended),
    variants=variants,
    step_writer=step_writer,
)
"""The notation of conflict detection."""
