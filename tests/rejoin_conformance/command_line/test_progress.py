"""Progress says how fast the work is and how long it will take."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from rejoin_conformance.command_line import console
from rejoin_conformance.command_line.console import Out, Speed
from rejoin_conformance.kit.text import duration


def test_the_rate_counts_from_the_first_report() -> None:
    speed = Speed("histories")
    assert speed.said(500, 2000, 10.0) == ""
    assert speed.said(600, 2000, 20.0) == "10 histories/s, 2 min left"
    assert speed.said(650, 2000, 40.0) == "5.0 histories/s, 9 min left"  # of the last seconds


def test_a_timeout_does_not_decide_how_long_the_rest_takes() -> None:
    speed = Speed("vectors")
    for second in range(31):
        speed.said(50 * second, 3000, second)
    assert speed.said(1501, 3000, 41) == "37 vectors/s, 41 s left"


def test_another_activity_has_a_rate_of_its_own() -> None:
    speed = Speed("tries")
    speed.said(900, 1000, 10.0)
    assert speed.said(0, 4000, 20.0) == ""
    assert speed.said(3, 4000, 50.0) == "10.0 s each, at most 11 h 6 min left"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.4, "0 s"), (89, "89 s"), (600, "10 min"), (5400, "1 h 30 min"), (36000, "10 h 0 min")],
)
def test_a_duration_is_short(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_lines_have_the_rate_and_come_at_least_every_15_seconds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter(range(0, 100, 5))
    monkeypatch.setattr(console, "time", SimpleNamespace(monotonic=lambda: float(next(clock))))
    with Out(as_json=False).progress("work", unit="pieces") as report:
        for done in range(8):
            report(done, 1000, "")
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "work: 0 of 1,000"
    assert all("5.0 s each, 83 min left" in line for line in lines[1:])
    assert len(lines) == 2
