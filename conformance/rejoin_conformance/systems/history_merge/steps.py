"""The steps of a merge: each type of step is a row.

    merge-steps p q = order p q;  start p: {x}
      lca-u q = {r};  origin {};  fold q: {x y}

`given order q p` is the order of a set if the question gives a fold order. `default {}` is the only
step of the merge of no nodes. In text, the clause of a step follows from the step and the one
before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from attrs import evolve, field, frozen

from rejoin import history_merge as hm
from rejoin_conformance.contract.notation import Example, WriteStep, WrittenStep
from rejoin_conformance.contract.rows import StepRow
from rejoin_conformance.contract.step import step_json
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.phrases import Kind, Scanner
from rejoin_conformance.kit.schemas import any_of, list_of
from rejoin_conformance.systems.history_merge.kinds import KINDS, statements
from rejoin_conformance.systems.history_merge.states import (
    NAME,
    NOTHING,
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


def _first(_step: JsonObject, _last: JsonObject) -> int:
    return 0


@frozen(slots=False)
class MergeStepRow(StepRow):
    """A step of a merge.

    made: the class of the step in the reference. follows: (the fields of the step, the step before
    it) -> the place of its clause among `clauses`.
    """

    made: type[Any] = field(kw_only=True)
    follows: Callable[[JsonObject, JsonObject], int] = field(default=_first, kw_only=True)


_row = partial(MergeStepRow, kinds=_KINDS)

STEP_ROWS: Final = (
    _row(
        "default",
        "default {state}",
        "HM-MERGE-EMPTY",
        {"state": "The default state."},
        made=hm.DefaultStep,
    ),
    _row(
        "order",
        "order {nodes:names}",
        "HM-FOLD-ASCENDING HM-FOLD-RANKED",
        {"nodes": "The IDs of the nodes of a set in fold order."},
        made=hm.OrderStep,
    ),
    _row(
        "start",
        "start {node}: {state}",
        "HM-MERGE-FOLD HM-MERGE-ONE",
        {"node": "The ID of the first node.", "state": "The state of the first node."},
        made=hm.StartStep,
        follows=lambda _, last: int(len(_listed(last)) == 1),
    ),
    _row(
        "lca-u",
        "lca-u {node} = {nodes:ids}",
        "HM-LCAU-LOWEST HM-LCAU-NONE",
        {
            "node": "The ID of the next node.",
            "nodes": "The IDs of its lowest common ancestors with the nodes so far, sorted.",
        },
        made=hm.CommonAncestorsStep,
        follows=lambda step, _: int(not step["nodes"]),
    ),
    _row(
        "origin",
        "origin {state}",
        "HM-MERGE-ORIGIN HM-MERGE-NO-ORIGIN",
        {"state": "The merge of the lowest common ancestors."},
        made=hm.OriginStep,
        follows=lambda _, last: int(last.get("nodes") == []),
    ),
    _row(
        "fold",
        "fold {node}: {state}",
        "HM-MERGE-STEP",
        {
            "node": "The ID of the node that is merged.",
            "state": "The merge of the nodes so far and this node.",
        },
        made=hm.FoldStep,
    ),
)
_SAME_LINE: Final = ("start", "origin", "fold")
"""The steps that stand on a line with the step before them."""


def _listed(step: JsonObject) -> Sequence[Json]:
    nodes = step.get("nodes", ())
    return nodes if isinstance(nodes, list) else ()


def _dumped(steps: Sequence[Any], form: Form) -> Json:
    rows = {row.made: row for row in STEP_ROWS}
    return [rows[type(step)].json(step.clause, step, form) for step in steps]


def _read_step(text: Scanner, before: list[Any]) -> JsonObject:
    given = text.takes("given")
    for row in STEP_ROWS:
        if text.next.text == row.kind and (not given or row.kind == "order"):
            fields = row.phrase.read(text)
            clauses = row.clauses.split()
            follows = row.follows(fields, before[-1] if before else {})
            return step_json(row.kind, clauses[given or follows], **fields)
    if given:
        text.need("order")
    return text.fail("a step: `default`, `order`, `given order`, `start`, `lca-u`, ...")


def _write_step(step: JsonObject, form: Form | None) -> str:
    (row,) = (row for row in STEP_ROWS if row.kind == step["step"])
    given = "given " if step["clause"] == "HM-FOLD-RANKED" else ""
    return given + row.phrase.write(step, form)


def _write_steps(steps: Any, form: Form | None) -> str:
    text = ""
    for step in steps:
        joint = ";  " if step["step"] in _SAME_LINE else "\n  "
        text += (joint if text else "") + _write_step(step, form)
    return text or NOTHING


STEPS: Final = Kind(
    schema=list_of(any_of(*(row.schema() for row in STEP_ROWS))),
    read=lambda text: statements(text, _read_step),
    write=_write_steps,
    dump=_dumped,
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
