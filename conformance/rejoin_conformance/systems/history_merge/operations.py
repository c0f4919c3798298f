"""The operations of the history merge: each one is a row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from attrs import evolve

from rejoin import history_merge as hm
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.readings.tracing import steps_by
from rejoin_conformance.systems.history_merge import READINGS
from rejoin_conformance.systems.history_merge.rows import Asked, HistoryRow, row_of_history
from rejoin_conformance.systems.history_merge.steps import HOOKED, steps_of

SYSTEM: Final = "history-merge"


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


_MERGED: Final = "{merge}[ in order {order}] = {state}"
_OF_ANSWER: Final = "The nodes of the history; in the output, the IDs of the"

ROWS: Final = {
    row.name: row
    for row in (
        row_of_history(
            "before",
            "{earlier} {later} = {before}",
            "Return whether `earlier` <= `later`: it is the same node or an ancestor of it.",
            lambda a: a.by(hm.before, hm.fast_before)(a.nodes, a.earlier, a.later),
            "unstated",
        ),
        row_of_history(
            "ancestors",
            "of {of} = {nodes:ids}",
            "List the nodes of a set and all their ancestors.",
            lambda a: a.by(hm.ancestors_of_all, hm.fast_ancestors_of_all)(a.nodes, a.of),
            "unstated",
            words={"nodes": f"{_OF_ANSWER} ancestors."},
        ),
        row_of_history(
            "maximal",
            "among {among} = {nodes:ids}",
            "List the nodes of a set that are not before another node of the set.",
            lambda a: a.by(hm.maximal, hm.fast_maximal)(a.nodes, a.among),
            "unstated",
            words={"nodes": f"{_OF_ANSWER} maximal nodes."},
        ),
        row_of_history(
            "is-anti-chain",
            "{among} = {anti_chain}",
            "Return whether the listed nodes are an anti-chain: none is <= another one.",
            lambda a: a.by(hm.is_anti_chain, hm.fast_is_anti_chain)(a.nodes, a.among),
            "unstated",
        ),
        row_of_history(
            "transitive-reduction",
            "= {nodes}",
            "List the nodes by ascending ID, without parents that are before another parent of "
            "the same node.",
            lambda a: sorted(
                a.by(hm.transitive_reduction, hm.fast_transitive_reduction)(a.nodes),
                key=lambda node: node.id,
            ),
            "unstated",
        ),
        row_of_history(
            "common-ancestors",
            "of {of} with {with} = {nodes:ids}",
            "lcaU: the lowest nodes that are <= `with` and <= at least one node of `of`.",
            lambda a: a.by(hm.lca_u, hm.fast_lca_u)(a.nodes, a.of, a.fields["with"]),
            "unstated",
        ),
        row_of_history(
            "common-to-all",
            "of {of} = {nodes:ids}",
            "lca: the lowest nodes that are <= every node of `of`.",
            lambda a: a.by(hm.lca, hm.fast_lca)(a.nodes, a.of),
            "unstated",
        ),
        row_of_history(
            "three-way-merge",
            "{origin} -> {left} and {right} = {state}",
            "Merge two states that both come from `origin`. Reject them if they conflict.",
            lambda a: a.given.three_way_merge(a.states, a.origin, a.left, a.right),
            "",
            typed=True,
            twice=False,
        ),
        row_of_history(
            "diff",
            "{origin:origin-set} -> {changed} = inserts {inserted} deletes {deleted}",
            "List the elements to insert and to delete to turn `origin` into `changed`.",
            lambda a: hm.set_diff(a.origin, a.changed),
            "",
            twice=False,
        ),
        row_of_history(
            "apply-diff",
            "{state:state-set} inserts {inserted} deletes {deleted} = {state:state-set}",
            "Insert elements into a set, then delete elements from it.",
            lambda a: hm.set_apply(a.state, hm.SetDiff(a.inserted, a.deleted)),
            "",
            twice=False,
        ),
        row_of_history(
            "union-of-events",
            "= {union}",
            "Read the nodes' sets as data of type 1 and return the union of all of them.",
            lambda a: hm.union_of_events(a.nodes),
            "sets",
            twice=False,
        ),
        row_of_history(
            "merge",
            _MERGED,
            "Merge the nodes of an anti-chain. Nodes listed in `order` come first, the others "
            "follow by ascending ID.",
            _merge,
        ),
        row_of_history(
            "merge-temporary-nodes",
            _MERGED,
            "Merge the nodes of an anti-chain by fold-recurse with temporary nodes.",
            lambda a: a.by(hm.merge_fold_recurse, hm.fast_merge_fold_recurse)(
                a.nodes, a.merge, a.states, a.reading
            ),
        ),
        row_of_history(
            "merge-recurse-fold",
            _MERGED,
            "Merge the nodes of an anti-chain by recurse-fold, which the document shows to be "
            "wrong.",
            lambda a: a.by(hm.merge_recurse_fold, hm.fast_merge_recurse_fold)(
                a.nodes, a.merge, a.states, a.reading
            ),
        ),
        row_of_history(
            "merge-reduced",
            _MERGED,
            "Merge the maximal nodes of any set, as a version-control system can.",
            partial(_merge, reading=hm.reducing),
        ),
        row_of_history(
            "merge-check-continues",
            _MERGED,
            "Merge any set of nodes, and ignore the anti-chain check where it fails. The document "
            "says that this is not enough.",
            partial(_merge, reading=partial(hm.checking_by, "continue")),
        ),
        row_of_history(
            "merge-check-returns",
            _MERGED,
            "Merge any set of nodes, and keep the state so far where the anti-chain check fails. "
            "The document says that this is not enough.",
            partial(_merge, reading=partial(hm.checking_by, "return-as")),
        ),
        row_of_history(
            "members",
            "[in order {order}] = {state}",
            "Merge the heads of the history.",
            lambda a: hm.members(a.nodes, a.states, a.reading, a.cache),
        ),
        row_of_history(
            "operational-edges",
            "= {edges}",
            "List the operational edges of a history by ascending node ID.",
            _edges,
            "sets",
        ),
        row_of_history(
            "merge-steps",
            _MERGED.replace("{state}", "{steps}"),
            "List the steps of the operation `merge`. This operation is optional. The steps of a "
            "set of nodes stand after the steps of the sets that its origins need.",
            _merge,
            steps_of="merge",
        ),
        row_of_history(
            "accept",
            "{message} = {accepted}",
            "Accept a message into a session that has accepted the messages `nodes`, listed in any "
            "order. Reject it if the session refuses it.",
            _accept,
        ),
        row_of_history(
            "session",
            "{messages} = {steps:answers}",
            "Offer messages to a new session in the order of the list. Return for each message "
            "whether the session accepted it, and the state of the session after it, which is null "
            "if its heads conflict. A refused message refuses only itself.",
            _session,
            "",
            typed=True,
            step_words=_message_words,
        ),
        row_of_history(
            "without-merges",
            "= {written} written in {sessions}",
            "List the sessions that the history becomes if forks are never merged, by ascending "
            "head, and count the messages that have to be written.",
            _without_merges,
            twice=False,
        ),
    )
}


def _operation(row: HistoryRow) -> Operation:
    operation = row.operation(SYSTEM, lambda answer: under(READINGS, answer))
    if not operation.steps_of:
        return operation
    by = partial(steps_by, operation.steps_of, HOOKED, steps_of)
    return evolve(operation, perform=by(), second=by(second=True))


OPERATIONS: Final[tuple[Operation, ...]] = tuple(map(_operation, ROWS.values()))
