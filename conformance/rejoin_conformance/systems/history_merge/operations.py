"""The operations of the history merge: each row of `operations.txt` with its function.

In a row, `nodes` is what stands before the question: `typed`, `sets` or `unstated` nodes with their
states, no nodes but `states` of a type, or `nothing`. `once` means that there is no second
evaluation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import starmap
from typing import Any, Final

from rejoin import history_merge as hm
from rejoin_conformance.contract.operation import Feature
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.readings.tracing import operations
from rejoin_conformance.systems.history_merge import READINGS
from rejoin_conformance.systems.history_merge.kinds import KINDS, Asked, HistoryRow, size_of
from rejoin_conformance.systems.history_merge.states import FORMS, SET_FORM
from rejoin_conformance.systems.history_merge.states import OPERATIONS as TOLD
from rejoin_conformance.systems.history_merge.steps import HOOKED, STEPS, steps_of

SYSTEM: Final = "history-merge"


def _merge(a: Asked, reading: Callable[[hm.Reading], hm.Reading] | None = None) -> Any:
    merge = a.by(hm.merge, hm.fast_merge)
    return merge(a.nodes, a.merge, a.states, reading(a.reading) if reading else a.reading)


def _edges(a: Asked) -> Iterator[Mapping[str, Any]]:
    size = 0
    for edge in hm.operational_edges(a.nodes, a.states, a.given, a.cache):
        change = hm.set_operation(edge)
        size = hm.checked_answer(size + size_of([edge.node, *change.inserted, *change.deleted]))
        yield {
            "node": edge.node,
            "virtual": edge.virtual,
            "inserted": change.inserted,
            "deleted": change.deleted,
        }


def _accept(a: Asked) -> bool:
    session = a.session(len(a.nodes) + 1)
    for message in (*a.nodes, a.message):
        session.accept(message)
    return True


def _session(a: Asked) -> list[Json]:
    session, size = a.session(len(a.messages)), 0
    steps: list[Json] = []
    for message in a.messages:
        accepted = _unless_refused(partial(_offered, session, message), otherwise=False)
        state = _unless_refused(lambda: a.state_type.dump(session.members()))
        size = hm.checked_answer(size + size_of(state))
        steps.append({"accepted": accepted, "state": state})
    return steps


def _offered(session: hm.Session[Any], message: hm.Node[Any]) -> bool:
    session.accept(message)
    return True


def _unless_refused(function: Callable[[], Json], otherwise: Json = None) -> Json:
    """Return the result of a function, or another one if the reference refuses something."""
    try:
        return function()
    except hm.HistoryMergeError:
        return otherwise


def _message_words(value: JsonObject) -> list[str]:
    """Return a word for each message: whether it has no parent, one parent or several."""
    words = ("root", "one parent", "join")
    messages: Any = value["messages"]
    return [words[min(len(each["parents"]), 2)] for each in messages if isinstance(each, dict)]


_DOES: Final[Mapping[str, Callable[[Asked], Any]]] = {
    "before": lambda a: a.by(hm.before, hm.fast_before)(a.nodes, a.earlier, a.later),
    "ancestors": lambda a: a.by(hm.ancestors_of_all, hm.fast_ancestors_of_all)(a.nodes, a.of),
    "maximal": lambda a: a.by(hm.maximal, hm.fast_maximal)(a.nodes, a.among),
    "is-anti-chain": lambda a: a.by(hm.is_anti_chain, hm.fast_is_anti_chain)(a.nodes, a.among),
    "transitive-reduction": lambda a: sorted(
        a.by(hm.transitive_reduction, hm.fast_transitive_reduction)(a.nodes),
        key=lambda node: node.id,
    ),
    "common-ancestors": lambda a: a.by(hm.lca_u, hm.fast_lca_u)(a.nodes, a.of, a.fields["with"]),
    "common-to-all": lambda a: a.by(hm.lca, hm.fast_lca)(a.nodes, a.of),
    "three-way-merge": lambda a: a.given.three_way_merge(a.states, a.origin, a.left, a.right),
    "diff": lambda a: hm.set_diff(a.origin, a.changed),
    "apply-diff": lambda a: hm.set_apply(a.state, hm.SetDiff(a.inserted, a.deleted)),
    "union-of-events": lambda a: hm.union_of_events(a.nodes),
    "merge": _merge,
    "merge-temporary-nodes": lambda a: a.by(hm.merge_fold_recurse, hm.fast_merge_fold_recurse)(
        a.nodes, a.merge, a.states, a.reading
    ),
    "merge-recurse-fold": lambda a: a.by(hm.merge_recurse_fold, hm.fast_merge_recurse_fold)(
        a.nodes, a.merge, a.states, a.reading
    ),
    "merge-reduced": partial(_merge, reading=hm.reducing),
    "merge-check-continues": partial(_merge, reading=partial(hm.checking_by, "continue")),
    "merge-check-returns": partial(_merge, reading=partial(hm.checking_by, "return-as")),
    "members": lambda a: hm.members(a.nodes, a.states, a.reading, a.cache),
    "operational-edges": _edges,
    "merge-steps": _merge,
    "accept": _accept,
    "session": _session,
    "without-merges": lambda a: {
        "written": sum(hm.copies(a.nodes).values()),
        "sessions": hm.unmerged_sessions(a.nodes),
    },
}
_MORE: Final[Mapping[str, Mapping[str, Any]]] = {
    "merge-steps": {"steps_of": "merge"},
    "session": {"step_words": _message_words},
}
"""What further fields of rows say about some operations."""


def _has_type(name: str, value: JsonObject) -> bool:
    return value.get("state_type", SET_FORM.name) == name


_TYPES: Final = tuple(
    Feature(
        name=name,
        summary=f"Nodes and states whose `state_type` is `{name}`.",
        needed_by=partial(_has_type, name),
    )
    for name in FORMS
)
_ORDER: Final = Feature(
    name="order",
    summary="A fold order that the input gives in `order`, instead of the order by ID.",
    needed_by=lambda value: "order" in value,
    reduced=lambda value: {name: each for name, each in value.items() if name != "order"},
)


def _row(name: str, template: str, told: dict[str, str]) -> HistoryRow:
    """Return the row of a line of the table."""
    nodes, does = told["nodes"], _DOES[name]
    typed = nodes in ("typed", "states")

    def by(fields: Mapping[str, Any], reading: hm.Reading, *, fast: bool) -> Any:
        return does(Asked(fields, reading, fast))

    order = (_ORDER,) if "{order}" in template else ()
    return HistoryRow(
        name,
        template,
        told["summary"],
        partial(by, fast=False),
        (*_TYPES, *order) if typed else (),
        second=None if "once" in told else partial(by, fast=True),
        nodes="" if nodes in ("states", "nothing") else nodes,
        typed=typed,
        kinds={**KINDS, "steps": STEPS},
        **_MORE.get(name, {}),
    )


ROWS: Final = {row.name: row for row in starmap(_row, TOLD)}


OPERATIONS: Final = operations(SYSTEM, ROWS.values(), READINGS, HOOKED, steps_of)
