"""A kept campaign depends on the code that makes and judges its histories, and on nothing else."""

from __future__ import annotations

from rejoin_conformance.campaigns.kept.store import code_digest, entries_of, sources
from rejoin_conformance.kit.import_graph import modules_of

NEEDED = {
    "rejoin.errors",
    "rejoin_conformance.kit.draw",
    "rejoin_conformance.contract.law",
    "rejoin_conformance.campaigns.block",
    "rejoin_conformance.campaigns.summary",
    "rejoin_conformance.systems.history_merge.laws",
    "rejoin_conformance.systems.history_merge.laws.txt",
    *(name for name in modules_of("rejoin") if name.startswith("rejoin.history_merge")),
} - {"rejoin.history_merge.examples"}
NEEDED_TO_ASK = {
    "rejoin_conformance.adapters.protocol",
    "rejoin_conformance.adapters.process",
    "rejoin_conformance.adapters.runner.judge",
}
NOT_NEEDED = (
    "rejoin.config_merge",
    "rejoin.history_merge.examples",
    "rejoin_conformance.adapters.pytest_plugin",
    "rejoin_conformance.adapters.doctor",
    "rejoin_conformance.campaigns.kept",
    "rejoin_conformance.campaigns.spark",
    "rejoin_conformance.command_line",
    "rejoin_conformance.kit.dag_drawing",
    "rejoin_conformance.model_checking",
    "rejoin_conformance.reports",
    "rejoin_conformance.systems.config_merge",
    "rejoin_conformance.systems.history_merge.system",
)


def test_a_campaign_needs_its_code_and_no_other() -> None:
    laws = {name for name, _ in sources(entries_of("history-merge"))}
    asking = {name for name, _ in sources(entries_of("history-merge", asking=True))}
    assert laws >= NEEDED
    assert not laws & NEEDED_TO_ASK
    assert asking >= NEEDED | NEEDED_TO_ASK
    assert not [name for name in laws | asking if name.startswith(NOT_NEEDED)]


def test_other_code_has_another_digest() -> None:
    ours, asking = (entries_of("history-merge", asking=each) for each in (False, True))
    every = (ours, asking, entries_of("config-merge"))
    assert len({code_digest(each) for each in every}) == 3
