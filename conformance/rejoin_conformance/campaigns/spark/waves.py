"""Divide a campaign's blocks into waves, and a wave into tasks.

A wave is written as a unit, so an interruption loses at most the waves in flight: half a minute of
work. Two waves are in flight, so that no core waits for the last task or for the writing of a wave.
"""

from __future__ import annotations

from typing import Final

from attrs import define, frozen

WAVES_IN_FLIGHT: Final = 2
WAVE_MICROS: Final = 20_000_000
TASK_MICROS: Final = 5_000_000
"""The target time of a wave on all cores, and of a task on one. A task costs 20 to 50 ms more
than its blocks, and a block up to a second."""

LAST_MICROS: Final = 2_000_000
"""The target time of the last wave of a range on all cores. Its tasks are short, so that all cores
end at about the same time."""

LARGEST_WAVE: Final = 20_000
"""The maximum number of blocks. The driver holds their rows in flight, some 10 kB each."""

TASKS_A_CORE: Final = 4


@frozen
class Wave:
    """The blocks first .. last, divided into tasks."""

    first: int
    last: int
    tasks: int

    @property
    def blocks(self) -> int:
        """Return the number of blocks."""
        return self.last - self.first + 1


@define
class Pace:
    """The cost of the blocks examined so far. micros: their core time in microseconds."""

    blocks: int = 0
    micros: int = 0

    def add(self, micros: int) -> None:
        """Add one block."""
        self.blocks += 1
        self.micros += micros

    def blocks_in(self, micros: int) -> int:
        """Return the number of blocks that one core does in this time: at least one."""
        return max(1, micros * self.blocks // max(1, self.micros))


def next_wave(gap: range, pace: Pace, cores: int, partitions: int | None = None) -> Wave:
    """Return the first wave of a range of missing blocks.

    partitions: the number of tasks; None to choose it by the cost of a block.
    """
    wanted = cores * pace.blocks_in(WAVE_MICROS) if pace.blocks else TASKS_A_CORE * cores
    blocks = min(len(gap), LARGEST_WAVE, max(wanted, partitions or 1))
    if partitions is not None:
        tasks = partitions
    else:
        last = cores * pace.blocks_in(LAST_MICROS)
        if pace.blocks and blocks == len(gap) and blocks > TASKS_A_CORE * last:
            blocks -= last
        tasks = max(TASKS_A_CORE * cores, -(-blocks // pace.blocks_in(TASK_MICROS)))
    return Wave(gap.start, gap.start + blocks - 1, min(tasks, blocks))
