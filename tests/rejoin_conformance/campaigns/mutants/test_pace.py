"""The description of work in parts has the rate and the time left."""

from __future__ import annotations

from rejoin_conformance.campaigns.mutants.pace import Pace


def test_nothing_done_has_no_rate() -> None:
    assert Pace(1200, "mutants", iter([5.0, 6.0]).__next__).text(0) == "mutants, 0 of 1,200 done"


def test_the_rate_gives_the_time_left() -> None:
    pace = Pace(1200, "mutants", iter([5.0, 15.0]).__next__)
    expected = "mutants, 100 of 1,200 done, 10.0 a second, 1:50 minutes left"
    assert pace.text(100) == expected
