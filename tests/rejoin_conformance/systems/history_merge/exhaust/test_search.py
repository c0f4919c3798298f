"""The counts of the search, as literals, and computed in two other ways.

The search examines one DAG of each class of isomorphic DAGs. `support.history_merge_search`
examines each DAG by itself, and the reference each history by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from random import Random
from typing import Final

import pytest

from rejoin_conformance.systems.history_merge.exhaust.by_reference import (
    MEETS,
    findings_of,
    history,
    operations,
    plain_counts,
)
from rejoin_conformance.systems.history_merge.exhaust.classes import (
    Canonical,
    automorphisms,
    with_one_more,
)
from rejoin_conformance.systems.history_merge.exhaust.counts import Counts, added_up, counts_of
from rejoin_conformance.systems.history_merge.exhaust.dags import (
    Dag,
    dags,
    downsets,
    parents_of,
)
from rejoin_conformance.systems.history_merge.exhaust.premises import PREMISES
from rejoin_conformance.systems.history_merge.exhaust.search import ClassHistories, Search
from rejoin_conformance.systems.history_merge.exhaust.units import units_of
from support.history_merge_search import DagHistories, DagSearch, class_of

COUNTS: Final = {
    1: (1, 2, 0, 0, 0, 0, 0, 0),
    2: (2, 8, 0, 0, 0, 0, 0, 0),
    3: (7, 56, 0, 0, 0, 0, 0, 0),
    4: (40, 640, 12, 12, 12, 36, 12, 0),
    5: (357, 11_424, 828, 1_143, 828, 4_304, 828, 0),
    6: (4_824, 308_736, 51_010, 100_029, 51_010, 464_181, 51_010, 0),
}
"""K: DAGs, histories, order-dependent, their sets, not associative, splits, pinned, only so."""

MEETING: Final = {
    "none": (
        (2, 8, 56, 640, 11_424, 308_736),
        (0, 0, 0, 12, 828, 51_010),
    ),
    "totally-ordered": (
        (2, 7, 39, 331, 4_163, 76_081),
        (0, 0, 0, 0, 0, 0),
    ),
    "added-once": (
        (2, 7, 39, 334, 4_294, 81_349),
        (0, 0, 0, 0, 0, 0),
    ),
    "removed-once": (
        (2, 8, 55, 595, 9_650, 228_084),
        (0, 0, 0, 8, 466, 23_552),
    ),
    "never-removed": (
        (2, 7, 40, 357, 4_824, 96_428),
        (0, 0, 0, 0, 0, 0),
    ),
    "no-re-adding": (
        (2, 8, 55, 609, 10_431, 268_589),
        (0, 0, 0, 12, 765, 43_548),
    ),
    "no-concurrent-equal": (
        (2, 7, 39, 331, 4_163, 76_081),
        (0, 0, 0, 0, 0, 0),
    ),
    "no-concurrent-additions": (
        (2, 7, 40, 359, 4_916, 100_352),
        (0, 0, 0, 0, 8, 764),
    ),
    "no-concurrent-removals": (
        (2, 8, 55, 599, 9_854, 237_646),
        (0, 0, 0, 8, 482, 25_461),
    ),
    "no-concurrent-opposites": (
        (2, 8, 53, 540, 8_159, 178_850),
        (0, 0, 0, 0, 0, 0),
    ),
    "one-operation": (
        (2, 6, 28, 200, 2_142, 33_768),
        (0, 0, 0, 0, 0, 0),
    ),
    "two-operations": (
        (2, 8, 49, 440, 5_712, 106_128),
        (0, 0, 0, 0, 0, 0),
    ),
    "removed-once-no-concurrent-additions": (
        (2, 7, 39, 330, 4_127, 74_876),
        (0, 0, 0, 0, 0, 0),
    ),
    "removed-once-no-re-adding": (
        (2, 8, 54, 569, 8_978, 206_786),
        (0, 0, 0, 8, 438, 21_091),
    ),
    "plain-merges": (
        (2, 8, 52, 508, 7_192, 144_780),
        (0, 0, 0, 12, 543, 21_322),
    ),
    "single-parents": (
        (2, 8, 48, 384, 3_840, 46_080),
        (0, 0, 0, 12, 374, 8_554),
    ),
    "single-origins": (
        (2, 8, 56, 624, 9_984, 211_136),
        (0, 0, 0, 12, 698, 30_934),
    ),
    "two-heads": (
        (2, 8, 48, 368, 3_264, 31_808),
        (0, 0, 0, 0, 0, 0),
    ),
    "single-parents-removed-once-no-re-adding": (
        (2, 8, 46, 339, 3_031, 31_828),
        (0, 0, 0, 8, 188, 3_304),
    ),
}
"""Premise: how many histories of 1 .. 6 nodes meet it, and in how many of these the claims fail.

