"""The models of all systems: what they cite, and the results of TLC on them."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

from figures import load
from rejoin_conformance.contract.model import AnyModel, Configuration, model_folder
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.corpus.clauses import clauses_of
from rejoin_conformance.kit.tla_values import parse_value
from rejoin_conformance.model_checking.check import check
from rejoin_conformance.systems.history_merge.exhaust.counts import counts_of
from rejoin_conformance.systems.history_merge.exhaust.premises import PREMISES
from tables import Table

ELSEWHERE: Final = {"counts"}
SLOW: Final = {"nested", "kinds", "repaired-three"}
"""Configurations whose laws others check too in every run, with other data or fewer clients."""
LENGTHS: Final = {
    "libsession-sets": 10,
    "libsession-nested": 10,
    "libsession-kinds": 9,
    "races": 20,
    "three-survivors": 10,
    "message-127": 28,
    "literal-snapshots": 5,
    "literal-maps": 4,
    "literal-entries": 5,
    "literal-clean-up": 5,
    "set-back-maps": 8,
    "set-back-numbers": 6,
    "symmetric-difference-price": 3,
}
"""Configuration -> the states of its smallest counterexample, the first included. The one of
`message-127` is the first that it draws: it draws the same behaviours in every run. Elsewhere it is
a root and four messages."""


def model_of(name: str) -> AnyModel:
    model = system_named(name).model
    assert model is not None
    return model


ALL: Final = [(name, each) for name in system_names() for each in model_of(name).configurations]
CHECKED: Final = [
    pytest.param(
        name,
        each,
        marks=[pytest.mark.long] * (each.name in SLOW or each.size == "large")
        + [pytest.mark.full_run(f"model of {name.replace('-', ' ')}")] * (each.size == "small"),
        id=f"{name}-{each.name}",
    )
    for name, each in ALL
    if each.name not in ELSEWHERE
]
EVERY_SYSTEM: Final = pytest.mark.parametrize("name", system_names())


@pytest.mark.parametrize(("name", "configuration"), CHECKED)
def test_tlc_finds_what_is_expected(name: str, configuration: Configuration) -> None:
    more = {"workers": 2, "memory": 4096} if configuration.size == "large" else {}
    checked = check(model_of(name), model_folder(name), configuration, **more)
    assert checked.as_expected, checked.text()
    if configuration.size == "small":
        wanted = 0 if configuration.violates is None else LENGTHS.get(configuration.name, 5)
        assert len(checked.outcome.trace) == wanted


@EVERY_SYSTEM
def test_a_model_cites_clauses_that_there_are_and_no_clause_cites_a_model(name: str) -> None:
    prefix, clauses = system_named(name).prefix, clauses_of(name)
    cited = {
        clause
        for path in model_folder(name).glob("*.tla")
        for clause in re.findall(rf"\b{prefix}-[A-Z0-9-]*[A-Z0-9]", path.read_text("utf-8"))
        if not re.fullmatch(rf"{prefix}-E\d+", clause)
    }
    assert len(cited) > 10
    assert cited <= {clause.id for clause in clauses}
    assert not any(".tla" in clause.text for clause in clauses)


@EVERY_SYSTEM
def test_the_recorded_figures_describe_every_configuration(name: str) -> None:
    table, configurations = load()[f"models-{name}"], model_of(name).configurations
    assert isinstance(table, Table)
    described = {(f"`{each.name}`", each.summary, each.bounds) for each in configurations}
    assert {row[:3] for row in table.rows} == described
    assert {each.size for each in configurations} == {"small", "large"}
    assert any(each.violates for each in configurations)


REACHED: Final = [("three-edits", "three-survivors"), ("from-122-random", "message-127")]
"""A configuration of config merge, and one that fails if the first is empty."""


@pytest.mark.parametrize("names", REACHED)
def test_what_a_configuration_reaches_is_shown_with_its_constants(names: tuple[str, str]) -> None:
    texts = [(model_folder("config-merge") / f"{name}.cfg").read_text("utf-8") for name in names]
    whole, reached = (re.split("SPECIFICATION|INVARIANTS", text)[1] for text in texts)
    assert whole == reached


def test_the_bounds_that_are_reported_are_those_of_the_file() -> None:
    compared = set()
    for name, configuration in ALL:
        text = (model_folder(name) / configuration.file).read_text("utf-8")
        constants = dict(re.findall(r"^ +(\w+) = (.*)$", text, re.MULTILINE))
        for number, what in re.findall(r"(\d+) (\w+?)s?\b(?! after)", configuration.bounds):
            most = constants.get(f"Max{what.title()}s")
            members = constants.get(f"{what.title()}s", constants.get(what.title()))
            assert most in {None, number}, configuration.name
            assert members is None or members.count(",") + 1 == int(number), configuration.name
            if most or members:
                compared.add((name, what))
    assert compared >= {("config-merge", each) for each in ("client", "edit", "message")}
    assert compared >= {("conflict-detection", each) for each in ("client", "text", "upload")}


def test_both_readings_of_config_merge_are_checked_and_all_laws_in_every_run() -> None:
    laws = {"OrderIndependence", "Idempotence", "MergeForm", "UpdateForm", "NoLostUpdate"}
    laws |= {"UntouchedLeavesStay", "ReplayOfEverything", "EditSurvivesResolve", "IgnoredExactly"}
    laws |= {"ExchangeConverges", "DeletionLosesNothing", "DeletesOnlyObsolete"}
    laws |= {"SameMessagesSameBytes"}
    texts = {
        each.name: (model_folder("config-merge") / each.file).read_text("utf-8")
        for name, each in ALL
        if name == "config-merge"
    }
    for name in ("scalars", "sets", "nested", "kinds"):
        assert laws <= {*texts[name].split()}
    readings = {text.split("Reading <- ")[1].split()[0] for text in texts.values()}
    assert readings == {"Document", "Libsession"}


def test_a_push_that_deletes_all_that_its_client_knows_breaks_a_law(tmp_path: Path) -> None:
    model, folder = model_of("config-merge"), tmp_path / "model"
    shutil.copytree(model_folder("config-merge"), folder)
    text = (folder / "ConfigMerge.tla").read_text("utf-8")
    kept = r"\/ ~Within(Window, Seqno(book, form[1]), message.seqno)}"
    assert text.count(kept) == 1
    changed = text.replace(kept, r"\/ book[form[1]].message /= message}")
    (folder / "ConfigMerge.tla").write_text(changed, "utf-8")
    configuration = model.configuration("duplicates")
    assert configuration is not None
    assert check(model, folder, configuration).outcome.violated == "DeletesOnlyObsolete"


def test_the_model_has_the_histories_that_the_exhaustive_check_counts() -> None:
    model = model_of("history-merge")
    configuration = model.configuration("counts")
    assert configuration is not None
    checked = check(model, model_folder("history-merge"), configuration)
    assert checked.as_expected, checked.text()
    found: Counter[tuple[int, str]] = Counter()
    for line in checked.outcome.printed:
        text = parse_value(line)
        assert isinstance(text, str)
        history: Any = parse_value(text)
        nodes, order_free, associative, met = history
        found[nodes, "histories"] += 1
        found[nodes, "order-dependent"] += not order_free
        found[nodes, "not-associative"] += not associative
        found.update((nodes, str(premise)) for premise in met)
    assert [found[nodes, "histories"] for nodes in range(6)] == [1, 2, 8, 56, 640, 0]
    assert found[4, "order-dependent"] == found[4, "not-associative"] == 12
    premises = {name for _, name in found} - {"histories", "order-dependent", "not-associative"}
    assert premises == {
        "no-concurrent-opposites",
        "totally-ordered",
        "added-once",
        "never-removed",
        "two-operations",
    }
    assert premises <= {each.name for each in PREMISES}
    for nodes in range(1, 5):
        counts = counts_of(nodes)
        assert found[nodes, "order-dependent"] == counts["order_dependent"]
        assert found[nodes, "not-associative"] == counts["not_associative"]
        for name in premises:
            assert found[nodes, name] == counts[f"premise:{name}:histories"], name
