"""The oracle runs the histories on which laws are checked, and changes nothing but the time."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from attrs import evolve

from rejoin_conformance.adapters.oracle import MODULE, oracle_of
from rejoin_conformance.campaigns.block import examine_block
from rejoin_conformance.campaigns.campaign import directory_of, run_campaign
from rejoin_conformance.campaigns.kept.folder import Folder
from rejoin_conformance.campaigns.laws_by import why_not
from rejoin_conformance.campaigns.plan import Bounds, Plan
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.command_line.main import run
from rejoin_conformance.contract.registry import all_systems, system_named
from rejoin_conformance.kit.json_types import JsonObject
from support.changed_oracle import install, need_oracle, uninstall
from support.plans import small_plan
from support.spreads import HERE

pytestmark = pytest.mark.full_run("oracle")

SYSTEMS = [each.name for each in all_systems() if each.histories.examine_by is not None]
SYSTEM = SYSTEMS[-1]
PLAN = small_plan(SYSTEM, 20, profile="default", seed=3)


@pytest.fixture(autouse=True)
def _oracle() -> Iterator[None]:
    for system in SYSTEMS:
        need_oracle(system)
    yield
    oracle_of.cache_clear()


def examined(plan: Plan = PLAN, **bounds: Any) -> Summary:
    return run_campaign(evolve(plan, bounds=Bounds(**bounds)), HERE)


def results(summary: Summary) -> tuple[JsonObject, dict[str, int]]:
    """Return everything but who ran the histories, and this."""
    said: Any = summary.to_json()
    ran = {by: summary.total("answered", by) for by in ("oracle", "reference", "both")}
    for each in said["readings"].values():
        del each["answered"]
    return said, ran


@pytest.mark.parametrize("histories", [300, pytest.param(20_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_result_is_the_same_by_the_oracle_even_if_it_is_resumed(
    system: str, histories: int, tmp_path: Path
) -> None:
    plan = evolve(PLAN, system=system, readings=system_named(system).readings, histories=histories)
    runs = histories * len(plan.readings)
    without, nobody = results(examined(plan))
    by_oracle = evolve(plan, bounds=Bounds(laws_by="oracle"))
    summary = run_campaign(by_oracle, HERE)
    said, ran = results(summary)
    assert said == without
    assert not any(nobody.values())
    assert (ran["oracle"], ran["reference"]) == (runs, 0)
    checked = summary.counts(plan.readings[0], "answered")["both"]
    assert 0 < checked < histories / 40
    with directory_of(plan, str(tmp_path / "kept")) as store:
        assert isinstance(store, Folder)
        store.add(0, examine_block(plan, 0))
    with directory_of(by_oracle, str(tmp_path / "kept")) as store:
        said, ran = results(run_campaign(by_oracle, evolve(HERE, kept=store)))
    assert said == without
    assert ran["oracle"] == runs - 250 * len(plan.readings)


def wrong(monkeypatch: pytest.MonkeyPatch, **methods: Any) -> None:
    """Let the oracle merge with other methods."""
    right = importlib.import_module(MODULE).Merges

    class Wrong:
        def __init__(self, reading: str) -> None:
            self.right = right(reading)

        def __len__(self) -> int:
            return len(self.right)

        def __getattr__(self, name: str) -> Any:
            return getattr(self.right, name)

    methods.setdefault("literally", lambda self, *given: self.right.literally(*given))
    for name, method in methods.items():
        setattr(Wrong, name, method)
    install(monkeypatch, "history-merge/members", Merges=Wrong)


def test_a_run_that_breaks_a_law_is_judged_by_the_reference(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong(monkeypatch, members=lambda self: self.right.members() | {"wrong"})
    result = examined(laws_by="oracle")
    (found,) = (each for each in result.found() if each.law == "oracle-agrees")
    assert (found.kind, found.times) == ("laws", 20)
    without = examined()
    assert result.counts("document", "checked") == without.counts("document", "checked")
    assert result.judged().exit_code == 5
    options = ["--seed", "3", "--laws-by", "oracle"]
    assert run(["fuzz", SYSTEM, "--histories", "2", *options]) == 5
    said = capsys.readouterr().out
    command = f"show {SYSTEM} --seed 3 --index 0 --profile default --reading document "
    command += "--laws-by oracle"
    assert command in said
    assert run(command.split()) == 1
    assert "another result" in capsys.readouterr().out


def test_what_no_law_finds_is_found_where_the_reference_checks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A run that is not over all messages breaks no law."""
    wrong(monkeypatch, lca_u=lambda _self, _ids, _other: frozenset())
    every = {number: examined(laws_by="oracle", check_every=number) for number in (1, 10**6)}
    assert every[1].judged().exit_code == 5
    assert every[10**6].judged().exit_code == 0


@pytest.mark.parametrize("error", [ValueError("too many"), KeyError("?")])
def test_a_run_that_ends_is_the_references(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ValueError says that the oracle cannot hold the history. Others are a disagreement."""

    def accept(_self: Any, _node: Any) -> None:
        raise error

    wrong(monkeypatch, accept=accept)
    said, ran = results(examined(laws_by="oracle"))
    holds = isinstance(error, ValueError)
    assert (said == results(examined())[0]) is holds
    by_oracle = 0 if holds else 20
    assert ran == {"oracle": by_oracle, "reference": 20 - by_oracle, "both": by_oracle}


def test_the_output_says_why_the_reference_runs_the_histories(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert why_not(SYSTEM, "document") == ""
    assert "my_rule.py" in why_not(SYSTEM, "my_rule.py")
    module = importlib.import_module(MODULE)
    old = SimpleNamespace(hello=module.hello, ask=module.ask)
    monkeypatch.setitem(sys.modules, MODULE, old)
    oracle_of.cache_clear()
    assert "built before" in why_not(SYSTEM, "document")
    uninstall(monkeypatch)
    assert run(["fuzz", SYSTEM, "--histories", "2", "--laws-by", "oracle"]) == 0
    assert "2 by the reference, because the oracle is not installed" in capsys.readouterr().out
