"""Calls of random histories are asked of many mutants at once; a finding names the one mutant."""

from __future__ import annotations

from collections.abc import Sequence

from rejoin_conformance.campaigns.mutants.asking import coverage_of, executed_by
from rejoin_conformance.campaigns.mutants.equivalent import FILE, Argued, load_argued
from rejoin_conformance.campaigns.mutants.mutant import Mutant, mutants_in
from rejoin_conformance.campaigns.mutants.run import (
    groups_of,
    noticed_by_histories,
    wrong_under,
)
from rejoin_conformance.kit.locations import mutants_directory
from support.small_mutants import LCAU, SYSTEM, lowest, small_questions, small_run
from support.spreads import HERE

ARGUED = load_argued(mutants_directory() / SYSTEM / FILE)
EQUIVALENT = [each for each in mutants_in(LCAU) if ARGUED.argument(each) is not None]
ELSEWHERE = mutants_in("rejoin.history_merge.acceptance")
UNREACHED = [*{each.place: each for each in ELSEWHERE if each.function}.values()]


def _wrong(mutants: Sequence[Mutant]) -> set[str]:
    questions = [*small_questions().values()]
    executed = executed_by(SYSTEM, [LCAU], enumerate(questions), afresh=True)
    return {*wrong_under(SYSTEM, questions, coverage_of(executed), mutants)}


def test_a_planted_mutant_that_is_not_equivalent_is_found_in_its_group() -> None:
    planted = next(each for each in mutants_in(LCAU) if each.kind == "returned-nothing")
    assert len(groups_of([planted, *UNREACHED])) == 1
    assert _wrong([planted, *UNREACHED]) == _wrong([*UNREACHED, planted]) == {planted.name}
    assert _wrong(EQUIVALENT) == set()


def test_every_mutant_is_in_one_group_without_another_of_the_same_function() -> None:
    mutants = [*mutants_in(LCAU), *mutants_in("rejoin.history_merge.any_size")]
    groups = groups_of(mutants)
    assert sorted(each.name for group in groups for each in group) == sorted(
        each.name for each in mutants
    )
    for group in groups:
        assert len({each.place for each in group}) == len(group)
        assert len({bool(each.function) for each in group}) == 1
    assert any(len(group) > 1 for group in groups)


def test_histories_notice_mutants_by_a_call_that_shows_them() -> None:
    mutants = [
        mutant for mutant, _, fate in small_run(lowest(), Argued()).each() if fate == "killed"
    ]
    noticed = noticed_by_histories(SYSTEM, mutants, 3, HERE)
    assert {mutant for mutant, _ in noticed} == {*mutants}
    assert {call["operation"].partition("/")[0] for _, call in noticed} == {SYSTEM}
    assert all(call["observed"] for _, call in noticed)
