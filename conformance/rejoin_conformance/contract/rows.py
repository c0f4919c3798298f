"""The rows of a system: each operation, step and action is said once, and its forms follow from it.

A row has a template (`kit/phrases.py`) whose fields have kinds. The schema, the JSON, the text in
both directions and the description of every field come from the template and the kinds. A system
derives from these classes for whatever is its own, such as the nodes that precede a question.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import takewhile
from typing import Any, Final, TypeAlias

from attrs import field, frozen

from rejoin_conformance.contract.operation import Feature, Operation, Perform
from rejoin_conformance.contract.step import step_schema
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.locations import table
from rejoin_conformance.kit.phrases import Kind, Phrase, Scanner
from rejoin_conformance.kit.schemas import BOOLEAN, any_of, one_of_texts, record

Answer: TypeAlias = Callable[[JsonObject, Any], JsonObject]
"""(the input, the reading) -> the output."""

_NO_WORDS: Final[Mapping[str, str]] = {}


def dumped(value: Any, fields: Mapping[str, Kind], context: Any = None) -> JsonObject:
    """Return fields of a value, which is a mapping or has attributes, as JSON."""
    found = value if isinstance(value, Mapping) else {name: getattr(value, name) for name in fields}
    return {name: kind.dump(found[name], context) for name, kind in fields.items()}


@frozen(slots=False)
class Row:
    """An operation.

    name: without the system. template: its question and its answer, separated by the first `=`
        between spaces. The fields in brackets are optional.
    does: (its fields in Python, the reading) -> the answer: the value of the only field, or a value
        that has the fields as keys or attributes. second: a second evaluation, or None.
    order: the fields of the input in the order of the JSON, if the text has another one.
    kinds: the kinds of the system. words: descriptions of fields that mean something else here.
    features, step_words, steps_of: see `Operation`; `steps_of` without the system.
    """

    name: str
    template: str
    summary: str
    does: Callable[[Any, Any], Any]
    features: tuple[Feature, ...] = ()
    steps_of: str = field(default="", kw_only=True)
    step_words: Callable[[JsonObject], Sequence[str]] | None = field(default=None, kw_only=True)
    second: Callable[[Any, Any], Any] | None = field(default=None, kw_only=True)
    order: str = field(default="", kw_only=True)
    words: Mapping[str, str] = field(default=_NO_WORDS, kw_only=True)
    kinds: Mapping[str, Kind] = field(kw_only=True, repr=False)

    @cached_property
    def asks(self) -> Phrase:
        """Return the phrase of the question."""
        return Phrase(f" {self.template}".partition(" = ")[0].strip(), self.kinds)

    @cached_property
    def answers(self) -> Phrase:
        """Return the phrase of the answer."""
        return Phrase(f" {self.template}".partition(" = ")[2].strip(), self.kinds)

    @property
    def takes(self) -> Mapping[str, Kind]:
        """Return the fields of the input in order."""
        asked = self.asks.fields
        return {name: asked[name] for name in self.order.split()} or asked

    def context(self, value: JsonObject, reading: Any) -> Any:  # noqa: ARG002 - for derived classes
        """Return the context in which the fields of an input are loaded: the reading."""
        return reading

    def input_schema(self) -> JsonObject:
        """Return the schema of the input."""
        return self.schema_of(self.takes, self.asks.optional)

    def output_schema(self) -> JsonObject:
        """Return the schema of the output."""
        return self.schema_of(self.answers.fields)

    def schema_of(
        self, kinds: Mapping[str, Kind], optional: Collection[str] = (), context: Any = None
    ) -> JsonObject:
        """Return the schema of an object with fields of these kinds."""
        fields = {
            name: kind.described(context, self.words.get(name, "")) for name, kind in kinds.items()
        }
        return record(fields, {name: fields.pop(name) for name in [*fields] if name in optional})

    def loaded(self, value: JsonObject, context: Any) -> dict[str, Any]:
        """Return the fields of an input in Python."""
        return {
            name: kind.load(value[name], context) if name in value else kind.missing
            for name, kind in self.takes.items()
        }

    def answer(
        self, value: JsonObject, reading: Any, does: Callable[[Any, Any], Any]
    ) -> JsonObject:
        """Return the output that a function gives for an input."""
        context = self.context(value, reading)
        return self.answered(does(self.loaded(value, context), reading), context)

    def answered(self, made: Any, context: Any) -> JsonObject:
        """Return an answer in Python as JSON."""
        fields = self.answers.fields
        return dumped(made if len(fields) > 1 else {next(iter(fields)): made}, fields, context)

    def operation(self, system: str, under: Callable[[Answer], Perform]) -> Operation:
        """Return the operation of a system.

        under: gives an answer the reading for the name of the reading, its last argument.
        """

        def performed(does: Callable[[Any, Any], Any]) -> Perform:
            return under(lambda value, reading: self.answer(value, reading, does))

        return Operation(
            name=f"{system}/{self.name}",
            summary=self.summary,
            input_schema=self.input_schema(),
            output_schema=self.output_schema(),
            perform=performed(self.does),
            second=None if self.second is None else performed(self.second),
            features=self.features,
            step_words=self.step_words,
            steps_of=self.steps_of and f"{system}/{self.steps_of}",
        )


@frozen(slots=False)
class StepRow:
    """A step of an operation.

    clauses: the IDs that it can name, separated by spaces. words: the descriptions of its fields;
    those that it describes come first in the JSON. before: fields before these, which the text does
    not say.
    """

    kind: str
    template: str
    clauses: str
    words: Mapping[str, str] = _NO_WORDS
    kinds: Mapping[str, Kind] = field(kw_only=True, repr=False)
    before: Mapping[str, Kind] = field(factory=dict, kw_only=True, repr=False)

    @cached_property
    def phrase(self) -> Phrase:
        """Return the phrase of the step after its type."""
        return Phrase(self.template, self.kinds)

    @cached_property
    def fields(self) -> dict[str, Kind]:
        """Return the fields of the JSON in order."""
        told = self.phrase.fields
        return {**self.before, **{name: told[name] for name in (*self.words, *told)}}

    def schema(self) -> JsonObject:
        """Return the schema of the step."""
        described = {
            name: (kind.schema(None), self.words.get(name, kind.words))
            for name, kind in self.fields.items()
        }
        return step_schema(self.kind, self.clauses, **described)

    def write(self, step: JsonObject, context: Any = None, mark: str = "") -> str:
        """Return the text of a step. mark: a word that follows its type."""
        return " ".join(filter(None, (self.kind, mark, self.phrase.write(step, context))))


def step_rows(text: str, kinds: Mapping[str, Kind], **more: Any) -> dict[str, StepRow]:
    """Return the rows of the steps in a table, by their types. more: further fields of each row."""
    return {
        kind: StepRow(kind, template, words.pop("clauses"), words, kinds=kinds, **more)
        for kind, template, words in table(text)
    }


@frozen(slots=False)
class Action:
    """An action of somebody, in scenarios and random histories alike.

    key: the field of the JSON that tells which action it is. A key that is no field of the text is
        true. says: its text after the subject. does: the reference's function, called as the system
        calls it; None for an action that has to become another one first.
    subject: the field that says who acts, or nothing. optional: optional fields without brackets.
    missing: the values of fields that the text leaves out and the JSON always has.
    words: descriptions of fields that mean something else here.
    feature: the name of the feature that it needs. becomes: the actions that an action that depends
        on the state becomes when a history runs, as the system calls it.
    """

    key: str
    says: str
    does: Callable[..., Any] | None
    feature: str = ""
    becomes: Callable[..., Any] | None = None
    subject: str = field(default="client", kw_only=True)
    optional: tuple[str, ...] = field(default=(), kw_only=True)
    missing: Mapping[str, Json] = field(factory=dict, kw_only=True)
    words: Mapping[str, str] = field(default=_NO_WORDS, kw_only=True)
    kinds: Mapping[str, Kind] = field(kw_only=True, repr=False)

    @cached_property
    def phrase(self) -> Phrase:
        """Return the phrase of the action after its subject."""
        return Phrase(self.says, self.kinds)

    @cached_property
    def fields(self) -> dict[str, Kind]:
        """Return the fields of the JSON in order."""
        told = {self.subject: self.kinds[self.subject]} if self.subject else {}
        told |= self.phrase.fields
        return told if self.key in told else {**told, self.key: TRUE}

    @cached_property
    def lead(self) -> tuple[str, ...]:
        """Return the words before the first field."""
        told = [part["word"] for part in self.phrase.parts if not part["space"]]
        return tuple(takewhile(bool, told))

    def schema(self, context: Any = None) -> JsonObject:
        """Return the schema of the action."""
        fields = {
            name: kind.described(context, self.words.get(name, ""))
            for name, kind in self.fields.items()
        }
        left_out = {*self.phrase.optional, *self.optional} - {self.key, *self.missing}
        return record(fields, {name: fields.pop(name) for name in [*fields] if name in left_out})

    def loaded(self, action: Mapping[str, Any], context: Any) -> dict[str, Any]:
        """Return the fields of an action in Python, as the function of the row takes them."""
        fields = self.fields.items()
        return {name: kind.load(action[name], context) for name, kind in fields if name in action}

    def write(self, action: Mapping[str, Any], context: Any = None) -> str:
        """Return the text of an action."""
        told = {
            name: each
            for name, each in action.items()
            if name not in self.missing or each != self.missing[name]
        }
        said = self.phrase.write(told, context)
        if not self.subject:
            return said
        return f"{self.kinds[self.subject].write(action[self.subject], context)} {said}".rstrip()

    def read(self, text: Scanner, who: JsonObject) -> JsonObject:
        """Take the action after its subject. who: the field of the subject, or nothing."""
        found = {**who, **self.missing, **self.phrase.read(text)}
        return found if self.key in found else {**found, self.key: True}


TRUE: Final = Kind(schema={"const": True}, read=lambda _: True, write=lambda *_: "")
"""The kind of a field that is true if it is there, and is told by the words around it."""


def one_of(said: Mapping[str, Json]) -> Kind:
    """Return the kind of a value that is one of some words, or what such a word stands for."""
    *others, last = [f"`{each}`" for each in said]
    expected = f"{', '.join(others)} or {last}" if others else last

    def read(text: Scanner) -> Json:
        found = next((each for each in said if text.takes(each)), None)
        return text.fail(expected) if found is None else said[found]

    texts = all(isinstance(each, str) for each in said.values())
    known: JsonObject = BOOLEAN if len(said) > 1 else {"const": True}
    return Kind(
        schema=one_of_texts(*said) if texts else known,
        read=read,
        write=lambda value, _: next(each for each, known in said.items() if known == value),
    )


def action_of(rows: Iterable[Action], action: Mapping[str, Any]) -> Action:
    """Return the first row whose key an action has."""
    return next(row for row in rows if row.key in action)


def read_action(rows: Sequence[Action], text: Scanner, who: JsonObject | None = None) -> JsonObject:
    """Take an action: the first whose words come next. Raises NotationError.

    who: the field of the subject, if the text does not repeat it.
    """
    for row in rows if who is None else ():
        if not row.subject and text.would_take(*row.lead):
            return row.read(text, {})
    told = [row for row in rows if row.subject]
    start = text.place
    for row in told:
        text.place = start
        acting = who or {row.subject: row.kinds[row.subject].read(text)}
        if text.would_take(*row.lead):
            return row.read(text, acting)
    *others, last = [f"`{' '.join(row.lead)}`" for row in told]
    return text.fail(" or ".join([", ".join(others), last] if others else [last]))


def actions_schema(rows: Iterable[Action]) -> JsonObject:
    """Return the schema of an action of any of the rows."""
    return any_of(*(row.schema() for row in rows))
