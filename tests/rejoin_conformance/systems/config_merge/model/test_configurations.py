"""The results of TLC on the model of config merge."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rejoin_conformance.contract.model import Configuration, model_folder
from rejoin_conformance.model_checking.check import check
from rejoin_conformance.systems.config_merge.model import MODEL

FOLDER = model_folder("config-merge")
SLOW = {"nested", "kinds"}
"""Configurations whose laws `scalars` and `sets` check too, on other data, in every run."""
SMALL = [
    pytest.param(each, marks=[pytest.mark.long] if each.name in SLOW else [], id=each.name)
    for each in MODEL.configurations
    if each.size == "small"
]
LENGTHS = {
    "libsession-sets": 10,
    "libsession-nested": 10,
    "libsession-kinds": 9,
    "races": 20,
    "three-survivors": 10,
    "message-127": 28,
}
"""Configuration -> the states of its smallest counterexample, the first included. The one of
`message-127` is the first that it draws: it draws the same behaviours in every run."""


@pytest.mark.full_run("model of config merge")
@pytest.mark.parametrize("configuration", SMALL)
def test_tlc_finds_what_is_expected(configuration: Configuration) -> None:
    checked = check(MODEL, FOLDER, configuration)
    assert checked.as_expected, checked.text()
    if configuration.violates is not None:
        assert len(checked.outcome.trace) == LENGTHS[configuration.name]
    else:
        assert checked.outcome.trace == ()


def test_a_push_that_deletes_all_that_its_client_knows_breaks_a_law(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path, dirs_exist_ok=True)
    module = tmp_path / "ConfigMerge.tla"
    text = module.read_text(encoding="utf-8")
    kept = r"\/ ~Within(Window, Seqno(book, form[1]), message.seqno)}"
    assert text.count(kept) == 1
    module.write_text(text.replace(kept, r"\/ book[form[1]].message /= message}"), encoding="utf-8")
    configuration = MODEL.configuration("duplicates")
    assert configuration is not None
    assert check(MODEL, tmp_path, configuration).outcome.violated == "DeletesOnlyObsolete"


def test_every_law_that_random_histories_share_with_the_model_is_checked_somewhere() -> None:
    laws = {"OrderIndependence", "Idempotence", "MergeForm", "UpdateForm", "NoLostUpdate"}
    laws |= {"UntouchedLeavesStay", "ReplayOfEverything", "EditSurvivesResolve", "IgnoredExactly"}
    laws |= {"ExchangeConverges", "DeletionLosesNothing", "DeletesOnlyObsolete"}
    laws |= {"SameMessagesSameBytes"}
    for name in ("scalars", "sets", "nested", "kinds"):
        text = (FOLDER / f"{name}.cfg").read_text(encoding="utf-8")
        assert laws <= set(text.split())


def test_both_readings_are_checked() -> None:
    texts = [(FOLDER / each.file).read_text(encoding="utf-8") for each in MODEL.configurations]
    assert {text.split("Reading <- ")[1].split()[0] for text in texts} == {"Document", "Libsession"}
