"""The kinds of the fields of operations: what they are in JSON, in text and in Python.

The context of a kind is the type of the states (`Form`), or None if a field can have any type.

The rows of operations on histories say in these kinds what their functions are asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from attrs import field, frozen

from rejoin import history_merge as hm
from rejoin_conformance.contract.drafting import read_repetition
from rejoin_conformance.contract.rows import Row, dumped, one_of
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.locations import saying, text_beside
from rejoin_conformance.kit.phrases import Kind, Phrase, Scanner, filled
from rejoin_conformance.kit.schemas import BOOLEAN, any_of, list_of, nullable, one_of_texts, record
from rejoin_conformance.systems.history_merge.states import (
    ANY_STATE,
    FORMS,
    ID,
    NAME,
    NODE_ID,
    NOTHING,
    PARENTS,
    SET,
    SET_FORM,
    STATE_WORDS,
    WORDS,
    Form,
    load_node,
    load_nodes,
    node_schema,
    read_names,
    read_node,
    read_set,
    read_state,
    write_names,
    write_node,
    write_set,
    write_state,
)


def _history(schema: Callable[[Any], JsonObject], load: Callable[[Any, Any], Any]) -> Kind:
    """Return the kind of the nodes before a question. They become a graph."""
    return Kind(
        schema=lambda form: list_of(schema(form)),
        load=lambda nodes, form: hm.graph_of(load(nodes, form)),
    )


def _count(text: Scanner) -> Json:
    return text.take() if text.next.text.isdecimal() else text.fail("a number of messages")


def statements(text: Scanner, read: Callable[[Scanner, list[Any]], Any]) -> list[Any]:
    """Take statements up to the end. read: takes one, given the statements before it."""
    found: list[Any] = []
    while not (found or text.takes(NOTHING)) or (text.ends_statement() and not text.at_end):
        found += read_repetition(text, [read(text, found)])
    return found


def _list(item: Kind, words: str = "") -> Kind:
    """Return the kind of a list of statements, up to the end of the text."""
    return Kind(
        schema=lambda form: list_of(item.schema(form)),
        read=lambda text: statements(text, lambda text, _: item.read(text)),
        write=lambda values, form: (
            "\n  ".join(filled(item.write(each, form) for each in values)) or NOTHING
        ),
        dump=lambda values, form: [item.dump(each, form) for each in values],
        words=words,
    )


def _record(template: str, order: str, **missing: Json) -> Kind:
    """Return the kind of an object with a phrase.

    order: its fields in JSON. missing: the values of the fields that the text leaves out.
    """
    phrase = Phrase(template, KINDS)
    fields = {name: phrase.fields[name] for name in order.split()}

    def read(text: Scanner) -> Json:
        found = {**missing, **phrase.read(text)}
        return {name: found[name] for name in fields}

    return Kind(
        schema=lambda form: record({n: kind.described(form) for n, kind in fields.items()}),
        read=read,
        write=lambda value, form: phrase.write(
            {n: each for n, each in value.items() if each or n not in missing}, form
        ),
        dump=lambda value, form: dumped(value, fields, form),
    )


def _read_names(text: Scanner) -> Json:
    return [] if text.takes(NOTHING) else read_names(text, f"{NODE_ID}, or `{NOTHING}`")


_NAME: Final = Kind(
    schema=NAME, read=lambda text: text.name(NODE_ID), write=lambda name, _: WORDS.spelled(name)
)
_NAMES: Final = Kind(
    schema=list_of(NAME), read=_read_names, write=write_names, dump=lambda names, _: [*names]
)
_SET: Final = Kind(
    schema=SET,
    read=read_set,
    write=write_set,
    load=lambda value, _: frozenset(value),
    dump=lambda value, _: sorted(value),
)
_STATE: Final = Kind(
    schema=lambda form: ANY_STATE if form is None else form.schema,
    read=read_state,
    write=write_state,
    load=lambda value, form: form.load(value),
    dump=lambda value, form: form.dump(value),
)
_SOME: Final = Kind(
    schema={"type": "string", "pattern": "^(0|[1-9][0-9]*)(?!\\n)$"},
    read=_count,
    write=lambda value, _: str(value),
    dump=lambda value, _: str(value),
)

KINDS: Final[dict[str, Kind]] = {
    **dict.fromkeys(("earlier", "later", "with", "node", "head"), _NAME),
    **dict.fromkeys(("of", "among", "merge", "order"), _NAMES),
    **dict.fromkeys(("set", "ids", "union", "origin-set", "changed", "inserted", "deleted"), _SET),
    **dict.fromkeys(("state", "origin", "left", "right"), _STATE),
    "state-set": _SET,
    "before": one_of({"yes": True, "no": False}),
    "anti_chain": one_of({"yes": True, "no": False}),
    "accepted": one_of({"accepted": True}),
    "virtual": Kind(schema=BOOLEAN, read=lambda _: True, write=lambda *_: ""),
    "written": _SOME,
    "copies": _SOME,
    "message": Kind(schema=node_schema, read=read_node, write=write_node, load=load_node),
    "typed": _history(node_schema, load_nodes),
    "sets": _history(lambda _: node_schema(SET_FORM), lambda nodes, _: load_nodes(nodes, SET_FORM)),
    "unstated": _history(lambda _: node_schema(None), lambda nodes, _: load_nodes(nodes, None)),
    "messages": Kind(schema=lambda form: list_of(node_schema(form)), load=load_nodes),
    "state_type": Kind(
        schema=lambda form: one_of_texts(form.name),
        load=lambda name, _: FORMS[name],
        missing=SET_FORM,
    ),
}
KINDS.update(saying(text_beside(__name__), KINDS))
"""The kinds of the fields of operations, by name; `kinds.txt` describes them."""
KINDS["nodes"] = _list(
    Kind(
        schema=record({"id": ID, "parents": PARENTS}),
        read=read_node,
        write=write_node,
        dump=lambda node, _: {"id": node.id, "parents": sorted(node.parents)},
    ),
    "The nodes of the history, by ascending ID.",
)
KINDS["edges"] = _list(
    _record(
        "[virtual{virtual} ]{node}[ inserts {inserted}][ deletes {deleted}]",
        "node virtual inserted deleted",
        virtual=False,
        inserted=[],
        deleted=[],
    ),
    "The edges of the history, each with its change.",
)
KINDS["sessions"] = _list(
    _record("{copies} {head}: {state}", "head copies state"), "The sessions that never meet again."
)
KINDS["answers"] = Kind(
    schema=list_of(
        record(
            {
                "accepted": {"description": KINDS["accepted"].words, **BOOLEAN},
                "state": {"description": STATE_WORDS, **nullable(ANY_STATE)},
            }
        )
    ),
    words="The result of each message, in order.",
)


@frozen(slots=False)
class Asked:
    """A question in Python. Its fields are attributes too; `nodes` is a graph.

    fast: whether the fast evaluation answers every input. If not, the literal evaluation answers,
        unless the history exceeds its bound.
    """

    fields: Mapping[str, Any]
    given: hm.Reading
    fast: bool

    def __getattr__(self, name: str) -> Any:
        """Return a field of the question."""
        return self.fields[name]

    @property
    def states(self) -> hm.StateType[Any]:
        """Return the type of the states."""
        form: Form = self.fields.get("state_type", SET_FORM)
        return form.states

    @property
    def reading(self) -> hm.Reading:
        """Return the reading, with the fold order of the question if it has one."""
        if self.fields["order"] is None:
            return self.given
        return hm.folding_by(hm.ranked_in(self.nodes, self.order), self.given)

    @property
    def cache(self) -> hm.MergeCache[Any] | None:
        """Return the cache for the fast evaluation."""
        return hm.MergeCache() if self.fast else None

    def by(self, literal: Callable[..., Any], fast: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function of the evaluation that answers."""
        return fast if self.fast else literal

    def session(self, messages: int) -> hm.Session[Any]:
        """Return a session for that many messages. It merges literally up to the bound."""
        cached = self.fast or messages > hm.LITERAL_NODES
        return hm.Session(self.states, self.given, hm.MergeCache() if cached else None)


