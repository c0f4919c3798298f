"""How a campaign's blocks are cut into waves, and a wave into tasks.

A wave is what is kept at once, and so what an interruption costs: half a minute of work. Two are
in flight, so that no core waits for the last task of a wave or for its being kept.
"""

from __future__ import annotations

from typing import Final

from attrs import define, frozen

WAVES_IN_FLIGHT: Final = 2
WAVE_MICROS: Final = 20_000_000
TASK_MICROS: Final = 2_000_000
"""What a wave shall take on all cores, and a task on one: a task's own cost is some 20 ms."""

LARGEST_WAVE: Final = 20_000
"""Blocks; the driver holds the rows of the waves in flight, some 10 kB each."""

TASKS_A_CORE: Final = 4


@frozen
class Wave:
    """The blocks first .. last, cut into tasks."""

    first: int
    last: int
    tasks: int

    @property
    def blocks(self) -> int:
        """How many blocks it has."""
        return self.last - self.first + 1


@define
class Pace:
    """What a block costs, by those that have been examined so far. micros: core time in all."""

    blocks: int = 0
    micros: int = 0

    def add(self, micros: int) -> None:
        """Take note of one more block."""
        self.blocks += 1
        self.micros += micros

    def blocks_in(self, micros: int) -> int:
        """How many blocks one core does in this time; at least one, and one while none is known."""
        return max(1, micros * self.blocks // max(1, self.micros))


def next_wave(gap: range, pace: Pace, cores: int, partitions: int | None = None) -> Wave:
    """The wave that the gap begins with.

    partitions: how many tasks there are to be, whatever a block costs.
    """
    wanted = cores * pace.blocks_in(WAVE_MICROS) if pace.blocks else TASKS_A_CORE * cores
    blocks = min(len(gap), LARGEST_WAVE, max(wanted, partitions or 1))
    if partitions is not None:
        tasks = partitions
    else:
        tasks = max(TASKS_A_CORE * cores, -(-blocks // pace.blocks_in(TASK_MICROS)))
    return Wave(gap.start, gap.start + blocks - 1, min(tasks, blocks))
