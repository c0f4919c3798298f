"""The distilled histories of each system, and the vectors of the corpus that come from them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from rejoin_conformance.corpus.distilled import CALLS_AN_OPERATION, TOPIC, distilled_topics
from rejoin_conformance.corpus.load import load_histories, load_topic_file
from rejoin_conformance.distilling.keys import reaches
from rejoin_conformance.locations import vectors_directory
from rejoin_conformance.registry import system_named, system_names
from rejoin_conformance.vectors import KeptHistory, Vector

LARGEST_FILE = 1_000_000


def _file(name: str) -> Path:
    path = system_named(name).distilled
    assert path is not None
    return path


@cache
def _kept(name: str) -> tuple[KeptHistory, ...]:
    return load_histories(_file(name))[1]


@cache
def _vectors(name: str) -> tuple[Vector, ...]:
    return load_topic_file(vectors_directory() / name / f"{TOPIC}.json")


@pytest.mark.parametrize("name", system_names())
def test_the_histories_reach_everything_that_they_are_kept_for(name: str) -> None:
    system = system_named(name)
    for kept in _kept(name):
        history = system.histories.from_json(kept.history)
        assert kept.reaches
        assert reaches(system, history, system.readings, kept.reaches), kept.name


@pytest.mark.parametrize("name", system_names())
def test_every_key_is_kept_by_one_history_and_histories_differ(name: str) -> None:
    keys = [key for kept in _kept(name) for key in kept.reaches]
    assert len(keys) == len(set(keys))
    histories = [str(kept.history) for kept in _kept(name)]
    assert len(histories) == len(set(histories))


@pytest.mark.parametrize("name", system_names())
def test_each_vector_names_a_history_of_its_file_and_tells_a_part_of_it(name: str) -> None:
    _, listed = load_histories(vectors_directory() / name / f"{TOPIC}.json")
    assert listed == _kept(name)
    lineages = {kept.lineage for kept in listed}
    counts: dict[tuple[str, str], int] = {}
    for vector in _vectors(name):
        assert vector.lineage in lineages
        assert vector.id.startswith(f"{name}/{TOPIC}/{vector.lineage.history}-")
        of = vector.lineage.history, vector.operation
        counts[of] = counts.get(of, 0) + 1
    assert max(counts.values()) <= CALLS_AN_OPERATION


@pytest.mark.parametrize("name", system_names())
def test_a_history_in_which_anything_happens_has_vectors(name: str) -> None:
    named = {vector.lineage.history for vector in _vectors(name) if vector.lineage is not None}
    eventful = {kept.name for kept in _kept(name) if kept.history["events"]}
    assert named <= {kept.name for kept in _kept(name)}
    assert len(eventful - named) <= len(eventful) // 4


@pytest.mark.parametrize("name", system_names())
def test_the_files_can_be_reviewed(name: str) -> None:
    assert _file(name).stat().st_size < LARGEST_FILE
    assert (vectors_directory() / name / f"{TOPIC}.json").stat().st_size < LARGEST_FILE


def test_a_system_without_distilled_histories_has_no_such_topic() -> None:
    from support.toy_system import TOY

    assert distilled_topics(TOY, TOY.topics()) == ()