@frozen(slots=False)
class HistoryRow(Row):
    """An operation on a history.

    nodes: the kind of the nodes that stand before the question, or nothing. typed: whether the
    field `state_type` says which type of state the question is about.
    """

    nodes: str = field(kw_only=True)
    typed: bool = field(kw_only=True)

    @property
    def takes(self) -> Mapping[str, Kind]:
        """Return the fields of the input: the nodes, the question, the type of the states."""
        nodes = {"nodes": KINDS[self.nodes]} if self.nodes else {}
        return {
            **nodes,
            **self.asks.fields,
            **({"state_type": KINDS["state_type"]} if self.typed else {}),
        }

    def context(self, value: JsonObject, reading: hm.Reading) -> Form:  # noqa: ARG002 - see Row
        """Return the type of the states."""
        return FORMS[str(value.get("state_type", SET_FORM.name))]

    def input_schema(self) -> JsonObject:
        """Return the schema of the input, with an alternative for each type of state."""
        if not self.typed:
            return super().input_schema()
        return any_of(*map(self._schema_for, FORMS.values()))

    def _schema_for(self, form: Form) -> JsonObject:
        """Return the schema of an input with states of one type, which sets need not name."""
        kinds = {**self.takes}
        state_type = kinds.pop("state_type")
        schema: Any = self.schema_of(kinds, self.asks.optional, form)
        schema["properties"]["state_type"] = state_type.described(form)
        schema["required"] += [] if form is SET_FORM else ["state_type"]
        return {**schema}


def size_of(said: Json) -> int:
    """Return the size of a part of an answer: the bytes of its texts in UTF-8, and one for each."""
    if isinstance(said, str):
        return len(said.encode("utf-8", "surrogatepass")) + 1
    if isinstance(said, dict):
        return sum(map(size_of, said.values()))
    return sum(map(size_of, said)) if isinstance(said, list) else 0
