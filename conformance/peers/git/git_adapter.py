"""An adapter that lets git answer the operations of history merge.

    python3 conformance/peers/git/git_adapter.py [--contents empty]

A node is a commit, with its state as files. git's merge of two commits is the document's merge: if
the commits have several best common ancestors, git first merges these into a virtual commit, the
commit with the oldest date first. So the dates of the commits are the fold order. To merge further
nodes, a commit with the result so far takes the part of the document's temporary node.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any

from git_repository import NoGitError, Repository, git_version
from git_states import Contents, Sets, StateType, state_type

JsonObject = dict[str, Any]


class RejectedError(Exception):
    """The protocol refuses the input."""


class History:
    """The nodes of a question as commits.

    states: the type of their states; None if the states do not matter. order: the nodes that come
    first in the fold order.
    """

    def __init__(
        self,
        repository: Repository,
        nodes: Sequence[JsonObject],
        states: StateType | None,
        order: Sequence[str] = (),
    ) -> None:
        self._repository = repository
        self._states = states
        self.commits: dict[str, str] = {}
        by_id = {node["id"]: node for node in nodes}
        if len(by_id) < len(nodes):
            raise RejectedError("two nodes have one ID")
        if not by_id.keys() >= {parent for node in nodes for parent in node["parents"]}:
            raise RejectedError("a parent is not a node of the history")
        if len({*order}) < len(order) or not by_id.keys() >= {*order}:
            raise RejectedError("the order repeats a node or names an unknown one")
        first = {node: place for place, node in enumerate(order)}
        ranked = sorted(by_id, key=lambda node: (first.get(node, len(first)), node))
        self._rank = {node: place for place, node in enumerate(ranked)}
        try:
            for node in TopologicalSorter({n: by_id[n]["parents"] for n in by_id}).static_order():
                self._commit(by_id[node])
        except CycleError:
            raise RejectedError("the parents form a cycle") from None
        self.node = {commit: node for node, commit in self.commits.items()}

    def _commit(self, node: JsonObject) -> None:
        files = {} if self._states is None else self._states.files(node["state"])
        parents = [self.commits[parent] for parent in sorted(node["parents"])]
        rank = self._rank[node["id"]]
        tree = self._repository.tree(files)
        self.commits[node["id"]] = self._repository.commit(tree, parents, rank, node["id"])

    def of(self, nodes: Iterable[str]) -> list[str]:
        """Return the commits of nodes, each once, in fold order."""
        chosen = {*nodes}
        if not self.commits.keys() >= chosen:
            raise RejectedError("a node is not in the history")
        return [self.commits[node] for node in sorted(chosen, key=self._rank.__getitem__)]

    def names(self, commits: Iterable[str]) -> list[str]:
        """Return the nodes of commits, sorted."""
        return sorted(self.node[commit] for commit in commits)

    def merged(self, commits: Sequence[str]) -> Any:
        """Return the merged state of commits, in this order."""
        assert self._states is not None
        if not commits:
            return self._states.state({})
        made = commits[0]
        for place, each in enumerate(commits[1:]):
            tree = self._repository.merged(made, each)
            if tree is None:
                raise RejectedError("git finds a conflict")
            date = len(self.commits) + place
            made = self._repository.commit(tree, [made, each], date, "temporary")
        return self._states.state(self._repository.files(self._repository.tree_of(made)))


class Operations:
    """The operations, by name."""

    def __init__(self, repository: Repository, contents: Contents) -> None:
        self._repository = repository
        self._contents: Contents = contents
        self.by_name: dict[str, Callable[[JsonObject], JsonObject]] = {
            "merge": self._merge,
            "merge-temporary-nodes": self._merge,
            "merge-reduced": self._merge_reduced,
            "members": self._members,
            "three-way-merge": self._three_way_merge,
            "diff": self._diff,
            "before": self._before,
            "ancestors": self._ancestors,
            "maximal": self._maximal,
            "is-anti-chain": self._is_anti_chain,
            "common-ancestors": self._common_ancestors,
            "common-to-all": self._common_to_all,
        }

    def _history(self, value: JsonObject, *, has_states: bool = True) -> History:
        states = self._states(value) if has_states else None
        return History(self._repository, value["nodes"], states, value.get("order", ()))

    def _states(self, value: JsonObject) -> StateType:
        return state_type(value.get("state_type", "set"), self._contents)

    def _merge(self, value: JsonObject) -> JsonObject:
        history = self._history(value)
        commits = history.of(value["merge"])
        if not self._are_independent(commits, value["merge"]):
            raise RejectedError("a node is listed twice, or is an ancestor of another one")
        return {"state": history.merged(commits)}

    def _merge_reduced(self, value: JsonObject) -> JsonObject:
        history = self._history(value)
        return {"state": self._of_independent(history, value["merge"])}

    def _members(self, value: JsonObject) -> JsonObject:
        history = self._history(value)
        return {"state": self._of_independent(history, history.commits)}

    def _of_independent(self, history: History, nodes: Iterable[str]) -> Any:
        kept = self._repository.independent(history.of(nodes))
        return history.merged([each for each in history.of(nodes) if each in kept])

    def _three_way_merge(self, value: JsonObject) -> JsonObject:
        sides = ("left", "right")
        nodes = [
            {"id": "origin", "parents": [], "state": value["origin"]},
            *({"id": side, "parents": ["origin"], "state": value[side]} for side in sides),
        ]
        history = History(self._repository, nodes, self._states(value))
        return {"state": history.merged(history.of(sides))}

    def _diff(self, value: JsonObject) -> JsonObject:
        states = Sets(self._contents)
        trees = [self._repository.tree(states.files(value[side])) for side in ("origin", "changed")]
        inserted, deleted = self._repository.changes(*trees)
        return {
            "inserted": sorted(map(states.element, inserted)),
            "deleted": sorted(map(states.element, deleted)),
        }

    def _before(self, value: JsonObject) -> JsonObject:
        history = self._history(value, has_states=False)
        (earlier,), (later,) = history.of([value["earlier"]]), history.of([value["later"]])
        return {"before": self._repository.is_ancestor(earlier, later)}

    def _ancestors(self, value: JsonObject) -> JsonObject:
        history = self._history(value, has_states=False)
        return {"nodes": history.names(self._repository.ancestors(history.of(value["of"])))}

    def _maximal(self, value: JsonObject) -> JsonObject:
        history = self._history(value, has_states=False)
        return {"nodes": history.names(self._repository.independent(history.of(value["among"])))}

    def _is_anti_chain(self, value: JsonObject) -> JsonObject:
        commits = self._history(value, has_states=False).of(value["among"])
        return {"anti_chain": self._are_independent(commits, value["among"])}

    def _are_independent(self, commits: Sequence[str], listed: Sequence[str]) -> bool:
        return len(self._repository.independent(commits)) == len(listed)

    def _common_ancestors(self, value: JsonObject) -> JsonObject:
        history = self._history(value, has_states=False)
        (further,), merged = history.of([value["with"]]), history.of(value["of"])
        if not merged:
            raise RejectedError("git needs a commit to look for common ancestors with")
        return {"nodes": history.names(self._repository.merge_bases(further, merged))}

    def _common_to_all(self, value: JsonObject) -> JsonObject:
        history = self._history(value, has_states=False)
        commits = history.of(value["of"])
        if not commits:  # every commit is an ancestor of all of no commits
            return {"nodes": history.names(self._repository.independent([*history.node]))}
        return {"nodes": history.names(self._repository.octopus_bases(commits))}


def answer(operations: Operations, request: JsonObject) -> JsonObject:
    """Return the reply to a request to run an operation."""
    number = request["id"]
    perform = operations.by_name.get(request["operation"].removeprefix("history-merge/"))
    if perform is None:
        return {"id": number, "error": {"message": "unsupported operation"}}
    try:
        return {"id": number, "output": perform(request["input"])}
    except RejectedError as error:
        return {"id": number, "rejected": {"reason": str(error)}}
    except Exception as error:  # noqa: BLE001 - a bug is not a rejection
        return {"id": number, "error": {"message": repr(error)}}


def main() -> None:
    """Answer each line. End at bye or at the end of the input."""
    contents: Contents = "empty" if sys.argv[1:] == ["--contents", "empty"] else "distinct"
    try:
        version = git_version()
    except NoGitError as error:
        sys.exit(str(error))
    with Repository() as repository:
        operations = Operations(repository, contents)
        hello = {
            "type": "hello",
            "protocol": 1,
            "name": "git",
            "version": version,
            "language": "C",
            "operations": [f"history-merge/{name}" for name in operations.by_name],
            "readings": {"history-merge": "document"},
            "max_in_flight": 1,
        }
        for line in sys.stdin.buffer:
            request = json.loads(line)
            if request["type"] == "bye":
                return
            reply = hello if request["type"] == "hello" else answer(operations, request)
            sys.stdout.write(json.dumps(reply) + "\n")
            sys.stdout.flush()
            repository.forget()


if __name__ == "__main__":
    main()
