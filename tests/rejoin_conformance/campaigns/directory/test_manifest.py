"""A kept campaign depends on the code that makes and judges its histories, and on nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from rejoin_conformance.campaigns.directory import manifest
from rejoin_conformance.campaigns.directory.manifest import sources
from rejoin_conformance.campaigns.directory.open_directory import directory_of
from rejoin_conformance.campaigns.directory.store import OtherCampaignError
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.kit.import_graph import modules_of

LAWS = Plan(system="history-merge", profile="tiny", readings=("document",), seed=1, histories=10)
ASKING = evolve(LAWS, adapter="./port")

NEEDED = (
    "rejoin.errors",
    "rejoin.history_merge.three_way_merge",
    "rejoin_conformance.kit.draw",
    "rejoin_conformance.contract.law",
    "rejoin_conformance.readings.overriding",
    "rejoin_conformance.campaigns.block",
    "rejoin_conformance.campaigns.summary",
    "rejoin_conformance.systems.history_merge.histories",
    "rejoin_conformance.systems.history_merge.laws",
    "rejoin_conformance.systems.history_merge.operations",
)
NEEDED_TO_ASK = (
    "rejoin_conformance.adapters.protocol",
    "rejoin_conformance.adapters.process",
    "rejoin_conformance.adapters.runner.judge",
)
NOT_NEEDED = (
    "rejoin.config_merge.messages",
    "rejoin_conformance.adapters.pytest_plugin",
    "rejoin_conformance.adapters.doctor.examine",
    "rejoin_conformance.campaigns.spark.session",
    "rejoin_conformance.command_line.campaigns.fuzz",
    "rejoin_conformance.kit.dag_drawing",
    "rejoin_conformance.model_checking.tlc",
    "rejoin_conformance.reports.campaign_page",
    "rejoin_conformance.reports.dag_svg",
    "rejoin_conformance.systems.config_merge.histories.examine",
    "rejoin_conformance.systems.history_merge.why",
    "rejoin_conformance.systems.history_merge.pictures",
    "rejoin_conformance.systems.history_merge.model.traces",
    "rejoin_conformance.systems.history_merge.system",
)


def _refused_after_a_change(
    module: str, plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> bool:
    """Begin a campaign, change one module, and open the campaign again."""
    with directory_of(plan, str(tmp_path / "campaign")):
        pass
    original = modules_of(module.split(".", maxsplit=1)[0])[module]
    changed = tmp_path / "changed.py"
    changed.write_text(original.read_text(encoding="utf-8") + "\n# a change\n", encoding="utf-8")

    def with_the_change(package: str) -> dict[str, Path]:
        modules = modules_of(package)
        return modules | {module: changed} if module in modules else modules

    monkeypatch.setattr(manifest, "modules_of", with_the_change)
    try:
        with directory_of(plan, str(tmp_path / "campaign")):
            return False
    except OtherCampaignError as refused:
        return "(code " in str(refused)


@pytest.mark.parametrize("module", NEEDED)
def test_a_change_of_needed_code_refuses_the_campaign(
    module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _refused_after_a_change(module, LAWS, tmp_path, monkeypatch)


@pytest.mark.parametrize("module", [*NOT_NEEDED, *NEEDED_TO_ASK])
def test_a_change_of_other_code_does_not_refuse_the_campaign(
    module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not _refused_after_a_change(module, LAWS, tmp_path, monkeypatch)


@pytest.mark.parametrize("module", NEEDED_TO_ASK)
def test_a_campaign_against_an_adapter_needs_the_code_that_asks_it(
    module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _refused_after_a_change(module, ASKING, tmp_path, monkeypatch)


@pytest.mark.parametrize("module", NOT_NEEDED)
def test_a_page_does_not_refuse_a_campaign_against_an_adapter(
    module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not _refused_after_a_change(module, ASKING, tmp_path, monkeypatch)


def test_every_source_of_the_reference_s_system_is_needed() -> None:
    names = {name for name, _ in sources("history-merge")}
    package = {name for name in modules_of("rejoin") if name.startswith("rejoin.history_merge")}
    assert package <= names
