"""What the checks of one history write down."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from attrs import define, field

from rejoin.history_merge import Node
from rejoin_conformance.contract.law import Examination, Law, Violation
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.history_merge.histories.run import Run, State


@define
class Findings:
    """Counts, violations, and a text of all that was observed, from which the digest is taken."""

    checked: defaultdict[str, int] = field(factory=lambda: defaultdict(int))
    vacuous: defaultdict[str, int] = field(factory=lambda: defaultdict(int))
    coverage: defaultdict[str, int] = field(factory=lambda: defaultdict(int))
    violations: list[Violation] = field(factory=list)
    observed: list[str] = field(factory=list)

    def check(
        self,
        law: Law,
        kind: str,
        *,
        holds: bool,
        detail: Callable[[], str],
        evidence: Callable[[], JsonObject] = dict,
    ) -> None:
        """Count one check, and write down what was seen where the law does not hold."""
        self.checked[law.name] += 1
        if not holds:
            self.violations.append(
                Violation(law=law.name, kind=kind, detail=detail(), evidence=evidence())
            )

    def not_met(self, law: Law, times: int = 1) -> None:
        """Count that the premises of a law did not hold."""
        if times:
            self.vacuous[law.name] += times

    def covered(self, *keys: str) -> None:
        """Count that something was reached."""
        for key in keys:
            self.coverage[key] += 1

    def decided(self, *clauses: str) -> None:
        """Count clauses that made a difference here."""
        for clause in clauses:
            self.coverage[f"clause:{clause}"] += 1

    def examination(self, digest: bytes) -> Examination:
        """All of it, as the suite wants it."""
        return Examination(
            digest=digest,
            checked=dict(self.checked),
            vacuous=dict(self.vacuous),
            coverage=dict(self.coverage),
            violations=tuple(self.violations),
        )


def shown(state: State) -> str:
    """A state for people."""
    return "{" + ", ".join(sorted(state)) + "}"


def merge_evidence(
    run: Run,
    numbers: tuple[int, ...],
    elements: State,
    *,
    order: Sequence[str] = (),
    operation: str = "history-merge/merge",
) -> JsonObject:
    """A merge as an operation with its input: only what is before it, and only some elements."""
    nodes = _nodes(run, numbers, elements)
    given: JsonObject = {"nodes": nodes, "merge": [*run.ids(numbers)]}
    if order:
        known = {message.post.id for message in run.in_past(run.past_of(numbers))}
        given["order"] = [name for name in order if name in known]
    return {"operation": operation, "input": given}


def split_evidence(
    run: Run, numbers: tuple[int, ...], elements: State, joining: Node[State], rest: list[str]
) -> JsonObject:
    """The merge of a new node over some of the messages, and of the rest of them."""
    nodes = [*_nodes(run, numbers, elements), _node(joining, elements)]
    given: JsonObject = {"nodes": nodes, "merge": [joining.id, *rest]}
    return {"operation": "history-merge/merge", "input": given}


def _nodes(run: Run, numbers: tuple[int, ...], elements: State) -> list[Json]:
    return [_node(message.node, elements) for message in run.in_past(run.past_of(numbers))]


def _node(node: Node[State], elements: State) -> JsonObject:
    return {
        "id": node.id,
        "parents": [*sorted(node.parents)],
        "state": [*sorted(node.state & elements)],
    }
