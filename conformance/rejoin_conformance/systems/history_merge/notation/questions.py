"""How each operation of history merge is asked in text, and how it answers: one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from attrs import frozen

from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.history_merge.notation.scanner import NOTHING, Scanner
from rejoin_conformance.systems.history_merge.notation.states import (
    filled,
    message_name,
    read_node,
    read_set,
    read_state,
    write_node,
    write_set,
    write_state,
)
from rejoin_conformance.systems.history_merge.notation.steps import read_steps, write_steps


@frozen
class Kind:
    """A kind of field. write: (the value, the type of the states) -> text."""

    read: Callable[[Scanner], Json]
    write: Callable[[Any, str], str]


@frozen
class Slot:
    """A field of a question or an answer, after its mark or keyword, which may be empty."""

    mark: str
    field: str
    kind: Kind
    optional: bool = False

    def read_mark(self, scanner: Scanner) -> bool:
        """Take the mark or keyword; whether the field follows. It must, if it is not optional."""
        for word in self.mark.split():
            if not scanner.takes(word):
                if self.optional:
                    return False
                raise scanner.fault(f"`{word}`")
        return True

    def write(self, value: JsonObject, state_type: str) -> str:
        """Return the text of the field, with its mark or keyword."""
        return f"{self.mark} {self.kind.write(value[self.field], state_type)}".lstrip()


@frozen
class Question:
    """How an operation is asked.

    history: whether messages stand before the question. typed: whether `state_type` says which
    type of state it is about.
    """

    asks: tuple[Slot, ...]
    answers: tuple[Slot, ...]
    history: bool = True
    typed: bool = False


def _names(scanner: Scanner) -> Json:
    return [*scanner.names("the ID of a message")]


def _write_names(names: Any, _state_type: str) -> str:
    return " ".join(map(message_name, names)) or NOTHING


def _words(yes: str, no: str) -> Kind:
    """Return the kind for a truth value as one of two words. no: empty if false cannot occur."""

    def read(scanner: Scanner) -> Json:
        if scanner.takes(yes):
            return True
        if no and scanner.takes(no):
            return False
        raise scanner.fault(f"`{yes}` or `{no}`" if no else f"`{yes}`")

    return Kind(read, lambda value, _: yes if value else no)


def _statements(read: Callable[[Scanner], Json]) -> Callable[[Scanner], Json]:
    """Reads what an answer lists, up to the end of the body."""

    def read_all(scanner: Scanner) -> Json:
        found: list[Json] = []
        if not scanner.takes(NOTHING):
            found.append(read(scanner))
            while scanner.ends_statement() and not scanner.at_end:
                found.append(read(scanner))
        return found

    return read_all


def _edge(scanner: Scanner) -> Json:
    """Return a change of a history: `p inserts {x} deletes {y}`, `virtual m deletes {z}`."""
    virtual = scanner.takes("virtual")
    node = scanner.name("the ID of a message")
    inserted = read_set(scanner) if scanner.takes("inserts") else []
    deleted = read_set(scanner) if scanner.takes("deletes") else []
    return {"node": node, "virtual": virtual, "inserted": [*inserted], "deleted": [*deleted]}


def _write_edge(edge: Any) -> str:
    parts = ["virtual"] * edge["virtual"] + [message_name(edge["node"])]
    parts += [f"inserts {write_set(edge['inserted'])}"] * bool(edge["inserted"])
    parts += [f"deletes {write_set(edge['deleted'])}"] * bool(edge["deleted"])
    return " ".join(parts)


def _count(scanner: Scanner) -> Json:
    if not scanner.next.text.isdecimal():
        raise scanner.fault("a number of messages")
    return scanner.take().text


def _unmerged(scanner: Scanner) -> Json:
    """Return sessions that end with one message: `4 p: {x}`."""
    copies = _count(scanner)
    head = scanner.name("the ID of a message")
    scanner.expect(":")
    return {"head": head, "copies": copies, "state": read_state(scanner)}


def _write_unmerged(sessions: Any, state_type: str) -> str:
    texts = (
        f"{each['copies']} {message_name(each['head'])}: {write_state(each['state'], state_type)}"
        for each in sessions
    )
    return "\n  ".join(filled(texts)) or NOTHING


def _listed(write: Callable[[Any], str]) -> Callable[[Any, str], str]:
    return lambda values, _: "\n  ".join(filled(map(write, values))) or NOTHING


def _one_name(scanner: Scanner) -> Json:
    return scanner.name("the ID of a message")


def _one_set(scanner: Scanner) -> Json:
    return read_set(scanner)


NAME: Final = Kind(_one_name, lambda name, _: message_name(name))
NAMES: Final = Kind(_names, _write_names)
SET: Final = Kind(_one_set, lambda value, _: write_set(value))
STATE: Final = Kind(read_state, write_state)
NODE: Final = Kind(read_node, write_node)
UNSTATED: Final = Kind(_statements(read_node), _listed(write_node))
STEPS: Final = Kind(read_steps, write_steps)
COUNT: Final = Kind(_count, lambda count, _: str(count))
UNMERGED: Final = Kind(_statements(_unmerged), _write_unmerged)
EDGES: Final = Kind(_statements(_edge), _listed(_write_edge))

_STATE_ANSWER: Final = (Slot("", "state", STATE),)
_NODES_ANSWER: Final = (Slot("", "nodes", SET),)
_ORDER: Final = Slot("in order", "order", NAMES, optional=True)
_MERGE: Final = Question((Slot("", "merge", NAMES), _ORDER), _STATE_ANSWER, typed=True)

QUESTIONS: Final[Mapping[str, Question]] = {
    "before": Question(
        (Slot("", "earlier", NAME), Slot("", "later", NAME)),
        (Slot("", "before", _words("yes", "no")),),
    ),
    "ancestors": Question((Slot("of", "of", NAMES),), _NODES_ANSWER),
    "maximal": Question((Slot("among", "among", NAMES),), _NODES_ANSWER),
    "is-anti-chain": Question(
        (Slot("", "among", NAMES),), (Slot("", "anti_chain", _words("yes", "no")),)
    ),
    "transitive-reduction": Question((), (Slot("", "nodes", UNSTATED),)),
    "common-ancestors": Question(
        (Slot("of", "of", NAMES), Slot("with", "with", NAME)), _NODES_ANSWER
    ),
    "common-to-all": Question((Slot("of", "of", NAMES),), _NODES_ANSWER),
    "three-way-merge": Question(
        (Slot("", "origin", STATE), Slot("->", "left", STATE), Slot("and", "right", STATE)),
        _STATE_ANSWER,
        history=False,
        typed=True,
    ),
    "diff": Question(
        (Slot("", "origin", SET), Slot("->", "changed", SET)),
        (Slot("inserts", "inserted", SET), Slot("deletes", "deleted", SET)),
        history=False,
    ),
    "apply-diff": Question(
        (
            Slot("", "state", SET),
            Slot("inserts", "inserted", SET),
            Slot("deletes", "deleted", SET),
        ),
        (Slot("", "state", SET),),
        history=False,
    ),
    "union-of-events": Question((), (Slot("", "union", SET),)),
    "merge": _MERGE,
    "merge-temporary-nodes": _MERGE,
    "merge-recurse-fold": _MERGE,
    "merge-reduced": _MERGE,
    "merge-check-continues": _MERGE,
    "merge-check-returns": _MERGE,
    "merge-steps": Question(_MERGE.asks, (Slot("", "steps", STEPS),), typed=True),
    "members": Question((_ORDER,), _STATE_ANSWER, typed=True),
    "operational-edges": Question((), (Slot("", "edges", EDGES),)),
    "without-merges": Question(
        (),
        (Slot("", "written", COUNT), Slot("written in", "sessions", UNMERGED)),
        typed=True,
    ),
    "accept": Question(
        (Slot("", "message", NODE),), (Slot("", "accepted", _words("accepted", "")),), typed=True
    ),
}
"""Operation -> how it is asked; `session` is asked otherwise."""
