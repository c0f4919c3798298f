"""States and nodes: their JSON, their text and their values in Python.

    r: {};  p < r: {x};  q < r: {y}

The state `{a b}` is a set, `5` a counter, `"x"` a register, and `[a b]` a list of lines. Nodes and
elements can be repeated, with numbers in their names (`kit/recipe.py`). What is repeated `for i`
becomes a recipe, and what is repeated `for each i` is written out:

    r: {};  h<i:4> < r: {e<i:4>} for i 0..2103
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from attrs import frozen

from rejoin import history_merge as hm
from rejoin_conformance.contract.drafting import PLACE, read_repetition
from rejoin_conformance.contract.notation import word
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.locations import table, text_beside
from rejoin_conformance.kit.phrases import Scanner, Words
from rejoin_conformance.kit.schemas import any_of, list_of, record

OPERATIONS: Final = (*table(text_beside(f"{__package__}.operations")),)
"""The rows of the operations, in whose texts their names are no names of nodes."""
NOTHING: Final = "nothing"
"""The word for no names and for no statements."""

_OTHER_WORDS: Final = (
    "among and are for in of order states with accepted refused inserts deletes virtual written "
    "computed mended not only scenario"
)
WORDS: Final = Words(
    bare=rf"-?(?:[A-Za-z0-9_]|{PLACE})(?:[A-Za-z0-9_.+-]|{PLACE})*",
    marks=rf"->|(?!{PLACE})[{{}}\[\]<:;=,]",
    reserved=frozenset([name for name, *_ in OPERATIONS] + [NOTHING, *_OTHER_WORDS.split()]),
)
NODE_ID: Final = "the ID of a message"

# Types of state.

NAME: Final[JsonObject] = {"type": "string", "pattern": "^[!-~]+(?!\\n)$"}
"""An ID or an element: printable ASCII without spaces. All languages sort these alike."""

SET: Final = list_of(NAME, unique=True)
_COUNTER: Final = re.compile(r"0|-?[1-9][0-9]*")
_DECIMAL: Final = "^(0|-?[1-9][0-9]*)(?!\\n)$"
_LINE: Final[JsonObject] = {"type": "string", "pattern": "^[ -~]*(?!\\n)$", "maxLength": 200}


@frozen
class Form:
    """A type of state: its name in `states are ...`, its JSON, and its value in Python."""

    states: hm.StateType[Any]
    word: str
    schema: JsonObject
    load: Callable[[Any], Any]
    dump: Callable[[Any], Json]

    @property
    def name(self) -> str:
        """Return the value of the field `state_type` for this type."""
        return self.states.name


FORMS: Final = {
    form.name: form
    for form in (
        Form(hm.SETS, "sets", SET, frozenset, sorted),
        Form(
            hm.COUNTERS,
            "counters",
            {"type": "string", "pattern": _DECIMAL, "maxLength": 60},
            int,
            str,
        ),
        Form(hm.REGISTERS, "registers", {"type": "string", "maxLength": 200}, str, str),
        Form(hm.LINES, "lines", list_of(_LINE, maximum=200), tuple, list),
    )
}
SET_FORM: Final = FORMS[hm.SETS.name]
ANY_STATE: Final = any_of(*(form.schema for form in FORMS.values()))


def form_of(value: Mapping[str, Any]) -> Form | None:
    """Return the type of state that an input names, or None."""
    return FORMS.get(str(value.get("state_type", "")))


def type_shown(state: Json, form: Form | None) -> str:
    """Return the type that the text of a state shows. form: the type that the question names."""
    named = "" if form is None else form.name
    if isinstance(state, list):
        return hm.LINES.name if named == hm.LINES.name else hm.SETS.name
    counts = _COUNTER.fullmatch(str(state)) and named != hm.REGISTERS.name
    return hm.COUNTERS.name if counts else hm.REGISTERS.name


def read_set(text: Scanner, opening: str = "{", closing: str = "}") -> list[Json]:
    """Take elements in braces, or lines in brackets."""
    text.need(opening)
    found: list[Json] = []
    while not text.takes(closing):
        if text.next.kind not in ("bare", "quoted"):
            text.fail(f"an element or `{closing}`")
        found += _repeated_names(text, [text.take()])
    return found


def _repeated_names(text: Scanner, names: list[Json]) -> list[Json]:
    """Return names, or those of some numbers; commas join the names that are repeated together."""
    if not re.search(PLACE, str(names[0])):
        return names
    while text.takes(","):
        names.append(text.take())
    return read_repetition(text, names)


def read_names(text: Scanner, expected: str, *, repeated: bool = True) -> list[Json]:
    """Take names, at least one. repeated: whether `for` repeats a name, and not what it is in."""
    found: list[Json] = []
    while not found or text.is_name():
        name: list[Json] = [text.name(expected)]
        found += _repeated_names(text, name) if repeated else name
    return found


def write_set(elements: Any, _: object = None, pair: str = "{}") -> str:
    """Return the text of elements in braces, or of lines in brackets."""
    return pair[0] + " ".join(word(str(each)) for each in elements) + pair[1]


def read_state(text: Scanner) -> Json:
    """Take a state of any type, and note its type."""
    token = text.next
    if token.kind == "mark" and token.text in "{[":
        text.seen.append(hm.SETS.name if token.text == "{" else hm.LINES.name)
        return read_set(text) if token.text == "{" else read_set(text, "[", "]")
    if token.kind == "bare" and _COUNTER.fullmatch(re.sub(PLACE, "1", token.text)):
        text.seen.append(hm.COUNTERS.name)
    elif token.kind == "quoted":
        text.seen.append(hm.REGISTERS.name)
    else:
        text.fail('a state: `{a b}`, `5`, `"text"` or `[a b]`')
    return text.take()


def write_state(state: Json, form: Form | None) -> str:
    """Return the text of a state."""
    match type_shown(state, form):
        case "counter":
            return str(state)
        case "register":
            return json.dumps(state)
        case shown:
            return write_set(state, pair="[]" if shown == hm.LINES.name else "{}")


# Nodes.


def write_names(names: Any, _: object = None) -> str:
    """Return the text of names in a row."""
    return " ".join(map(WORDS.spelled, names)) or NOTHING


ID: Final[JsonObject] = {"description": "The ID of the node.", **NAME}
PARENTS: Final[JsonObject] = {"description": "The IDs of the node's parents.", **SET}
STATE_WORDS: Final = "The state: a set of names, a decimal counter, a register, or a list of lines."


def node_schema(form: Form | None) -> JsonObject:
    """Return the schema of a node. form: the type of its state; None if its state is ignored."""
    state = {"description": STATE_WORDS, **(ANY_STATE if form is None else form.schema)}
    required = {"id": ID, "parents": PARENTS}
    return (
        record(required, {"state": state}) if form is None else record({**required, "state": state})
    )


def read_node(text: Scanner) -> JsonObject:
    """Take a node: `m < p q: {a b}`, without its state where states do not count."""
    name = text.name(NODE_ID)
    node: JsonObject = {"id": name, "parents": []}
    if text.takes("<"):
        with_node = re.search(PLACE, name) is not None
        node["parents"] = read_names(text, "the ID of a parent", repeated=not with_node)
    if text.takes(":"):
        node["state"] = read_state(text)
    return node


def write_node(node: Any, form: Form | None = None) -> str:
    """Return the text of a node."""
    parents = f" < {write_names(node['parents'])}" if node["parents"] else ""
    state = f": {write_state(node['state'], form)}" if "state" in node else ""
    return WORDS.spelled(node["id"]) + parents + state


def load_node(node: Any, form: Form | None) -> hm.Node[Any]:
    """Return a node of the reference. form: as above; without it, the state is None."""
    state = None if form is None else form.load(node["state"])
    return hm.Node(node["id"], frozenset(node["parents"]), state)


def load_nodes(nodes: Any, form: Form | None) -> list[hm.Node[Any]]:
    """Return several nodes of the reference."""
    return [load_node(node, form) for node in nodes]
