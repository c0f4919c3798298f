"""The operations of the history merge: each one is a line of the table, with a function.

A line has the name, what stands before the question, and the question with its answer: `typed`,
`sets` or `unstated` nodes with their states, no nodes but `states` of a type, or `nothing`. `once`
means that there is no second evaluation of the operation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from attrs import evolve

from rejoin import history_merge as hm
from rejoin_conformance.contract.feature import Feature
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.readings.tracing import steps_by
from rejoin_conformance.systems.history_merge import READINGS
from rejoin_conformance.systems.history_merge.kinds import KINDS
from rejoin_conformance.systems.history_merge.rows import Asked, HistoryRow
from rejoin_conformance.systems.history_merge.states import FORMS, SET_FORM
from rejoin_conformance.systems.history_merge.steps import HOOKED, STEPS, steps_of

SYSTEM: Final = "history-merge"
_TABLE: Final = """
before (unstated): {earlier} {later} = {before}
    Return whether `earlier` <= `later`: it is the same node or an ancestor of it.
ancestors (unstated): of {of} = {nodes:ids}
    List the nodes of a set and all their ancestors.
maximal (unstated): among {among} = {nodes:ids}
    List the nodes of a set that are not before another node of the set.
is-anti-chain (unstated): {among} = {anti_chain}
    Return whether the listed nodes are an anti-chain: none is <= another one.
transitive-reduction (unstated): = {nodes}
    List the nodes by ascending ID, without parents that are before another parent of the same
    node.
common-ancestors (unstated): of {of} with {with} = {nodes:ids}
    lcaU: the lowest nodes that are <= `with` and <= at least one node of `of`.
common-to-all (unstated): of {of} = {nodes:ids}
    lca: the lowest nodes that are <= every node of `of`.
three-way-merge (states once): {origin} -> {left} and {right} = {state}
    Merge two states that both come from `origin`. Reject them if they conflict.
diff (nothing once): {origin:origin-set} -> {changed} = inserts {inserted} deletes {deleted}
    List the elements to insert and to delete to turn `origin` into `changed`.
apply-diff (nothing once): {state:state-set} inserts {inserted} deletes {deleted} \
    = {state:state-set}
    Insert elements into a set, then delete elements from it.
union-of-events (sets once): = {union}
    Read the nodes' sets as data of type 1 and return the union of all of them.
merge (typed): {merge}[ in order {order}] = {state}
    Merge the nodes of an anti-chain. Nodes listed in `order` come first, the others follow by
    ascending ID.
merge-temporary-nodes (typed): {merge}[ in order {order}] = {state}
    Merge the nodes of an anti-chain by fold-recurse with temporary nodes.
merge-recurse-fold (typed): {merge}[ in order {order}] = {state}
    Merge the nodes of an anti-chain by recurse-fold, which the document shows to be wrong.
merge-reduced (typed): {merge}[ in order {order}] = {state}
    Merge the maximal nodes of any set, as a version-control system can.
merge-check-continues (typed): {merge}[ in order {order}] = {state}
    Merge any set of nodes, and ignore the anti-chain check where it fails. The document says
    that this is not enough.
merge-check-returns (typed): {merge}[ in order {order}] = {state}
    Merge any set of nodes, and keep the state so far where the anti-chain check fails. The
    document says that this is not enough.
members (typed): [in order {order}] = {state}
    Merge the heads of the history.
operational-edges (sets): = {edges}
    List the operational edges of a history by ascending node ID.
merge-steps (typed): {merge}[ in order {order}] = {steps}
    List the steps of the operation `merge`. This operation is optional. The steps of a set of
    nodes stand after the steps of the sets that its origins need.
accept (typed): {message} = {accepted}
    Accept a message into a session that has accepted the messages `nodes`, listed in any
    order. Reject it if the session refuses it.
session (states): {messages} = {steps:answers}
    Offer messages to a new session in the order of the list. Return for each message whether
    the session accepted it, and the state of the session after it, which is null if its heads
    conflict. A refused message refuses only itself.
without-merges (typed once): = {written} written in {sessions}
    List the sessions that the history becomes if forks are never merged, by ascending head,
    and count the messages that have to be written.
"""
_LINE: Final = re.compile(r"^(\S+) \((\w+)( once)?\): (.*)\n((?: {4}.*\n)+)", re.MULTILINE)


def _merge(a: Asked, reading: Callable[[hm.Reading], hm.Reading] | None = None) -> Any:
    merge = a.by(hm.merge, hm.fast_merge)
    return merge(a.nodes, a.merge, a.states, reading(a.reading) if reading else a.reading)


def _edges(a: Asked) -> Iterator[Mapping[str, Any]]:
    for edge in hm.operational_edges(a.nodes, a.states, a.given, a.cache):
        change = hm.set_operation(edge)
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
    session = a.session(len(a.messages))
    return [
        {
            "accepted": _unless_refused(partial(_offered, session, message), otherwise=False),
            "state": _unless_refused(lambda: a.state_type.dump(session.members())),
        }
        for message in a.messages
    ]


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


def _without_merges(a: Asked) -> Mapping[str, Any]:
    return {
        "written": sum(hm.copies(a.nodes).values()),
        "sessions": hm.unmerged_sessions(a.nodes),
    }


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
    "without-merges": _without_merges,
}
_OF_ANSWER: Final = "The nodes of the history; in the output, the IDs of the"
_MORE: Final[Mapping[str, Mapping[str, Any]]] = {
    "ancestors": {"words": {"nodes": f"{_OF_ANSWER} ancestors."}},
    "maximal": {"words": {"nodes": f"{_OF_ANSWER} maximal nodes."}},
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


def _row(line: re.Match[str]) -> HistoryRow:
    """Return the row of a line of the table."""
    name, nodes, once, template, summary = line.groups()
    does, typed = _DOES[name], nodes in ("typed", "states")

    def by(fields: Mapping[str, Any], reading: hm.Reading, *, fast: bool) -> Any:
        return does(Asked(fields, reading, fast))

    order = (_ORDER,) if "{order}" in template else ()
    return HistoryRow(
        name,
        template,
        " ".join(summary.split()),
        partial(by, fast=False),
        (*_TYPES, *order) if typed else (),
        second=None if once else partial(by, fast=True),
        nodes="" if nodes in ("states", "nothing") else nodes,
        typed=typed,
        kinds={**KINDS, "steps": STEPS},
        **_MORE.get(name, {}),
    )


ROWS: Final = {row.name: row for row in map(_row, _LINE.finditer(_TABLE))}


def _operation(row: HistoryRow) -> Operation:
    operation = row.operation(SYSTEM, lambda answer: under(READINGS, answer))
    if not operation.steps_of:
        return operation
    by = partial(steps_by, operation.steps_of, HOOKED, steps_of)
    return evolve(operation, perform=by(), second=by(second=True))


OPERATIONS: Final[tuple[Operation, ...]] = tuple(map(_operation, ROWS.values()))
