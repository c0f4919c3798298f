"""The laws hold where they are claimed, and fail when the reference is wrong."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from attrs import evolve, frozen

from rejoin.history_merge import (
    SETS,
    Graph,
    MergeCache,
    OperationalEdge,
    Session,
    StateType,
    complete_algorithm,
    operational_edges,
    simple_derivation,
    transitive_reduction,
)
from rejoin.history_merge.index_sets import IndexSet
from rejoin.history_merge.lcau import lca_u_of_past
from rejoin_conformance.histories import history_seed
from rejoin_conformance.laws import Examination
from rejoin_conformance.systems.history_merge.histories import HISTORIES
from rejoin_conformance.systems.history_merge.histories.events import History
from rejoin_conformance.systems.history_merge.histories.profiles import PROFILES
from rejoin_conformance.systems.history_merge.laws import LAWS
from rejoin_conformance.systems.history_merge.operations import OPERATIONS

CLAIMED = {law.name for law in LAWS if law.claimed_by}
FINDINGS = {"order-independence-always", "associativity-always", "recurse-fold-agrees"}


def _examined(profile: str, count: int) -> Iterator[Examination]:
    for index in range(count):
        seed = history_seed(5, "history-merge", profile, index)
        yield HISTORIES.examine(HISTORIES.generate(profile, seed), "document")


def test_every_law_has_a_name_a_statement_premises_and_clauses() -> None:
    assert len({law.name for law in LAWS}) == len(LAWS)
    for law in LAWS:
        assert law.statement.endswith(".")
        assert law.premises
        assert law.clauses
        assert all(clause.startswith("HM-") for clause in law.clauses)


def test_only_what_the_document_claims_too_much_is_not_claimed() -> None:
    assert {law.name for law in LAWS if not law.claimed_by} == FINDINGS


@pytest.mark.parametrize("profile", PROFILES)
def test_claimed_laws_hold(profile: str) -> None:
    for examination in _examined(profile, 4 if profile == "long" else 80):
        assert [each for each in examination.violations if each.law in CLAIMED] == []


def test_every_law_is_checked_and_every_premise_fails_somewhere() -> None:
    checked: Counter[str] = Counter()
    vacuous: Counter[str] = Counter()
    for profile in ("default", "tiny"):
        for examination in _examined(profile, 80):
            checked.update(examination.checked)
            vacuous.update(examination.vacuous)
    assert set(checked) == {law.name for law in LAWS}
    assert set(vacuous) == {
        "last-operations-count",
        "order-independence",
        "associativity",
        "reduced-sets",
    }


def test_what_the_document_claims_too_much_is_found_broken() -> None:
    broken = Counter(
        violation.law
        for examination in _examined("partitioned", 80)
        for violation in examination.violations
    )
    assert set(broken) == FINDINGS


def test_a_violation_comes_with_an_operation_that_shows_it() -> None:
    operations = {operation.name: operation for operation in OPERATIONS}
    shown = 0
    for examination in _examined("partitioned", 40):
        for violation in examination.violations:
            evidence: Any = violation.evidence
            operation = operations[evidence["operation"]]
            assert operation.input_fault(evidence["input"]) is None
            assert "output" in operation.run(evidence["input"], "document").to_json()
            shown += 1
    assert shown > 10


@pytest.mark.parametrize("profile", ["default", "adversarial"])
def test_an_examination_is_a_pure_function(profile: str) -> None:
    assert list(_examined(profile, 10)) == list(_examined(profile, 10))


def test_the_digest_tells_histories_apart() -> None:
    digests = {examination.digest for examination in _examined("default", 30)}
    assert len(digests) == 30


def test_a_history_without_messages_is_examined() -> None:
    examination = HISTORIES.examine(History((), probe=1), "document")
    assert examination.checked == {}


@frozen
class Mutant:
    """A change of one function of the reference, and laws that it has to break.

    original: a function, which is replaced wherever it is imported; or the function that is an
        attribute of `owner`, a class or a value.
    """

    name: str
    original: Callable[..., Any]
    changed: Callable[..., Any]
    breaks: frozenset[str]
    owner: Any = None


@contextmanager
def _mutated(mutant: Mutant) -> Iterator[None]:
    """The reference with the change, until the block ends."""
    places = _places(mutant)
    changed = mutant.changed
    try:
        for owner, name in places:
            _set(owner, name, changed)
        yield
    finally:
        for owner, name in places:
            _set(owner, name, mutant.original)


def _places(mutant: Mutant) -> list[tuple[Any, str]]:
    if mutant.owner is not None:
        return [(mutant.owner, mutant.original.__name__)]
    return [
        (module, name)
        for key, module in list(sys.modules.items())
        if "history_merge" in key and key != __name__
        for name, value in list(vars(module).items())
        if value is mutant.original
    ]


def _set(owner: Any, name: str, value: Any) -> None:
    if isinstance(owner, StateType):
        object.__setattr__(owner, "three_way_merge", value)
    else:
        setattr(owner, name, value)


def _first_origin_only(graph: Graph[Any], a_past: IndexSet, b: str) -> frozenset[str]:
    return frozenset(sorted(graph.maximal_in_past(a_past & graph.past(b)))[:1])


def _fold_that_forgets(graph: Any, b_nodes: Any, states: Any, reading: Any) -> Any:
    a: set[str] = set()
    a_past, a_state = IndexSet(), states.default_state
    for b in reading.folded(b_nodes):
        a_state = yield from complete_algorithm.merge_u(graph, a, a_past, a_state, b, states)
        a, a_past = {b}, graph.past(b)
    return a_state


_keep = MergeCache.keep


def _keep_too_much(self: MergeCache[Any], nodes: frozenset[str], state: Any) -> None:
    _keep(self, nodes, state)
    if len(nodes) > 2:
        _keep(self, frozenset(sorted(nodes)[:2]), state)


def _accept_before_the_check(self: Session[Any], message: Any) -> Any:
    self.graph.add(message)
    return self.merge(message.parents)


_accept = Session.accept


def _accept_twice(self: Session[Any], message: Any) -> Any:
    if message.id in self.graph:
        return self.merge(message.parents)
    return _accept(self, message)


def _last_head_only(self: Graph[Any]) -> frozenset[str]:
    return frozenset(list(self._heads)[-1:])


def _never_virtual(*given: Any) -> tuple[OperationalEdge[Any], ...]:
    edges = _operational_edges(*given)
    return tuple(evolve(edge, virtual=False) for edge in edges)


_operational_edges = operational_edges


def _one_origin_of_two(graph: Graph[Any], a: str, b: str) -> frozenset[str]:
    return frozenset(sorted(graph.maximal_in_past(graph.past(a) & graph.past(b)))[-1:])


MUTANTS = (
    Mutant(
        "of several origins only the first",
        lca_u_of_past,
        _first_origin_only,
        frozenset({"counters-count-once", "temporary-nodes-agree"}),
    ),
    Mutant(
        "a fold that forgets what it has merged",
        complete_algorithm.merge_,
        _fold_that_forgets,
        frozenset({"counters-count-once", "temporary-nodes-agree"}),
    ),
    Mutant(
        "no anti-chain check",
        complete_algorithm.check,
        lambda *_: None,
        frozenset({"reduced-sets", "refusals-change-nothing"}),
    ),
    Mutant(
        "a cache that keeps too much",
        MergeCache.keep,
        _keep_too_much,
        frozenset({"cache-changes-nothing"}),
        owner=MergeCache,
    ),
    Mutant(
        "a refused message that stays",
        Session.accept,
        _accept_before_the_check,
        frozenset({"refusals-change-nothing"}),
        owner=Session,
    ),
    Mutant(
        "a message that is accepted twice",
        Session.accept,
        _accept_twice,
        frozenset({"refusals-change-nothing"}),
        owner=Session,
    ),
    Mutant(
        "the last head decides",
        Graph.heads,
        _last_head_only,
        frozenset({"delivery-order-means-nothing", "members-of-a-view"}),
        owner=Graph,
    ),
    Mutant(
        "edges that are never virtual",
        operational_edges,
        _never_virtual,
        frozenset({"operational-edges"}),
    ),
    Mutant(
        "temporary nodes over one origin",
        simple_derivation.lca2,
        _one_origin_of_two,
        frozenset({"temporary-nodes-agree"}),
    ),
    Mutant(
        "a merge that never removes",
        SETS.three_way_merge,
        lambda _o, a, b: a | b,
        frozenset({"last-operations-count", "elements-are-independent", "three-way-merge"}),
        owner=SETS,
    ),
    Mutant(
        "a merge that favours one side",
        SETS.three_way_merge,
        lambda o, a, b: b if a == o else a,
        frozenset({"elements-are-independent", "three-way-merge"}),
        owner=SETS,
    ),
    Mutant(
        "a reduction that leaves all parents",
        transitive_reduction,
        tuple,
        frozenset({"redundant-parents-mean-nothing"}),
    ),
)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: str(mutant.name))
def test_a_wrong_reference_breaks_a_law(mutant: Mutant) -> None:
    with _mutated(mutant):
        broken = {
            violation.law
            for profile in ("default", "racing")
            for examination in _examined(profile, 60)
            for violation in examination.violations
        }
    assert mutant.breaks <= broken
