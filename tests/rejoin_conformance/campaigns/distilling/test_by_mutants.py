"""Random vectors stay if they notice what no written vector notices, and only a few of them."""

from __future__ import annotations

import json

import pytest
from attrs import evolve

from rejoin_conformance.campaigns.distilling.by_mutants import (
    Chosen,
    LostKillError,
    choose,
    random_vectors,
    rows_of_knockouts,
)
from rejoin_conformance.campaigns.distilling.retire import retired_text, text_of_needed
from rejoin_conformance.campaigns.mutants.corpus import corpus_of, same_corpus
from rejoin_conformance.campaigns.mutants.knockout import load_knockouts
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.load import load_topic_of_histories, retired_entries
from rejoin_conformance.kit.locations import mutants_directory, vectors_directory
from support.spreads import HERE

SYSTEM = "history-merge"


def _vectors(**sizes: int) -> list[Vector]:
    """Vectors with these names, and summaries of these lengths."""
    like = corpus_of(SYSTEM).questions[0].vector
    return [evolve(like, id=name, summary="x" * size) for name, size in sizes.items()]


def test_the_vector_that_notices_most_is_chosen_and_the_smallest_of_several() -> None:
    rows = {"one": ["a", "b", "c"], "two": ["a", "c"], "three": ["b", "d"], "four": ["d", "c"]}
    chosen = choose(_vectors(a=5, b=9, c=7, d=6), rows)
    assert chosen.needed == {"c": ("four", "one", "two"), "d": ("three",)}
    assert chosen.retired == ("a", "b")


def test_every_random_vector_is_retired_if_written_ones_notice_everything() -> None:
    assert choose(_vectors(a=1, b=1), {}) == Chosen(needed={}, retired=("a", "b"))


def test_a_change_that_no_vector_notices_is_an_error() -> None:
    with pytest.raises(LostKillError, match="mutant 1: no vector that the corpus has notices it"):
        choose(_vectors(a=1), {"mutant 1": ["elsewhere"]})


def test_vectors_that_are_left_out_are_not_asked_and_the_choice_has_a_key_of_its_own() -> None:
    whole = corpus_of(SYSTEM)
    first = whole.asked[0]
    without = frozenset({whole.questions[first].vector.id})
    rest = corpus_of(SYSTEM, without)
    assert rest.asked == whole.asked[1:]
    assert rest.questions is whole.questions
    assert rest.key != whole.key
    assert same_corpus(rest.key) is rest


def test_only_random_vectors_notice_a_knockout_in_its_row() -> None:
    known = load_knockouts(mutants_directory() / SYSTEM, SYSTEM)
    few = [each for each in known.changes if each.clause in {"HM-MERGE-ANY-TYPE", "HM-MERGE-ONE"}]
    rows = rows_of_knockouts(SYSTEM, evolve(known, changes=tuple(few)), HERE)
    assert {*rows} == {"knock-out HM-MERGE-ANY-TYPE"}
    assert {*rows["knock-out HM-MERGE-ANY-TYPE"]} <= random_vectors(SYSTEM).keys()


def test_the_list_of_retired_vectors_keeps_its_form() -> None:
    path = vectors_directory() / "retired.json"
    assert retired_text(retired_entries(), ()) == path.read_text(encoding="utf-8")
    more = json.loads(retired_text(retired_entries(), ["a/b/c"]))["vectors"]
    assert more[:-1] == [*retired_entries()]
    assert more[-1]["id"] == "a/b/c"


def test_a_history_stays_for_the_changes_that_its_vectors_notice() -> None:
    system = system_named(SYSTEM)
    vectors = random_vectors(SYSTEM)
    name, vector = next(iter(vectors.items()))
    topic = load_topic_of_histories(next(p for p in system.kept if p.stem == vector.topic))
    chosen = Chosen(needed={name: ("mutant 2", "mutant 1")}, retired=())
    (kept,) = json.loads(text_of_needed(system, topic, vectors, chosen))["histories"]
    assert vector.lineage is not None
    assert kept["name"] == vector.lineage.history
    assert kept["reaches"] == ["mutant 1", "mutant 2"]
    assert kept["shows"] == "Notices mutant 1, and 1 more, which no written vector notices"
    assert kept["decides"] == {name.rpartition("/")[2]: [*vector.clauses]}
