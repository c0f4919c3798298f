"""Read and write questions on graphs and version maps: one statement each, then its answer.

    a; b < a; c < b
    ours b   theirs c = overwrite

An answer of several values has a word before each: `downloads b c   conflict`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from attrs import frozen

from rejoin_conformance.contract.notation import Example
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.phrases import END_OF_TEXT, NotationError
from rejoin_conformance.systems.conflict_detection.notation.asking import (
    CLASSIFICATION,
    FOUND,
    KEPT,
    MAP,
    YES_OR_NO,
    Answer,
    Asked,
    ask_clients,
    ask_follows,
    ask_garbage,
    ask_join,
    ask_ours,
    ask_upload,
    list_after,
    render_clients,
    render_follows,
    render_garbage,
    render_join,
    render_ours,
    render_upload,
)
from rejoin_conformance.systems.conflict_detection.notation.graphs import (
    is_version,
    parse_graph,
    spelled_graph,
)
from rejoin_conformance.systems.conflict_detection.notation.words import (
    GAP,
    Segment,
    Statement,
    in_lines,
)

QUESTIONS: Final = (
    "`d follows a`, `ours ...`, `clients ...`, `kept at ...`, `join ...`, `A uploads ...`, "
    "`identify ...`, or a scenario that begins with `snapshots: A B`"
)


@frozen
class Question:
    """The text form of one operation.

    graph: the field of the input that holds a graph, or None. ask, render: read and write the
    other fields. answers: the fields of the output.
    """

    operation: str
    graph: str | None
    ask: Callable[[Sequence[Statement]], Asked]
    render: Callable[[Any], list[str]]
    answers: tuple[Answer, ...]


_PREFIX: Final = "conflict-detection/"
_ALL: Final = (
    Question(
        f"{_PREFIX}follows",
        "versions",
        ask_follows,
        render_follows,
        (YES_OR_NO,),
    ),
    Question(f"{_PREFIX}classify-snapshot", "snapshots", ask_ours, render_ours, (CLASSIFICATION,)),
    Question(
        f"{_PREFIX}walk",
        "snapshots",
        ask_ours,
        render_ours,
        (list_after("downloaded", "downloads"), CLASSIFICATION),
    ),
    Question(
        f"{_PREFIX}purge",
        "snapshots",
        ask_clients,
        render_clients,
        (list_after("common_ancestors", "common"), list_after("kept", "keeps")),
    ),
    Question(f"{_PREFIX}collect-garbage", "snapshots", ask_garbage, render_garbage, (KEPT,)),
    Question(f"{_PREFIX}classify-version-map", None, ask_ours, render_ours, (CLASSIFICATION,)),
    Question(f"{_PREFIX}join-version-maps", None, ask_join, render_join, (MAP,)),
    Question(f"{_PREFIX}upload-version-map", None, ask_upload, render_upload, (MAP,)),
)
BY_NAME: Final[Mapping[str, Question]] = {each.operation: each for each in _ALL}


def parse_question(body: Sequence[Statement]) -> Example:
    """Return a question, with its answer if it is stated."""
    graph = [each for each in body if is_version(each)]
    asked = [each for each in body if not is_version(each)]
    if not asked:
        raise NotationError(body[-1][0].line, QUESTIONS, END_OF_TEXT)
    question = _question(asked)
    fields, rest = question.ask(asked)
    if graph and question.graph is None:
        graph[0][0].fail("no graph in a question on version maps")
    value = {question.graph: parse_graph(graph), **fields} if question.graph else fields
    output = parse_answer(question, rest) if rest else None
    return Example(operation=question.operation, input=value, output=output)


def _question(asked: Sequence[Statement]) -> Question:
    """Return the operation, from the words of the question."""
    first = asked[-1][0]
    words = [token.text for token in first.tokens]
    if words[0] == "ours":
        on_maps = any("(" in (token.text for token in each.tokens[:2]) for each in asked[-1])
        cached = any(each.tokens[0].text == "cached" for each in asked[-1])
        name = "classify-version-map" if on_maps else "walk" if cached else "classify-snapshot"
    elif words[0] in _BY_FIRST_WORD:
        name = _BY_FIRST_WORD[words[0]]
    elif words[1:2] == ["follows"]:
        name = "follows"
    elif words[1:2] == ["uploads"]:
        name = "upload-version-map"
    else:
        first.fail(QUESTIONS)
    return BY_NAME[_PREFIX + name]


_BY_FIRST_WORD: Final = {"clients": "purge", "kept": "collect-garbage", "join": "join-version-maps"}


def parse_answer(question: Question, segments: Sequence[Segment]) -> JsonObject:
    """Return an answer: one value, or several values that each follow their own word."""
    output: JsonObject = {}
    for segment in segments:
        segment.reads("=")
        for answer in question.answers:
            value = None if answer.field in output else answer.read(segment)
            if value is not None:
                output[answer.field] = value
                segment.end()
                break
        else:
            segment.fail(_expected(question))
    if len(output) < len(question.answers):
        segments[-1].fail(_expected(question))
    return {answer.field: output[answer.field] for answer in question.answers}


def _expected(question: Question) -> str:
    words = {
        "classification": ", ".join(FOUND[:-1]) + f" or {FOUND[-1]}",
        "map": "a version map such as `(A:3 B:2)`",
        "follows": "yes or no",
        "downloaded": "`downloads` and snapshots",
        "common_ancestors": "`common` and snapshots",
        "kept": "`keeps` and snapshots",
    }
    return ", then ".join(words[answer.field] for answer in question.answers)


def render_question(example: Example) -> list[str]:
    """Return the lines of a question and its answer."""
    question = BY_NAME[example.operation]
    value: Any = example.input
    graph = spelled_graph(value[question.graph]) if question.graph else []
    asked = question.render(value)
    if example.output is not None:
        before = " = " if len(question.answers) == 1 else GAP
        asked[-1] += before + render_answer(question, example.output)
    return [*in_lines(graph), *in_lines(asked)]


def render_answer(question: Question, output: JsonObject) -> str:
    """Return the text of an answer."""
    return GAP.join(answer.write(output[answer.field]) for answer in question.answers)


def parse_mended(body: Sequence[Statement], example: Example) -> Example:
    """Return the question above with another graph, other fields, or both."""
    question = BY_NAME[example.operation]
    graph = [each for each in body if is_version(each)]
    asked = [each for each in body if not is_version(each)]
    value: JsonObject = {**example.input}
    if graph:
        if question.graph is None:
            graph[0][0].fail("no graph in a question on version maps")
        value[question.graph] = parse_graph(graph)
    if asked:
        fields, rest = question.ask(asked)
        for more in rest:
            more.fail("no answer: a mended input states only the question")
        value = {**({question.graph: value[question.graph]} if question.graph else {}), **fields}
    return Example(operation=example.operation, input=value)


def render_mended(repaired: Example, example: Example) -> list[str]:
    """Return the lines of the graph if it differs, and of the other fields if they differ."""
    question = BY_NAME[example.operation]
    value: Any = repaired.input
    before: Any = example.input
    lines: list[str] = []
    graph = question.graph
    if graph and value[graph] != before[graph]:
        lines += in_lines(spelled_graph(value[graph]))
    fields = [each for each in {**value, **before} if each != graph]
    if not lines or any(value.get(each) != before.get(each) for each in fields):
        lines += in_lines(question.render(value))
    return lines
