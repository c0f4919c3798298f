"""Every model in spec/ names existing clauses, and TLC runs all of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rejoin_conformance.contract.model import AnyModel, Configuration, model_folder
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.contract.system import System
from rejoin_conformance.corpus.clauses import clauses_of
from rejoin_conformance.model_checking.check import check

MODELLED = [system for system in all_systems() if system.model is not None]
LARGE = [
    pytest.param(system.name, system.model, each, id=f"{system.name}-{each.name}")
    for system in MODELLED
    for each in (system.model.configurations if system.model else ())
    if each.size == "large"
]


@pytest.mark.parametrize("system", MODELLED, ids=lambda each: str(each.name))
def test_a_model_cites_clauses_that_there_are(system: System) -> None:
    known = {clause.id for clause in clauses_of(system.name)}
    cited = {
        clause
        for path in model_folder(system.name).glob("*.tla")
        for clause in re.findall(rf"\b{system.prefix}-[A-Z0-9-]*[A-Z0-9]", path.read_text("utf-8"))
        if not re.fullmatch(rf"{system.prefix}-E\d+", clause)
    }
    assert len(cited) > 10
    assert cited <= known


@pytest.mark.parametrize("system", MODELLED, ids=lambda each: str(each.name))
def test_a_clause_cites_no_model(system: System) -> None:
    for clause in clauses_of(system.name):
        assert ".tla" not in clause.text


@pytest.mark.parametrize("system", MODELLED, ids=lambda each: str(each.name))
def test_a_model_has_small_and_large_configurations_and_expects_a_violation(system: System) -> None:
    assert system.model is not None
    configurations = system.model.configurations
    assert {each.size for each in configurations} == {"small", "large"}
    assert any(each.violates for each in configurations)
    assert len({each.name for each in configurations}) == len(configurations)
    folder = model_folder(system.name)
    assert {each.file for each in configurations} == {path.name for path in folder.glob("*.cfg")}


@pytest.mark.parametrize("system", MODELLED, ids=lambda each: str(each.name))
def test_the_page_of_the_documentation_describes_every_configuration(system: System) -> None:
    assert system.model is not None
    page = (Path(__file__).parents[3] / "docs" / "models-checked.md").read_text(encoding="utf-8")
    assert f"\n## {system.title}\n" in page
    for each in system.model.configurations:
        assert f"\n| `{each.name}` | {each.summary} | {each.bounds} | " in page


REACHED = [("three-edits", "three-survivors"), ("from-122-random", "message-127")]
"""A configuration of config merge, and one that fails if the first is empty."""


@pytest.mark.parametrize("names", REACHED)
def test_what_a_configuration_reaches_is_shown_with_its_constants(names: tuple[str, str]) -> None:
    folder = model_folder("config-merge")
    texts = [(folder / f"{name}.cfg").read_text(encoding="utf-8") for name in names]
    whole, reached = (re.split("SPECIFICATION|INVARIANTS", text)[1] for text in texts)
    assert whole == reached


@pytest.mark.long
@pytest.mark.parametrize(("system", "model", "configuration"), LARGE)
def test_tlc_finds_in_a_large_configuration_what_is_expected(
    system: str, model: AnyModel, configuration: Configuration
) -> None:
    checked = check(model, model_folder(system), configuration, workers=2, memory=4096)
    assert checked.as_expected, checked.text()
