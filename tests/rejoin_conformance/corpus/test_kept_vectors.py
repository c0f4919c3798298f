"""The histories that each system keeps, and the vectors of the corpus that come from them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from rejoin_conformance.campaigns.distilling.coverage_keys import covers
from rejoin_conformance.campaigns.distilling.distilled_file import TOPIC as DISTILLED
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.contract.vector import KeptHistory, Vector
from rejoin_conformance.corpus.history_vectors import CALLS_AN_OPERATION, kept_topics
from rejoin_conformance.corpus.load import load_histories, load_topic_file
from rejoin_conformance.kit.locations import vectors_directory
from rejoin_conformance.model_checking.new_to_corpus import TOPIC as BEHAVIOURS
from rejoin_conformance.model_checking.new_to_corpus import combinations_of

LARGEST_FILE = 1_000_000

every_file = pytest.mark.parametrize(
    ("name", "topic"),
    [(name, path.stem) for name in system_names() for path in system_named(name).kept],
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


@pytest.mark.parametrize("name", system_names())
def test_distilled_histories_reach_everything_that_they_are_kept_for(name: str) -> None:
    system = system_named(name)
    for kept in _kept(name, DISTILLED):
        history = system.histories.from_json(kept.history)
        assert kept.reaches
        assert covers(system, history, system.readings, kept.reaches), kept.name


@pytest.mark.parametrize("name", system_names())
def test_behaviours_decide_together_what_they_are_kept_for(name: str) -> None:
    system = system_named(name)
    for kept in _kept(name, BEHAVIOURS):
        history = system.histories.from_json(kept.history)
        assert kept.reaches
        assert set(kept.reaches) <= combinations_of(system, history), kept.name


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
