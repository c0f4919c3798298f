"""The laws of every 3-way merge, over all small states. Results for given states are vectors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, combinations, product
from typing import Any, Final

import pytest

from rejoin.history_merge import (
    BYTE_SETS,
    COUNTERS,
    LINES,
    REGISTERS,
    SET_MERGES,
    SETS,
    HistoryMergeError,
    StateType,
    set_apply,
    set_diff,
    set_three_way_merge,
)
from rejoin.history_merge import three_way_merge as forms
from rejoin_conformance.laws.history_merge import three_way

SUBSETS: Final = [
    frozenset(each)
    for each in chain.from_iterable(combinations("abcd", count) for count in range(5))
]
SMALL_LINES: Final = [
    each for count in range(4) for each in product("xy", repeat=count) if len(each) < 3
]
STATES: Final[Mapping[str, tuple[StateType[Any], list[Any]]]] = {
    **{name: (StateType(name, frozenset(), SETS.merging_by(name)), SUBSETS) for name in SET_MERGES},
    "counter": (COUNTERS, [-5, -1, 0, 1, 2, 7]),
    "register": (REGISTERS, [*"wxyz"]),
    "lines": (LINES, SMALL_LINES),
}
IDEMPOTENT: Final = {"idempotent", "register", "lines"}
CONFLICTING: Final = {"register", "lines"}


def _merged(type_: StateType[Any], o: Any, a: Any, b: Any) -> Any:
    """Return the merge, or the code of the refusal."""
    try:
        return type_.three_way_merge(o, a, b)
    except HistoryMergeError as error:
        return error.code


def _faults(name: str) -> Iterator[tuple[str, Any]]:
    """Yield the triples of states that break a law, and the law."""
    type_, states = STATES[name]
    for o, a, b in product(states, repeat=3):
        if _merged(type_, o, a, b) != _merged(type_, o, b, a):
            yield "commutative", (o, a, b)
        if name not in CONFLICTING and _merged(type_, o, a, b) == "conflict":
            yield "total", (o, a, b)
    for o, a in product(states, repeat=2):
        if not _merged(type_, o, o, a) == _merged(type_, o, a, o) == a:
            yield "follows the only change", (o, a)
        if name in IDEMPOTENT and _merged(type_, o, a, a) != a:
            yield "idempotent", (o, a)


@pytest.mark.parametrize("name", STATES)
def test_a_merge_is_commutative_and_follows_the_only_change(name: str) -> None:
    assert not [*_faults(name)]


def test_all_forms_of_the_merge_of_sets_are_one() -> None:
    by_diff = forms.three_way_merge_by_diff(set_diff, set_apply)
    for o, a, b in product(SUBSETS, repeat=3):
        merged = three_way(o, a, b)
        assert merged == set_three_way_merge(o, a, b) == set_apply(a, set_diff(o, b))
        assert merged == forms.symmetric_set_three_way_merge(o, a, b) == by_diff(o, a, b)
        numbers = (frozenset(map(ord, each)) for each in (o, a, b))
        assert {*map(ord, merged)} == forms.set_three_way_merge_by_element(*numbers)
        for x in "abcd":
            inside = x in o, x in a, x in b
            assert (x in merged) == forms.element_three_way_merge(*inside)
            changed = forms.element_diff(*inside[:2])
            assert (x in merged) == forms.element_apply(inside[2], changed)


def test_a_diff_has_no_element_in_both_parts_and_leads_to_the_other_state() -> None:
    for o, a in product(SUBSETS, repeat=2):
        diff = set_diff(o, a)
        assert not diff.inserted & diff.deleted
        assert set_apply(o, diff) == a


def test_the_laws_of_the_document_leave_four_merges_of_one_element() -> None:
    triples = [*product([False, True], repeat=3)]
    lawful = [
        cells
        for cells in product([False, True], repeat=8)
        for merge in [dict(zip(triples, cells, strict=True))]
        if all(
            merge[o, o, a] == merge[o, a, o] == a and merge[o, a, b] == merge[o, b, a]
            for o, a, b in triples
        )
    ]
    ours = {
        name: tuple(
            bool(SETS.merging_by(name)(*(frozenset("x" * state) for state in each)))
            for each in triples
        )
        for name in SET_MERGES
    }
    assert sorted(ours.values()) == lawful
    both_add, both_remove = triples.index((False, True, True)), triples.index((True, False, False))
    idempotent = [name for name, cells in ours.items() if cells[both_add] > cells[both_remove]]
    assert idempotent == ["idempotent"]


def test_byte_strings_are_elements_too() -> None:
    merge = BYTE_SETS.three_way_merge
    assert merge(frozenset([b"\0"]), frozenset(), frozenset([b"\0", b"\xff"])) == {b"\xff"}