Up to 6 nodes the fold order matters and associativity fails in the same histories.
"""

SIZES: Final = tuple(COUNTS)
PLAIN_SIZES: Final = (1, 2, 3, 4)


@cache
def _counts(nodes: int) -> Counts:
    return added_up(unit.counts() for unit in units_of(nodes))


def _numbers(counts: Counts) -> tuple[int, ...]:
    return (
        counts.dags,
        counts.histories,
        counts.order_dependent,
        counts.order_dependent_sets,
        counts.not_associative,
        counts.failing_splits,
        counts.not_associative_pinned,
        counts.only_not_associative,
    )


@pytest.mark.parametrize("nodes", SIZES)
def test_the_counts_of_every_size_are_these(nodes: int) -> None:
    assert _numbers(_counts(nodes)) == COUNTS[nodes]


@pytest.mark.parametrize("place", range(len(PREMISES)), ids=lambda place: PREMISES[place].name)
def test_the_counts_under_every_premise_are_these(place: int) -> None:
    found = [_counts(nodes).premises[place] for nodes in SIZES]
    meeting, failing = MEETING[PREMISES[place].name]
    assert tuple(counts.histories for counts in found) == meeting
    assert tuple(counts.order_dependent for counts in found) == failing
    assert tuple(counts.not_associative for counts in found) == failing


@pytest.mark.parametrize("nodes", PLAIN_SIZES)
def test_the_reference_comes_to_the_same_counts_one_history_at_a_time(nodes: int) -> None:
    """Done by hand for 5 and 6 nodes too, with the same result; the latter takes an hour."""
    plain = plain_counts(nodes)
    assert COUNTS[nodes] == (
        plain["dags"],
        plain["histories"],
        plain["order_dependent"],
        plain["order_dependent_sets"],
        plain["not_associative"],
        plain["failing_splits"],
        plain["not_associative_pinned"],
        plain["only_not_associative"],
    )
    for name, (meeting, failing) in MEETING.items():
        assert plain[f"premise:{name}:histories"] == meeting[nodes - 1], name
        assert plain[f"premise:{name}:order_dependent"] == failing[nodes - 1], name
        assert plain[f"premise:{name}:not_associative"] == failing[nodes - 1], name


@pytest.mark.parametrize(("nodes", "stride"), [(5, 31), (6, 1999), (7, 48_211)])
def test_history_by_history_the_reference_finds_the_same_in_a_sample_of_dags(
    nodes: int, stride: int
) -> None:
    for dag in dags(nodes)[stride // 2 :: stride]:
        _compare_history_by_history(dag, range(nodes, 1 << nodes, 8))


def test_origins_that_depend_on_the_order_make_two_nodes_depend_on_it() -> None:
    """Over the smallest counterexample stand two nodes with all of its heads as parents."""
    tops = 0b11111
    dag = (0b1, 0b1, 0b11, 0b11, tops, tops)
    found = _compare_history_by_history(dag, range(64))
    # as many sets of three, of the patterns of the last two nodes, and where these two differ
    assert found["order_dependent_sets"] == 3 * 4 + 3 * 2


def _compare_history_by_history(dag: Dag, patterns: range) -> Counter[str]:
    """Return the broken claims and the met premises under these patterns, and their counts."""
    (histories,) = DagSearch(len(dag)).below(dag)
    found, ((_, happened),) = histories.findings, histories.happened
    counts: Counter[str] = Counter()
    for pattern in patterns:
        changes = tuple(bool(pattern >> place & 1) for place in range(len(dag)))
        graph = history(parents_of(dag), changes)
        plain = findings_of(graph)
        assert found.dependent >> pattern & 1 == plain["order_dependent"]
        assert found.not_associative >> pattern & 1 == plain["not_associative"]
        assert histories.pinned >> pattern & 1 == plain["not_associative_pinned"]
        counts.update(plain)
        facts = operations(graph)
        for premise in PREMISES:
            met = not any(happened.faults[fault] >> pattern & 1 for fault in premise.faults)
            assert met == MEETS[premise.name](facts), premise.name
    if len(patterns) == 1 << len(dag):
        assert found.dependent_sets == counts["order_dependent_sets"]
        assert found.splits == counts["failing_splits"]
    return counts


def test_no_concurrent_equal_operations_means_that_all_are_ordered() -> None:
    assert MEETING["no-concurrent-equal"] == MEETING["totally-ordered"]


@pytest.mark.parametrize("nodes", SIZES)
def test_one_dag_of_each_class_gives_the_counts_of_all_dags(nodes: int) -> None:
    assert counts_of(nodes, _every_dag(nodes)) == _counts(nodes)


@pytest.mark.parametrize("dag", [(1, 1, 1, 3, 3, 63), (1, 1, 1, 3, 3, 3, 127)])
def test_the_order_of_creation_decides_which_histories_meet_a_premise(dag: Dag) -> None:
    """The order of three parents matters, so the DAGs of these classes have different counts."""
    isomorphic = class_of(dag)
    assert len({counts_of(len(dag), _one_by_one(len(dag), [each])) for each in isomorphic}) > 1
    histories = _of_class(dag)
    assert len(histories.happened) > 1
    assert counts_of(len(dag), [histories]) == counts_of(
        len(dag), _one_by_one(len(dag), isomorphic)
    )


def test_a_sample_of_classes_of_nine_nodes_has_the_counts_of_its_dags() -> None:
    for histories in _some_classes(nodes=9, number=3, most=100):
        one_by_one = _one_by_one(9, class_of(histories.dag))
        assert counts_of(9, [histories]) == counts_of(9, one_by_one)


@pytest.mark.long
@pytest.mark.parametrize("nodes", [7, 8, 9, 10])
def test_many_classes_have_the_counts_of_their_dags(nodes: int) -> None:
    for histories in _some_classes(nodes, number=100, most=1_000):
        one_by_one = list(_one_by_one(nodes, class_of(histories.dag)))
        assert all(each.pinned == each.findings.not_associative for each in one_by_one)
        assert counts_of(nodes, [histories]) == counts_of(nodes, one_by_one)


def test_associativity_fails_pinned_in_every_history_in_which_it_fails() -> None:
    for nodes in SIZES:
        for histories in _every_dag(nodes):
            assert histories.pinned == histories.findings.not_associative


@cache
def _every_dag(nodes: int) -> tuple[DagHistories, ...]:
    return tuple(_one_by_one(nodes, [()]))


def _one_by_one(nodes: int, prefixes: Iterable[Dag]) -> Iterator[DagHistories]:
    """Yield the histories of every DAG with one of these prefixes, isomorphic or not."""
    for prefix in prefixes:
        yield from DagSearch(nodes).below(prefix)


def _of_class(dag: Dag) -> ClassHistories:
    (histories,) = Search(len(dag)).below(Canonical(dag, automorphisms(dag)))
    return histories


def _some_classes(nodes: int, number: int, most: int) -> Iterator[ClassHistories]:
    """Yield random classes whose nodes can be created in at most so many orders."""
    random = Random(nodes)
    while number:
        canonical = Canonical((), 1)
        while len(canonical.dag) < nodes:
            dag = canonical.dag
            canonical = random.choice([*with_one_more(dag, downsets(dag))])
        histories = _of_class(canonical.dag)
        if sum(orders for orders, _ in histories.happened) <= most:
            number -= 1
            yield histories
