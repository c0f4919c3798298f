"""The steps of a merge: each type of step is a row of `steps.txt`.

    merge-steps p q = order p q;  start p: {x}
      lca-u q = {r};  origin {};  fold q: {x y}

The steps come from the calls of named functions of the reference (`readings/tracing.py`), and both
evaluations have the same steps: the steps of one set of nodes stand together, after the steps of
the sets that its origins need. The literal evaluation can merge a set several times; its steps are
listed once.

`given order q p` is the order of a set if the question gives a fold order. `default {}` is the only
step of the merge of no nodes. In text, the clause of a step follows from the step and the one
before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from attrs import define, evolve, field

from rejoin.history_merge import checked_answer
from rejoin_conformance.contract.notation import Example, WriteStep, WrittenStep
from rejoin_conformance.contract.rows import step_rows
from rejoin_conformance.contract.step import step_json
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.locations import text_beside
from rejoin_conformance.kit.phrases import Kind, Scanner
from rejoin_conformance.kit.schemas import any_of, list_of
from rejoin_conformance.readings.tracing import Call
from rejoin_conformance.systems.history_merge.kinds import KINDS, size_of, statements
from rejoin_conformance.systems.history_merge.states import (
    NAME,
    NOTHING,
    SET_FORM,
    Form,
    form_of,
    write_names,
)

_KINDS: Final = {
    "node": KINDS["node"],
    "state": KINDS["state"],
    "names": KINDS["of"],
    "ids": evolve(KINDS["ids"], schema=lambda _: list_of(NAME)),
}


ROWS: Final = step_rows(text_beside(__name__), _KINDS)
_SAME_LINE: Final = ("start", "origin", "fold")
"""The steps that stand on a line with the step before them."""


def _listed(step: JsonObject) -> Sequence[Json]:
    nodes = step.get("nodes", ())
    return nodes if isinstance(nodes, list) else ()


def _step(
    kind: str, fields: JsonObject, before: Sequence[JsonObject], *, given: bool
) -> JsonObject:
    """Return a step with its clause, which can depend on the step before it.

    given: whether the question gives the fold order.
    """
    last = before[-1] if before else {}
    second = {
        "order": given,
        "start": len(_listed(last)) == 1,
        "lca-u": fields.get("nodes") == [],
        "origin": last.get("nodes") == [],
    }
    return step_json(kind, ROWS[kind].clauses.split()[second.get(kind, False)], **fields)


# The steps of a merge, from the calls of the reference.

_LITERAL: Final = "rejoin.history_merge.complete_algorithm"
_FAST: Final = "rejoin.history_merge.fast_complete_algorithm"
_MERGES: Final = (f"{_LITERAL}.merge", f"{_FAST}.fast_merge_steps", f"{_FAST}.state_of")
_COMMON: Final = (
    "rejoin.history_merge.lcau.lca_u",
    "rejoin.history_merge.fast_partial_orders.fast_lca_u_of_past",
)
_FOLDED: Final = "rejoin.history_merge.reading.Reading.folded"
_MERGED: Final = "rejoin.history_merge.reading.Reading.three_way_merge"
HOOKED: Final = (*_MERGES, *_COMMON, _FOLDED, _MERGED)
"""The functions whose calls tell the steps: the merges of sets, and what happens in them."""


@define
class _Merge:
    """The merge of one set: its nodes in fold order, and the common ancestors and merge of each."""

    order: tuple[str, ...] = ()
    common: dict[str, frozenset[str]] = field(factory=dict)
    merged: dict[str, Call] = field(factory=dict)

    def note(self, call: Call) -> None:
        """Note a call that was made for this set."""
        if call.function == _FOLDED:  # the literal evaluation asks again for the remaining nodes
            self.order = self.order or call.result
        elif call.function in _COMMON:
            self.common[call["b"]] = call.result
        elif self.common:
            self.merged[[*self.common][-1]] = call

    def steps(self, end: Call, form: Form, *, given: bool) -> list[JsonObject]:
        """Return the steps of the set. end: the call of its merge."""
        steps: list[JsonObject] = []

        def add(kind: str, **fields: Json) -> None:
            steps.append(_step(kind, fields, steps, given=given))

        if not self.order:
            add("default", state=form.dump(end.result))
            return steps
        first, *others = self.order
        state = end["graph"].state(first)
        add("order", nodes=[*self.order])
        add("start", node=first, state=form.dump(state))
        for node in others:
            merge = self.merged.get(node)
            if merge is not None:
                add("lca-u", node=node, nodes=[*sorted(self.common[node])])
                add("origin", state=form.dump(merge["o"]))
                state = merge.result
            add("fold", node=node, state=form.dump(state))
        return steps


def steps_of(value: JsonObject, calls: Sequence[Call]) -> list[Json]:
    """Return the steps of a merge from the calls of the hooked functions."""
    form = form_of(value) or SET_FORM
    merges: dict[int, _Merge] = {}
    listed: dict[frozenset[str], list[JsonObject]] = {}
    for call in calls:
        within = call.within
        if call.function in _MERGES:
            merge = merges.pop(id(call), _Merge())
            if call.name == "state_of":
                merge.order = tuple(call["nodes"])
            steps = merge.steps(call, form, given="order" in value)
            listed.setdefault(frozenset(merge.order), steps)
        elif within is not None:
            merges.setdefault(id(within), _Merge()).note(call)
    last = next(reversed(listed))
    found: list[Json] = []
    size = 0
    for x, steps in listed.items():
        if len(x) > 1 or x == last:
            size = checked_answer(size + size_of([*steps]))
            found += steps
    return found


# Text.


def _read_step(text: Scanner, before: list[Any]) -> JsonObject:
    given = text.takes("given")
    for row in [ROWS["order"]] if given else ROWS.values():
        if text.takes(row.kind):
            return _step(row.kind, row.phrase.read(text), before, given=given)
    if given:
        text.need("order")
    return text.fail("a step: `default`, `order`, `given order`, `start`, `lca-u`, ...")


def _write_step(step: JsonObject, form: Form | None) -> str:
    given = "given " if step["clause"] == "HM-FOLD-RANKED" else ""
    return given + ROWS[str(step["step"])].write(step, form)


def _write_steps(steps: Any, form: Form | None) -> str:
    text = ""
    for step in steps:
        joint = ";  " if step["step"] in _SAME_LINE else "\n  "
        text += (joint if text else "") + _write_step(step, form)
    return text or NOTHING


STEPS: Final = Kind(
    schema=list_of(any_of(*(row.schema() for row in ROWS.values()))),
    read=lambda text: statements(text, _read_step),
    write=_write_steps,
    words="The steps in order.",
)
"""The kind of the field that lists the steps of a merge."""


def step_writer(example: Example) -> WriteStep:
    """Return the function that writes the steps of a merge, under the set that each merges."""
    form, under = form_of(example.input), ""

    def write(step: JsonObject) -> WrittenStep:
        nonlocal under
        if step["step"] == "order":
            under = f"merge of {write_names(sorted(map(str, _listed(step))))}"
        return WrittenStep(_write_step(step, form), under)

    return write
