"""Waves cover the missing blocks, each once, in pieces of similar work."""

from __future__ import annotations

import pytest

from rejoin_conformance.campaigns.spark.waves import (
    LARGEST_WAVE,
    LAST_MICROS,
    TASK_MICROS,
    WAVE_MICROS,
    Pace,
    next_wave,
)


def test_the_first_wave_is_small_while_no_cost_is_known() -> None:
    wave = next_wave(range(100, 5000), Pace(), cores=2)
    assert (wave.first, wave.blocks, wave.tasks) == (100, 8, 8)


@pytest.mark.parametrize(("cost", "cores"), [(10_000, 1), (250_000, 2), (2_000_000, 64)])
def test_later_waves_take_the_time_that_is_meant(cost: int, cores: int) -> None:
    pace = Pace()
    for _ in range(10):
        pace.add(cost)
    wave = next_wave(range(1_000_000), pace, cores)
    assert wave.blocks * cost == cores * WAVE_MICROS
    assert wave.blocks * cost <= wave.tasks * TASK_MICROS
    assert wave.tasks >= 4 * cores


def test_a_wave_ends_with_its_gap_and_has_no_empty_task() -> None:
    wave = next_wave(range(3, 5), Pace(), cores=8)
    assert (wave.first, wave.last, wave.tasks) == (3, 4, 2)


def test_a_range_ends_with_a_short_wave_of_short_tasks() -> None:
    pace = Pace()
    pace.add(100_000)
    before = next_wave(range(400), pace, cores=2)
    assert (before.blocks, before.tasks) == (360, 8)
    last = next_wave(range(360, 400), pace, cores=2)
    assert (last.first, last.last, last.tasks) == (360, 399, 8)
    assert last.blocks * 100_000 == 2 * LAST_MICROS
    few = next_wave(range(160), pace, cores=2)
    assert few.blocks == 160


def test_a_wave_is_never_too_large_for_the_driver() -> None:
    pace = Pace()
    pace.add(1)
    assert next_wave(range(10**9), pace, cores=1000).blocks == LARGEST_WAVE


def test_a_block_of_no_measurable_cost_does_no_harm() -> None:
    pace = Pace()
    pace.add(0)
    assert next_wave(range(10**9), pace, cores=1).blocks == LARGEST_WAVE


@pytest.mark.parametrize("partitions", [1, 7, 64])
def test_the_number_of_tasks_can_be_given(partitions: int) -> None:
    assert next_wave(range(1000), Pace(), 2, partitions).tasks == partitions
