"""A campaign's page compares profiles: as it measures them itself, or as it is given them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.command_line.main import run
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.reports.campaign_profiles import measured, profiles_compared
from support.kept_campaigns import finished, keep

PLAN = Plan(system="history-merge", profile="tiny", readings=("document",), seed=1, histories=5)


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign of one small block."""
    folder = tmp_path_factory.mktemp("campaign")
    return keep(folder, PLAN, *finished(PLAN, [0]))


def test_profiles_are_compared_with_uniform() -> None:
    found = measured(
        profiles_report(
            racing={"shape:heads:5": 7, "shape:heads:1": 1}, uniform={"shape:heads:1": 30, "x": 2}
        )
    )
    part = "".join(profiles_compared(found))
    assert "The first 30 histories of each profile with seed 4, under the reading document" in part
    assert "fewer than about one history in 10, at 95 % confidence" in part
    assert numbers_beside(part, "uniform") == ["2.0", "2", "0", "0"]
    assert numbers_beside(part, "racing") == ["2.0", "2", "1", "1"]
    assert numbers_beside(part, "<code>shape:heads:5</code>") == ["7"]
    assert part.index(">uniform</th>") < part.index(">racing</th>")


def test_without_uniform_profiles_stand_alone() -> None:
    part = "".join(profiles_compared(measured(profiles_report(racing={"<script>": 7}))))
    assert "The profile <code>uniform</code> was not measured." in part
    assert numbers_beside(part, "racing") == ["2.0", "1"]
    assert "does not cover" not in part
    assert "<script" not in part


def test_histories_that_could_not_be_examined_are_counted() -> None:
    report: Any = profiles_report(racing={"x": 1}, uniform={"x": 1})
    report["profiles"]["racing"]["crashed"] = 3
    part = "".join(profiles_compared(measured(report)))
    assert "could not be examined" in part
    assert numbers_beside(part, "racing") == ["2.0", "1", "0", "0", "3"]
    assert numbers_beside(part, "uniform") == ["2.0", "1", "0", "0", "0"]


def test_a_page_measures_the_first_histories_of_each_profile(
    directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["report", str(directory), "--tries", "0", "--html"]
    here, kept, without = (tmp_path / name for name in ("here.html", "kept.html", "without.html"))
    assert run([*command, str(here), "--profile-histories", "2"]) == 0
    every = [f"--profile={name}" for name in system_named("history-merge").histories.profiles]
    assert run(["fuzz", "history-merge", "--histories", "2", *every, "--json"]) == 0
    (tmp_path / "reach.json").write_text(capsys.readouterr().out)
    assert run([*command, str(kept), "--profiles", str(tmp_path / "reach.json")]) == 0
    assert run([*command, str(without), "--profile-histories", "0"]) == 0
    text = here.read_text()
    assert "The first 2 histories of each profile with seed 1, under the reading document" in text
    histories = system_named("history-merge").histories
    for profile in histories.profiles:
        (events, *_rest) = numbers_beside(text, profile)
        seeds = (history_seed(1, "history-merge", profile, index) for index in (0, 1))
        drawn: list[Any] = [
            histories.to_json(histories.generate(profile, seed))["events"] for seed in seeds
        ]
        assert events == f"{sum(map(len, drawn)) / 2:,.1f}"
    assert kept.read_bytes() == here.read_bytes()
    assert "Profiles compared" not in without.read_text()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "No such file or directory"),
        ("histories: 5", "with several profiles: "),
        (
            "[]",
            "with several profiles: the report is not an object",
        ),
        (
            "{}",
            "with several profiles: profiles is not an object",
        ),
        (
            '{"profiles": {}}',
            "with several profiles: system is not a string",
        ),
        (
            '{"system":"s","reading":"r","seed":1,"histories":true,"profiles":{}}',
            "with several profiles: histories is not an integer",
        ),
        (
            '{"system":"s","reading":"r","seed":1,"histories":1,"profiles":{"p":{"events":1}}}',
            "with several profiles: reached of profile 'p' is not an object",
        ),
        (
            '{"system":"s\\n","reading":"r","seed":1,"histories":1,"profiles":{}}',
            "holds profiles of s\\n; the campaign is of history-merge",
        ),
    ],
)
def test_a_file_that_is_not_a_measurement_is_one_line(
    directory: Path,
    tmp_path: Path,
    content: str | None,
    reason: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file, page = tmp_path / "reach.json", tmp_path / "page.html"
    if content is not None:
        file.write_text(content)
    command = ["report", str(directory), "--html", str(page), "--profiles", str(file)]
    assert run(command) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"rejoin: {file}")
    assert reason in error
    assert error.count("\n") == 1
    assert not page.exists()


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["--profile-histories", "-1"], "-1 is not in the range x>=0"),
        (["--profile-histories", "many"], "'many' is not a valid integer"),
        (
            ["--profile-histories", "3", "--profiles", "reach.json"],
            "give --profiles or --profile-histories, not both",
        ),
    ],
)
def test_wrong_options_are_one_line(
    directory: Path, options: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["report", str(directory), "--html", "-", *options]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert line in said.err


def profiles_report(**profiles: dict[str, int]) -> JsonObject:
    """An output of `rejoin fuzz --json`: profile -> key -> in how many of 30 histories."""
    return {
        "system": "history-merge",
        "reading": "document",
        "seed": 4,
        "histories": 30,
        "profiles": {
            name: {
                "events": 60,
                "crashed": 0,
                "reached": {what: {"histories": n, "first": 0} for what, n in things.items()},
            }
            for name, things in profiles.items()
        },
    }


def numbers_beside(page: str, head: str) -> list[str]:
    """The numbers of the table row that begins with the head."""
    (row,) = re.findall(rf'<tr><th scope="row">{re.escape(head)}</th>(.*?)</tr>', page)
    return re.findall(r">([^<]+)</td>", row)
