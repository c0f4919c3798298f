"""Show a question and its answer: in the system's notation, drawn, and step by step.

A question is answered by the reference, in a reading or under a rule file in force. Commands, pages
and the site print what these functions return.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from itertools import count
from typing import Final

from attrs import evolve, field, frozen

from rejoin_conformance.contract.asked_text import StepText, step_texts_by, value_text
from rejoin_conformance.contract.drafting import written_out
from rejoin_conformance.contract.notation import Example, SharedNames
from rejoin_conformance.contract.operation import Asked, Operation
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.step import first_parting, steps_in
from rejoin_conformance.contract.system import System, drawings_of
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.text_vectors import written_text
from rejoin_conformance.kit.dag_drawing import Drawing
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json
from rejoin_conformance.readings.reach import overridden

_WORD: Final = re.compile(r"[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*")
_QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_INNERMOST: Final = re.compile(r"[{[][^][{}]*[]}]")
_LONGEST: Final = 64 * 1024
"""The number of characters of the longest input whose steps are listed."""
_MOST_NODES: Final = 120
"""The number of nodes of the largest graph that is drawn."""
_OF_RECIPES: Final = ("input", "expected", "expected_by_reading")


@frozen(kw_only=True)
class Question:
    """A question to show. title: its name, such as the ID of a vector. summary: one line, or empty.

    vector: the vector that asks it, or None.
    """

    system: System
    title: str
    operation: Operation
    input: JsonObject = field(repr=False)
    summary: str = ""
    vector: Vector | None = None

    @property
    def steps_operation(self) -> Operation | None:
        """Return the operation that lists the steps on the way to the answer, or None."""
        if self.operation.steps_of:
            return self.operation
        return self.system.steps_operation(self.operation.name)


@frozen(kw_only=True)
class Answer:
    """The answer to a question in a reading.

    reading: its name, or the name of the rule file. result: `{"output": ...}`, `{"rejected":
    {"reason": ...}}`, or `{"raised": ...}` if a rule raised an exception. text: the question and
    the answer in the notation, or as JSON. steps: the steps as data, or None if no operation lists
    them, or if the input is too long. texts: the steps as text.
    """

    reading: str
    result: JsonObject
    text: str
    steps: tuple[JsonObject, ...] | None
    texts: tuple[StepText, ...] = ()

    def to_json(self) -> JsonObject:
        """Return the answer as data."""
        steps: list[Json] = [
            {**step, "text": text.text, "under": text.under}
            for step, text in zip(self.steps or (), self.texts, strict=True)
        ]
        listed: JsonObject = {} if self.steps is None else {"steps": steps}
        return {"reading": self.reading, **self.result, "text": self.text, **listed}


def question_of(system: System, vector: Vector) -> Question:
    """Return the question of a vector. Raises KeyError if the system has no such operation."""
    operation = system.operation(vector.operation)
    if operation is None:
        raise KeyError(vector.operation)
    return Question(
        system=system,
        title=vector.id,
        operation=operation,
        input=vector.input,
        summary=vector.summary,
        vector=vector,
    )


def drawings_for(
    question: Question, reading: str, answers: Sequence[Answer] = ()
) -> tuple[Drawing, ...]:
    """Return the drawings of the graphs of a question; none if it has none, or large ones.

    reading: a reading by name. answers: the answers of two sides; the nodes at which they part are
    marked.
    """
    if question.vector is not None and question.vector.recipe:
        return ()
    one, other, *_ = (*(each.result for each in answers), None, None)
    of_one, of_other, *_ = (*(each.reading for each in answers), "", "")
    asked = Asked(
        operation=question.operation.name,
        reading=reading,
        input=question.input,
        expected=one,
        observed=other,
        labels=(of_one, of_other),
    )
    drawn = drawings_of(question.system.draw, asked, _parting_steps(answers))
    renamed = _renamed(question)
    return tuple(
        evolve(each, names={node: renamed.get(name, name) for node, name in each.names.items()})
        for each in drawn
        if len(each.dag) <= _MOST_NODES
    )


def _parting_steps(answers: Sequence[Answer]) -> tuple[JsonObject, ...]:
    """Return the steps at which two answers part, of each side that has one."""
    place = parting_step(*answers) if len(answers) == 2 else None
    if place is None:
        return ()
    return tuple(each.steps[place] for each in answers if each.steps and place < len(each.steps))


def _renamed(question: Question) -> Mapping[str, str]:
    """Return the notation's own name of each message -> its author's."""
    own, given = names_in(evolve(question, vector=None)), names_in(question)
    if own is None or given is None:
        return {}
    return dict(zip(own.definitions, given.definitions, strict=True))


def names_in(question: Question) -> SharedNames | None:
    """Return the names that a question defines, for all questions; None if it defines none.

    They are those of the text of its vector, or the notation's own if it has no such text.
    """
    notation, vector = question.system.notation, question.vector
    if notation is None or notation.sharing is None:
        return None
    asked = Example(operation=question.operation.name, input=question.input)
    text = "" if vector is None else written_text(vector.id) or ""
    for lines in (text.split("\n"), ()):
        with suppress(Exception):  # a question of another kind, without messages
            return notation.sharing(asked, [*map(written_out, lines, count(1))])
    return None


def definitions_in(names: SharedNames | None, texts: Iterable[str]) -> tuple[str, ...]:
    """Return the lines that define the names in some texts, and the names in these lines."""
    if names is None:
        return ()
    wanted = [*texts]
    used: set[str] = set()
    while wanted:
        words = _WORD.findall(_without_data(wanted.pop()))
        new = {word for word in words if word in names.definitions} - used
        used |= new
        wanted += [names.definitions[each] for each in new]
    return tuple(line for name, line in names.definitions.items() if name in used)


def _without_data(text: str) -> str:
    """Return a text without quoted strings and without everything in braces and brackets."""
    before, after = "", _QUOTED.sub("", text)
    while before != after:
        before, after = after, _INNERMOST.sub(" ", after)
    return after


def answer_of(
    question: Question,
    reading: str,
    *,
    shown_as: str = "",
    names: SharedNames | None = None,
    with_steps: bool = True,
    counted: AbstractContextManager[None] | None = None,
) -> Answer:
    """Return the reference's answer to a question in a reading, which may be a rule in force.

    shown_as: the name to show for the reading; the reading itself by default. names: names that are
    defined elsewhere. with_steps: whether to list the steps. counted: counts the calls of a rule
    for the answer and its steps; the text of a scenario makes more of them.
    """
    with counted or nullcontext():
        result = _result(question.operation, question.input, reading)
        steps, texts = steps_of(question, reading, names) if with_steps else (None, ())
    text = _text(question, result, names)
    return Answer(
        reading=shown_as or reading,
        result=result,
        text=_as_json(question, result) if text is None else text,
        steps=steps,
        texts=texts,
    )


def parting_step(left: Answer, right: Answer) -> int | None:
    """Return the index of the first step at which two answers part, or None if none does."""
    if left.steps is None or right.steps is None:
        return None
    return first_parting({"steps": [*left.steps]}, {"steps": [*right.steps]})


def _result(operation: Operation, value: JsonObject, reading: str) -> JsonObject:
    """Return the result as data. Under a rule file, an exception is a result."""
    changed = system_named(operation.system).operation(operation.name)
    try:
        result = (changed or operation).run(value, reading)
    except Exception as error:
        if not overridden():
            raise
        return {"raised": f"{type(error).__name__}: {error}"}
    return result.to_json()


def steps_of(
    question: Question, reading: str, names: SharedNames | None = None
) -> tuple[tuple[JsonObject, ...] | None, tuple[StepText, ...]]:
    """Return the steps on the way to the answer, as data and as text; see `Answer`."""
    operation = question.steps_operation
    if operation is None or len(canonical_json(question.input)) > _LONGEST:
        return None, ()
    output = _result(operation, question.input, reading).get("output", {})
    assert isinstance(output, dict)
    by = names or names_in(question) or question.system.notation
    asked = Example(operation=operation.name, input=question.input)
    texts = step_texts_by(None if by is None else by.step_writer, asked, output)
    return tuple(steps_in(output)), texts


def _text(question: Question, result: JsonObject, names: SharedNames | None) -> str | None:
    """Return the question and its answer in the notation, or None if it cannot express them."""
    output = result.get("output")
    if question.vector is not None and question.vector.recipe:
        return None
    asked = in_notation(question, None, names)
    if asked is None:
        return None
    if isinstance(output, dict):
        return asked if question.operation.steps_of else in_notation(question, output, names)
    if "raised" in result:
        return f"{asked}\nraised {result['raised']}"
    rejected = result["rejected"]
    assert isinstance(rejected, dict)
    return f"{asked}\nrefused: {rejected['reason']}"


def in_notation(
    question: Question, output: JsonObject | None = None, names: SharedNames | None = None
) -> str | None:
    """Return a question, and an answer if given, in the notation with the author's names.

    names: names that are defined elsewhere. Returns None if the notation cannot express it.
    """
    notation, name = question.system.notation, question.operation.name
    if notation is None:
        return None
    if name not in notation.operations:
        name = question.operation.steps_of
    if name not in notation.operations:
        return None
    example = Example(operation=name, input=question.input, output=output)
    if names is not None and (text := names.render(example)) is not None:
        return text
    own = names_in(question)
    if own is not None and (text := own.render(example)) is not None:
        return "\n".join([*own.definitions.values(), text])
    changed = system_named(question.operation.system).notation  # that of a rule in force
    return (changed or notation).render(example)


def _as_json(question: Question, result: JsonObject) -> str:
    """Return the question and its answer as JSON. A recipe stays a recipe."""
    parts: JsonObject = {"input": question.input, **result}
    if question.vector is not None and question.vector.recipe:
        written = question.vector.to_json()
        parts = {name: written[name] for name in written if name in _OF_RECIPES}
    return "\n".join(
        f"{name}  {value_text(value)}"
        for name, value in [("operation", question.operation.name), *parts.items()]
    )
