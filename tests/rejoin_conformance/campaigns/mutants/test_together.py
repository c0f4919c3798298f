"""Many mutants are in force at once, and a wrong answer still names the one mutant behind it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from rejoin_conformance.campaigns.mutants.asking_groups import Asked, smallest
from rejoin_conformance.campaigns.mutants.corpus import corpus_of
from rejoin_conformance.campaigns.mutants.equivalent import FILE, load_argued
from rejoin_conformance.campaigns.mutants.exchanging import loaded
from rejoin_conformance.campaigns.mutants.mutant import Mutant, mutants_in
from rejoin_conformance.campaigns.mutants.reached import reached_by
from rejoin_conformance.campaigns.mutants.source import source_of
from rejoin_conformance.campaigns.mutants.together import Clash, groups_of
from rejoin_conformance.kit.locations import mutants_directory
from support.small_mutants import SYSTEM, lowest, small_questions

LCAU = "rejoin.history_merge.lcau"
ARGUED = load_argued(mutants_directory() / SYSTEM / FILE)
EQUIVALENT = [each for each in mutants_in(LCAU) if ARGUED.argument(each) is not None]


def _asked(mutants: Sequence[Mutant], clashes: set[Clash]) -> Asked:
    corpus = corpus_of(SYSTEM)
    _, questions = small_questions()
    reached = reached_by(corpus.operations, questions, loaded())
    asked = Asked(
        system=SYSTEM, corpus=corpus, questions=questions, reached=reached, clashes=clashes
    )
    asked.ask(mutants)
    return asked


def test_a_planted_mutant_that_is_not_equivalent_is_found_in_its_group() -> None:
    planted = next(each for each in mutants_in(LCAU) if each.kind == "returned-nothing")
    group = next(each for each in groups_of([planted, *EQUIVALENT]) if planted in each)
    assert len(group) > 1
    assert set(_asked([*EQUIVALENT, planted], set()).wrong) == {planted.name}


def test_equivalent_mutants_are_asked_together_and_none_is_found() -> None:
    asked = _asked(EQUIVALENT, set())
    assert len(EQUIVALENT) > len(groups_of(EQUIVALENT, asked.clashes))
    assert asked.wrong == {}


def test_every_mutant_is_in_one_group_without_one_that_changes_the_same_code() -> None:
    mutants = mutants_in(LCAU)
    groups = groups_of(mutants)
    assert sorted(each.name for group in groups for each in group) == sorted(
        each.name for each in mutants
    )
    source = source_of(LCAU)
    for group in groups:
        pairs = combinations(group, 2)
        assert not any(source.overlap(one.number, other.number) for one, other in pairs)


def test_mutants_that_clash_are_in_different_groups() -> None:
    first, *_ = groups_of(EQUIVALENT)
    clash = frozenset(each.name for each in first[:2])
    assert not any(
        clash <= {each.name for each in group} for group in groups_of(EQUIVALENT, [clash])
    )


def test_a_function_that_no_question_runs_is_not_asked() -> None:
    unreachable = next(
        each for each in mutants_in("rejoin.history_merge.acceptance") if each.function
    )
    asked = _asked([unreachable], set())
    assert not any((unreachable.module, unreachable.function) in each for each in asked.reached)
    assert asked.wrong == {}


def test_halving_finds_the_mutants_that_are_only_wrong_together() -> None:
    group = lowest()
    one, other = group[1], group[4]
    assert smallest(group, lambda some: other in some) == (other,)
    assert smallest(group, lambda some: {one, other} <= {*some}) == (one, other)
