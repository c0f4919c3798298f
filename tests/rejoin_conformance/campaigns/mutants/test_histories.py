"""Mutants in the shadow of the reference: the questions that they answer wrongly are found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import FunctionType

import pytest
from attrs import field, frozen

from rejoin.errors import RejoinError
from rejoin.history_merge import lcau
from rejoin_conformance.campaigns.kept.store import every_row
from rejoin_conformance.campaigns.mutants.equivalent import Argued
from rejoin_conformance.campaigns.mutants.histories import noticed_by_histories
from rejoin_conformance.campaigns.mutants.kept import kept_histories
from rejoin_conformance.campaigns.mutants.mutant import mutants_in
from rejoin_conformance.campaigns.mutants.same_value import (
    NotComparableError,
    containers_in,
    copied,
    is_constant,
    is_same,
)
from rejoin_conformance.campaigns.mutants.suspects import suspects_of
from rejoin_conformance.contract.registry import system_named
from support.small_mutants import SYSTEM, lowest, small_questions, small_run
from support.spreads import HERE

OPERATIONS = {each.name: each for each in system_named(SYSTEM).operations}


def test_every_question_that_kills_a_mutant_has_it_as_a_suspect() -> None:
    places, questions = small_questions()
    run = small_run(lowest(), Argued(), matrix=True)
    suspects = suspects_of(OPERATIONS, lowest(), questions)
    for mutant, examined, found in zip(run.mutants, run.examined, suspects, strict=True):
        assert set(examined.killers) <= {places[each] for each in found}, mutant
    assert sum(map(len, suspects)) < len(questions) * len(suspects)


def test_the_reference_is_as_before_after_mutants_ran_in_its_shadow() -> None:
    code = lcau.lca_u.__code__
    suspects_of(OPERATIONS, lowest(), small_questions()[1][:1])
    assert lcau.lca_u.__code__ is code


def test_a_mutant_outside_functions_is_a_suspect_of_every_question() -> None:
    constant = next(
        each for each in mutants_in("rejoin.history_merge.any_size") if not each.function
    )
    questions = small_questions()[1][:3]
    assert suspects_of(OPERATIONS, [constant], questions) == ((0, 1, 2),)


def test_histories_notice_mutants_by_a_call_that_shows_them() -> None:
    killed = [each for each in small_run(lowest(), Argued()).each() if each[2] == "killed"]
    mutants = [mutant for mutant, _, _ in killed]
    noticed = noticed_by_histories(SYSTEM, mutants, 3, HERE)
    assert {each.mutant for each in noticed} == {*mutants}
    assert {each.operation.partition("/")[0] for each in noticed} == {SYSTEM}
    assert all(each.observed for each in noticed)


def test_interrupted_histories_continue(tmp_path: Path) -> None:
    mutants = lowest()[:2]
    first = noticed_by_histories(
        SYSTEM, mutants, 2, HERE, kept=kept_histories(tmp_path, SYSTEM, mutants)
    )
    again = kept_histories(tmp_path, SYSTEM, mutants)
    assert [line["histories"] for line in every_row(again)] == [2]
    assert noticed_by_histories(SYSTEM, mutants, 2, HERE, kept=again) == first
    noticed_by_histories(SYSTEM, mutants, 3, HERE, kept=again)
    assert [line["histories"] for line in every_row(again)] == [2, 3]


@frozen(eq=False)
class _Cache:
    known: dict[str, int] = field(factory=dict)


@frozen
class _Pair:
    left: object
    right: object = None


def _nothing_old(_left: object, _right: object) -> bool:
    return False


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, True),
        ([1], (1,)),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        (frozenset({1}), frozenset({True})),
        (_Pair(1), _Pair(True)),
        (_Pair([]), _Pair([0])),
        (_Cache({"a": 1}), _Cache({})),
        (RejoinError("a", "text"), RejoinError("b", "text")),
        (iter(()), iter(())),
    ],
)
def test_values_that_some_code_can_tell_apart_are_different(left: object, right: object) -> None:
    assert not is_same(left, right, _nothing_old)


@pytest.mark.parametrize(
    "make",
    [
        lambda: (1, "a", b"", None, True),
        lambda: [{"a": {1, 2}}, bytearray(b"x"), frozenset({"b"})],
        lambda: _Pair([1], _Cache({"a": 1})),
        lambda: ValueError("a", 1),
    ],
)
def test_values_with_equal_parts_are_the_same(make: Callable[[], object]) -> None:
    assert is_same(make(), make(), _nothing_old)


def test_a_returned_argument_is_not_the_same_as_a_copy_of_it() -> None:
    given: list[int] = []
    old = containers_in(([given], _Pair(_Cache())))
    assert len(old) == 3
    assert not is_same(given, [], lambda left, right: (id(left) in old) != (id(right) in old))


def test_a_copy_shares_only_the_parts_that_cannot_change() -> None:
    cache = _Cache({"a": 1})
    pair = _Pair(cache)
    value = ([cache], cache, pair, "text")
    copy = copied(value)
    assert copy[0] is not value[0]
    assert copy[0][0] is copy[1]
    assert copy[1] is not cache
    assert copy[1].known == {"a": 1}
    assert copy[3] is value[3]
    assert copied(("a", frozenset({1}))) == ("a", frozenset({1}))
    with pytest.raises(NotComparableError):
        copied([iter(())])


def test_constants_have_no_part_that_can_change() -> None:
    assert is_constant((1, frozenset({"a"}), _Pair(1, copied), FunctionType))
    assert not is_constant((1, []))
    assert not is_constant(_Pair([]))
    assert not is_constant(_Cache())
