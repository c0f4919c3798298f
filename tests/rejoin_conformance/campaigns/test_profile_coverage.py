"""Profiles are measured by their coverage, against histories drawn event by event."""

from __future__ import annotations

from typing import Any

import pytest

from rejoin_conformance.campaigns.profile_coverage import CoveragePlan, profile_coverage
from rejoin_conformance.command_line.main import run
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.registry import all_systems, system_named
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.document_text import document_text
from rejoin_conformance.reports.profiles import profile_blocks
from support.spreads import HERE

EVERY_SYSTEM = pytest.mark.parametrize("system", all_systems(), ids=lambda system: system.name)


def measured(system: str, *profiles: str, histories: int = 30) -> Any:
    reading = system_named(system).default_reading
    plan = CoveragePlan(system=system, profiles=profiles, reading=reading, histories=histories)
    return profile_coverage(plan, HERE)


def test_counts_and_firsts_are_those_of_the_examinations_themselves() -> None:
    report = measured("history-merge", "racing")
    found = report["profiles"]["racing"]["reached"]
    histories = system_named("history-merge").histories
    counts: dict[str, list[int]] = {}
    for index in range(30):
        history = histories.generate("racing", history_seed(1, "history-merge", "racing", index))
        for what in histories.examine(history, "document").coverage:
            counts.setdefault(what, []).append(index)
    assert {what: (each["histories"], each["first"]) for what, each in found.items()} == {
        what: (len(indices), indices[0]) for what, indices in counts.items()
    }


def test_what_lies_beyond_uniform_is_what_uniform_does_not_reach() -> None:
    report = measured("conflict-detection", "default", "uniform")
    default, uniform = (report["profiles"][name]["reached"] for name in ("default", "uniform"))
    assert report["beyond"]["default"]
    assert set(report["beyond"]["default"]) == set(default) - set(uniform)
    assert "uniform" not in report["beyond"]
    for what in default:
        often = what in uniform and default[what]["histories"] >= 5 * uniform[what]["histories"]
        assert (what in report["oftener"]["default"]) == often, what


def test_nothing_is_beyond_uniform_where_it_was_not_measured() -> None:
    assert "beyond" not in measured("history-merge", "tiny", histories=2)


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
        seed = history_seed(1, system.name, "uniform", index)
        events: Any = system.histories.to_json(system.histories.generate("uniform", seed))["events"]
        for event in events:
            kind = _kind(event)
            counts[kind] = counts.get(kind, 0) + 1
    mean = sum(counts.values()) / len(counts)
    assert len(counts) >= 7
    assert all(mean / 2 < count < mean * 2 for count in counts.values()), counts


@EVERY_SYSTEM
def test_default_reaches_what_uniform_does_not(system: System) -> None:
    report = measured(system.name, "default", "uniform", histories=100)
    assert report["beyond"]["default"]
    assert report["profiles"]["default"]["crashed"] == 0
    assert report["profiles"]["uniform"]["crashed"] == 0


def test_the_command_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["fuzz", "history-merge", "--profile", "tiny", "--profile", "uniform"]
    assert run([*arguments, "--histories", "20", "--in-process"]) == 0
    text = capsys.readouterr().out
    assert "history-merge: 20 histories of each profile, reading document, seed 1" in text
    assert "not covered by uniform" in text
    assert "largest value" in text


def test_the_text_says_what_uniform_lacks_what_it_has_alone_and_how_far_each_goes() -> None:
    report = {
        "system": "toy",
        "reading": "strict",
        "seed": 1,
        "histories": 200,
        "profiles": {
            "uniform": {
                "events": 400,
                "crashed": 0,
                "reached": {
                    "shape:heads:3": {"histories": 9, "first": 1},
                    "shape:depth:1-8": {"histories": 9, "first": 1},
                    "event:idle": {"histories": 4, "first": 2},
                    "event:talk": {"histories": 2, "first": 2},
                },
            },
            "racing": {
                "events": 600,
                "crashed": 1,
                "reached": {
                    "shape:heads:3": {"histories": 9, "first": 1},
                    "shape:heads:12": {"histories": 1, "first": 7},
                    "shape:depth:17-24": {"histories": 2, "first": 9},
                    "clause:TOY-RACE": {"histories": 3, "first": 0},
                    "event:talk": {"histories": 20, "first": 2},
                },
            },
        },
        "beyond": {"racing": ["clause:TOY-RACE", "shape:heads:12", "shape:depth:17-24"]},
        "oftener": {"racing": ["event:talk"]},
    }
    text = document_text([*profile_blocks(report)])
    rows = {line.split("  ")[0]: line.split()[-2:] for line in text.splitlines() if line}
    assert rows["events in a history"] == ["3.0", "2.0"]
    assert rows["could not be examined"] == ["1", "0"]
    assert rows["clause:TOY-RACE"] == ["15.0", "-"]
    assert rows["event:idle"] == ["-", "20.0"]
    assert rows["event:talk"] == ["100.0", "10.0"]
    assert rows["shape:heads"] == ["12", "3"]
    assert rows["shape:depth"] == ["17-24", "1-8"]
    assert "shape:heads:3" not in rows
