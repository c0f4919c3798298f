"""Speed is the work divided by the time in which something ran."""

from __future__ import annotations

from itertools import pairwise

import pytest

from rejoin_conformance.campaigns.timeline import SECOND, Span, Timeline

START = 1_700_000_000 * SECOND


def timeline(*blocks: tuple[float, float, int]) -> Timeline:
    """Blocks by beginning and length in seconds, and histories."""
    made = Timeline()
    for began, length, histories in blocks:
        times = {"began": START + round(began * SECOND), "micros": round(length * SECOND)}
        made.add({**times, "histories": histories, "cpu_micros": times["micros"]})
    return made


def test_two_workers_side_by_side_count_twice() -> None:
    both = timeline((0, 10, 100), (0, 10, 100))
    assert both.rate() == 20
    assert both.core == 20 * SECOND
    assert both.spans() == [Span(START, START + 10 * SECOND)]


def test_a_break_is_no_time() -> None:
    slept = timeline((0, 10, 100), (86_400, 10, 300))
    assert slept.active() == 20 * SECOND
    assert slept.rate() == 20
    assert slept.rate_now() == 30


def test_a_short_silence_is_part_of_the_work() -> None:
    assert timeline((0, 10, 100), (20, 10, 100)).active() == 30 * SECOND


def test_now_is_the_latest_minute_and_takes_its_share_of_longer_blocks() -> None:
    assert timeline((0, 100, 1000), (100, 30, 600)).rate_now() == pytest.approx((300 + 600) / 60)


def test_an_empty_timeline_has_no_speed() -> None:
    assert (Timeline().rate(), Timeline().rate_now(), list(Timeline().rates(10))) == (0, 0, [])


def test_the_pieces_of_a_timeline_hold_all_histories() -> None:
    uneven = timeline((0, 7, 250), (3, 5.5, 250), (30, 1.2, 250), (31.5, 0, 250))
    pieces = list(uneven.rates(13))
    assert sum(rate * (end - start) / SECOND for start, end, rate in pieces) == pytest.approx(
        750, abs=1e-6
    )
    assert all(end == start for (_, end, _), (start, _, _) in pairwise(pieces))
    assert pieces[0][0] == START
    assert any(rate == 0 for _, _, rate in pieces)
