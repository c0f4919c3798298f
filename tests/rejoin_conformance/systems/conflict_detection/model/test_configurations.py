"""The results of TLC on the model of conflict detection."""

from __future__ import annotations

import re

import pytest

from rejoin_conformance.contract.model import Configuration, model_folder
from rejoin_conformance.model_checking.check import check
from rejoin_conformance.systems.conflict_detection.model import MODEL

FOLDER = model_folder("conflict-detection")
SLOW = {"repaired-three"}
"""Every run checks these laws with two clients, and counts all interleavings of three clients."""
SMALL = [
    pytest.param(each, marks=[pytest.mark.long] if each.name in SLOW else [], id=each.name)
    for each in MODEL.configurations
    if each.size == "small"
]
LENGTHS = {
    "literal-snapshots": 5,
    "literal-maps": 4,
    "literal-entries": 5,
    "literal-clean-up": 5,
    "set-back-maps": 8,
    "set-back-numbers": 6,
}
"""Configuration -> the states of its smallest counterexample, the first included."""


@pytest.mark.full_run("model of conflict detection")
@pytest.mark.parametrize("configuration", SMALL)
def test_tlc_finds_what_is_expected(configuration: Configuration) -> None:
    checked = check(MODEL, FOLDER, configuration)
    assert checked.as_expected, checked.text()
    if configuration.violates is not None:
        assert len(checked.outcome.trace) == LENGTHS[configuration.name]
    else:
        assert checked.outcome.trace == ()


@pytest.mark.parametrize("configuration", MODEL.configurations, ids=lambda each: str(each.name))
def test_the_bounds_that_are_reported_are_those_of_the_file(configuration: Configuration) -> None:
    text = (FOLDER / configuration.file).read_text(encoding="utf-8")
    clients = re.search(r"^ +Clients = (.*)$", text, re.MULTILINE)
    uploads = re.search(r"^ +MaxUploads = (\d+)$", text, re.MULTILINE)
    assert clients is not None
    assert uploads is not None
    counted = re.match(r"(\d) clients, (?:(\d) uploads|an edit each)", configuration.bounds)
    assert counted is not None
    assert int(counted[1]) == clients[1].count(",") + 1
    assert counted[2] in {uploads[1], None}
