"""The kinds of the fields of operations: what they are in JSON, in text and in Python.

The context of a kind is the type of the states (`Form`), or None if a field can have any type.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rejoin import history_merge as hm
from rejoin_conformance.contract.recipe_drafting import read_repetition
from rejoin_conformance.contract.rows import dumped
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.phrases import Kind, Phrase, Scanner, filled
from rejoin_conformance.kit.schemas import BOOLEAN, list_of, nullable, one_of_texts, record
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
        words="The nodes of the history, in any order.",
    )


def _count(text: Scanner) -> Json:
    return text.take() if text.next.text.isdecimal() else text.fail("a number of messages")


def _either(yes: str, no: str, words: str) -> Kind:
    """Return the kind of a truth value that is one of two words, or that is never false."""

    def read(text: Scanner) -> Json:
        for truth, said in ((True, yes), (False, no)):
            if said and text.takes(said):
                return truth
        return text.fail(f"`{yes}` or `{no}`" if no else f"`{yes}`")

    return Kind(
        schema=BOOLEAN if no else {"const": True},
        read=read,
        write=lambda value, _: yes if value else no,
        words=words,
    )


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
    "earlier": _NAME.saying("The ID of the node that may be the earlier one."),
    "later": _NAME.saying("The ID of the node that may be the later one."),
    "with": _NAME.saying("The ID of one further node."),
    "node": _NAME.saying("The ID of the node at the lower end of the edge."),
    "head": _NAME.saying("The last message of the sessions."),
    "of": _NAMES.saying("The IDs of the nodes in question."),
    "among": _NAMES.saying("The IDs of the nodes in question."),
    "merge": _NAMES.saying("The IDs of the nodes to merge."),
    "order": _NAMES.saying(
        "The nodes that come first in the fold order; the others follow by ascending ID."
    ),
    "set": _SET,
    "ids": _SET.saying("The nodes of the history, in any order."),
    "union": _SET.saying("The elements of all states, in ascending order."),
    "origin-set": _SET.saying("The set before the change."),
    "changed": _SET.saying("The set after the change."),
    "inserted": _SET.saying("The elements that the change inserts."),
    "deleted": _SET.saying("The elements that the change deletes."),
    "state": _STATE.saying(STATE_WORDS),
    "state-set": _SET.saying(STATE_WORDS),
    "origin": _STATE.saying("The state that stands for the common past."),
    "left": _STATE.saying("The state of one side."),
    "right": _STATE.saying("The state of the other side."),
    "before": _either("yes", "no", "Whether `earlier` <= `later`."),
    "anti_chain": _either("yes", "no", "Whether the nodes are an anti-chain."),
    "accepted": _either("accepted", "", "Whether the message is accepted."),
    "virtual": Kind(
        schema=BOOLEAN,
        read=lambda _: True,
        write=lambda *_: "",
        words="Whether the edge leads to a merge of several parents that is not a node.",
    ),
    "written": _SOME.saying("How many messages have to be written, one for each session."),
    "copies": _SOME.saying("How many sessions end with this message."),
    "message": Kind(
        schema=node_schema,
        read=read_node,
        write=write_node,
        load=load_node,
        words="The message to accept, as a node.",
    ),
    "typed": _history(node_schema, load_nodes),
    "sets": _history(lambda _: node_schema(SET_FORM), lambda nodes, _: load_nodes(nodes, SET_FORM)),
    "unstated": _history(lambda _: node_schema(None), lambda nodes, _: load_nodes(nodes, None)),
    "messages": Kind(
        schema=lambda form: list_of(node_schema(form)),
        load=load_nodes,
        words="The messages in the order in which they arrive.",
    ),
    "state_type": Kind(
        schema=lambda form: one_of_texts(form.name),
        load=lambda name, _: FORMS[name],
        missing=SET_FORM,
        words="The type of the states; sets if it is missing.",
    ),
}
KINDS["nodes"] = _list(
    Kind(
        schema=record({"id": ID, "parents": PARENTS}),
        read=read_node,
        write=write_node,
        dump=lambda node, _: {"id": node.id, "parents": sorted(node.parents)},
    ),
    "The nodes of the history, in any order.",
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
