"""Neither the reference nor the model of conflict detection can drift from the other unseen."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.model import Behaviour, CannotTranslateError, model_folder
from rejoin_conformance.kit.tla_values import same
from rejoin_conformance.model_checking.behaviours import simulated
from rejoin_conformance.model_checking.validate import Accepted, validated
from rejoin_conformance.systems.conflict_detection.history import parse_history
from rejoin_conformance.systems.conflict_detection.model import MODEL
from rejoin_conformance.systems.conflict_detection.system import SYSTEM
from support.faults import faults_of, faulty

FOLDER = model_folder("conflict-detection")

FAULTS = faults_of("conflict-detection")
CHANGES_OF_THE_REFERENCE = (
    "what ours follows is a conflict",
    "a link to a deletion stays",
    "an upload counts twice",
    "of several resolved conflicts one counts",
    "a resolution joins nothing",
    "a resolution names one parent",
    "conflict files stay when followed",
    "a conflict file is not updated",
    "a link to a deletion goes at once",
)
"""Planted faults. Laws notice them too, but for three."""

UNSAVED = parse_history(
    "2 clients\nA edits foo=1\nB polls foo of A\nB changes foo=2\nA edits foo=3\nB polls foo of A"
)
"""The second client has a change that it has not uploaded when it finds an overwrite."""

CHANGES_OF_THE_MODEL: Mapping[str, tuple[str, str]] = {
    "one larger entry is enough": (
        "THEN Entry(later, client) >= earlier[client]",
        "THEN Entry(later, client) + 1 >= earlier[client]",
    ),
    "an overwrite is not linked": (
        "link' = IF stops THEN link ELSE [link EXCEPT ![client] = theirs]",
        "link' = link",
    ),
    "a conflict file does not move on": (
        "IF \\E held \\in conflicts : client \\in held.by /\\ held.version = version\n",
        "IF \\E held \\in conflicts : client \\in held.by\n",
    ),
    "a deletion's link waits for nobody": (
        "\\/ SameVersion(mine.seen[other], mine.version)",
        "\\/ TRUE",
    ),
    "a change that was not uploaded is overwritten": (
        'finds == IF first = "overwrite" /\\ old.changed THEN "conflict" ELSE first',
        "finds == first",
    ),
}


def traces(profile: str, histories: int) -> list[Behaviour]:
    """The first histories of a profile, in the model's terms."""
    seeds = (history_seed(1, "conflict-detection", profile, index) for index in range(histories))
    return [MODEL.trace_of(SYSTEM.histories.generate(profile, seed), "repaired") for seed in seeds]


@cache
def unchanged_traces() -> tuple[Behaviour, ...]:
    """The traces that a changed model must refuse in part."""
    return (*traces("default", 6), *traces("racing", 8))


def agrees(behaviour: Behaviour) -> bool:
    """Return whether the reference follows the model, step by step."""
    try:
        observed = list(MODEL.replay(behaviour, "repaired"))
    except CannotTranslateError:
        return False
    told: Iterator[tuple[Any, Any]] = zip(behaviour.steps, observed, strict=True)
    return all(same(step.after, after) for step, after in told)


@pytest.fixture(scope="module")
def behaviours() -> list[Behaviour]:
    """Random behaviours of the model."""
    return list(simulated(MODEL, FOLDER, "repaired", number=120, depth=24, seed=1))


def test_the_reference_does_what_the_model_does(behaviours: list[Behaviour]) -> None:
    assert len(behaviours) == 120
    assert all(map(agrees, behaviours))


@pytest.mark.full_run("model of conflict detection")
@pytest.mark.parametrize("reading", ["repaired", "literal"])
def test_the_model_allows_what_the_reference_does(reading: str) -> None:
    seeds = [history_seed(2, "conflict-detection", "default", index) for index in range(20)]
    told = [MODEL.trace_of(SYSTEM.histories.generate("default", seed), reading) for seed in seeds]
    verdicts = list(validated(MODEL, FOLDER, told, reading))
    assert all(isinstance(verdict, Accepted) for verdict in verdicts)


def test_most_changes_of_the_reference_are_found_by_some_behaviour(
    behaviours: list[Behaviour], monkeypatch: pytest.MonkeyPatch
) -> None:
    found: set[str] = set()
    for what in CHANGES_OF_THE_REFERENCE:
        with faulty(FAULTS[what]):
            if not all(map(agrees, behaviours)):
                found.add(what)
    assert len(found) >= 5


@pytest.mark.full_run("model of conflict detection")
def test_a_change_of_the_reference_is_found_by_some_trace() -> None:
    told: list[Behaviour] = []
    changes: list[str] = []
    for what in CHANGES_OF_THE_REFERENCE:
        with faulty(FAULTS[what]):
            changed = traces("default", 6) + traces("racing", 8)
        told += changed
        changes += [what] * len(changed)
    verdicts = validated(MODEL, FOLDER, told, "repaired")
    found = {
        what
        for what, verdict in zip(changes, verdicts, strict=True)
        if not isinstance(verdict, Accepted)
    }
    assert found == {*CHANGES_OF_THE_REFERENCE}


@pytest.mark.full_run("model of conflict detection")
@pytest.mark.parametrize("what", CHANGES_OF_THE_MODEL)
def test_a_change_of_the_model_is_found_by_some_trace(what: str, tmp_path: Path) -> None:
    old, new = CHANGES_OF_THE_MODEL[what]
    text = (FOLDER / "ConflictDetection.tla").read_text(encoding="utf-8")
    assert text.count(old) == 1
    folder = tmp_path / "model"
    shutil.copytree(FOLDER, folder)
    (folder / "ConflictDetection.tla").write_text(text.replace(old, new), encoding="utf-8")
    told = [*unchanged_traces(), MODEL.trace_of(UNSAVED, "repaired")]
    verdicts = list(validated(MODEL, folder, told, "repaired"))
    assert not all(isinstance(verdict, Accepted) for verdict in verdicts)
