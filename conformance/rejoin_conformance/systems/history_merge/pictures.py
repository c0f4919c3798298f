"""Histories and answers for people: text, drawings, and why an output is wrong.

The observed output comes from an adapter, so it can name nodes and members that do not exist.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from rejoin.history_merge import Reading, before
from rejoin_conformance.contract.explanation import FirstDifference
from rejoin_conformance.contract.history import Pictures
from rejoin_conformance.contract.operation import Asked
from rejoin_conformance.kit.dag_drawing import Drawing, drawing_of_nodes
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json
from rejoin_conformance.kit.text import counted, shown_line
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.history_merge import READINGS
from rejoin_conformance.systems.history_merge.actions import History
from rejoin_conformance.systems.history_merge.kinds import KINDS
from rejoin_conformance.systems.history_merge.outcome import shown
from rejoin_conformance.systems.history_merge.run import Message, Run, run_history
from rejoin_conformance.systems.history_merge.states import write_set

_SETS: Final = ("nodes", "state", "inserted", "deleted", "union")
"""The fields of outputs that are sets of IDs or of members."""

_STATES: Final = ("origin", "left", "right", "changed", "state", "inserted", "deleted")
_SHOWN: Final = 160


def explain(asked: Asked) -> str | None:
    """Return the first name that is in one of two sets only, with a reason from the input.

    Returns None if the outputs differ in something else than a set.
    """
    for field in _SETS:
        sides: list[Any] = [output.get(field) for output in asked.outputs]
        if sides[0] != sides[1] and all(map(_is_set, sides)):
            stray = min({*sides[0]} ^ {*sides[1]}, default=None)
            if stray is None:
                note = "the same names in another order or repeated"
            else:
                what = "missing" if stray in sides[0] else "extra"
                note = f"{shown_line(stray)} is {what}: {_reason(asked.input, stray)}"
            found = FirstDifference(field, _listed(sides[0]), _listed(sides[1]), note)
            return found.render(asked.labels)
    return None


def _is_set(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _reason(value: Any, name: str) -> str:
    """Return which states contain a member, or how a node stands to the nodes in question."""
    states = {field: value[field] for field in _STATES if isinstance(value.get(field), list)}
    nodes = {node["id"]: node for node in value.get("nodes", ())}
    if not states and all("state" in node for node in nodes.values()):
        states = {each: nodes[each]["state"] for each in value.get("merge", nodes) if each in nodes}
    if states:
        having = [each for each, state in states.items() if name in state]
        lacking = [each for each in states if each not in having]
        sides = (("in", having), ("not in", lacking))
        return "; ".join(f"it is {what} {_listed(who)}" for what, who in sides if who)
    graph = KINDS["unstated"].load(value["nodes"], None)
    asked = [*value.get("of", ()), *value.get("among", ())]
    later = [e for e in asked if name in graph and e != name and before(graph, name, e)]
    where = f"before {_listed(later)}" if later else f"before none of {_listed(asked)}"
    if name in asked:
        where = f"one of {_listed(asked)} and {where if later else 'before none of them'}"
    said = f"it is {where}"
    if "with" not in value:
        return said
    other = value["with"]
    if name == other:
        return f"{said}; it is {shown_line(other)} itself"
    shared = name in graph and before(graph, name, other)
    return f"{said}; it is {'' if shared else 'not '}before {shown_line(other)}"


def _listed(names: Iterable[str]) -> str:
    """Return names on one line, shortened."""
    text = write_set([*map(shown_line, names)])
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def draw(asked: Asked, steps: Sequence[JsonObject]) -> Iterator[Drawing]:
    """Yield the drawing of a question's nodes, with those at which steps or outputs part."""
    for field in ("nodes", "messages"):
        nodes = asked.input.get(field)
        if isinstance(nodes, list):
            message = asked.input.get("message")  # that of `accept` is not among the nodes yet
            every = [*nodes, message] if isinstance(message, dict) else nodes
            marked = {each for named in _marked(asked, steps, nodes) for each in _ids(named)}
            drawing = drawing_of_nodes(field, every, _state_of, marked)
            if drawing is not None and drawing.dag:
                yield drawing


def _marked(asked: Asked, steps: Sequence[JsonObject], nodes: Sequence[Json]) -> Iterator[Json]:
    """Yield lists with the IDs of the nodes at which the steps or the outputs part."""
    if steps:
        for step in steps:
            yield [step["node"]] if "node" in step else step.get("nodes")
    elif len(asked.outputs) == 2:
        one, other = asked.outputs
        yield [*_ids(one.get("nodes")) ^ _ids(other.get("nodes"))]
        left, right = one.get("steps"), other.get("steps")
        if isinstance(left, list) and isinstance(right, list):  # of a session: the first message
            sides = zip(nodes, left, right, strict=False)
            yield [node for node, said, heard in sides if said != heard][:1]


def _ids(listed: Json) -> set[str]:
    """Return the IDs in a list of IDs or of nodes."""
    found = listed if isinstance(listed, list) else []
    names = (each.get("id") if isinstance(each, dict) else each for each in found)
    return {each for each in names if isinstance(each, str)}


def _state_of(node: JsonObject) -> str:
    state = node.get("state", "")
    if isinstance(state, list):
        return write_set([*map(str, state)])
    return state if isinstance(state, str) else canonical_json(state)


def describe_history(history: History, reading: Reading) -> str:
    """Return a history as text: a drawing with one line per message, and the members at the end."""
    run = run_history(history, reading)
    heard = sum("hear" in event for event in history.events)
    return "\n".join(
        [
            (
                f"{counted(len(run.messages), 'message')} by"
                f" {counted(len(run.views.seen), 'author')},"
                f" who heard from each other {counted(heard, 'time')}"
            ),
            "",
            _drawing(run).text(),
            "",
            *_authors(run),
            f"heads {' '.join(sorted(run.merges.heads()))}",
            f"members {shown(run.merges.members())}",
        ]
    )


def drawings_of(history: History, reading: Reading) -> tuple[Drawing, ...]:
    """Return the drawing of the DAG of all messages."""
    return (_drawing(run_history(history, reading)),)


def _drawing(run: Run) -> Drawing:
    numbers = {message.id: message.number for message in run.messages}
    dag = {
        message.number: [numbers[parent] for parent in message.parents] for message in run.messages
    }
    names = {message.number: message.id for message in run.messages}
    notes = {message.number: _note(message) for message in run.messages}
    return Drawing("messages", dag, names, notes)


def _note(message: Message) -> str:
    author, kind, who = (message.post[name] for name in ("author", "kind", "who"))
    done = " ".join([author, kind, *([] if who == [author] else who)])
    departed = "" if message.departed == message.state else f" from {shown(message.departed)}"
    merged = f" (merged {shown(message.departed)})" if len(message.parents) > 1 else ""
    return f"{done}: {shown(message.state)}{merged or departed}"


def _authors(run: Run) -> list[str]:
    lines = []
    for author, view in sorted(run.views.seen.items()):
        heads = run.ids(run.views.heads(view))
        if heads:
            state = run.merges.merge(heads)
            lines.append(f"{author} has seen {' '.join(heads)} and has the members {shown(state)}")
    return lines


PICTURES: Final = Pictures(
    describe=under(READINGS, describe_history), drawings=under(READINGS, drawings_of)
)
"""The histories of this system as text and drawings."""
