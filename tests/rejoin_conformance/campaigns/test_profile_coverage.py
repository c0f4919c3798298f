"""Profiles are measured by their coverage, against histories drawn event by event."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from rejoin_conformance.campaigns.campaign import profile_coverage
from rejoin_conformance.contract.registry import all_systems, system_named
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.document_text import document_text
from rejoin_conformance.reports.profiles import profile_blocks
from support.plans import small_plan
from support.spreads import HERE

EVERY_SYSTEM = pytest.mark.parametrize("system", all_systems(), ids=lambda system: system.name)


def measured(system: str, *profiles: str, histories: int = 30) -> Any:
    return profile_coverage(small_plan(system, histories), profiles, HERE)


def test_counts_are_those_of_the_examinations_themselves() -> None:
    report = measured("history-merge", "racing")
    histories, reached = system_named("history-merge").histories, Counter[str]()
    for index in range(30):
        history = system_named("history-merge").history("racing", 1, index)
        reached.update({*histories.examine(history, "document").coverage})
    assert report["profiles"] == {"racing": {"crashed": 0, "reached": reached}}


def _kind(event: dict[str, Any]) -> str:
    """Return the kind of an event, also of one that its fields tell."""
    named = event.get("event") or event.get("kind")
    mishaps = {"skip", "deletes_nothing", "delayed"}
    fields = event.keys() - {"client", "file", "pick", "text", *mishaps}
    return str(named or ("hear" if "author" in event else "".join(sorted(fields))) or "hear")


@EVERY_SYSTEM
def test_uniform_histories_have_every_kind_of_event_about_as_often(system: System) -> None:
    counts: dict[str, int] = {}
    for index in range(200):
        events: Any = system.histories.to_json(system.history("uniform", 1, index))["events"]
        for event in events:
            kind = _kind(event)
            counts[kind] = counts.get(kind, 0) + 1
    mean = sum(counts.values()) / len(counts)
    assert len(counts) >= 7
    assert all(mean / 2 < count < mean * 2 for count in counts.values()), counts


@EVERY_SYSTEM
def test_default_reaches_what_uniform_does_not(system: System) -> None:
    profiles = measured(system.name, "default", "uniform", histories=100)["profiles"]
    assert {*profiles["default"]["reached"]} - {*profiles["uniform"]["reached"]}
    assert [each["crashed"] for each in profiles.values()] == [0, 0]


def test_the_text_says_how_many_could_not_be_examined_and_how_far_each_goes() -> None:
    uniform = {
        "shape:heads:3": 9,
        "shape:depth:1-8": 9,
        "event:idle": 4,
        "event:talk": 2,
        "event:hear": 5,
    }
    racing = {"shape:heads:12": 1, "shape:depth:17-24": 2, "event:talk": 20, "event:hear": 20}
    report = {
        "system": "toy",
        "reading": "strict",
        "seed": 1,
        "histories": 200,
        "profiles": {
            "racing": {"crashed": 1, "reached": racing},
            "uniform": {"crashed": 0, "reached": uniform},
        },
    }
    text = document_text([*profile_blocks(report)])
    rows = {line.split("  ")[0]: line.split()[-2:] for line in text.splitlines() if line}
    assert rows["could not be examined"] == ["1", "0"]
    assert rows["event:idle"] == ["-", "20.0"]
    assert rows["event:talk"] == ["100.0", "10.0"]
    assert "event:hear" not in rows  # 4 times as often
    assert rows["shape:heads"] == ["12", "3"]
    assert rows["shape:depth"] == ["17-24", "1-8"]
