"""The findings of a campaign become a corpus: one shrunk history for each law and shape."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from rejoin_conformance.campaigns.block import NO_CRASH
from rejoin_conformance.campaigns.findings.law_findings import (
    LawFinding,
    failure_classes,
    shrink_findings,
    write_findings,
)
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.corpus.check import check_system
from rejoin_conformance.corpus.load import load_histories, load_system
from rejoin_conformance.corpus.verify import verify_vector
from support.kept_campaigns import undisturbed
from support.plans import small_plan
from support.spreads import silent

_PLANS = {
    plan.system: plan
    for plan in (
        small_plan("history-merge", 500),
        small_plan("conflict-detection", 50, readings=("literal", "repaired")),
        small_plan("config-merge", 50, readings=("libsession",)),
    )
}
"""A small campaign for each system that finds something."""


def _summary(name: str) -> Summary:
    return undisturbed(_PLANS[name])


@cache
def _found(name: str) -> tuple[LawFinding, ...]:
    classes, said = failure_classes(_summary(name)), set[tuple[int, int, str]]()
    found = shrink_findings(_PLANS[name], classes, lambda *what: said.add(what))
    for place, each in enumerate(classes):
        assert (place, len(classes), f"0 tries, {each.law} {each.kind}") in said
    assert any(what.startswith("10 tries, ") for _, _, what in said)
    return found


@pytest.mark.parametrize("name", _PLANS)
def test_every_failure_class_is_in_a_finding(name: str) -> None:
    lineages = [finding.kept.lineage for finding in _found(name)]
    names = [finding.kept.name for finding in _found(name)]
    assert len(names) == len({*names}), "a law and a shape have one finding"
    classes = failure_classes(_summary(name))
    assert classes
    assert {
        (reading, lineage.law, kind)
        for lineage in lineages
        for reading in lineage.readings
        for kind in lineage.kinds
    } >= {(each.reading, each.law, each.kind) for each in classes}


@pytest.mark.parametrize("name", _PLANS)
def test_a_found_history_breaks_its_law_and_is_no_larger_than_the_one_it_comes_from(
    name: str,
) -> None:
    histories = system_named(name).histories
    for finding in _found(name):
        lineage = finding.kept.lineage
        shrunk = histories.from_json(finding.kept.history)
        broken = {
            (each.law, each.kind)
            for reading in lineage.readings
            for each in histories.examine(shrunk, reading).violations
        }
        assert broken & {(lineage.law, kind) for kind in lineage.kinds}
        first = histories.to_json(_PLANS[name].history(lineage.index))["events"]
        left = finding.kept.history["events"]
        assert isinstance(first, list)
        assert isinstance(left, list)
        assert len(left) <= len(first)


def test_kinds_that_come_to_one_history_each_have_their_operation() -> None:
    stale = ("snapshots: stale taken for conflict", "version-maps: stale taken for conflict")
    found = {finding.kept.lineage.kinds: finding for finding in _found("conflict-detection")}
    finding = found[stale]
    assert finding.kept.lineage.law == "no-false-conflict"
    assert [call.input["design"] for call in finding.calls] == ["snapshots", "version-maps"]


def test_the_findings_are_a_sound_corpus_that_the_reference_passes(tmp_path: Path) -> None:
    for name in _PLANS:
        path, vectors = write_findings(tmp_path, system_named(name), _found(name))
        assert [*check_system(name, tmp_path)] == []
        loaded = load_system(name, tmp_path)
        assert loaded == vectors
        assert not any(map(list, map(verify_vector, loaded)))
        system, kept = load_histories(path)
        assert (system, kept) == (name, tuple(finding.kept for finding in _found(name)))
        assert {vector.lineage for vector in loaded} == {each.lineage for each in kept}


def test_a_class_whose_history_cannot_be_made_is_passed_over() -> None:
    plan = small_plan("history-merge", 1, profile="none")
    summary = undisturbed(plan)
    assert [each.law for each in summary.found()] == [NO_CRASH.name]
    assert shrink_findings(plan, failure_classes(summary), silent) == ()
