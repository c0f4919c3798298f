"""The tier of a vector follows from its ID, and the files of the corpus agree with it."""

from __future__ import annotations

from attrs import evolve

from rejoin_conformance.adapters.results.records import Record
from rejoin_conformance.adapters.results.summary import summarise
from rejoin_conformance.adapters.run_options import Selection
from rejoin_conformance.contract.registry import system_names
from rejoin_conformance.contract.tier import TIERS, tier_of
from rejoin_conformance.corpus.load import load_system
from support.result_files import results


def test_every_vector_that_nobody_wrote_is_random_by_its_id_too() -> None:
    for system in system_names():
        vectors = load_system(system)
        assert {each.tier for each in vectors} >= {"core", "random"}
        assert all(tier_of(each.id) == each.tier for each in vectors)


def test_a_selection_takes_the_vectors_of_its_tiers() -> None:
    vectors = load_system("history-merge")
    found = [each for each in vectors if Selection(tiers=("sizes",)).chooses(each)]
    assert found == [each for each in vectors if each.topic in {"large", "sizes"}]
    assert all(Selection().chooses(each) for each in vectors)


def test_failures_are_listed_by_tier_and_then_by_clauses() -> None:
    failed = Record(
        id="history-merge/distilled/a",
        reading="document",
        operation="history-merge/merge",
        clauses=("HM-MERGE-ONE",),
        level="must",
        verdict="fail",
    )
    records = [
        failed,
        evolve(failed, id="history-merge/large/b"),
        evolve(failed, id="history-merge/octopus/c", clauses=("HM-MERGE-ONE", "HM-MERGE-FOLD")),
        evolve(failed, id="history-merge/octopus/d"),
    ]
    listed = [each.id[-1] for each in summarise(records, results().configuration).failures]
    assert listed == ["d", "c", "b", "a"]
    assert TIERS == ("core", "sizes", "random")
