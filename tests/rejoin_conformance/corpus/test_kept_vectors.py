"""The histories that each system keeps, and the vectors of the corpus that come from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest

from rejoin_conformance.campaigns.distilling.by_mutants import KNOCKOUT, MUTANT
from rejoin_conformance.campaigns.distilling.distilled_file import TOPIC as DISTILLED
from rejoin_conformance.campaigns.mutants.corpus import Corpus, CorpusKey
from rejoin_conformance.campaigns.mutants.examine import (
    loaded_reference,
    observed_answer,
    put_in_force,
)
from rejoin_conformance.campaigns.mutants.exchanging import Change
from rejoin_conformance.campaigns.mutants.forked import in_a_fork
from rejoin_conformance.campaigns.mutants.knockout import load_knockouts
from rejoin_conformance.campaigns.mutants.mutant import mutants_of
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.contract.vector import KeptHistory, Vector
from rejoin_conformance.corpus.history_vectors import CALLS_AN_OPERATION, kept_topics
from rejoin_conformance.corpus.load import load_histories, load_topic_file
from rejoin_conformance.corpus.verify import Question
from rejoin_conformance.kit.locations import mutants_directory, vectors_directory
from rejoin_conformance.model_checking.new_to_corpus import TOPIC as BEHAVIOURS

LARGEST_FILE = 1_000_000

every_file = pytest.mark.parametrize(
    ("name", "topic"),
    [
        (name, path.stem)
        for name in system_names()
        for path in system_named(name).kept
        if load_histories(path)[1]
    ],
)


def _file(name: str, topic: str) -> Path:
    return next(path for path in system_named(name).kept if path.stem == topic)


@cache
def _kept(name: str, topic: str) -> tuple[KeptHistory, ...]:
    return load_histories(_file(name, topic))[1]


@cache
def _vectors(name: str, topic: str) -> tuple[Vector, ...]:
    return load_topic_file(vectors_directory() / name / f"{topic}.json")


@pytest.mark.parametrize("name", system_names())
def test_a_system_keeps_distilled_histories_and_behaviours(name: str) -> None:
    assert [path.stem for path in system_named(name).kept] == [DISTILLED, BEHAVIOURS]


@cache
def _changes(name: str) -> Mapping[str, Change]:
    """The changes of the reference that histories are kept for, by their names in `reaches`."""
    knockouts = load_knockouts(mutants_directory() / name, name).changes
    return {f"{MUTANT} {each.name}": each for each in mutants_of(name)} | {
        f"{KNOCKOUT} {each.clause}": each for each in knockouts
    }


def _notices(name: str, change: Change, vectors: Sequence[Vector]) -> bool:
    operations = {each.name: each for each in system_named(name).operations}
    key = CorpusKey(system=name, without=frozenset(), digest="")
    corpus = Corpus(key=key, operations=operations, questions=(), asked=())

    def ask() -> bool:
        changed = put_in_force(name, corpus, change)
        asked = map(Question.of, vectors)
        return any(observed_answer(changed, each, 2.0)[0] is not None for each in asked)

    return in_a_fork(ask, died=True)


@every_file
def test_the_vectors_of_a_history_notice_the_changes_that_it_is_kept_for(
    name: str, topic: str
) -> None:
    loaded_reference(name)
    for kept in _kept(name, topic):
        of_history = [each for each in _vectors(name, topic) if each.lineage == kept.lineage]
        assert kept.reaches
        for reached in kept.reaches:
            assert reached.partition(" ")[0] in {MUTANT, KNOCKOUT, "rust", "javascript"}
            if reached in _changes(name):
                clause = reached.removeprefix(f"{KNOCKOUT} ")
                tagged = [each for each in of_history if clause in each.clauses]
                assert _notices(name, _changes(name)[reached], tagged or of_history), reached


@every_file
def test_every_key_is_kept_by_one_history_and_histories_differ(name: str, topic: str) -> None:
    keys = [key for kept in _kept(name, topic) for key in kept.reaches]
    assert len(keys) == len(set(keys))
    histories = [str(kept.history) for kept in _kept(name, topic)]
    assert len(histories) == len(set(histories))


@every_file
def test_each_vector_names_a_history_of_its_file_and_shows_part_of_it(
    name: str, topic: str
) -> None:
    _, listed = load_histories(vectors_directory() / name / f"{topic}.json")
    assert listed == _kept(name, topic)
    lineages = {kept.lineage for kept in listed}
    counts: dict[tuple[str, str], int] = {}
    for vector in _vectors(name, topic):
        assert vector.lineage in lineages
        assert vector.id.startswith(f"{name}/{topic}/{vector.lineage.history}-")
        of = vector.lineage.history, vector.operation
        counts[of] = counts.get(of, 0) + 1
    assert max(counts.values()) <= CALLS_AN_OPERATION


@every_file
def test_a_vector_is_tagged_with_the_clauses_that_it_was_seen_to_decide(
    name: str, topic: str
) -> None:
    decides = {
        f"{name}/{topic}/{vector}": tuple(sorted(clauses))
        for kept in _kept(name, topic)
        for vector, clauses in kept.decides.items()
    }
    assert {each.id: each.clauses for each in _vectors(name, topic)} == decides


@every_file
def test_a_history_in_which_anything_happens_has_vectors(name: str, topic: str) -> None:
    named = {
        vector.lineage.history for vector in _vectors(name, topic) if vector.lineage is not None
    }
    eventful = {kept.name for kept in _kept(name, topic) if kept.history["events"]}
    assert named <= {kept.name for kept in _kept(name, topic)}
    assert len(eventful - named) <= len(eventful) // 4


@every_file
def test_the_files_can_be_reviewed(name: str, topic: str) -> None:
    assert _file(name, topic).stat().st_size < LARGEST_FILE
    assert (vectors_directory() / name / f"{topic}.json").stat().st_size < LARGEST_FILE


def test_a_system_that_keeps_no_histories_has_no_topics_of_them() -> None:
    from support.toy_system import TOY

    assert kept_topics(TOY, TOY.topics()) == ()
